package config

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"parley/mcpclient"
)

func TestOpenedSitesOutliveTheAppAndNothingElseOfALinkIsKept(t *testing.T) {
	s := open(t, `{"mcpServers":{"a":{"url":"https://a.example/mcp"},"b":{"command":"b"}},"parley":{"servers":{"a":{"x":1}}}}`)
	a, b := byName(t, s, "a"), byName(t, s, "b")
	for _, site := range []string{"calendar.example", "files.example", "[::1]", "calendar.example", "203.0.113.10",
		"https://calendar.example/?state=canary", "calendar.example/canary", "", "a b", "user@canary", "?canary", strings.Repeat("a", 256)} {
		s.RememberOpened(a, site)
	}
	want := []string{"files.example", "[::1]", "calendar.example", "203.0.113.10"}
	for _, store := range []*Store{s, reopen(t, s.Dir())} {
		if got := store.Opened(a); !slices.Equal(got, want) {
			t.Errorf("opened %q, want %q", got, want)
		}
		if got := store.Opened(b); got != nil {
			t.Errorf("another server has %q", got)
		}
	}
	if text := onDisk(t, s); strings.Contains(text, "canary") || strings.Contains(text, "state") || !strings.Contains(text, `"x": 1`) {
		t.Errorf("the file holds\n%s", text)
	}
}

func TestOpenedSitesHoldOnlyForTheServerAsItStood(t *testing.T) {
	s := open(t, `{"mcpServers":{"a":{"url":"https://a.example/mcp"}}}`)
	a := byName(t, s, "a")
	s.RememberOpened(a, "calendar.example")
	moved := a
	moved.URL = "https://b.example/mcp"
	if got := s.Opened(moved); got != nil {
		t.Errorf("another server has %q", got)
	}
	renamed := a
	renamed.Name = "c"
	must(t, s.Update(renamed))
	if got := s.Opened(renamed); !slices.Equal(got, []string{"calendar.example"}) {
		t.Errorf("another name made it forget: %q", got)
	}
	moved.Name = "c"
	must(t, s.Update(moved))
	if text := onDisk(t, s); strings.Contains(text, "opened") {
		t.Errorf("the sites of the server before are kept:\n%s", text)
	}
	s.RememberOpened(mcpclient.Server{ID: "elsewhere", Name: "demo"}, "calendar.example")
	if text := onDisk(t, s); strings.Contains(text, "calendar") {
		t.Errorf("sites of a server that is not listed are kept:\n%s", text)
	}
}

func TestOpenedSitesAreBounded(t *testing.T) {
	s := open(t, `{"mcpServers":{"a":{"url":"https://a.example/mcp"}}}`)
	a := byName(t, s, "a")
	for i := range maxOpened + 5 {
		s.RememberOpened(a, fmt.Sprintf("site%d.example", i))
	}
	if got := s.Opened(a); len(got) != maxOpened || got[0] != "site5.example" {
		t.Errorf("%d sites, the first %q", len(got), got[0])
	}
}

func TestUnreadableOpenedSitesAreNone(t *testing.T) {
	s := open(t, `{"mcpServers":{"a":{"url":"https://a.example/mcp"}}}`)
	a := byName(t, s, "a")
	for _, sites := range []string{`7`, `"calendar.example"`, `{"a":1}`, `[7,null,"https://calendar.example/x"]`} {
		s := open(t, `{"mcpServers":{"a":{"url":"https://a.example/mcp"}},"parley":{"servers":{"a":{"opened":{"place":"`+a.Place()+`","sites":`+sites+`}}}}}`)
		if got := s.Opened(byName(t, s, "a")); got != nil {
			t.Errorf("%s reads as %q", sites, got)
		}
	}
}
