package safetext

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestHiddenCharactersBecomeVisible(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"plain", "Hello, world", "Hello, world"},
		{"empty", "", ""},
		{"right-to-left override", "photo\u202Egnp.exe", "photo⟨U+202E⟩gnp.exe"},
		{"isolates and marks", "\u2066a\u2069\u200E\u200F\u061C", "⟨U+2066⟩a⟨U+2069⟩⟨U+200E⟩⟨U+200F⟩⟨U+061C⟩"},
		{"NUL and escape", "a\x00b\x1b[31m\x7f", "a⟨U+0000⟩b⟨U+001B⟩[31m⟨U+007F⟩"},
		{"C1 control", "a\u0085b\u009bc", "a⟨U+0085⟩b⟨U+009B⟩c"},
		{"zero width", "pass\u200Bword\uFEFF\u2060", "pass⟨U+200B⟩word⟨U+FEFF⟩⟨U+2060⟩"},
		{"soft hyphen", "co\u00ADop", "co⟨U+00AD⟩op"},
		{"joiners in Latin text", "a\u200Cb\u200Dc", "a⟨U+200C⟩b⟨U+200D⟩c"},
		{"blank fillers", "\u3164\u115F\uFFA0\u2800\u034F", "⟨U+3164⟩⟨U+115F⟩⟨U+FFA0⟩⟨U+2800⟩⟨U+034F⟩"},
		{"private use", "\uE000\U000F0000", "⟨U+E000⟩⟨U+F0000⟩"},
		{"unassigned and noncharacter", "\u0378\uFFFF\U0010FFFF", "⟨U+0378⟩⟨U+FFFF⟩⟨U+10FFFF⟩"},
		{"tags", "🏴\U000E0067\U000E0062\U000E007F", "🏴⟨U+E0067⟩⟨U+E0062⟩⟨U+E007F⟩"},
		{"variation selectors as data", "a\uFE0F😀\uFE0F\uFE0F\U000E0101", "a⟨U+FE0F⟩😀\uFE0F⟨U+FE0F⟩⟨U+E0101⟩"},
		{"invalid UTF-8", "a\xffb\xc3", "a⟨0xFF⟩b⟨0xC3⟩"},
		{"lone surrogate", "a\xed\xa0\x80b", "a⟨U+D800⟩b"},
		{"replacement character is text", "a\uFFFDb", "a\uFFFDb"},
		{"interlinear annotation", "\uFFF9a\uFFFAb\uFFFB", "⟨U+FFF9⟩a⟨U+FFFA⟩b⟨U+FFFB⟩"},
		{"B104", "陈致逸 日本語 한국어 العربية हिन्दी 👩‍👩‍👧 \u202E\u0000", "陈致逸 日本語 한국어 العربية हिन्दी 👩‍👩‍👧 ⟨U+202E⟩⟨U+0000⟩"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := Block(test.in, 0).String(); got != test.want {
				t.Errorf("Block(%+q)\n got %+q\nwant %+q", test.in, got, test.want)
			}
		})
	}
}

func TestInvisibleCharactersThatWorkStay(t *testing.T) {
	for name, s := range map[string]string{
		"family":                "👩‍👩‍👧‍👦",
		"heart on fire":         "❤️‍🔥",
		"skin tone and joiner":  "👩🏽‍🚀",
		"keycap":                "1️⃣",
		"text style":            "☎︎",
		"flag":                  "🇨🇳",
		"Persian":               "می\u200Cخواهم",
		"Hindi conjunct":        "क्\u200Dष क्\u200Cष",
		"Japanese name":         "葛\U000E0100城",
		"Arabic number sign":    "؀١٢",
		"ideographic space":     "日本　語",
		"Vietnamese decomposed": "Vie\u0323\u0302t",
		"Thai":                  "ที่นี่",
	} {
		if got := Block(s, 0).String(); got != s {
			t.Errorf("%s: %+q became %+q", name, s, got)
		}
	}
}

func TestLineEndsAndTabs(t *testing.T) {
	const in = "a\r\nb\rc\nd\u2028e\u2029f\tg"
	if got, want := Block(in, 0).String(), "a\nb\nc\nd\ne\nf    g"; got != want {
		t.Errorf("Block gives %q, want %q", got, want)
	}
	if got, want := Line(in, 0).String(), "a⏎b⏎c⏎d⏎e⏎f g"; got != want {
		t.Errorf("Line gives %q, want %q", got, want)
	}
	if got, want := Exact("a \t\r\n\u00A0日", 0).String(), "a⟨U+0020⟩⟨U+0009⟩⟨U+000D⟩⟨U+000A⟩⟨U+00A0⟩日"; got != want {
		t.Errorf("Exact gives %q, want %q", got, want)
	}
}

