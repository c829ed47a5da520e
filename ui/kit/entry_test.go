package kit

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
)

func TestTextEntryReportsWhatIsTypedVerbatim(t *testing.T) {
	var got []string
	e := NewTextEntry(TextEntryOptions{Text: "a", OnChanged: func(s string) { got = append(got, s) }})
	s := newScene(t, Column(0, e), 300, 60)
	s.focus(e)
	e.CursorColumn = 1
	s.typed(" 李\u202e")
	s.keys(fyne.KeyBackspace)
	want := []string{"a ", "a 李", "a 李\u202e", "a 李"}
	if !slices.Equal(got, want) {
		t.Errorf("reported %q, want %q", got, want)
	}
	e.SetTextQuietly("from the program")
	expect(t, "text", e.Text, "from the program")
	expect(t, "reports of what the program did", len(got), len(want))
}

func TestTextEntryGivesEscapeAndShortcutsToThePage(t *testing.T) {
	escapes := 0
	var seen []fyne.Shortcut
	env := &Env{
		OnEscape:   func() { escapes++ },
		OnShortcut: func(s fyne.Shortcut) bool { seen = append(seen, s); return IsSubmit(s) },
	}
	for _, lines := range []int{1, 4} {
		escapes, seen = 0, nil
		e := NewTextEntry(TextEntryOptions{Env: env, Text: "text", Lines: lines})
		s := newScene(t, Column(0, e), 300, 200)
		s.focus(e)
		s.keys(fyne.KeyEscape)
		expect(t, "Escapes", escapes, 1)
		e.TypedShortcut(SubmitShortcut())
		e.TypedShortcut(&fyne.ShortcutSelectAll{})
		expect(t, "shortcuts the page saw", len(seen), 2)
		expect(t, "selected by Ctrl+A, which the page had no use for", e.SelectedText(), "text")
		expect(t, "text", e.Text, "text")
	}
}

func TestIsSubmitKnowsCtrlEnterOnly(t *testing.T) {
	expect(t, "Ctrl+Enter", IsSubmit(SubmitShortcut()), true)
	expect(t, "Ctrl+C", IsSubmit(&fyne.ShortcutCopy{}), false)
	expect(t, "nothing", IsSubmit(nil), false)
}

func TestTextEntryEnterOnlyDoesWhatThePageSays(t *testing.T) {
	enters := 0
	one := NewTextEntry(TextEntryOptions{OnEnter: func() { enters++ }})
	many := NewTextEntry(TextEntryOptions{Lines: 3, OnEnter: func() { enters += 100 }})
	s := newScene(t, Column(0, one, many), 300, 200)
	s.focus(one)
	s.keys(fyne.KeyReturn)
	s.focus(many)
	s.keys(fyne.KeyReturn)
	expect(t, "calls of OnEnter", enters, 1)
	expect(t, "text after Enter in many lines", many.Text, "\n")
}

func TestTabLeavesATextOfManyLines(t *testing.T) {
	a, b := NewTextEntry(TextEntryOptions{Lines: 3}), NewTextEntry(TextEntryOptions{})
	s := newScene(t, Column(0, a, b), 300, 200)
	s.focus(a)
	expect(t, "Tab is kept in the text", a.AcceptsTab(), false)
	s.c.FocusNext()
	if s.c.Focused() != fyne.Focusable(b) {
		t.Error("Tab does not go to the next field")
	}
}

func TestMaskedEntryShowsNoLetter(t *testing.T) {
	e := NewTextEntry(TextEntryOptions{Text: "hunter2", Masked: true})
	newScene(t, Column(0, e), 300, 60)
	if markup := test.RenderToMarkup(fyne.CurrentApp().Driver().CanvasForObject(e)); strings.Contains(markup, "hunter2") {
		t.Error("the masked text is on the screen")
	}
}

func TestB103_LongTextInAFieldStaysWhole(t *testing.T) {
	for _, c := range []struct {
		name, text string
	}{
		{"16 KiB on one line", strings.Repeat("x", 16<<10)},
		{"64 KiB on one line", strings.Repeat("0123456789abcdef", 4<<10)},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got string
			e := NewTextEntry(TextEntryOptions{Text: c.text, Lines: 4, OnChanged: func(s string) { got = s }})
			s := newScene(t, Column(0, e), 400, 200)
			s.focus(e)
			s.typed("y")
			expect(t, "length after one more letter", len(got), len(c.text)+1)
		})
	}
}

func TestSetInvalidShowsARedFrame(t *testing.T) {
	red := NewTheme(Light, 1).Color(ColorDanger, 0)
	entry := NewTextEntry(TextEntryOptions{})
	picker := NewPicker(PickerOptions{})
	list := NewChecklist(ChecklistOptions{Options: manyOptions(3)})
	yesno := NewYesNo(YesNoOptions{})
	date := NewDateField(DateFieldOptions{})
	moment := NewDateTimeField(DateTimeOptions{})
	for _, c := range []struct {
		name    string
		control Control
		ring    *ring
	}{
		{"entry", entry, &entry.ring}, {"picker", picker, &picker.ring}, {"checklist", list, &list.ring},
		{"yes/no", yesno, &yesno.ring}, {"date", date, &date.entry.ring}, {"date and time", moment, &moment.date.entry.ring},
	} {
		t.Run(c.name, func(t *testing.T) {
			newScene(t, Column(0, c.control), 300, 300)
			c.control.SetInvalid(true)
			expect(t, "frame of a wrong value", c.ring.frame.Visible() && c.ring.frame.StrokeColor == red, true)
			c.control.SetInvalid(false)
			expect(t, "a right one has it", c.ring.frame.Visible() && c.ring.frame.StrokeColor == red, false)
		})
	}
}

