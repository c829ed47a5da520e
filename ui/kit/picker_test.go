package kit

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

// pickerScene shows a picker and collects what it reports.
func pickerScene(t *testing.T, o PickerOptions) (*scene, *Picker, *[]int) {
	t.Helper()
	var picked []int
	o.OnChanged = func(i int) { picked = append(picked, i) }
	if o.Env == nil {
		o.Env = &Env{}
	}
	p := NewPicker(o)
	s := newScene(t, Column(0, p), 400, 600)
	s.focus(p)
	return s, p, &picked
}

func TestPickerWorksByKeyboard(t *testing.T) {
	for _, c := range []struct {
		name  string
		n     int
		start int
		keys  []fyne.KeyName
		want  []int
	}{
		{"Down opens, Down moves, Enter picks", 5, -1, []fyne.KeyName{fyne.KeyDown, fyne.KeyDown, fyne.KeyReturn}, []int{1}},
		{"Space opens and picks in a short list", 5, 2, []fyne.KeyName{fyne.KeySpace, fyne.KeyUp, fyne.KeySpace}, []int{1}},
		{"Enter opens, the pick is where the list begins", 5, 3, []fyne.KeyName{fyne.KeyEnter, fyne.KeyDown, fyne.KeyEnter}, []int{4}},
		{"End goes to the last", 5, -1, []fyne.KeyName{fyne.KeyDown, fyne.KeyEnd, fyne.KeyReturn}, []int{4}},
		{"Up at the first stays", 5, 0, []fyne.KeyName{fyne.KeyDown, fyne.KeyUp, fyne.KeyUp, fyne.KeyDown, fyne.KeyReturn}, []int{1}},
		{"the same option again is no change", 5, 2, []fyne.KeyName{fyne.KeyDown, fyne.KeyReturn}, nil},
		{"Escape picks nothing", 5, 0, []fyne.KeyName{fyne.KeyDown, fyne.KeyDown, fyne.KeyEscape}, nil},
		{"a long list is the same", 40, 0, []fyne.KeyName{fyne.KeyDown, fyne.KeyDown, fyne.KeyPageDown, fyne.KeyReturn}, []int{9}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, p, picked := pickerScene(t, PickerOptions{Options: manyOptions(c.n), Selected: c.start})
			s.keys(c.keys...)
			if !slices.Equal(*picked, c.want) {
				t.Errorf("reported %v, want %v", *picked, c.want)
			}
			expect(t, "overlays left open", s.overlays(), 0)
			if s.c.Focused() != fyne.Focusable(p) {
				t.Error("the focus is not back at the picker")
			}
		})
	}
}

func TestPickerEscapeClosesThePopupOnly(t *testing.T) {
	escapes := 0
	s, _, _ := pickerScene(t, PickerOptions{Env: &Env{OnEscape: func() { escapes++ }}, Options: manyOptions(20), Selected: -1})
	s.keys(fyne.KeyDown)
	expect(t, "overlays", s.overlays(), 1)
	s.keys(fyne.KeyEscape)
	expect(t, "overlays after Escape", s.overlays(), 0)
	expect(t, "Escapes the page heard of", escapes, 0)
	s.keys(fyne.KeyEscape)
	expect(t, "Escapes after the second", escapes, 1)
}

func TestPickerTypingSearchesALongList(t *testing.T) {
	options := append(manyOptions(30), optionsOf("Zürich", "zebra crossing")...)
	s, p, picked := pickerScene(t, PickerOptions{Options: options, Selected: -1})
	s.typed("z")
	if !p.IsOpen() {
		t.Fatal("typing does not open the list")
	}
	s.typed("eb")
	s.keys(fyne.KeyReturn)
	if !slices.Equal(*picked, []int{31}) {
		t.Errorf("z, e, b, Enter picks %v, want [31]", *picked)
	}
}

