package consent

import (
	"encoding/json"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"parley/assets/i18n"
)

// C19: nothing in this room can reach the network. Among the packages that go
// into it, ours and others, none outside the standard library imports what opens
// connections or resolves names; publicsuffix alone does, for the type of a
// cookie jar that it offers.
func TestC19_ConsentCannotFetchAnything(t *testing.T) {
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("the go tool is not installed")
	}
	out, err := exec.Command(goTool, "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}} {{join .Imports \" \"}}{{end}}", "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		f := strings.Fields(line)
		if len(f) == 0 {
			continue
		}
		seen[f[0]] = true
		for _, imported := range f[1:] {
			reaches := imported == "net" || imported == "net/http" || strings.HasPrefix(imported, "net/http/") ||
				imported == "net/rpc" || imported == "net/smtp" || imported == "crypto/tls" || imported == "syscall/js" ||
				strings.HasPrefix(imported, "fyne.io/")
			if reaches && f[0]+" "+imported != "golang.org/x/net/publicsuffix net/http/cookiejar" {
				t.Errorf("%s imports %s", f[0], imported)
			}
		}
	}
	for _, must := range []string{"parley/consent", "parley/consent/safetext", "golang.org/x/net/publicsuffix"} {
		if !seen[must] {
			t.Errorf("go list did not name %s: the test sees nothing", must)
		}
	}
}

func TestC4_TheButtonNamesWhereTheLinkLeads(t *testing.T) {
	tests := []struct{ url, host, button string }{
		{"https://accounts.google.com.evil.example/o/oauth2", "accounts.google.com.evil.example", "evil.example"},
		{"https://shop.example.co.uk:8443/", "shop.example.co.uk:8443", "example.co.uk"},
		{"https://bücher.example/", "xn--bcher-kva.example", "xn--bcher-kva.example"},
		{"http://localhost:6274/", "localhost:6274", "localhost"},
		{"https://203.0.113.10:8443/", "203.0.113.10:8443", "203.0.113.10"},
		{"https://[2001:db8::10]:8443/", "[2001:db8::10]:8443", "[2001:db8::10]"},
		{"https://com.au/", "com.au", "com.au"},
		{"https://example.com./", "example.com.", "example.com"},
		{"https://github.io/", "github.io", "github.io"},
	}
	for _, test := range tests {
		a := Assess(test.url, Asker{})
		if a.Host != test.host || a.Button != test.button {
			t.Errorf("%s: host %q, button %q; want %q, %q", test.url, a.Host, a.Button, test.host, test.button)
		}
	}
}

func TestC21_TheWholeLinkIsShownAndNothingElse(t *testing.T) {
	for _, v := range readVectors(t, "testdata/url_vectors.jsonl") {
		a := Assess(v.URL, v.asker())
		shown := ""
		for _, p := range a.Parts {
			shown += p.Text
		}
		if shown != a.Open {
			t.Errorf("%+q: shows %q, opens %q", v.URL, shown, a.Open)
		}
		if a.Level == Block && v.URL != "" && a.Shown.IsZero() {
			t.Errorf("%+q is blocked and nothing of it is shown", v.URL)
		}
	}
	long := "https://example.com/" + strings.Repeat("x", 6000)
	if a := Assess(long, Asker{}); a.Open != long || !a.Has("very-long") {
		t.Errorf("a link of %d bytes is not shown whole: %d bytes, %v", len(long), len(a.Open), codes(a))
	}
}

func TestC23_TheSiteStandsOut(t *testing.T) {
	tests := []struct {
		url   string
		parts []Part
	}{
		{"https://accounts.google.com.evil.example:8443/o?x=1", []Part{{"https://accounts.google.com.", Muted}, {"evil.example", Site}, {":8443/o?x=1", Muted}}},
		{"https://example.com", []Part{{"https://", Muted}, {"example.com", Site}}},
		{"https://www.example.com./x", []Part{{"https://www.", Muted}, {"example.com", Site}, {"./x", Muted}}},
		{"http://localhost:3000/", []Part{{"http://", Muted}, {"localhost", Site}, {":3000/", Muted}}},
		{"https://[::1]:3000/", []Part{{"https://", Muted}, {"[::1]", Site}, {":3000/", Muted}}},
		{"https://evil.example/evil.example", []Part{{"https://", Muted}, {"evil.example", Site}, {"/evil.example", Muted}}},
		{"javascript:alert(1)", nil},
	}
	for _, test := range tests {
		if a := Assess(test.url, Asker{}); !slices.Equal(a.Parts, test.parts) {
			t.Errorf("%s: parts %v, want %v", test.url, a.Parts, test.parts)
		}
	}
}

