package consent

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"
)

func TestTheCanonicalString(t *testing.T) {
	tests := []struct{ raw, open string }{
		{"https://example.com", "https://example.com"},
		{"https://example.com?x", "https://example.com?x"},
		{"https://example.com#x", "https://example.com#x"},
		{"https://example.com/#", "https://example.com/"},
		{"https://example.com/?#", "https://example.com/?"},
		{"https://example.com/?", "https://example.com/?"},
		{"hTTpS://EXAMPLE.com:443/A", "https://example.com/A"},
		{"http://example.com:443/", "http://example.com:443/"},
		{"https://example.com:80/", "https://example.com:80/"},
		{"https://example.com/%41%2f%zz%4%", "https://example.com/%41%2f%25zz%254%25"},
		{"https://example.com/\"<>^`{|}", "https://example.com/%22%3C%3E%5E%60%7B%7C%7D"},
		{"https://example.com/a?b\\c#d\\e", "https://example.com/a?b%5Cc#d%5Ce"},
		{"https://example.com/a#b#c#", "https://example.com/a#b%23c%23"},
		{"https://example.com/é?é#é", "https://example.com/%C3%A9?%C3%A9#%C3%A9"},
		{"https://example.com/[a]?[b]#[c]", "https://example.com/[a]?[b]#[c]"},
		{"https://example.com/a/../b/./c", "https://example.com/a/../b/./c"},
		{"https://example.com//x//", "https://example.com//x//"},
		{"https://bücher。example/", "https://xn--bcher-kva.example/"},
		{"https://BU\u0308CHER.example/", "https://xn--bcher-kva.example/"},
	}
	for _, test := range tests {
		a := Assess(test.raw, Asker{})
		if a.Open != test.open {
			t.Errorf("%q opens %q, want %q; %v", test.raw, a.Open, test.open, codes(a))
		}
		if again := Assess(a.Open, Asker{}); again.Open != a.Open {
			t.Errorf("%q becomes %q the second time", a.Open, again.Open)
		}
	}
}

func TestWhatTheGrammarRefuses(t *testing.T) {
	tests := []struct {
		raw   string
		codes []string
	}{
		{"", []string{"empty"}},
		{"   ", []string{"whitespace"}},
		{"https://example.com/" + strings.Repeat("x", maxURL), []string{"too-long"}},
		{"https://example.com/" + strings.Repeat("日", maxURL/4), []string{"too-long"}},
		{"https://example.com/\xff", []string{"bad-encoding"}},
		{"https://exa\uFFFDmple.com/", []string{"bad-encoding"}},
		{"java\nscript:alert(1)", []string{"control-character"}},
		{"\u200F\thttps://example.com/ x", []string{"control-character", "bidi-control", "whitespace"}},
		{"https://example.com/\u0085", []string{"control-character"}},
		{"localhost:3000", []string{"scheme"}},
		{"C:/Windows", []string{"not-a-web-address"}},
		{"1http://example.com/", []string{"not-a-web-address"}},
		{":https://example.com/", []string{"not-a-web-address"}},
		{"view-source:https://example.com/", []string{"scheme"}},
		{"https:/example.com", []string{"malformed-slashes"}},
		{"https:////example.com", []string{"malformed-slashes"}},
		{"https://#x", []string{"malformed-slashes"}},
		{`https:/\evil.example`, []string{"backslash", "malformed-slashes"}},
		{`https://a.example\@evil.example/`, []string{"backslash"}},
		{"https://a@b@evil.example/", []string{"userinfo"}},
		{"https://a%40evil.example/", []string{"percent-host"}},
		{"https://\u00ADexample.com/", []string{"hidden-character"}},
		{"https://ex\uFE0Fample.com/", []string{"hidden-character"}},
		{"https://ex\u2800ample.com/", []string{"hidden-character"}},
		{"https://ex\U000E0041ample.com/", []string{"hidden-character"}},
		{"https://a..b/", []string{"invalid-name"}},
		{"https://.a.example/", []string{"invalid-name"}},
		{"https://./", []string{"invalid-name"}},
		{"https://a.example../", []string{"invalid-name"}},
		{"https://a.example。./", []string{"invalid-name"}},
		{"https://a!b.example/", []string{"invalid-name"}},
		{"https://" + strings.Repeat("a.", 127) + "example/", []string{"invalid-name"}},
		{"https://" + strings.Repeat("中", 400) + ".example/", []string{"invalid-name"}},
		{"https://ｘｎ--mnchen-3ya.de/", []string{"invalid-name"}},
		{"https://xn--münchen.de/", []string{"invalid-name"}},
		{"https://xn--a.com/", []string{"invalid-name"}},
		{"https://example.com／evil.example/", []string{"invalid-name"}},
	}
	for _, test := range tests {
		if a := Assess(test.raw, Asker{}); a.Level != Block || !slices.Equal(codes(a), test.codes) {
			t.Errorf("%.60q: %s %v, want %v", test.raw, a.Level, codes(a), test.codes)
		}
	}
}