func TestPickerTypingJumpsInAShortList(t *testing.T) {
	s, _, picked := pickerScene(t, PickerOptions{Options: optionsOf("apple", "pear", "plum"), Selected: -1})
	s.typed("p") // opens at pear
	s.typed("p") // goes on to plum
	s.keys(fyne.KeyReturn)
	if !slices.Equal(*picked, []int{2}) {
		t.Errorf("picked %v, want [2]", *picked)
	}
}

func TestPickerNothingFoundPicksNothing(t *testing.T) {
	s, p, picked := pickerScene(t, PickerOptions{Options: manyOptions(30), Selected: 3})
	s.typed("qqq")
	s.keys(fyne.KeyReturn)
	expect(t, "changes", len(*picked), 0)
	expect(t, "still open", p.IsOpen(), true)
	expect(t, "picked", p.Selected(), 3)
}

func TestB100_EqualAndEmptyLabelsAreDifferentOptions(t *testing.T) {
	s, p, picked := pickerScene(t, PickerOptions{Options: optionsOf("same", "same", "", ""), Selected: -1})
	for want := range 4 {
		p.SetSelected(-1)
		s.keys(fyne.KeyDown)
		for range want {
			s.keys(fyne.KeyDown)
		}
		s.keys(fyne.KeyReturn)
		expect(t, "picked", p.Selected(), want)
	}
	if !slices.Equal(*picked, []int{0, 1, 2, 3}) {
		t.Errorf("reported %v, each pick once", *picked)
	}
	if got := p.text.String(); got == "" {
		t.Error("a picked option with an empty label shows nothing")
	}
}

func TestB100_TwoThousandOptionsOneOfThemLong(t *testing.T) {
	options := manyOptions(2000)
	long := ""
	for range 60 {
		long += "long "
	}
	options[1999].Label = safe(long)
	s, p, _ := pickerScene(t, PickerOptions{Options: options, Selected: 1999})
	s.keys(fyne.KeyDown)
	rows := p.list.rows
	if n := len(rows.visible); n == 0 || n > 30 {
		t.Errorf("%d rows are made for 2,000 options, want those in view", n)
	}
	row, ok := rows.visible[1999].(*pickRow)
	if !ok {
		t.Fatal("the picked option is not in view when the list opens")
	}
	if len(row.text.lines) < 2 {
		t.Error("a long label is cut off instead of wrapped")
	}
}

func TestPickerClears(t *testing.T) {
	s, p, picked := pickerScene(t, PickerOptions{Options: optionsOf("a", "b"), Selected: 1, Clearable: true})
	s.keys(fyne.KeyDelete)
	expect(t, "after Delete", p.Selected(), -1)
	p.SetSelected(1)
	s.keys(fyne.KeyDown, fyne.KeyHome, fyne.KeyReturn)
	expect(t, "after picking Not answered", p.Selected(), -1)
	if !slices.Equal(*picked, []int{-1, -1}) {
		t.Errorf("reported %v", *picked)
	}

	s, p, _ = pickerScene(t, PickerOptions{Options: optionsOf("a", "b"), Selected: 1})
	s.keys(fyne.KeyDelete, fyne.KeyBackspace)
	expect(t, "a picker that cannot be cleared", p.Selected(), 1)
}

func TestPickerSetSelectedIsQuietAndBounded(t *testing.T) {
	_, p, picked := pickerScene(t, PickerOptions{Options: manyOptions(3), Selected: 7})
	expect(t, "an index outside the options", p.Selected(), -1)
	p.SetSelected(2)
	p.SetSelected(-5)
	expect(t, "another one", p.Selected(), -1)
	expect(t, "reports of what the program did", len(*picked), 0)
}

func TestPickerByMouse(t *testing.T) {
	s, p, picked := pickerScene(t, PickerOptions{Options: manyOptions(5), Selected: -1})
	test.Tap(p)
	expect(t, "overlays after a click", s.overlays(), 1)
	test.Tap(p.list.rows.visible[3].(*pickRow))
	expect(t, "picked", p.Selected(), 3)
	test.Tap(p)
	test.TapCanvas(s.c, fyne.NewPos(390, 590)) // beside the list
	expect(t, "overlays after a click beside the list", s.overlays(), 0)
	expect(t, "reports", len(*picked), 1)
}

