package config

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"parley/assets/i18n"
	"parley/mcpclient"
)

// open opens a folder whose file holds text; "" means there is none.
func open(t *testing.T, text string) *Store {
	t.Helper()
	dir := t.TempDir()
	if text != "" {
		if err := os.WriteFile(filepath.Join(dir, FileName), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return reopen(t, dir)
}

func reopen(t *testing.T, dir string) *Store {
	t.Helper()
	s, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// onDisk is the file of s.
func onDisk(t *testing.T, s *Store) string {
	t.Helper()
	raw, err := os.ReadFile(s.Path())
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// problems are the sentences of s.
func problems(s *Store) string {
	var out []string
	for _, p := range s.Problems() {
		out = append(out, english.Text(p))
	}
	return strings.Join(out, "\n")
}

func byName(t *testing.T, s *Store, name string) mcpclient.Server {
	t.Helper()
	for _, v := range s.Servers() {
		if v.Name == name {
			return v
		}
	}
	t.Fatalf("no server %q among %v", name, s.Servers())
	return mcpclient.Server{}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestAFolderWithoutAFileIsAnEmptyListAndOpeningCreatesNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "not", "there")
	s := reopen(t, dir)
	if n := len(s.Servers()); n != 0 {
		t.Errorf("%d servers in a folder that does not exist", n)
	}
	if s.Problems() != nil {
		t.Errorf("a missing file is a problem: %s", problems(s))
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("opening made the folder (%v)", err)
	}
}

func TestEntriesAreReadInTheShapesOtherClientsWrite(t *testing.T) {
	for name, c := range map[string]struct {
		entry string
		want  mcpclient.Server
	}{
		"a program": {
			`{"command":"npx","args":["-y","s"],"env":{"A":"1"},"cwd":"sub"}`,
			mcpclient.Server{Kind: mcpclient.Stdio, Command: "npx", Args: []string{"-y", "s"}, Env: map[string]string{"A": "1"}, Dir: "sub"},
		},
		"a program with its type": {`{"type":"stdio","command":"s"}`, mcpclient.Server{Kind: mcpclient.Stdio, Command: "s"}},
		"an address":              {`{"type":"http","url":"https://a.example/mcp","headers":{"X":"y"}}`, mcpclient.Server{Kind: mcpclient.HTTP, URL: "https://a.example/mcp", Headers: map[string]string{"X": "y"}}},
		"an address, no type":     {`{"url":"https://a.example/mcp"}`, mcpclient.Server{Kind: mcpclient.HTTP, URL: "https://a.example/mcp"}},
		"another word for http":   {`{"type":"streamable-http","url":"https://a.example/"}`, mcpclient.Server{Kind: mcpclient.HTTP, URL: "https://a.example/"}},
		"the old transport":       {`{"type":"sse","url":"https://a.example/sse"}`, mcpclient.Server{Kind: mcpclient.SSE, URL: "https://a.example/sse"}},
		"numbers as text":         {`{"command":"s","args":["--port",8080],"env":{"PORT":8080,"ON":true}}`, mcpclient.Server{Kind: mcpclient.Stdio, Command: "s", Args: []string{"--port", "8080"}, Env: map[string]string{"PORT": "8080", "ON": "true"}}},
		"null members":            {`{"command":"s","args":null,"env":null,"cwd":null,"url":null}`, mcpclient.Server{Kind: mcpclient.Stdio, Command: "s"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, `{"mcpServers":{"n":`+c.entry+`}}`)
			got := byName(t, s, "n")
			c.want.ID, c.want.Name = got.ID, "n"
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("read %+v, want %+v", got, c.want)
			}
		})
	}
}

func TestAnEntryThatCannotBeReadIsNamedAndStaysInTheFile(t *testing.T) {
	for entry, want := range map[string]string{
		`5`:                             "not an object",
		`{}`:                            "neither",
		`{"type":"pigeon","url":"x"}`:   "pigeon",
		`{"command":7}`:                 "“command” is not text",
		`{"command":"s","args":"-v"}`:   "“args” is not a list",
		`{"command":"s","args":[{}]}`:   "“args” is not a list",
		`{"command":"s","env":["A=1"]}`: "“env” is not a table",
		`{"url":"https://a.example/","headers":{"Authorization":["canary"]}}`: "“headers” is not a table",
	} {
		s := open(t, `{"mcpServers":{"bad":`+entry+`,"good":{"command":"g"}}}`)
		if got := problems(s); !strings.Contains(got, want) || !strings.Contains(got, "“bad”") || strings.Contains(got, "canary") {
			t.Errorf("%s: said %q, want the name and %q, and no value", entry, got, want)
		}
		if got := s.Servers(); len(got) != 1 || got[0].Name != "good" {
			t.Errorf("%s: listed %v, want the good one only", entry, got)
		}
		if _, err := s.Add(mcpclient.Server{Name: "bad", Kind: mcpclient.Stdio, Command: "x"}); !errors.Is(err, ErrNameTaken) {
			t.Errorf("%s: its name could be taken (%v)", entry, err)
		}
		if _, err := s.Add(mcpclient.Server{Name: "new", Kind: mcpclient.Stdio, Command: "x"}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(strings.Join(strings.Fields(onDisk(t, s)), ""), `"bad":`+entry) {
			t.Errorf("%s is gone from the file:\n%s", entry, onDisk(t, s))
		}
	}
}

// foreign is a file with much that this package does not know.
const foreign = `{
  "$schema": "https://example.com/s.json",
  "mcpServers": {
    "zeta": {"disabled": true, "command": "z", "big": 12345678901234567890, "args": ["a<b>&c", "\u00e9"]},
    "alpha": {"type": "streamable-http", "url": "https://a.example/mcp", "headers": {"Authorization": "Bearer canary"}, "x": null}
  },
  "parley": {"later": {"deep": [1.10, 2e3]}, "servers": {"zeta": {"id": "Z", "future": 1}}},
  "other": 1.0
}`

func TestChangesKeepWhatIsUnknownItsOrderAndItsSpelling(t *testing.T) {
	s := open(t, foreign)
	z := byName(t, s, "zeta")
	z.Name, z.Dir, z.Protocol, z.Silence = "zeta 2", "home", "2025-11-25", 90*time.Second
	must(t, s.Update(z))
	must(t, s.SetSettings(Settings{Language: "zh-Hans", Theme: ThemeDark}))
	got := onDisk(t, s)
	at := -1
	for _, part := range []string{
		`"$schema"`, `"mcpServers"`, `"zeta 2"`, `"disabled": true`, `12345678901234567890`, `"a<b>&c"`, `"\u00e9"`, `"cwd": "home"`,
		`"alpha"`, `"streamable-http"`, `"Bearer canary"`, `"x": null`,
		`"parley"`, `1.10`, `2e3`, `"future": 1`, `"other": 1.0`,
	} {
		i := strings.Index(got, part)
		if i < 0 || i < at {
			t.Fatalf("%s is missing or out of order in\n%s", part, got)
		}
		at = i
	}
	again := reopen(t, s.Dir())
	if n := byName(t, again, "zeta 2"); !reflect.DeepEqual(n, z) {
		t.Errorf("read back %+v, want %+v", n, z)
	}
	if v := again.Settings(); v != (Settings{"zh-Hans", ThemeDark}) {
		t.Errorf("settings read back as %+v", v)
	}
}

func TestTheIDOfAServerNeverChanges(t *testing.T) {
	s := open(t, `{"mcpServers":{"hand":{"command":"h"},"x":{"command":"x"}}}`)
	byHand := byName(t, s, "hand").ID
	if again := byName(t, reopen(t, s.Dir()), "hand").ID; again != byHand || byHand == "" {
		t.Errorf("an entry written by hand is %q now and %q then", byHand, again)
	}
	added, err := s.Add(mcpclient.Server{ID: "ignored", Name: "added", Kind: mcpclient.HTTP, URL: "https://a.example/"})
	must(t, err)
	if added.ID == "" || added.ID == "ignored" {
		t.Errorf("a new server got the ID %q", added.ID)
	}
	for _, id := range []string{byHand, added.ID} {
		v, _ := s.Server(id)
		v.Name += " renamed"
		must(t, s.Update(v))
		if got, ok := reopen(t, s.Dir()).Server(id); !ok || got.Name != v.Name {
			t.Errorf("after a new name %q is %+v (%v)", id, got, ok)
		}
	}
	// A new entry written by hand under the old name is another server.
	text := strings.Replace(onDisk(t, s), `"x": {`, `"hand": {"command": "new"}, "x": {`, 1)
	must(t, os.WriteFile(s.Path(), []byte(text), 0o600))
	seen := map[string]string{}
	for _, v := range reopen(t, s.Dir()).Servers() {
		if other, twice := seen[v.ID]; twice {
			t.Errorf("%q and %q are both %s", v.Name, other, v.ID)
		}
		seen[v.ID] = v.Name
	}
	if len(seen) != 4 {
		t.Errorf("%d servers, want 4", len(seen))
	}
}

func TestNamesAreNeededAndUnique(t *testing.T) {
	s := open(t, `{"mcpServers":{"a":{"command":"a"},"b":{"command":"b"}}}`)
	b := byName(t, s, "b")
	rename := func(to string) error { v := b; v.Name = to; return s.Update(v) }
	add := func(name string) error {
		_, err := s.Add(mcpclient.Server{Name: name, Kind: mcpclient.Stdio, Command: "x"})
		return err
	}
	for i, c := range []struct{ got, want error }{
		{add(""), ErrName}, {add("a"), ErrNameTaken}, {rename("a"), ErrNameTaken}, {rename(""), ErrName}, {rename("b"), nil},
		{s.Update(mcpclient.Server{ID: "nobody", Name: "n"}), ErrUnknown},
		{s.Remove("nobody"), ErrUnknown}, {s.Move("nobody", 0), ErrUnknown},
		{s.Allow(mcpclient.Server{ID: "nobody", Kind: mcpclient.Stdio}, ""), ErrUnknown},
	} {
		if !errors.Is(c.got, c.want) {
			t.Errorf("case %d: %v, want %v", i, c.got, c.want)
		}
	}
}

func TestRemovingTakesTheNotesWithIt(t *testing.T) {
	s := open(t, "")
	v, err := s.Add(mcpclient.Server{Name: "a", Kind: mcpclient.Stdio, Command: "a"})
	must(t, err)
	must(t, s.Allow(v, ""))
	must(t, s.Remove(v.ID))
	if got := onDisk(t, s); strings.Contains(got, v.ID) || strings.Contains(got, "allowed") {
		t.Errorf("notes of a removed server are left:\n%s", got)
	}
	again, err := s.Add(mcpclient.Server{Name: "a", Kind: mcpclient.Stdio, Command: "a"})
	must(t, err)
	if again.ID == v.ID || s.Allowed(again) {
		t.Error("a new server of the same name inherits the ID or the consent")
	}
}

func TestMovePutsAServerAtItsPlace(t *testing.T) {
	for _, c := range []struct {
		to   int
		want string
	}{{0, "bacd"}, {1, "abcd"}, {3, "acdb"}, {99, "acdb"}, {-1, "bacd"}} {
		s := open(t, `{"mcpServers":{"a":{"command":"x"},"b":{"command":"x"},"c":{"command":"x"},"d":{"command":"x"}}}`)
		must(t, s.Move(byName(t, s, "b").ID, c.to))
		got := ""
		for _, v := range reopen(t, s.Dir()).Servers() {
			got += v.Name
		}
		if got != c.want {
			t.Errorf("b moved to %d: %s, want %s", c.to, got, c.want)
		}
	}
}

func TestValuesThatAreSecretAreNamedButNeverWritten(t *testing.T) {
	s := open(t, `{"mcpServers":{"a":{"command":"a","env":{"TOKEN":"canary","PORT":1}},"h":{"url":"https://h.example/","headers":{"X-Key":"canary2"}}}}`)
	a, h := byName(t, s, "a"), byName(t, s, "h")
	a.Dir = "d"
	must(t, s.Update(a))
	if got := byName(t, reopen(t, s.Dir()), "a").Env; !reflect.DeepEqual(got, map[string]string{"TOKEN": "canary", "PORT": "1"}) {
		t.Errorf("an edit lost the environment a person wrote: %v", got)
	}
	// A server that comes with its secrets filled in leaves none in the file.
	a.SecretEnv = []string{"TOKEN", "NEW"}
	a.Env = map[string]string{"TOKEN": "canary", "NEW": "canary", "PORT": "1", "LEVEL": "debug"}
	h.SecretHeaders, h.Headers = []string{"X-Key"}, map[string]string{"X-Key": "canary2", "X-Plain": "yes"}
	must(t, s.Update(a))
	must(t, s.Update(h))
	_, err := s.Add(mcpclient.Server{Name: "n", Kind: mcpclient.HTTP, URL: "https://n.example/",
		SecretHeaders: []string{"A"}, Headers: map[string]string{"A": "canary"}})
	must(t, err)
	if text := onDisk(t, s); strings.Contains(text, "canary") || !strings.Contains(text, `"PORT": 1`) {
		t.Errorf("the file is\n%s", text)
	}
	again := reopen(t, s.Dir())
	if v := byName(t, again, "a"); !reflect.DeepEqual(v.Env, map[string]string{"PORT": "1", "LEVEL": "debug"}) || !reflect.DeepEqual(v.SecretEnv, a.SecretEnv) || v.SecretHeaders != nil {
		t.Errorf("read back %+v", v)
	}
	if v := byName(t, again, "h"); !reflect.DeepEqual(v.Headers, map[string]string{"X-Plain": "yes"}) || !reflect.DeepEqual(v.SecretHeaders, h.SecretHeaders) {
		t.Errorf("read back %+v", v)
	}
	if v := byName(t, again, "n"); !reflect.DeepEqual(v.SecretHeaders, []string{"A"}) || v.Headers != nil {
		t.Errorf("read back %+v", v)
	}
}

// TestAValueThatAPersonWritesIntoTheFileIsNoSecretAnyMore: it is used as it
// stands there.
func TestAValueThatAPersonWritesIntoTheFileIsNoSecretAnyMore(t *testing.T) {
	s := open(t, `{"mcpServers":{"a":{"command":"a","env":{"TOKEN":"here"}}},"parley":{"servers":{"a":{"secretEnv":["TOKEN","OTHER",7]}}}}`)
	if v := byName(t, s, "a"); v.Env["TOKEN"] != "here" || !reflect.DeepEqual(v.SecretEnv, []string{"OTHER", "7"}) {
		t.Errorf("read as %+v", v)
	}
}

func TestAServerOfAnotherKindLeavesNothingOfTheOldKind(t *testing.T) {
	s := open(t, `{"mcpServers":{"a":{"type":"stdio","command":"c","args":["x"],"cwd":"d","keep":1}}}`)
	v := byName(t, s, "a")
	v.Kind, v.URL, v.Command, v.Args, v.Dir = mcpclient.HTTP, "https://a.example/mcp", "", nil, ""
	must(t, s.Update(v))
	got := strings.Join(strings.Fields(onDisk(t, s)), "")
	if !strings.Contains(got, `{"type":"http","keep":1,"url":"https://a.example/mcp"}`) {
		t.Errorf("the entry is now\n%s", got)
	}
	v.Kind, v.URL, v.Command = mcpclient.Stdio, "", "c"
	must(t, s.Update(v))
	got = strings.Join(strings.Fields(onDisk(t, s)), "")
	if !strings.Contains(got, `{"type":"stdio","keep":1,"command":"c"}`) {
		t.Errorf("the entry is now\n%s", got)
	}
}

func TestSettingsNobodyKnowsCountAsTheSystems(t *testing.T) {
	if v := open(t, `{"parley":{"theme":"plaid","language":5}}`).Settings(); v != (Settings{}) {
		t.Errorf("settings %+v, want the zero value", v)
	}
}

func TestEveryErrorHasASentenceOfItsOwnInBothLanguages(t *testing.T) {
	errs := []error{ErrName, ErrNameTaken, fmt.Errorf("wrapped: %w", ErrUnknown), errors.New("disk full")}
	for _, tag := range i18n.Languages {
		loc, seen := i18n.New(tag), map[string]bool{}
		for _, err := range errs {
			s := loc.Text(Sentence(err))
			if s == "" || strings.HasPrefix(s, "cli.") || seen[s] {
				t.Errorf("%s: %v is %q", tag, err, s)
			}
			seen[s] = true
		}
	}
}

func TestServersAreCopies(t *testing.T) {
	s := open(t, `{"mcpServers":{"a":{"command":"c","args":["x"],"env":{"A":"1"}}}}`)
	v := s.Servers()[0]
	v.Args[0], v.Env["A"] = "changed", "changed"
	if got := s.Servers()[0]; got.Args[0] != "x" || got.Env["A"] != "1" {
		t.Errorf("a change to a returned server changed the list: %+v", got)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(foreign))
	f.Add([]byte(`{"mcpServers":{"a":{"command":"c"},"a":{"url":"u"}},"parley":{"servers":{"a":[]}}}`))
	f.Add([]byte(`{"mcpServers":{"":{"command":"c"}}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		d, err := parse(raw)
		if err != nil {
			return
		}
		out, err := d.encode()
		if err != nil {
			return // larger than may be written
		}
		again, err := parse(out)
		if err != nil {
			t.Fatalf("what was written cannot be read: %v\n%s", err, out)
		}
		if !reflect.DeepEqual(again.list(), d.list()) {
			t.Fatalf("written and read: %+v, want %+v", again.list(), d.list())
		}
		ids := map[string]bool{}
		for _, v := range d.list() {
			if ids[v.ID] || v.ID == "" {
				t.Fatalf("the ID %q is not unique", v.ID)
			}
			ids[v.ID] = true
		}
	})
}

func TestSecretsOfTwoFoldersAreKeptApart(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	standard, err := DefaultDir()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]string{}
	for _, dir := range []string{standard, t.TempDir(), t.TempDir()} {
		s, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		if other, taken := seen[s.Space()]; taken {
			t.Errorf("%s and %s share their secrets", dir, other)
		}
		seen[s.Space()] = dir
	}
	if seen[""] != standard {
		t.Error("the default folder has no name of its own in the keychain")
	}
}

// TestANameThatIsThereTwice loses no entry: the last keeps the name and what is noted
// for it, the others get one of their own, and that is said until it stands in the file.
func TestANameThatIsThereTwice(t *testing.T) {
	s := open(t, `{"mcpServers": {
		"files": {"command": "one", "env": {"API_KEY": "canary-1"}},
		"files 2": {"command": "other"},
		"files": {"command": "two", "env": {"API_KEY": "canary-2"}},
		"files": {"command": "three", "env": {"API_KEY": "canary-3"}}},
		"parley": {"servers": {"files": {"id": "s-1"}}}}`)
	want := "files 3 one, files 2 other, files 4 two, files three"
	listed := func() string {
		var out []string
		for _, v := range s.Servers() {
			out = append(out, v.Name+" "+v.Command)
		}
		return strings.Join(out, ", ")
	}
	if got := listed(); got != want || byName(t, s, "files").ID != "s-1" {
		t.Errorf("listed are %s", got)
	}
	if said := s.Problems(); len(said) != 2 || !strings.Contains(english.Text(said[0]), "“files 3”") || !strings.Contains(english.Text(said[1]), "“files 4”") {
		t.Errorf("of that is said: %v", said)
	}
	if _, err := s.Conceal(byName(t, s, "files"), []string{"API_KEY"}); err != nil {
		t.Fatal(err)
	}
	if said := s.Problems(); len(said) != 0 {
		t.Errorf("once it is written, this is said: %v", said)
	}
	s = reopen(t, s.Dir())
	if got := listed(); got != want || len(s.Problems()) != 0 || byName(t, s, "files 3").Env["API_KEY"] != "canary-1" || byName(t, s, "files 4").Env["API_KEY"] != "canary-2" {
		t.Errorf("afterwards the file is\n%s", onDisk(t, s))
	}
}
