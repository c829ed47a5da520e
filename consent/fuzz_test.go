package consent

import (
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzAssess: no input breaks the assessment, and what it gives out holds
// together: the canonical string is ASCII, a fixed point, what net/url sees, and
// the sum of its parts.
func FuzzAssess(f *testing.F) {
	for i, v := range readVectors(f, "testdata/url_vectors.jsonl") {
		f.Add(v.URL, i%2 == 0, "mcp.example.com")
	}
	for _, seed := range hostileSeeds {
		f.Add(seed, true, "")
	}
	f.Fuzz(func(t *testing.T, raw string, remote bool, host string) {
		by := Asker{Remote: remote, Host: host, Protected: []string{raw}}
		a := Assess(raw, by)
		checkAssessment(t, raw, by, a)
	})
}

func checkAssessment(t *testing.T, raw string, by Asker, a Assessment) {
	t.Helper()
	for i, f := range a.Findings {
		if i > 0 && f.Level > a.Findings[i-1].Level {
			t.Fatalf("%+q: findings not in order: %v", raw, codes(a))
		}
		if f.Level == OK || f.Text.IsZero() || f.Level > a.Level {
			t.Fatalf("%+q: finding %+v at level %s", raw, f, a.Level)
		}
	}
	if (a.Level > OK) != (len(a.Findings) > 0) {
		t.Fatalf("%+q: level %s with findings %v", raw, a.Level, codes(a))
	}
	if a.Level == Block {
		if a.Open+a.Host+a.Site+a.ReadsAs+a.Button != "" || a.Parts != nil || !utf8.ValidString(a.Shown.String()) {
			t.Fatalf("%+q is blocked, yet %+v", raw, a)
		}
		return
	}
	if a.Open == "" || a.Host == "" || a.Button == "" || !isASCII(a.Open) || !a.Shown.IsZero() {
		t.Fatalf("%+q: %+v", raw, a)
	}
	for i := range len(a.Open) {
		if c := a.Open[i]; c <= ' ' || c == 0x7F || strings.IndexByte("\"\\`<>{}|^", c) >= 0 {
			t.Fatalf("%+q: %q holds %q", raw, a.Open, c)
		}
	}
	again := Assess(a.Open, by)
	if again.Open != a.Open || again.Host != a.Host || again.Site != a.Site || again.ReadsAs != a.ReadsAs && !a.Has("idn-disguised-letters") {
		t.Fatalf("%+q: %q is no fixed point:\n%+v\n%+v", raw, a.Open, a, again)
	}
	u, err := url.Parse(a.Open)
	if err != nil || u.Host != a.Host || u.User != nil || u.String() != a.Open {
		t.Fatalf("%+q: net/url sees %+v (%v) in %q", raw, u, err, a.Open)
	}
	joined, site := "", ""
	for _, p := range a.Parts {
		joined += p.Text
		if p.Role == Site {
			site += p.Text
		}
	}
	if joined != a.Open || site != a.Button {
		t.Fatalf("%+q: parts %+v of %q, button %q", raw, a.Parts, a.Open, a.Button)
	}
}
