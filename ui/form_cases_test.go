package ui

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"parley/forms"
	"parley/forms/rawjson"
	"parley/mcpclient"
	"parley/ui/kit"
	"parley/ui/kit/kittest"
)

// The field cases of groups A and B and the cases X3 to X5 on drawn widgets: the
// same lines that forms runs on its model, filled in with the keyboard and
// submitted. What is to be seen in each of them beside the answer is in
// form_looks_test.go.

// filler fills in the form of a window as a person does.
type filler struct {
	t      testing.TB
	w      *formWindow
	closed *bool
}

func drawForm(t *testing.T, schema string) *filler { return drawFormIn(t, "en", schema) }

func drawFormIn(t *testing.T, language, schema string) *filler {
	t.Helper()
	w, closed := formWindowIn(t, language, schema)
	w.form.builder.Finish() // a long form comes in pieces
	t.Cleanup(func() {
		if !*closed {
			w.win.Close()
		}
	})
	return &filler{t, w, closed}
}

// in puts the keyboard into the field with this name.
func (f *filler) in(name string) *fieldView {
	f.t.Helper()
	fv := f.w.form.byPath[pathOf(name)]
	if fv == nil || fv.control == nil {
		f.t.Fatalf("no control of the field %q on the page", name)
	}
	f.w.win.Canvas().Focus(fv.control.FocusTarget())
	return fv
}

// pathOf is the path of a field of the form.
func pathOf(name string) forms.Path {
	return forms.Path("/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(name))
}

func (f *filler) keys(keys ...fyne.KeyName) {
	for _, k := range keys {
		f.w.win.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: k})
	}
}

// types types text over what stands in a text field.
func (f *filler) types(fv *fieldView, text string) {
	f.w.win.Canvas().Focused().(fyne.Shortcutable).TypedShortcut(&fyne.ShortcutSelectAll{})
	if f.draft().Text(fv.path) != "" {
		f.keys(fyne.KeyDelete)
	}
	for _, c := range text {
		if c == '\n' {
			f.keys(fyne.KeyReturn)
			continue
		}
		kittest.Type(f.w.win.Canvas(), c)
	}
}

func (f *filler) draft() *forms.Draft { return f.w.fill.draft }

// act does what acts say of one field, as the command line would; false if no
// keyboard can.
func (f *filler) act(name string, act json.RawMessage) bool {
	if f.w.form.byPath[pathOf(name)] == nil {
		return false
	}
	fv := f.in(name)
	text, isText := rawjson.String(act)
	switch field := fv.field; {
	case string(act) == "null":
		switch field.Kind {
		case forms.Choice, forms.Checklist, forms.Boolean:
			f.keys(fyne.KeyDelete)
		default:
			f.types(fv, "")
		}
	case field.Kind == forms.Choice:
		var value bytes.Buffer // an option has no spaces between its parts
		must(f.t, json.Compact(&value, act))
		i := slices.IndexFunc(field.Options, func(o forms.Option) bool { return bytes.Equal(o.Raw, value.Bytes()) })
		if i < 0 {
			return false
		}
		f.pick(fv, i)
	case field.Kind == forms.Checklist:
		values, err := rawjson.Array(act)
		must(f.t, err)
		f.keys(fyne.KeyHome)
		for i, o := range field.Options {
			on := slices.ContainsFunc(values, func(v json.RawMessage) bool { return bytes.Equal(v, o.Raw) })
			if on != slices.Contains(f.draft().Ticked(fv.path), i) {
				f.keys(fyne.KeySpace)
			}
			f.keys(fyne.KeyDown)
		}
	case field.Kind == forms.Boolean:
		at, known := map[string]fyne.KeyName{"true": fyne.KeyHome, "false": fyne.KeyEnd}[string(act)]
		if !known {
			return false
		}
		if f.keys(at); at == fyne.KeyEnd { // "Not answered" is the last
			f.keys(fyne.KeyLeft)
		}
	case field.Kind == forms.List:
		values, err := rawjson.Array(act)
		must(f.t, err)
		var lines []string
		for _, v := range values {
			line, _ := rawjson.String(v)
			lines = append(lines, line)
		}
		f.types(fv, strings.Join(lines, "\n"))
	case isText:
		f.types(fv, text)
	default:
		f.types(fv, string(act))
	}
	return true
}

