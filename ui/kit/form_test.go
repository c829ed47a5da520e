package kit

import (
	"fmt"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

// textRows makes n fields with text entries.
func textRows(env *Env, n int) []*FieldRow {
	rows := make([]*FieldRow, n)
	for i := range rows {
		rows[i] = NewFieldRow(FieldRowOptions{Env: env, Label: safe(fmt.Sprintf("Field %d", i)), Control: NewTextEntry(TextEntryOptions{Env: env})})
	}
	return rows
}

func TestFieldRowShowsErrorsInWords(t *testing.T) {
	entry := NewTextEntry(TextEntryOptions{})
	f := NewFieldRow(FieldRowOptions{Label: safe("E-mail"), Required: true, Control: entry, Hint: []Run{Own("as on your card", Style{})}})
	g := NewFormGrid(nil, f)
	s := newScene(t, Column(0, g), 300, 400)
	expect(t, "label", f.label.String(), "E-mail (required)")
	plain := f.Size().Height
	f.SetError("This is not a complete e-mail address, for example name@example.com.")
	expect(t, "the cross is seen", f.cross.Visible(), true)
	expect(t, "the control is framed", entry.ring.invalid, true)
	g.relayout()
	if f.HeightFor(300) <= plain || len(f.err.lines) < 2 {
		t.Errorf("a long error does not wrap: %v high, %d lines", f.HeightFor(300), len(f.err.lines))
	}
	f.SetError("")
	expect(t, "the cross is seen", f.cross.Visible(), false)
	expect(t, "the control is framed", entry.ring.invalid, false)
	expect(t, "height", f.HeightFor(300), plain)
	f.SetNote("2 of at most 3")
	expect(t, "label", f.label.String(), "E-mail (required)  •  2 of at most 3")
	f.Focus()
	if s.c.Focused() != fyne.Focusable(entry) {
		t.Error("Focus does not go to the control")
	}
}

func TestFieldRowLaysTheFormOutOnlyWhenItsHeightChanges(t *testing.T) {
	f := NewFieldRow(FieldRowOptions{Label: safe("Count"), Control: NewLongEntry(TextEntryOptions{}), Hint: []Run{Own("one", Style{})}})
	newScene(t, Column(0, NewFormGrid(nil, f)), 300, 400)
	layouts := 0
	f.grown = func() { layouts++ }
	f.SetHint(Own("two", Style{}))
	f.SetHint(Own("two", Style{}))
	f.SetError("")
	f.SetNote("3 characters")
	f.SetNote("4 characters")
	expect(t, "layouts for texts of the same height", layouts, 0)
	f.SetError("wrong")
	f.SetError("still wrong")
	expect(t, "layouts for one error", layouts, 1)
	f.SetError("")
	expect(t, "layouts when it goes", layouts, 2)
}

func TestFormGridHasTwoColumnsWhereThereIsRoom(t *testing.T) {
	rows := textRows(nil, 5)
	rows[2].o.Wide = true
	g := NewFormGrid(nil, rows...)
	s := newScene(t, Column(0, g), 700, 800)
	at := func(i int) fyne.Position { return rows[i].Position() }
	if at(0).Y != at(1).Y || at(1).X <= at(0).X {
		t.Errorf("the first two are not beside each other: %v, %v", at(0), at(1))
	}
	expect(t, "width of a wide field", rows[2].Size().Width, 700)
	if at(3).Y <= at(2).Y || at(3).X != 0 || at(4).Y != at(3).Y {
		t.Errorf("after a wide field the columns do not begin anew: %v, %v, %v", at(2), at(3), at(4))
	}
	s.w.Resize(fyne.NewSize(500, 800))
	for i := range rows {
		expect(t, fmt.Sprintf("x of field %d in a narrow window", i), at(i).X, 0)
	}
	fyne.CurrentApp().Settings().SetTheme(NewTheme(Light, 1.6))
	defer fyne.CurrentApp().Settings().SetTheme(NewTheme(Light, 1))
	expect(t, "columns at 700 with large text", g.columns(700), 1)
}

func TestTabReachesEveryFieldAndBringsItIntoView(t *testing.T) {
	env := &Env{}
	kinds := []func() Control{
		func() Control { return NewTextEntry(TextEntryOptions{Env: env}) },
		func() Control { return NewTextEntry(TextEntryOptions{Env: env, Lines: 4}) },
		func() Control { return NewPicker(PickerOptions{Env: env, Options: manyOptions(3)}) },
		func() Control { return NewChecklist(ChecklistOptions{Env: env, Options: manyOptions(3)}) },
		func() Control { return NewYesNo(YesNoOptions{Env: env}) },
		func() Control { return NewDateField(DateFieldOptions{Env: env}) },
	}
	var rows []*FieldRow
	for i := range 200 {
		rows = append(rows, NewFieldRow(FieldRowOptions{Env: env, Label: safe("Field"), Control: kinds[i%len(kinds)]()}))
	}
	page := NewReveal(Column(10, NewFormGrid(env, rows...)))
	env.Reveal = page
	s := newScene(t, page, 700, 400)
	for i, r := range rows {
		s.c.FocusNext()
		if s.c.Focused() != r.Control().FocusTarget() {
			t.Fatalf("Tab %d reaches %T, want field %d", i, s.c.Focused(), i)
		}
		o := s.c.Focused().(fyne.CanvasObject)
		y := fyne.CurrentApp().Driver().AbsolutePositionForObject(o).Y
		if y < 0 || y+o.Size().Height > 400 {
			t.Fatalf("field %d has the focus at y %v to %v, outside the page of 400", i, y, y+o.Size().Height)
		}
	}
	s.c.FocusNext()
	if page.Offset() > revealRoom {
		t.Errorf("back at the first field the page is scrolled by %v", page.Offset())
	}
}

func TestRevealLeavesThePageWhereItIsForWhatStandsBesideIt(t *testing.T) {
	env := &Env{}
	button := NewButton(ButtonOptions{Env: env, Text: "Submit"})
	page := NewReveal(Column(10, NewFormGrid(env, textRows(env, 40)...)))
	env.Reveal = page
	s := newScene(t, Frame(nil, button, nil, nil, page), 500, 400)
	s.focus(button)
	expect(t, "offset with the focus on the button below", page.Offset(), 0)
	page.scroll.ScrollToBottom()
	at := page.Offset()
	s.c.Unfocus()
	s.focus(button)
	expect(t, "offset with the focus on it, at the end", page.Offset(), at)
}

func TestRevealShowsSomethingHigherThanThePageFromItsTop(t *testing.T) {
	high, top := Spacer(10, 2000), Spacer(10, 1500)
	page := NewReveal(Column(0, top, high))
	newScene(t, page, 300, 400)
	page.IntoView(high)
	expect(t, "offset", page.Offset(), 1500-revealRoom)
	page.ScrollToTop()
	expect(t, "offset at the top", page.Offset(), 0)
}

func TestRevealLaysOutAgainWhenAFieldGrows(t *testing.T) {
	env := &Env{}
	rows := textRows(env, 40)
	page := NewReveal(Column(0, NewFormGrid(env, rows...), Line()))
	env.Reveal = page
	newScene(t, page, 300, 400)
	below := rows[1].Position().Y
	rows[0].SetError(strings.Repeat("a long error ", 12))
	if rows[1].Position().Y <= below {
		t.Errorf("the field below an error stays at %v", below)
	}
}

func TestFoldOpensAndCloses(t *testing.T) {
	env := &Env{}
	content := Sentence("{}", Style{Mono: true})
	var toggles []bool
	f := NewFold(env, "What will be sent", content, false, func(open bool) { toggles = append(toggles, open) })
	page := NewReveal(Column(0, f))
	env.Reveal = page
	s := newScene(t, page, 300, 400)
	closed := f.Size().Height
	expect(t, "content in view", content.Visible(), false)
	s.focus(f)
	s.keys(fyne.KeySpace)
	expect(t, "content in view", content.Visible(), true)
	if f.Size().Height <= closed {
		t.Errorf("open it is %v high, closed %v", f.Size().Height, closed)
	}
	test.TapAt(f, fyne.NewPos(5, f.Size().Height-1)) // a click on the content
	expect(t, "open", f.IsOpen(), true)
	test.Tap(f)
	expect(t, "open", f.IsOpen(), false)
	f.SetOpen(true)
	expect(t, "toggles by the person", len(toggles), 2)
}

func BenchmarkFormOf200Fields(b *testing.B) {
	for b.Loop() {
		env := &Env{}
		page := NewReveal(Column(10, NewFormGrid(env, textRows(env, 200)...)))
		w := test.NewTempWindow(b, page)
		w.Resize(fyne.NewSize(900, 700))
	}
}

func BenchmarkErrorInAFormOf200Fields(b *testing.B) {
	env := &Env{}
	rows := textRows(env, 200)
	page := NewReveal(Column(10, NewFormGrid(env, rows...)))
	env.Reveal = page
	w := test.NewTempWindow(b, page)
	w.Resize(fyne.NewSize(900, 700))
	for b.Loop() {
		rows[100].SetError("wrong")
		rows[100].SetError("")
	}
}
