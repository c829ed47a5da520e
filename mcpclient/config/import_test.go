package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"parley/assets/i18n"
	"parley/mcpclient"
	"parley/mcpclient/wire"
)

// written is a file mcp.json that holds text.
func written(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "mcp.json")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestReadFile_UnderstandsTheFilesOfOtherApps(t *testing.T) {
	files := mcpclient.Server{Name: "files", Kind: mcpclient.Stdio, Command: "npx", Args: []string{"-y", "files-server"},
		SecretEnv: []string{"KEY"}, Dir: "/srv"}
	tickets := mcpclient.Server{Name: "tickets", Kind: mcpclient.HTTP, URL: "https://tickets.test/mcp", SecretHeaders: []string{"Authorization"}}
	entries := `{"files": {"command": "npx", "args": ["-y", "files-server"], "env": {"KEY": "canary"}, "cwd": "/srv", "disabled": true},
		"tickets": {"type": "http", "url": "https://tickets.test/mcp", "headers": {"Authorization": "canary"}}}`
	for name, text := range map[string]string{
		"mcpServers":                       `{"mcpServers": ` + entries + `}`,
		"servers":                          `{"inputs": [], "servers": ` + entries + `}`,
		"mcpServers goes first":            `{"servers": {"other": {"command": "x"}}, "mcpServers": ` + entries + `}`,
		"byte order mark":                  "\ufeff" + `{"mcpServers": ` + entries + `}`,
		"comments and commas that are odd": "// mine\n{/* a */\"servers\": " + strings.Replace(entries, `"-y", "files-server"]`, "\"-y\", // yes\n \"files-server\", ]", 1) + ",\n}",
	} {
		src, err := ReadFile(written(t, text))
		if err != nil || len(src.Problems) != 0 || len(src.Offers) != 2 {
			t.Errorf("%s: %v, %d problems, %v", name, err, len(src.Problems), src.Offers)
			continue
		}
		for i, want := range []mcpclient.Server{files, tickets} {
			if got := src.Offers[i].Server; !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %+v, want %+v", name, got, want)
			}
		}
		a, b := src.Offers[0].With(nil), src.Offers[1].With(nil)
		if !src.Offers[0].Off || src.Offers[1].Off || a.Typed.Env["KEY"] != "canary" || b.Typed.Headers["Authorization"] != "canary" || b.Token != "" {
			t.Errorf("%s: the secrets or the switch are lost", name)
		}
	}
}

// TestReadFile_LeavesOutWhatIsNoServer, and says which; the others are read.
func TestReadFile_LeavesOutWhatIsNoServer(t *testing.T) {
	src, err := ReadFile(written(t, `{"mcpServers": {"": {"url": "x"}, "number": 1, "neither": {"env": {"A": "canary"}},
		"script": {"url": "javascript:alert(1)"}, "user": {"url": "https://lin:canary@mcp.test/"}, "list": {"command": "x", "args": {"a": "canary"}},
		"good": {"command": "x"}}}`))
	if err != nil || len(src.Offers) != 1 || src.Offers[0].Server.Name != "good" {
		t.Fatalf("%v, %+v", err, src.Offers)
	}
	var said []string
	for _, p := range src.Problems {
		said = append(said, english.Text(p))
	}
	all := strings.Join(said, "\n")
	for _, name := range []string{"“”", "“number”", "“neither”", "“script”", "“user”", "“list”"} {
		if !strings.Contains(all, name) {
			t.Errorf("%s is not named in:\n%s", name, all)
		}
	}
	if len(src.Problems) != 6 || strings.Contains(all, "canary") {
		t.Errorf("%d problems, or a value stands in them:\n%s", len(src.Problems), all)
	}
}

func TestReadFile_ReadsNoMoreThanAPersonCanLookAt(t *testing.T) {
	entries := make([]string, 0, maxImport+3)
	for i := range maxImport + 3 {
		entries = append(entries, fmt.Sprintf(`"s%d": {"command": "x"}`, i))
	}
	src, err := ReadFile(written(t, `{"mcpServers": {`+strings.Join(entries, ",")+`}}`))
	if err != nil || len(src.Offers) != maxImport || len(src.Problems) != 1 || !strings.Contains(english.Text(src.Problems[0]), "3 more") {
		t.Errorf("%v, %d servers, problems %v", err, len(src.Offers), src.Problems)
	}
}

// TestReadFile_SaysWhyItCannotRead in a sentence that names the file, in both
// languages, and never waits for more of it.
func TestReadFile_SaysWhyItCannotRead(t *testing.T) {
	for name, c := range map[string]struct{ path, want string }{
		"missing":      {filepath.Join(t.TempDir(), "mcp.json"), "mcp.json"},
		"folder":       {t.TempDir(), "not a file"},
		"empty":        {written(t, ""), "not JSON"},
		"not JSON":     {written(t, `{"mcpServers": {`), "not JSON"},
		"list":         {written(t, `[]`), "not an object"},
		"other object": {written(t, `{"name": "x"}`), "“mcpServers”"},
		"no table":     {written(t, `{"servers": []}`), "“servers” is not an object"},
		"large":        {written(t, `{"mcpServers": {}}`+strings.Repeat(" ", maxSize)), "larger than 4 MiB"},
	} {
		_, err := ReadFile(c.path)
		var e *ReadError
		if !errors.As(err, &e) || !strings.Contains(err.Error(), filepath.Base(c.path)) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %q", name, err, c.want)
			continue
		}
		if strings.Contains(err.Error(), filepath.Dir(c.path)) {
			t.Errorf("%s: the sentence repeats the folder: %v", name, err)
		}
		if zh := i18n.New("zh-Hans").Text(wire.Sentence(err)); zh == err.Error() || zh == "" {
			t.Errorf("%s: in Chinese it says %q", name, zh)
		}
		if got := errors.Is(err, fs.ErrNotExist); got != (name == "missing") {
			t.Errorf("%s: is that of a missing file: %v", name, got)
		}
	}
}

func TestLenient_ChangesCommentsAndLastCommasOnly(t *testing.T) {
	for text, want := range map[string]string{
		`{"a": "// no, /* no */ ,]"}`:     `{"a": "// no, /* no */ ,]"}`,
		`{"a": "\\", /* x */ "b": [1, ]}`: `{"a": "\\",         "b": [1  ]}`,
		"[1, // x\n]":                     "[1      \n]",
		`["\" // no", ]`:                  `["\" // no"  ]`,
		`[1,, ]`:                          `[1,  ]`,
		`[1 /* open`:                      `[1        `,
		`["open`:                          `["open`,
		`/`:                               `/`,
	} {
		if got := string(lenient([]byte(text))); got != want {
			t.Errorf("%q became %q; want %q", text, got, want)
		}
	}
}

// FuzzLenient: every place stays where it was, and strict JSON as it is.
func FuzzLenient(f *testing.F) {
	for _, s := range []string{`{"a": [1, 2, ], // x`, `"\\`, `/*`, `,]`, `{"a":1}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		got := lenient(raw)
		if bom := len(raw) - len(got); bom != 0 && bom != 3 {
			t.Errorf("%q became %q", raw, got)
		}
		if json.Valid(raw) && string(got) != string(raw) {
			t.Errorf("strict JSON %q became %q", raw, got)
		}
	})
}