// pick takes option i from the list of a picker.
func (f *filler) pick(fv *fieldView, i int) {
	rows := i
	if !fv.field.Required || f.draft().Picked(fv.path) >= 0 {
		rows++ // after "Not answered"
	}
	f.keys(fyne.KeyDown)
	for range f.draft().Picked(fv.path) + 2 {
		f.keys(fyne.KeyUp)
	}
	for range rows {
		f.keys(fyne.KeyDown)
	}
	f.keys(fyne.KeyReturn)
}

// submit types Ctrl+Enter.
func (f *filler) submit() {
	if e, ok := f.w.win.Canvas().Focused().(fyne.Shortcutable); ok {
		e.TypedShortcut(kit.SubmitShortcut())
		return
	}
	f.w.shortcut(kit.SubmitShortcut())
}

// press presses a button of the window.
func (f *filler) press(words string) {
	f.t.Helper()
	for _, o := range objectsOf(f.w.whole) {
		if b, ok := o.(*kit.Button); ok && b.Text() == words {
			b.Press()
			return
		}
	}
	f.t.Fatalf("no button %q in the window", words)
}

// text is all that can be read in the window, in its text fields too.
func (f *filler) text() string {
	var b strings.Builder
	for _, o := range objectsOf(f.w.whole) {
		switch o := o.(type) {
		case *kit.Text:
			b.WriteString(o.String() + "\n")
		case *kit.TextEntry:
			b.WriteString(o.Text + "\n")
		}
	}
	return b.String()
}

// faults are the sentences on what the server did wrong.
func (f *filler) faults() (said []string) {
	for _, m := range f.w.fill.form.Problems {
		said = append(said, f.w.say(m))
	}
	for _, field := range f.w.fill.form.Fields {
		for _, m := range field.Problems {
			said = append(said, f.w.say(m))
		}
	}
	return said
}

// popup is what can be read in the open list.
func (f *filler) popup() string {
	f.t.Helper()
	top := f.w.win.Canvas().Overlays().Top()
	if top == nil {
		f.t.Fatal("no list is open")
	}
	return textOf(top)
}

// modelCase is a line of forms/testdata/cases.jsonl.
type modelCase struct {
	ID, Note  string
	Schema    json.RawMessage
	Acts      json.RawMessage
	Want      string
	Errors    map[string]string
	Kinds     map[string]string
	Arguments bool
}

func modelCases(t testing.TB) []modelCase {
	t.Helper()
	raw, err := os.ReadFile("../forms/testdata/cases.jsonl")
	must(t, err)
	var out []modelCase
	for lines := bufio.NewScanner(bytes.NewReader(raw)); lines.Scan(); {
		var c modelCase
		must(t, json.Unmarshal(lines.Bytes(), &c))
		out = append(out, c)
	}
	return out
}

// ofQuestions reports whether a case is of the groups that questions show.
func (c modelCase) ofQuestions() bool {
	n, err := strconv.Atoi(strings.TrimPrefix(c.ID, "B"))
	return !c.Arguments && (err == nil && n <= 25 || strings.HasPrefix(c.ID, "X"))
}

