package consent

import (
	"slices"
	"testing"

	"parley/assets/i18n"
)

func TestAskerFor(t *testing.T) {
	tests := []struct {
		url    string
		remote bool
		host   string
	}{
		{"https://mcp.travel.example/mcp", true, "mcp.travel.example"},
		{"http://127.0.0.1:3000/mcp", false, "127.0.0.1:3000"},
		{"http://localhost:3000/mcp", false, "localhost:3000"},
		{"http://app.localhost/", false, "app.localhost"},
		{"http://[::1]:3000/", false, "[::1]:3000"},
		{"http://192.168.1.5/mcp", true, "192.168.1.5"},
		{"https://MÜNCHEN.de:443/", true, "xn--mnchen-3ya.de"},
	}
	for _, test := range tests {
		got, err := AskerFor(test.url)
		if err != nil || got.Remote != test.remote || got.Host != test.host {
			t.Errorf("AskerFor(%s) = %+v, %v", test.url, got, err)
		}
	}
	for _, url := range []string{"", "mcp.example.com", "ftp://example.com/", "https://user@example.com/"} {
		if got, err := AskerFor(url); err == nil {
			t.Errorf("AskerFor(%q) = %+v, want an error", url, got)
		}
	}
}

func TestOtherSiteIsNotedAgainstTheServersOwn(t *testing.T) {
	tests := []struct {
		server, url string
		want        Relation
	}{
		{"", "https://example.com/", NoRelation},
		{"mcp.travel.example", "https://travel.example/", OwnSite},
		{"mcp.travel.example:8443", "https://login.travel.example/", OwnSite},
		{"mcp.travel.example", "https://calendar.example/", OtherSite},
		{"mcp.travel.example", "https://203.0.113.10/", OtherSite},
		{"203.0.113.10:8080", "https://203.0.113.10/", OwnSite},
		{"203.0.113.10", "https://203.0.113.11/", OtherSite},
		{"nas", "http://nas:8080/", OwnSite},
		{"nas", "http://router/", OtherSite},
		{"me.github.io", "https://you.github.io/", OtherSite},
		{"mcp.travel.example", "http://localhost/", OtherSite},
		{"localhost:3000", "https://example.com/", NoRelation},
		{"127.0.0.1:3000", "http://localhost:8080/", NoRelation},
		{"not a host", "https://example.com/", NoRelation},
		{"mcp.travel.example", "javascript:alert(1)", NoRelation},
	}
	for _, test := range tests {
		a := Assess(test.url, Asker{Remote: true, Host: test.server})
		if a.Relation != test.want || a.Has("other-site") != (test.want == OtherSite) {
			t.Errorf("%s asked by %q: relation %d with %v, want %d", test.url, test.server, a.Relation, codes(a), test.want)
		}
	}
}

func TestTheSitesOfThePersonsServersAreProtected(t *testing.T) {
	by := Asker{Remote: true, Host: "mcp.globex.example", Protected: []string{"umbra-labs.example", "https://no", "10.0.0.1", "team.vercel.app"}}
	tests := []struct {
		url, code string
		level     Level
	}{
		{"https://g1obex.example/", "lookalike-name", Danger},
		{"https://g1obex.test/", "lookalike-name", Danger},
		{"https://glòbex.example/", "idn-lookalike-name", Danger},
		{"https://globex.example.evil.example/", "embedded-name", Danger},
		{"https://login.umbra-labs.example.evil.example/", "embedded-name", Danger},
		{"https://umbra-1abs.example/", "lookalike-name", Danger},
		{"https://team-vercel-app.evil.example/", "embedded-name", Danger},
		{"https://globex.example/", "", Info - 1},
		{"https://login.globex.example/", "", Info - 1},
		{"https://globex.test/", "other-site", Info},
		{"https://team.vercel.app/", "shared-hosting", Info},
	}
	for _, test := range tests {
		a := Assess(test.url, by)
		if a.Level != test.level || test.code != "" && !a.Has(test.code) {
			t.Errorf("%s: %s %v, want %s with %q", test.url, a.Level, codes(a), test.level, test.code)
		}
	}
}

func TestNotesTellOfTheOwnSiteAndOfTheHistory(t *testing.T) {
	by := Asker{Remote: true, Host: "mcp.travel.example", Opened: []string{"travel.example"}}
	ids := func(a Assessment) []string {
		var out []string
		for _, m := range a.Notes() {
			out = append(out, m.ID)
			for _, tag := range i18n.Languages {
				if text := i18n.New(tag).Text(m); text == "" || text == m.ID {
					t.Errorf("%s has no sentence in %s", m.ID, tag)
				}
			}
		}
		return out
	}
	tests := []struct {
		url    string
		before bool
		want   []string
	}{
		{"https://login.travel.example/", true, []string{"consent.own-site", "consent.opened-before-it"}},
		{"https://calendar.example/", false, []string{"consent.first-time-it"}},
		{"https://user@travel.example/", false, nil},
	}
	for _, test := range tests {
		a := Assess(test.url, by)
		if got := ids(a); !slices.Equal(got, test.want) || a.OpenedBefore != test.before {
			t.Errorf("%s: notes %v, opened before %v", test.url, got, a.OpenedBefore)
		}
	}
}

func TestAServerWithoutASiteHasNotesThatNameTheLinks(t *testing.T) {
	english := i18n.New("en")
	for want, by := range map[string]Asker{
		"You have never opened travel.example from here.":  {},
		"You have opened travel.example from here before.": {Opened: []string{"travel.example"}},
	} {
		notes := Assess("https://login.travel.example/", by).Notes()
		if len(notes) != 1 || english.Text(notes[0]) != want {
			t.Errorf("notes %v, want %q", notes, want)
		}
	}
}

func TestARemoteServerMayNotQuietlyReachThisComputer(t *testing.T) {
	for _, url := range []string{"http://localhost:8080/", "http://127.0.0.1/", "http://127.9.9.9/", "http://[::1]:1234/", "https://a.localhost/"} {
		if a := Assess(url, Asker{}); a.Level != Info || !slices.Equal(codes(a), []string{"this-computer"}) {
			t.Errorf("%s for a local server: %s %v", url, a.Level, codes(a))
		}
		if a := Assess(url, Asker{Remote: true}); a.Level != Caution || !a.Has("this-computer") {
			t.Errorf("%s for a remote server: %s %v", url, a.Level, codes(a))
		}
	}
}
