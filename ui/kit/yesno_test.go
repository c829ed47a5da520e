package kit

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

func TestYesNoWorksByKeyboard(t *testing.T) {
	for _, c := range []struct {
		name  string
		start Answer
		keys  []fyne.KeyName
		want  []Answer
	}{
		{"Space goes round from not answered", Unanswered, []fyne.KeyName{fyne.KeySpace, fyne.KeySpace, fyne.KeySpace}, []Answer{Yes, No, Unanswered}},
		{"Left goes towards yes", Unanswered, []fyne.KeyName{fyne.KeyLeft, fyne.KeyLeft, fyne.KeyLeft}, []Answer{No, Yes}},
		{"Right goes towards not answered", Yes, []fyne.KeyName{fyne.KeyRight, fyne.KeyRight, fyne.KeyRight}, []Answer{No, Unanswered}},
		{"Home is yes, End is none", No, []fyne.KeyName{fyne.KeyHome, fyne.KeyEnd}, []Answer{Yes, Unanswered}},
		{"Delete takes the answer away", Yes, []fyne.KeyName{fyne.KeyDelete}, []Answer{Unanswered}},
		{"Enter does nothing", Yes, []fyne.KeyName{fyne.KeyReturn, fyne.KeyEnter}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []Answer
			y := NewYesNo(YesNoOptions{Value: c.start, OnChanged: func(a Answer) { got = append(got, a) }})
			s := newScene(t, Column(0, y), 400, 60)
			s.focus(y)
			s.keys(c.keys...)
			if !slices.Equal(got, c.want) {
				t.Errorf("reported %v, want %v", got, c.want)
			}
		})
	}
}

func TestYesNoByMouse(t *testing.T) {
	var got []Answer
	y := NewYesNo(YesNoOptions{OnChanged: func(a Answer) { got = append(got, a) }})
	newScene(t, Column(0, y), 300, 60)
	for _, x := range []float32{20, 150, 290, 290, -5, 9999} {
		test.TapAt(y, fyne.NewPos(x, 5))
	}
	if want := []Answer{Yes, No, Unanswered, Yes, Unanswered}; !slices.Equal(got, want) {
		t.Errorf("reported %v, want %v", got, want)
	}
	y.Disable()
	test.TapAt(y, fyne.NewPos(20, 5))
	y.Enable()
	y.SetValue(No)
	expect(t, "value set", y.Value(), No)
	expect(t, "reports of clicks while disabled and of what the program did", len(got), 5)
}

func TestCheckIsTickedBySpaceAndNotByEnter(t *testing.T) {
	var got []bool
	escapes := 0
	c := NewCheck(&Env{OnEscape: func() { escapes++ }}, "I know evil.example and expected this page", false, func(on bool) { got = append(got, on) })
	s := newScene(t, Column(0, c), 200, 200)
	s.focus(c)
	s.keys(fyne.KeyReturn, fyne.KeyEnter)
	expect(t, "ticked by Enter", c.Checked(), false)
	s.keys(fyne.KeySpace, fyne.KeyEscape)
	expect(t, "ticked by Space", c.Checked(), true)
	expect(t, "Escapes", escapes, 1)
	test.Tap(c)
	expect(t, "ticked after a click", c.Checked(), false)
	if !slices.Equal(got, []bool{true, false}) {
		t.Errorf("reported %v", got)
	}
	c.SetChecked(true)
	c.Disable()
	test.Tap(c)
	expect(t, "ticked while disabled", c.Checked(), true)
	expect(t, "reports", len(got), 2)
}