func BenchmarkKeystrokeInALongText(b *testing.B) {
	for _, n := range []struct {
		name string
		size int
	}{{"1KiB", 1 << 10}, {"16KiB", 16 << 10}, {"64KiB", 64 << 10}} {
		b.Run(n.name, func(b *testing.B) {
			e := NewTextEntry(TextEntryOptions{Text: strings.Repeat("word word ", n.size/10), Lines: 4})
			w := test.NewTempWindow(b, Column(0, e))
			w.Resize(fyne.NewSize(460, 300))
			w.Canvas().Focus(e)
			for b.Loop() {
				e.TypedRune('x')
			}
		})
	}
}

// TestEveryFieldHasTheSameGround: an entry is drawn like a picker, and its border
// is no weaker than what is around it.
func TestEveryFieldHasTheSameGround(t *testing.T) {
	e, p := NewTextEntry(TextEntryOptions{}), NewPicker(PickerOptions{})
	newScene(t, Column(0, e, p), 300, 100)
	ground := test.WidgetRenderer(e).Objects()[0].(*Surface)
	expect(t, "ground of an entry", [3]any{ground.Fill, ground.Stroke, ground.Radius}, [3]any{p.back.Fill, p.back.Stroke, p.back.Radius})
	expect(t, "its size", ground.Size(), e.Size())
	for _, o := range test.WidgetRenderer(e).Objects() {
		if r, ok := o.(*canvas.Rectangle); ok && r.Visible() {
			t.Errorf("Fyne's ground is drawn too: %+v", r)
		}
	}
	for _, mode := range []Mode{Light, Dark} {
		th := NewTheme(mode, 1)
		line := th.Color(ColorFieldLine, 0)
		if field, other := contrast(line, th.Color(ColorArea, 0)), contrast(th.Color(ColorLine, 0), th.Color(ColorArea, 0)); field < 1.5 || field < other {
			t.Errorf("mode %d: the border of a field contrasts by %.2f, another line by %.2f", mode, field, other)
		}
	}
}

// TestTextEntryLeavesTheKeysOfAnInputMethodToIt: while the characters of keys have
// not come, Enter, Escape and Backspace are the method's.
func TestTextEntryLeavesTheKeysOfAnInputMethodToIt(t *testing.T) {
	enters, escapes := 0, 0
	e := NewTextEntry(TextEntryOptions{Env: &Env{OnEscape: func() { escapes++ }}, OnEnter: func() { enters++ }})
	s := newScene(t, Column(0, e), 300, 100)
	s.focus(e)
	chosen := func(text string) {
		for _, r := range text {
			e.TypedRune(r)
		}
	}
	s.keys(fyne.KeyN, fyne.KeyI, fyne.KeySpace)
	chosen("你")
	for _, c := range []struct {
		name string
		keys []fyne.KeyName
		text string // what comes of it
	}{
		{"Enter takes the letters as they are", []fyne.KeyName{fyne.KeyN, fyne.KeyI, fyne.KeyReturn}, "ni"},
		{"so does the other Enter", []fyne.KeyName{fyne.KeyN, fyne.KeyI, fyne.KeyEnter}, "ni"},
		{"Escape gives the letters up", []fyne.KeyName{fyne.KeyH, fyne.KeyA, fyne.KeyO, fyne.KeyEscape}, ""},
		{"Backspace takes a letter back", []fyne.KeyName{fyne.KeyH, fyne.KeyA, fyne.KeyO, fyne.KeyBackspace, fyne.KeyBackspace, fyne.KeyBackspace}, ""},
		{"the arrows go through what is offered", []fyne.KeyName{fyne.KeyH, fyne.KeyA, fyne.KeyO, fyne.KeyLeft, fyne.KeyDown, fyne.KeySpace}, "好"},
	} {
		before := e.Text
		s.keys(c.keys...)
		if e.Text != before || enters+escapes > 0 {
			t.Errorf("%s: the field holds %q, %d Enters and %d Escapes got through", c.name, e.Text, enters, escapes)
		}
		chosen(c.text)
		expect(t, c.name, e.Text, before+c.text)
	}
	s.keys(fyne.KeyBackspace, fyne.KeyReturn, fyne.KeyEscape)
	expect(t, "text after a Backspace of its own", e.Text, "你nini")
	expect(t, "Enters after that", enters, 1)
	expect(t, "Escapes", escapes, 1)
	s.keys(fyne.KeyA)
	chosen("a")
	s.keys(fyne.KeyBackspace)
	expect(t, "text after typing and deleting without a method", e.Text, "你nini")
}
