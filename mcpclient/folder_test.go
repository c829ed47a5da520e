package mcpclient

import (
	"os"
	"path/filepath"
	"testing"
)

// TestAProgramStartsInTheHomeFolderUnlessAWholePathSaysOtherwise, and never in the
// folder that Parley happens to run in.
func TestAProgramStartsInTheHomeFolderUnlessAWholePathSaysOtherwise(t *testing.T) {
	home, other := t.TempDir(), t.TempDir()
	for dir, want := range map[string]string{
		"":              home,
		"work":          filepath.Join(home, "work"),
		"../beside":     filepath.Join(filepath.Dir(home), "beside"),
		other:           other,
		other + "/a/..": other + "/a/..", // as the person wrote it
	} {
		s := Server{Kind: Stdio, Command: "npx", Dir: dir}
		if got := s.folderIn(home); got != want {
			t.Errorf("with the folder %q it starts in %s; want %s", dir, got, want)
		}
	}
	if got := (Server{Kind: HTTP, URL: "https://a.example/mcp"}).Folder(); got != "" {
		t.Errorf("an address has the folder %q", got)
	}
}

func TestTheHomeFolderIsNamedWithoutLinks(t *testing.T) {
	want, err := os.UserHomeDir()
	if err == nil {
		want, err = filepath.EvalSymlinks(want)
	}
	if err != nil {
		t.Skip("this user has no home folder: ", err)
	}
	if got := homeFolder(); got != want {
		t.Errorf("it is %q; want %q", got, want)
	}
}
