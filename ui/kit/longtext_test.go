package kit

import (
	"fmt"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
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
