package config

import (
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"parley/mcpclient"
)

func TestABrokenFileIsKeptAsideAndSaidSo(t *testing.T) {
	for name, text := range map[string]string{
		"no JSON":              `{"mcpServers":{`,
		"an array":             `[]`,
		"servers are a list":   `{"mcpServers":[]}`,
		"own part is text":     `{"parley":"x"}`,
		"notes are a number":   `{"parley":{"servers":3}}`,
		"larger than the list": `{"x":"` + strings.Repeat("a", maxSize) + `"}`,
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, text)
			files, err := filepath.Glob(s.Path() + ".broken-*")
			if err != nil || len(files) != 1 {
				t.Fatalf("kept aside: %v (%v), want one file", files, err)
			}
			if raw, _ := os.ReadFile(files[0]); string(raw) != text {
				t.Error("what was kept aside is not what was there")
			}
			if got := problems(s); !strings.Contains(got, filepath.Base(files[0])) {
				t.Errorf("said %q, which does not name %s", got, filepath.Base(files[0]))
			}
			if len(s.Servers()) != 0 {
				t.Error("a broken file lists servers")
			}
		})
	}
}

func TestAByteOrderMarkAndAnEmptyFileAreNoFaults(t *testing.T) {
	for _, text := range []string{"\ufeff" + `{"mcpServers":{}}`, " \n", `{}`, `{"mcpServers":null,"parley":null}`} {
		if s := open(t, text); s.Problems() != nil {
			t.Errorf("%q: %s", text, problems(s))
		}
	}
}

func TestEditsMadeOutsideSurviveAChange(t *testing.T) {
	s := open(t, `{"mcpServers":{"a":{"command":"a"}}}`)
	must(t, os.WriteFile(s.Path(), []byte(`{"mcpServers":{"a":{"command":"a"},"outside":{"command":"o"}}}`), 0o600))
	_, err := s.Add(mcpclient.Server{Name: "b", Kind: mcpclient.Stdio, Command: "b"})
	must(t, err)
	var names []string
	for _, v := range s.Servers() {
		names = append(names, v.Name)
	}
	if want := []string{"a", "outside", "b"}; !reflect.DeepEqual(names, want) {
		t.Errorf("servers %v, want %v", names, want)
	}
}

func TestTheFileIsForItsOwnerAndReplacedInOneStep(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "parley")
	s := reopen(t, dir)
	_, err := s.Add(mcpclient.Server{Name: "a", Kind: mcpclient.Stdio, Command: "a"})
	must(t, err)
	if runtime.GOOS != "windows" {
		for path, want := range map[string]os.FileMode{s.Path(): 0o600, dir: 0o700} {
			if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
				t.Errorf("%s has mode %v (%v), want %v", path, info.Mode().Perm(), err, want)
			}
		}
	}
	// The lock stays, empty: see disk.Lock.
	if files, _ := filepath.Glob(filepath.Join(dir, "*")); len(files) != 2 || files[1] != s.Path()+".lock" {
		t.Errorf("files left beside the list: %v", files)
	}
}

func TestALinkedFileStaysALink(t *testing.T) {
	dir, elsewhere := t.TempDir(), filepath.Join(t.TempDir(), "dotfiles.json")
	must(t, os.WriteFile(elsewhere, []byte(`{}`), 0o600))
	if err := os.Symlink(elsewhere, filepath.Join(dir, FileName)); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	must(t, reopen(t, dir).SetSettings(Settings{Language: "en"}))
	if raw, _ := os.ReadFile(elsewhere); !strings.Contains(string(raw), `"en"`) {
		t.Errorf("the file behind the link holds %s", raw)
	}
	if info, _ := os.Lstat(filepath.Join(dir, FileName)); info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link was replaced by a file")
	}
}

func TestWhenSavingFailsNothingHasChanged(t *testing.T) {
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "file"), nil, 0o600))
	s := reopen(t, filepath.Join(dir, "parley"))
	s.dir = filepath.Join(dir, "file", "below") // no folder can be made there
	if _, err := s.Add(mcpclient.Server{Name: "a", Kind: mcpclient.Stdio, Command: "a"}); err == nil {
		t.Fatal("a server was added where nothing can be saved")
	} else if got := english.Text(Sentence(err)); !strings.Contains(got, "could not be read or saved") {
		t.Errorf("sentence %q", got)
	}
	if len(s.Servers()) != 0 {
		t.Error("a server that could not be saved is listed")
	}
}