// The field case: what other clients showed as the trusted name, or opened.
func TestB37_LookAlikesAndForeignSchemes(t *testing.T) {
	tests := []struct {
		url   string
		level Level
		code  string
	}{
		{"https://xn--80ak6aa92e.com/", Danger, "idn-lookalike-name"},
		{"https://аррӏе.com/", Danger, "idn-all-lookalikes"},
		{"https://bank.example@evil.example/", Block, "userinfo"},
		{"http://example.com/", Caution, "not-encrypted"},
		{"javascript:alert(1)", Block, "scheme"},
		{"https://example.com/" + strings.Repeat("x", 5980), Info, "very-long"},
		{"https://example.com/\u202Egpj.exe", Block, "bidi-control"},
	}
	for _, test := range tests {
		a := Assess(test.url, Asker{})
		if a.Level != test.level || !a.Has(test.code) {
			t.Errorf("%+q: %s %v, want %s with %s", test.url, a.Level, codes(a), test.level, test.code)
		}
	}
}

func TestEveryFindingHasASentenceInEveryLanguage(t *testing.T) {
	// One link for every row of the decision table; a code that no link shows
	// would be a row that nobody sees.
	links := map[string]string{
		"empty": "", "bad-encoding": "https://example.com/\xff", "metadata": "http://169.254.169.254/",
		"this-computer": "http://localhost/", "other-site": "https://example.org/", "ip-address": "https://203.0.113.1/",
		"shared-hosting": "https://me.github.io/", "idn": "https://bücher.example/", "very-long": "https://example.com/" + strings.Repeat("x", 3000),
	}
	for _, v := range readVectors(t, "testdata/url_vectors.jsonl") {
		if _, ok := rules[v.Class]; ok && links[v.Class] == "" {
			links[v.Class] = v.URL
		}
	}
	by := Asker{Remote: true, Host: "mcp.travel.example"}
	local := Asker{}
	for code := range rules {
		url, ok := links[code]
		if !ok {
			t.Errorf("no link shows %s", code)
			continue
		}
		a := Assess(url, by)
		if !a.Has(code) {
			a = Assess(url, local)
		}
		i := slices.IndexFunc(a.Findings, func(f Finding) bool { return f.Code == code })
		if i < 0 {
			t.Errorf("%+q shows %v, not %s", url, codes(a), code)
			continue
		}
		said := map[string]bool{}
		for _, tag := range i18n.Languages {
			text := i18n.New(tag).Text(a.Findings[i].Text)
			if text == a.Findings[i].Text.ID || strings.Contains(text, "<no value>") || said[text] {
				t.Errorf("%s in %s: %q", code, tag, text)
			}
			said[text] = true
		}
	}
	for code := range raised {
		if _, ok := rules[code]; !ok {
			t.Errorf("%s is raised from nothing", code)
		}
	}
}

func TestTheCatalogueIsCompleteAndInUse(t *testing.T) {
	used := map[string]bool{"consent.own-site": true, "consent.first-time": true, "consent.opened-before": true, "consent.first-time-it": true, "consent.opened-before-it": true,
		"consent.open.refused": true, "consent.open.missing": true, "consent.open.failed-start": true, "consent.open.failed-because": true, "consent.open.failed-code": true, "consent.open.killed": true}
	for _, table := range []map[string]rule{rules, raised} {
		for _, r := range table {
			used[r.key] = true
		}
	}
	for _, tag := range i18n.Languages {
		keys, err := i18n.Keys(tag)
		if err != nil {
			t.Fatal(err)
		}
		missing := maps.Clone(used)
		for _, key := range keys {
			if strings.HasPrefix(key, "consent.") && !used[key] {
				t.Errorf("%s has %s, which nothing says", tag, key)
			}
			delete(missing, key)
		}
		for key := range missing {
			t.Errorf("%s lacks %s", tag, key)
		}
	}
}