// TestFieldCasesOnWidgets fills in the form of each case with the keyboard,
// submits it, and looks at the bytes that are sent, or at the errors beside the
// fields.
func TestFieldCasesOnWidgets(t *testing.T) {
	madrid, err := time.LoadLocation("Europe/Madrid")
	must(t, err)
	for _, c := range modelCases(t) {
		if !c.ofQuestions() {
			continue
		}
		t.Run(c.ID+" "+c.Note, func(t *testing.T) {
			f := drawForm(t, string(c.Schema))
			for _, field := range f.w.fill.form.Fields {
				f.draft().SetZone(field.Path, madrid)
			}
			for name, kind := range c.Kinds {
				fv := f.w.form.byPath[pathOf(name)]
				if fv == nil || !controlOf[forms.Kind(kind)](fv.control) {
					t.Fatalf("the field %q of kind %s has the control %+v", name, kind, fv)
				}
			}
			reads(t, f.text(), f.faults()...)
			acts, err := rawjson.Object(c.Acts)
			must(t, err)
			for _, m := range acts {
				if !f.act(m.Key, m.Value) {
					if c.Want != "" {
						t.Errorf("the window offers no way to answer %s with %s", m.Raw, m.Value)
					}
					return
				}
			}
			answerable := f.w.fill.form.Answerable()
			f.submit()
			if c.Want != "" {
				if a := f.w.answer; !*f.closed || a.Action != mcpclient.Accept || string(a.Content) != c.Want {
					t.Errorf("closed %v with %s %s; want accept %s\n%s", *f.closed, a.Action, a.Content, c.Want, f.text())
				}
				return
			}
			if *f.closed {
				t.Fatalf("it was sent: %s", f.w.answer.Content)
			}
			if !answerable { // which is said at once, and nothing can be submitted
				return
			}
			for name, want := range c.Errors {
				if got := f.w.form.byPath[pathOf(name)].row.Error(); got != want {
					t.Errorf("the field %q says %q, want %q", name, got, want)
				}
			}
			at := f.w.win.Canvas().Focused()
			for _, fv := range f.w.form.top.views {
				if _, wrong := c.Errors[fv.field.Name]; wrong {
					if at != fv.control.FocusTarget() {
						t.Errorf("submitting does not lead to the first field with an error, %q", fv.field.Name)
					}
					break
				}
			}
		})
	}
}

// controlOf tells what control a kind has.
var controlOf = map[forms.Kind]func(kit.Control) bool{
	forms.Text: is[*kit.LongEntry], forms.Email: is[*kit.LongEntry], forms.URI: is[*kit.LongEntry],
	forms.Integer: is[*kit.LongEntry], forms.Number: is[*kit.LongEntry], forms.List: is[*kit.LongEntry],
	forms.Date: is[*kit.DateField], forms.DateTime: is[*kit.DateTimeField], forms.Boolean: is[*kit.YesNo],
	forms.Choice: is[*kit.Picker], forms.Checklist: is[*kit.Checklist],
	forms.Unsupported: func(c kit.Control) bool { return c == nil },
}

func is[T kit.Control](c kit.Control) bool {
	_, ok := c.(T)
	return ok
}

// visibleCases are the field cases of groups A, B and L and X3 to X5: all of them
// can be seen in a window.
var visibleCases = []string{
	"B01", "B02", "B03", "B05", "B06", "B08", "B09", "B10", "B12", "B13",
	"B15", "B16", "B17", "B19", "B21", "B22", "B24", "B25",
	"B98", "B99", "B100", "B102", "B103", "B104",
	"X3", "X4", "X5",
}

// TestFieldCases_NoneIsLeftOut: each visible case has a look, and each that is
// run on the model is in the list.
func TestFieldCases_NoneIsLeftOut(t *testing.T) {
	for _, id := range visibleCases {
		if !looksOf(id) {
			t.Errorf("%s has no entry in the table of looks", id)
		}
	}
	known := map[string]bool{"X": true} // ours, with no number
	for _, id := range visibleCases {
		known[id] = true
	}
	for _, c := range modelCases(t) {
		if c.ofQuestions() && !known[c.ID] {
			t.Errorf("%s is run on the model and not in the list", c.ID)
		}
	}
}

func looksOf(id string) bool {
	return slices.ContainsFunc(formLooks, func(l formLook) bool { return l.id == id })
}
