package kit

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"parley/ui/kit/kittest"
)

// numbered is a text of so many lines.
func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "line %d\n", i+1)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// inView are the lines that are drawn.
func (l *LongText) inView() string {
	var out []string
	for _, i := range l.rows.inOrder() {
		out = append(out, l.rows.visible[i].(*Text).String())
	}
	return strings.Join(out, "|")
}

func TestTheTailOfALongTextStaysInViewUntilThePersonScrollsUp(t *testing.T) {
	l := NewLongText(safe(numbered(50)), LongTextOptions{Env: &Env{}, Lines: 4, Tail: true})
	newScene(t, l, 300, 120)
	if got := l.inView(); !strings.HasSuffix(got, "line 50") {
		t.Errorf("in view is %q", got)
	}
	l.SetText(safe(numbered(80)))
	if got := l.inView(); !strings.HasSuffix(got, "line 80") {
		t.Errorf("in view after more was written is %q", got)
	}
	l.TypedKey(&fyne.KeyEvent{Name: fyne.KeyHome})
	l.SetText(safe(numbered(100)))
	if got := l.inView(); !strings.HasPrefix(got, "line 1|") {
		t.Errorf("in view of one who reads the beginning is %q", got)
	}
	l.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd})
	l.SetText(safe(numbered(120)))
	if got := l.inView(); !strings.HasSuffix(got, "line 120") {
		t.Errorf("in view of one who came back to the end is %q", got)
	}
	l.SetText(safe("short"))
	if got := l.inView(); got != "short" {
		t.Errorf("in view of a text that became short is %q", got)
	}
}

func TestALongTextWithoutATailBeginsAtItsBeginning(t *testing.T) {
	l := NewLongText(safe(numbered(50)), LongTextOptions{Env: &Env{}, Lines: 4})
	newScene(t, l, 300, 120)
	l.SetText(safe(numbered(60)))
	if got := l.inView(); !strings.HasPrefix(got, "line 1|") {
		t.Errorf("in view is %q", got)
	}
}

// TestALongTextBrokenInPiecesIsBrokenAsAWhole: the pieces make no line end that is
// none, and lose nothing.
func TestALongTextBrokenInPiecesIsBrokenAsAWhole(t *testing.T) {
	words := []string{"word", " ", "  ", "陈致逸", "。", "👩‍👩‍👧", "é", "http://a.example/b?c=d", "\n", "-", "(", ")", "1,000.50", "한국어", "\u00a0"}
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, anywhere := range []bool{false, true} {
		for _, n := range []int{0, 1, 3000, 6000} {
			var b strings.Builder
			for range n {
				b.WriteString(words[rnd.IntN(len(words))])
			}
			for _, text := range []string{b.String(), strings.ReplaceAll(b.String(), "\n", ""), b.String() + "\n"} {
				l := NewLongText(safe(text), LongTextOptions{Lines: 4, Anywhere: anywhere})
				l.breakFor(300)
				var whole []span
				from := 0
				for i, paragraph := range strings.SplitAfter(text, "\n") {
					if i > 0 && paragraph == "" {
						whole = append(whole, span{from, from})
						break
					}
					glyphs, chars := glyphsOf(l.Theme(), []Run{{text: strings.TrimSuffix(paragraph, "\n")}})
					for _, s := range flow(glyphs, breaksOf(chars, anywhere), 300) {
						whole = append(whole, span{from + s.start, from + s.end})
					}
					from += len([]rune(paragraph))
					if strings.HasSuffix(paragraph, "\n") {
						whole[len(whole)-1].end++
					}
				}
				if string(l.chars) != text || !slices.Equal(l.lines, whole) {
					t.Errorf("%d words: %d lines in pieces, %d as a whole; %d of %d bytes", n, len(l.lines), len(whole), len(string(l.chars)), len(text))
				}
			}
		}
	}
}

// TestALongTextIsBrokenInPiecesOfTheEventThread: what is in view is there at once, and
// the end when it is asked for.
func TestALongTextIsBrokenInPiecesOfTheEventThread(t *testing.T) {
	var queue kittest.Queue
	text := numbered(50_000)
	l := NewLongText(safe(text), LongTextOptions{Env: &Env{Do: &queue}, Lines: 4})
	newScene(t, l, 300, 120)
	if got := l.inView(); !strings.HasPrefix(got, "line 1|line 2|") || l.rest == "" {
		t.Errorf("in view is %q, and %d bytes are to be broken", got, len(l.rest))
	}
	before := len(l.lines)
	for queue.Step() && len(l.lines) == before {
	}
	if len(l.lines) <= before || !strings.HasPrefix(l.inView(), "line 1|") {
		t.Errorf("after a piece there are %d lines, before it %d", len(l.lines), before)
	}
	l.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd})
	if got := l.inView(); !strings.HasSuffix(got, "line 50000") {
		t.Errorf("at the end %q is in view", got)
	}
	queue.Drain()
	if len(l.lines) != 50_000 {
		t.Errorf("%d lines", len(l.lines))
	}
}