func TestSentencesAreThoseOfTheDecisionTable(t *testing.T) {
	english := i18n.New("en")
	remote := Asker{Remote: true, Host: "mcp.travel.example"}
	tests := []struct {
		url, code, text string
	}{
		{"https://accounts.google.com.evil.example/", "embedded-name", "It begins with accounts.google.com, but the site is evil.example."},
		{"https://mybank.com.evil.example/", "embedded-name", "The start looks like another site. The real site is evil.example."},
		{"https://paypa1.com/", "lookalike-name", "This looks like paypal.com but is a different site: paypa1.com."},
		{"https://аррӏе.example.com/", "idn-all-lookalikes", "This looks like apple.example.com but is a different site: example.com."},
		{"https://еріс.com/", "idn-all-lookalikes", "This looks like epic.com but is a different site: xn--e1awd7f.com."},
		{"https://xn--google.com/", "idn-code-imitates", "The coded name imitates google.com."},
		{"https://ⓖithub.com/", "idn-disguised-letters", "This link is written in look-alike characters. It really opens github.com."},
		{"https://münchen.de/", "idn", "International name (Punycode): xn--mnchen-3ya.de"},
		{"https://me.github.io/", "shared-hosting", "github.io hosts pages for many people. This one is me.github.io."},
		{"https://github.com/", "other-site", "github.com is not the site of this server (travel.example)."},
		{"http://localhost/", "this-computer", "An internet server wants to open a page on this computer."},
	}
	for _, test := range tests {
		a := Assess(test.url, remote)
		i := slices.IndexFunc(a.Findings, func(f Finding) bool { return f.Code == test.code })
		if i < 0 {
			t.Errorf("%s: %v lacks %s", test.url, codes(a), test.code)
		} else if text := english.Text(a.Findings[i].Text); text != test.text {
			t.Errorf("%s: %q, want %q", test.url, text, test.text)
		}
	}
}

// A port that browsers do open is not said to be one that they refuse.
func TestWhatIsSaidOfAPortIsTrue(t *testing.T) {
	english := i18n.New("en")
	for url, want := range map[string]string{
		"https://example.com:/":       "This link is written in a misleading way.",
		"https://https://google.com":  "This link is written in a misleading way.",
		"https://example.com:00443/":  "This link is written in a misleading way.",
		"https://example.com:0/":      "Browsers do not open this port.",
		"https://example.com:000/":    "Browsers do not open this port.",
		"https://example.com:099999/": "Browsers do not open this port.",
		"https://example.com:99999/":  "Browsers do not open this port.",
		"https://example.com:x/":      "Browsers do not open this port.",
	} {
		a := Assess(url, Asker{})
		if len(a.Findings) != 1 || a.Findings[0].Code != "bad-port" || a.Level != Block || english.Text(a.Findings[0].Text) != want {
			t.Errorf("%s: %s %v, %q", url, a.Level, codes(a), english.Text(a.Findings[0].Text))
		}
	}
}

func TestOneSentenceIsSaidOnce(t *testing.T) {
	a := Assess(`https:/\evil.example/`, Asker{})
	if got := codes(a); !slices.Equal(got, []string{"backslash", "malformed-slashes"}) {
		t.Fatalf("findings %v", got)
	}
	if got := a.Sentences(); len(got) != 1 {
		t.Errorf("%d sentences: %v", len(got), got)
	}
	if got := Assess("https://paypa1.com.evil.example/", Asker{}).Sentences(); len(got) != 1 || got[0].Code != "embedded-name" {
		t.Errorf("sentences %v", got)
	}
}

// The command line prints every key always.
func TestLineHasEveryKey(t *testing.T) {
	english := i18n.New("en")
	for url, want := range map[string]string{
		"https://example.com/":  `{"url":"https://example.com/","level":"ok","findings":[],"open":"https://example.com/","host":"example.com","site":"example.com","reads_as":""}`,
		"javascript:alert(1)":   `{"url":"javascript:alert(1)","level":"block","findings":[{"code":"scheme","level":"block","text":"This is not a web page link, so it will not be opened."}],"open":"","host":"","site":"","reads_as":""}`,
		"https://münchen.de:8/": `{"url":"https://münchen.de:8/","level":"info","findings":[{"code":"idn","level":"info","text":"International name (Punycode): xn--mnchen-3ya.de"}],"open":"https://xn--mnchen-3ya.de:8/","host":"xn--mnchen-3ya.de:8","site":"xn--mnchen-3ya.de","reads_as":"münchen.de:8"}`,
	} {
		got, err := json.Marshal(Assess(url, Asker{}).Line(url, english))
		if err != nil || string(got) != want {
			t.Errorf("%s:\n got %s\nwant %s (%v)", url, got, want, err)
		}
	}
}

func TestLevelsAreOrderedAndNamed(t *testing.T) {
	for i, name := range []string{"ok", "info", "caution", "danger", "block"} {
		if Level(i).String() != name {
			t.Errorf("level %d is %s, want %s", i, Level(i), name)
		}
	}
	if got := Level(9).String(); got != "Level(9)" {
		t.Errorf("an unknown level is %q", got)
	}
}
