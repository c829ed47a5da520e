package kit

import (
	"fmt"
	"os"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"parley/ui/kit/kittest"
)

// TestMain gives all tests one app in the kit's theme: widgets ask for colours
// when they are made, before a test has a window.
func TestMain(m *testing.M) {
	test.NewApp().Settings().SetTheme(NewTheme(Light, 1))
	os.Exit(m.Run())
}

// scene is a window of the test driver with the kit's theme.
type scene struct {
	t *testing.T
	w fyne.Window
	c fyne.Canvas
}

func newScene(t *testing.T, o fyne.CanvasObject, width, height float32) *scene {
	t.Helper()
	w := test.NewTempWindow(t, nil)
	w.SetPadded(false)
	w.SetContent(o)
	w.Resize(fyne.NewSize(width, height))
	return &scene{t: t, w: w, c: w.Canvas()}
}

// keys types keys into whatever has the focus, as the window would.
func (s *scene) keys(names ...fyne.KeyName) {
	s.t.Helper()
	for _, n := range names {
		if f := s.c.Focused(); f != nil {
			f.TypedKey(&fyne.KeyEvent{Name: n})
		} else {
			s.t.Fatalf("nothing has the focus for key %s", n)
		}
	}
}

// typed types characters into whatever has the focus, as the window would.
func (s *scene) typed(text string) {
	s.t.Helper()
	for _, r := range text {
		if s.c.Focused() == nil {
			s.t.Fatalf("nothing has the focus for %q", r)
		}
		kittest.Type(s.c, r)
	}
}

func (s *scene) focus(f fyne.Focusable) { s.c.Focus(f) }

func (s *scene) overlays() int { return len(s.c.Overlays().List()) }

// optionsOf makes options with labels.
func optionsOf(labels ...string) []Option {
	out := make([]Option, len(labels))
	for i, l := range labels {
		out[i].Label = safe(l)
	}
	return out
}

// manyOptions makes n options, "Option 0" and so on.
func manyOptions(n int) []Option {
	out := make([]Option, n)
	for i := range out {
		out[i].Label = safe(fmt.Sprintf("Option %d", i))
	}
	return out
}

// clock is a clock a test sets.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

func expect[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}