func TestARefusedLinkIsShownEscaped(t *testing.T) {
	for raw, want := range map[string]string{
		"https://example.com/ --new-window": "https://example.com/⟨U+0020⟩--new-window",
		"https://exa\u202Emoc.elp/":         "https://exa⟨U+202E⟩moc.elp/",
		"https://a\u200Bb@c\x00\xff":        "https://a⟨U+200B⟩b@c⟨U+0000⟩⟨0xFF⟩",
		"https://中国@evil.example/":          "https://中国@evil.example/",
	} {
		if a := Assess(raw, Asker{}); a.Shown.String() != want {
			t.Errorf("%+q is shown as %q, want %q", raw, a.Shown, want)
		}
	}
	if a := Assess("https://example.com/"+strings.Repeat("x", 1<<20), Asker{}); len(a.Shown.String()) > maxShown+50 || !a.Shown.Cut() {
		t.Errorf("an endless link is shown with %d bytes", len(a.Shown.String()))
	}
}

func TestProgramsAreSaidToBeDownloads(t *testing.T) {
	for path, want := range map[string]bool{
		"/setup.exe": true, "/a/INSTALL.PS1?x=1": true, "/x.dmg#y": true, "/setup%2Eexe": true, "/setup.exe;v=1": true,
		"/setup.exe%20": true, "/setup.exe.": true, "/install.sh": true,
		"/": false, "": false, "/exe": false, "/setup.exe/": false, "/readme.pdf": false, "/page.html": false,
		"/?file=setup.exe": false, "/#setup.exe": false, "/example.com": false, "/archive.zip": false,
	} {
		if a := Assess("https://example.com"+path, Asker{}); a.Has("download") != want {
			t.Errorf("%q: %v", path, codes(a))
		}
	}
}

// A name is bounded before it is mapped; the bound lets pass whatever can be one.
func TestTheLongestNamesPass(t *testing.T) {
	for _, name := range []string{
		strings.Repeat(strings.Repeat("a", 61)+".", 4) + "com",
		strings.Repeat(strings.Repeat("á", 40)+".", 3) + "com",
		strings.Repeat(strings.Repeat("가", 40)+".", 2) + "com",
		strings.Repeat("1á.", 25) + "com",
	} {
		a := Assess("https://"+name+"/", Asker{})
		b := Assess("https://"+norm.NFD.String(name)+"/", Asker{})
		if a.Level == Block || a.Open != b.Open {
			t.Errorf("%.30q with %d bytes: %v, decomposed %v", name, len(name), codes(a), codes(b))
		}
	}
	for _, text := range []string{strings.Repeat("ﷺ.", 250), strings.Repeat("ﷺ", 340), strings.Repeat("a\u0301", 340)} {
		if a := Assess("https://"+text+"com/", Asker{}); !slices.Equal(codes(a), []string{"invalid-name"}) {
			t.Errorf("%.30q: %v", text, codes(a))
		}
	}
}

// What a browser's Bidi tables do not know leads somewhere in one and nowhere in
// another: U+061D is of Unicode 14, U+08D2 as well.
func TestRightToLeftNamesHoldNoYoungCharacters(t *testing.T) {
	for host, ok := range map[string]bool{"בבב.com": true, "مثال.مصر": true, "ب\u061Dب.com": false, "ب\u08D2ب.com": false,
		"xn--cgb0bxg3q7i.com": false, "a\U0001FAE8b.com": true, "a\U0001FAE8b.ببب.com": false} {
		if a := Assess("https://"+host+"/", Asker{}); (a.Level < Block) != ok {
			t.Errorf("%+q: %s %v", host, a.Level, codes(a))
		}
	}
}

// mapName has a short way for plain names; it must not lead elsewhere.
func TestPlainNamesAreMappedAsTheProfileMapsThem(t *testing.T) {
	for _, name := range []string{"example.com", "EXAMPLE.Com", "a_b.-c.d-", "a--b.c", "r3---sn-x.example", "127.0.0.1", "0x7f", "",
		"a", "a.", "a..b", ".a", strings.Repeat("a", 63) + ".b", strings.Repeat("a", 64) + ".b",
		strings.Repeat("a.", 126) + "a", strings.Repeat("a.", 127) + "a"} {
		want, err := profile.ToASCII(name)
		valid := err == nil
		for label := range strings.SplitSeq(want, ".") {
			valid = valid && isName(label)
		}
		got, ok := mapName(name)
		for label := range strings.SplitSeq(got, ".") {
			ok = ok && isName(label)
		}
		if ok != valid || ok && got != want {
			t.Errorf("%.40q: %q, %v; the profile says %q, %v", name, got, ok, want, err)
		}
	}
}