func TestDisabledPickerDoesNotOpen(t *testing.T) {
	s, p, _ := pickerScene(t, PickerOptions{Options: manyOptions(5), Selected: 1, Clearable: true})
	p.Disable()
	test.Tap(p)
	p.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	p.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDelete})
	p.TypedRune('x')
	expect(t, "overlays", s.overlays(), 0)
	expect(t, "picked", p.Selected(), 1)
}

func TestOnePopupAtATime(t *testing.T) {
	env := &Env{}
	a := NewPicker(PickerOptions{Env: env, Options: manyOptions(5)})
	b := NewPicker(PickerOptions{Env: env, Options: manyOptions(5)})
	s := newScene(t, Column(10, a, b), 400, 600)
	a.open("")
	b.open("")
	expect(t, "overlays", s.overlays(), 1)
	expect(t, "the first is open", a.IsOpen(), false)
	expect(t, "the second is open", b.IsOpen(), true)
	expect(t, "PopupOpen", env.PopupOpen(), true)
	env.ClosePopup()
	expect(t, "overlays after ClosePopup", s.overlays(), 0)
	expect(t, "PopupOpen", env.PopupOpen(), false)
}

func BenchmarkPickerOpenAndSearch(b *testing.B) {
	for _, n := range []struct {
		name  string
		count int
	}{{"20", 20}, {"5000", 5000}} {
		b.Run(n.name, func(b *testing.B) {
			p := NewPicker(PickerOptions{Env: &Env{}, Options: manyOptions(n.count), Selected: -1})
			w := test.NewTempWindow(b, Column(0, p))
			w.Resize(fyne.NewSize(400, 600))
			for b.Loop() {
				p.open("")
				for _, r := range "19" {
					p.list.search.entry.TypedRune(r)
				}
				p.list.popup.close()
			}
		})
	}
}

// TestSearchFindsTheSameHoweverItIsTyped: going on, going back, all at once.
func TestSearchFindsTheSameHoweverItIsTyped(t *testing.T) {
	for name, options := range map[string][]Option{
		"ASCII":  optionsOf("New York", "york", "Newark", "NEW DELHI", "Yokohama"),
		"others": optionsOf("İstanbul", "ȺȺ york", "Straße", "新しい york", "Zürich York"),
	} {
		list := newOptionList(options)
		for _, query := range []string{"", "y", "yo", "yor", "yor n", "yor", "y", "new", "new y", "k", "", "york", "ß", "ⱥ", "新"} {
			want := newOptionList(options).filter(query)
			if got := list.filter(query); !slices.Equal(got, want) {
				t.Errorf("%s: %q finds %v, typed at once %v", name, query, got, want)
			}
		}
	}
}

// TestPickerTellsNamesakesApartAfterThePick.
func TestPickerTellsNamesakesApartAfterThePick(t *testing.T) {
	options := []Option{{Label: safe("Santiago"), Detail: safe("es")}, {Label: safe("Santiago"), Detail: safe("cl")}, {Label: safe("Lima"), Detail: safe("pe")}, {Detail: safe("zz")}}
	for i, want := range []string{"Santiago  es", "Santiago  cl", "Lima", "(empty)  zz"} {
		p := NewPicker(PickerOptions{Options: options, Selected: i})
		expect(t, "what is picked reads", p.text.String(), want)
	}
}

func TestPickerTellsNothingFromSpaces(t *testing.T) {
	_, p, _ := pickerScene(t, PickerOptions{Options: optionsOf("", " ", "x"), Selected: 0})
	expect(t, "nothing", p.text.String(), "(empty)")
	p.SetSelected(1)
	expect(t, "a space", p.text.String(), "(only spaces: 1)")
}