func TestStackedMarksAreCounted(t *testing.T) {
	zalgo := "Z" + strings.Repeat("\u0300", 45) + "a"
	if got, want := Block(zalgo, 0).String(), "Z"+strings.Repeat("\u0300", maxMarks)+"⟨◌×40⟩a"; got != want {
		t.Errorf("got %+q, want %+q", got, want)
	}
	if got, want := Block("e"+strings.Repeat("\u0301", 7), 0).String(), "e"+strings.Repeat("\u0301", 5)+"⟨◌×2⟩"; got != want {
		t.Errorf("at the end: got %+q, want %+q", got, want)
	}
	if got, want := Block("\u0301a\n\u0301b", 0).String(), "◌\u0301a\n◌\u0301b"; got != want {
		t.Errorf("a mark without a letter: got %+q, want %+q", got, want)
	}
}

func TestLengthIsBoundedAndSaid(t *testing.T) {
	tests := []struct {
		name, in string
		limit    int
		want     string
		omitted  int
	}{
		{"fits exactly", "abcde", 5, "abcde", 0},
		{"cut", "abcdefgh", 5, "abcde… ⟨+3⟩", 3},
		{"an escape is not torn", "abc\u202Edef", 5, "abc… ⟨+4⟩", 4},
		{"a letter keeps its marks", "abcde\u0301\u0302f", 6, "abcd… ⟨+4⟩", 4},
		{"an emoji is not torn", "abc👩‍👩‍👧d", 5, "abc… ⟨+6⟩", 6},
		{"invalid bytes", "ab\xff\xffcd", 3, "ab… ⟨+4⟩", 4},
		{"zero limit is the default", strings.Repeat("x", DefaultLimit+1), 0, strings.Repeat("x", DefaultLimit) + "… ⟨+1⟩", 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := Block(test.in, test.limit)
			if got.String() != test.want || got.Omitted() != test.omitted || got.Cut() != (test.omitted > 0) {
				t.Errorf("got %+q, %d omitted, cut %v; want %+q, %d", got, got.Omitted(), got.Cut(), test.want, test.omitted)
			}
		})
	}
}

func TestOneEndlessLetterIsCutHard(t *testing.T) {
	in := "👩" + strings.Repeat("🏽", 500)
	got := Block(in, 100)
	if !got.Cut() || utf8.RuneCountInString(got.String()) > 120 {
		t.Errorf("%d runes, cut %v", utf8.RuneCountInString(got.String()), got.Cut())
	}
}

func TestTheZeroTextIsEmpty(t *testing.T) {
	var zero Text
	if !zero.IsZero() || zero.Cut() || zero.String() != "" || Make("x", 1).IsZero() {
		t.Error("the zero Text is not empty, or another one is")
	}
}

// FuzzSafetext: whatever comes in, nothing hidden comes out, the length holds,
// and making it again changes nothing.
func FuzzSafetext(f *testing.F) {
	for _, s := range []string{"", "abc\u202E\x00\xff", "👩‍👩‍👧❤️‍🔥", "می\u200Cخواهم", "Z\u0300\u0300\u0300\u0300\u0300\u0300\u0300", "\r\n\r\t\u2028",
		"\xed\xa0\x80", "1️⃣\uFE0F", "葛\U000E0100\U000E0100", "⟨U+202E⟩", "\u0301", "क्\u200Dष"} {
		f.Add(s, 20)
	}
	f.Fuzz(func(t *testing.T, s string, limit int) {
		limit = limit & 0xFFFF
		for _, do := range []struct {
			name string
			make func(string, int) Text
		}{{"Block", Block}, {"Line", Line}, {"Exact", Exact}} {
			got := do.make(s, limit)
			out := got.String()
			if !utf8.ValidString(out) {
				t.Fatalf("%s(%+q, %d) = %+q is not UTF-8", do.name, s, limit, out)
			}
			if n := utf8.RuneCountInString(out); limit > 0 && !got.Cut() && n > limit {
				t.Fatalf("%s(%+q, %d) has %d runes", do.name, s, limit, n)
			} else if limit > 0 && n > limit+len("… ⟨+1234567⟩") {
				t.Fatalf("%s(%+q, %d) has %d runes with its mark", do.name, s, limit, n)
			}
			if strings.ContainsAny(out, "\x00\t\r\x1b\u202E\u2066\u200E\u200B\uFEFF\u2028") || do.name != "Block" && strings.Contains(out, "\n") {
				t.Fatalf("%s(%+q) = %+q keeps something hidden", do.name, s, out)
			}
			if again := do.make(out, 0); !got.Cut() && do.name != "Exact" && again.String() != out {
				t.Fatalf("%s twice over %+q:\n%+q\n%+q", do.name, s, out, again)
			}
		}
	})
}

// Linear in the result: an input of 1 MiB costs no more than its reading.
func BenchmarkBlock(b *testing.B) {
	for name, s := range map[string]string{
		"ascii 1 MiB":  strings.Repeat("The quick brown fox ", 1<<20/20),
		"zalgo 1 MiB":  "Z" + strings.Repeat("\u0300", 1<<19),
		"hidden 1 MiB": strings.Repeat("\u200B", 1<<20/3),
		"emoji 1 MiB":  strings.Repeat("👩‍", 1<<20/7),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			b.ReportAllocs()
			for b.Loop() {
				Block(s, 1<<20)
			}
		})
	}
}
