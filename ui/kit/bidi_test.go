package kit

import (
	"slices"
	"strings"
	"testing"
)

// seen is what a line shows from left to right, with the words in the order they
// are stored in: Fyne turns a word round itself.
func seen(t *Text) []string {
	var out []string
	for _, l := range t.lines {
		var words []string
		x := float32(0)
		for _, p := range l.pieces {
			if p.x > x+1 {
				words = append(words, "_")
			}
			words = append(words, p.text)
			x = p.x + p.width
		}
		out = append(out, strings.Join(words, "|"))
	}
	return out
}

func TestB104_TextGoesInTheDirectionOfItsScript(t *testing.T) {
	newScene(t, Spacer(1, 1), 10, 10)
	server := func(s string) []Run { return []Run{Server(safe(s), Style{})} }
	for _, c := range []struct {
		name string
		runs []Run
		want []string
	}{
		{"two words of Arabic", server("مرحبا بالعالم"), []string{"بالعالم|_|مرحبا"}},
		{"Hebrew", server("שלום עולם"), []string{"עולם|_|שלום"}},
		{"bold", []Run{Server(safe("مرحبا بالعالم"), Style{Bold: true})}, []string{"بالعالم|_|مرحبا"}},
		{"the app's words stay behind", []Run{Server(safe("مرحبا بالعالم"), Style{Bold: true}), Own(" (required)", Style{Bold: true})},
			[]string{"بالعالم|_|مرحبا|_|(required)"}},
		{"Arabic in Latin", server("first مرحبا بالعالم last"), []string{"first|_|بالعالم|_|مرحبا|_|last"}},
		{"Latin in Arabic", server("مرحبا to you بالعالم"), []string{"بالعالم|_|to you|_|مرحبا"}},
		{"a number in Hebrew", server("שלום 123 עולם"), []string{"עולם|_|123|_|שלום"}},
		{"a number behind Hebrew in Latin", server("a שלום 123 b"), []string{"a|_|123|_|שלום|_|b"}},
		{"a number behind Latin", server("a 123 שלום"), []string{"a 123|_|שלום"}},
		{"digits of Arabic", server("عام ٢٠٢٦"), []string{"٢٠٢٦|_|عام"}},
		{"signs", server("שלום!"), []string{"!|שלום"}},
		{"brackets", server("שלום (עולם)."), []string{".|(|עולם|)|_|שלום"}},
		{"brackets with Latin", server("שלום abc (def) עולם"), []string{"עולם|_|abc (def)|_|שלום"}},
		{"brackets with a number", server("a 123 (שלום) b"), []string{"a 123 (|שלום|) b"}},
		{"brackets with Hebrew in Latin", server("a שלום (עולם) b"), []string{"a|_|(|עולם|)|_|שלום|_|b"}},
		{"a bracket alone", server("שלום) a"), []string{"a|_|(|שלום"}},
		{"server text in a sentence of the app", []Run{Own("“שלום” asks", Style{})}, []string{"“|שלום|” asks"}},
		{"a sentence that begins with it", []Run{Own("שלום asks", Style{})}, []string{"שלום|_|asks"}},
		{"lines by themselves", server("שלום a\nb שלום"), []string{"a|_|שלום", "b|_|שלום"}},
		{"no such script", server("first 中文 last"), []string{"first 中文 last"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := NewText(c.runs...)
			text.HeightFor(1000)
			if got := seen(text); !slices.Equal(got, c.want) {
				t.Errorf("shows %q, want %q", got, c.want)
			}
		})
	}
}

func TestB104_ACutLineOfHebrewEndsAtTheLeft(t *testing.T) {
	newScene(t, Spacer(1, 1), 10, 10)
	text := Label(safe(strings.Repeat("שלום עולם ", 30)), Style{})
	text.MaxLines = 1
	text.HeightFor(200)
	if got := seen(text)[0]; !strings.HasPrefix(got, "…") || strings.Count(got, "…") != 1 {
		t.Errorf("shows %q", got)
	}
	if w := text.lines[0].width; w > 201.5 {
		t.Errorf("the line is %v wide", w)
	}
}

func TestB104_AWrappedTextKeepsItsDirection(t *testing.T) {
	newScene(t, Spacer(1, 1), 10, 10)
	// The second line begins with Latin; the text goes from right to left all the same.
	text := Label(safe("שלום עולם\u00a0abc def שלום"), Style{})
	for width := float32(40); width < 400; width += 7 {
		text.HeightFor(width)
		var letters int
		for _, l := range text.lines {
			for _, p := range l.pieces {
				letters += len([]rune(strings.ReplaceAll(p.text, " ", "")))
			}
		}
		expect(t, "characters drawn", letters, len([]rune("שלוםעולם\u00a0abcdefשלום")))
	}
}

func TestB104_URLsGoFromLeftToRight(t *testing.T) {
	v := NewRefusedURL(safe("https://שלום.example/עולם"))
	newScene(t, v, 600, 200)
	if got := strings.Join(seen(v.text), ""); !strings.HasPrefix(got, "https://|") {
		t.Errorf("shows %q", got)
	}
}
