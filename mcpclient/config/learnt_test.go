package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/mcpclient"
)

// learntOf has all there is to learn in it.
var learntOf = mcpclient.Learnt{Protocol: "2025-11-25", Transport: mcpclient.SSE, Plain: true, Version: "1.2"}

func TestWhatWasLearntOutlivesTheApp(t *testing.T) {
	s := open(t, `{"mcpServers":{"a":{"url":"https://a.example/mcp"}},"parley":{"servers":{"a":{"x":1}}}}`)
	a := byName(t, s, "a")
	s.Remember(a, learntOf)
	if got := s.Recall(a); got != learntOf {
		t.Errorf("recalled %+v", got)
	}
	if got := reopen(t, s.Dir()).Recall(a); got != learntOf {
		t.Errorf("recalled after a restart: %+v", got)
	}
	if text := onDisk(t, s); !strings.Contains(text, `"x": 1`) {
		t.Errorf("what was noted before is gone:\n%s", text)
	}
	s.Remember(a, mcpclient.Learnt{})
	if got := reopen(t, s.Dir()).Recall(a); got != (mcpclient.Learnt{}) {
		t.Errorf("recalled after it was forgotten: %+v", got)
	}
	if text := onDisk(t, s); strings.Contains(text, "learnt") {
		t.Errorf("something is left of what was forgotten:\n%s", text)
	}
}

func TestWhatWasLearntHoldsOnlyForTheServerAsItStood(t *testing.T) {
	s := open(t, `{"mcpServers":{"a":{"command":"old","args":["x"]},"b":{"url":"https://b.example/mcp"}}}`)
	for name, change := range map[string]func(*mcpclient.Server){
		"a": func(v *mcpclient.Server) { v.Args = []string{"y"} },
		"b": func(v *mcpclient.Server) { v.URL = "https://b.example/other" },
	} {
		v := byName(t, s, name)
		s.Remember(v, learntOf)
		change(&v)
		if got := s.Recall(v); got != (mcpclient.Learnt{}) {
			t.Errorf("%s: recalled for another one: %+v", name, got)
		}
		must(t, s.Update(v))
	}
	if text := onDisk(t, s); strings.Contains(text, "learnt") {
		t.Errorf("what was learnt of the servers before is kept:\n%s", text)
	}
	a := byName(t, s, "a")
	a.Name, a.Protocol = "c", "2025-06-18"
	s.Remember(a, learntOf)
	must(t, s.Update(a))
	if got := s.Recall(a); got != learntOf {
		t.Errorf("another name and pin made it forget: %+v", got)
	}
}

func TestWhatWasLearntIsWrittenOnlyWhenItChanged(t *testing.T) {
	s := open(t, `{"mcpServers":{"a":{"url":"https://a.example/mcp"}}}`)
	a := byName(t, s, "a")
	s.Remember(a, learntOf)
	// A file that is gone would come back with the next write.
	must(t, os.Remove(s.Path()))
	s.Remember(a, learntOf)
	if _, err := os.Stat(s.Path()); err == nil {
		t.Error("what is known already was written again")
	}
}

func TestAServerThatIsNotInTheListIsRememberedUntilTheAppEnds(t *testing.T) {
	s := open(t, "")
	demo := mcpclient.Server{ID: "parley-demo", Kind: mcpclient.HTTP, URL: "http://127.0.0.1:1/mcp"}
	s.Remember(demo, learntOf)
	if got := s.Recall(demo); got != learntOf {
		t.Errorf("recalled %+v", got)
	}
	if _, err := os.Stat(s.Path()); err == nil {
		t.Error("a file was written for it")
	}
	demo.URL = "http://127.0.0.1:2/mcp"
	if got := s.Recall(demo); got != (mcpclient.Learnt{}) {
		t.Errorf("recalled at another address: %+v", got)
	}
}

func TestLearningLeavesABrokenFileWhereItIs(t *testing.T) {
	s := open(t, `{"mcpServers":{"a":{"url":"https://a.example/mcp"}}}`)
	a := byName(t, s, "a")
	const halfSaved = `{"mcpServers":{"a":`
	must(t, os.WriteFile(s.Path(), []byte(halfSaved), 0o600))
	s.Remember(a, learntOf)
	if got := s.Recall(a); got != learntOf {
		t.Errorf("recalled %+v", got)
	}
	if text := onDisk(t, s); text != halfSaved || s.Problems() != nil {
		t.Errorf("the file is now %q; problems: %s", text, problems(s))
	}
	must(t, os.WriteFile(s.Path(), []byte(`{"mcpServers":{"a":{"url":"https://a.example/mcp"}}}`), 0o600))
	s.Remember(a, mcpclient.Learnt{Protocol: "2026-07-28"})
	if got := reopen(t, s.Dir()).Recall(a); got.Protocol != "2026-07-28" {
		t.Errorf("a file that is whole again takes nothing: %+v", got)
	}
}

func TestWhatCannotBeWrittenIsSaidOnceAndKeptUntilTheAppEnds(t *testing.T) {
	s := open(t, `{"mcpServers":{"a":{"url":"https://a.example/mcp"}}}`)
	a := byName(t, s, "a")
	dir := s.dir
	s.dir = filepath.Join(s.Path(), "not", "a", "folder")
	for range 2 {
		s.Remember(a, learntOf)
		s.Remember(a, mcpclient.Learnt{Protocol: "2026-07-28"})
	}
	if got := s.Recall(a); got.Protocol != "2026-07-28" {
		t.Errorf("recalled %+v", got)
	}
	if got := problems(s); !strings.Contains(got, "could not be read or saved") || strings.Contains(got, "\n") {
		t.Errorf("the problems are %q", got)
	}
	s.dir = dir
	if text := onDisk(t, s); strings.Contains(text, "learnt") {
		t.Errorf("it was written after all:\n%s", text)
	}
}

func TestGarbageAboutWhatWasLearntIsNothingLearnt(t *testing.T) {
	for _, learnt := range []string{`7`, `[]`, `"x"`, `null`, `{}`, `{"place":7,"protocol":"2025-11-25"}`, `{"protocol":"2025-11-25"}`} {
		s := open(t, `{"mcpServers":{"a":{"url":"https://a.example/mcp"}},"parley":{"servers":{"a":{"learnt":`+learnt+`}}}}`)
		if got := s.Recall(byName(t, s, "a")); got != (mcpclient.Learnt{}) {
			t.Errorf("%s: recalled %+v", learnt, got)
		}
	}
}
