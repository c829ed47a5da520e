package kit

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"parley/consent/safetext"
)

// TextEntryOptions describe a text field.
type TextEntryOptions struct {
	Env  *Env
	Text string
	// Placeholder is shown in an empty field; never as the only label.
	Placeholder string
	// Lines is the height in lines; more than one makes Enter a new line.
	Lines int
	// Masked shows dots, with an eye that reveals the text; Ctrl+E does too, which
	// an empty field without a Placeholder says.
	Masked bool
	// Mono uses the fixed-width font.
	Mono bool
	// OnChanged is called with the text after each change by the person.
	OnChanged func(text string)
	// OnEnter is called for Enter in a one-line field. Nothing is submitted by
	// Enter unless the page wants it.
	OnEnter func()
	// OnKey gets the keys first and returns true if it used one.
	OnKey func(*fyne.KeyEvent) bool
	// KeepLines keeps the line ends within what is pasted into a LongEntry of one line;
	// without it, and in other fields of one line, spaces take their place.
	KeepLines bool
}

// TextEntry is a text field that wraps Fyne's: it scrolls into view when it
// gains the focus, gives Escape and unknown shortcuts to the page, and shows a
// wrong value with a red frame. The text it reports is the text typed, verbatim.
// Fyne is quick with a short text only; a field that takes whatever is pasted is a
// [LongEntry], which has one of these.
type TextEntry struct {
	widget.Entry
	o     TextEntryOptions
	ring  ring
	quiet bool
	self  fyne.Widget
	eye   *eye // nil unless the text is masked
	// entered tells that the person has been in the field, or is about to by a
	// click: the cursor is where they left or put it.
	entered bool

	// composing is how many keys an input method seems to hold, see composes.
	composing int
	// fresh tells that no key has come since the keyboard did, see TypedRune.
	fresh bool

	// watch, if set, is called after the text, or whether it is masked, has
	// changed, whoever changed it.
	watch func()
	// lost, if set, is called when the keyboard has gone, before the page is told.
	lost func()
	// before, if set, is called before what was typed changes anything, and edits
	// gets the shortcuts that the page has no use for; it returns true if it used one.
	before func()
	edits  func(fyne.Shortcut) bool
	// beyond, if set, is the part with the first hidden character of what the text
	// goes on with outside of the entry; ok is false if there is none.
	beyond func() (shown safetext.Text, ok bool)
}

// NewTextEntry returns a text field.
func NewTextEntry(o TextEntryOptions) *TextEntry {
	e := &TextEntry{}
	e.start(e, o)
	return e
}

// start sets the entry up for self, the widget it is or is embedded in.
func (e *TextEntry) start(self fyne.Widget, o TextEntryOptions) {
	e.o, e.ring, e.self = o, newRing(radiusField), self
	e.ExtendBaseWidget(self)
	e.Wrapping = fyne.TextWrapOff
	e.Scroll = fyne.ScrollHorizontalOnly
	e.Text = o.Text
	if o.Masked {
		e.eye = newEye(e)
		e.Password, e.ActionItem = true, e.eye
	}
	e.PlaceHolder = o.Placeholder
	if o.Masked && o.Placeholder == "" {
		e.PlaceHolder = o.Env.t("kit.eye")
	}
	e.TextStyle.Monospace = o.Mono
	if o.Lines > 1 {
		e.MultiLine = true
		e.wrapFor(o.Text)
		e.SetMinRowsVisible(o.Lines)
	}
	e.Entry.OnChanged = e.changed
	e.OnSubmitted = func(string) {
		if o.OnEnter != nil {
			o.OnEnter()
		}
	}
}

// Limits in bytes up to which a text is wrapped while it is edited: of its
// longest line, and of all of it. Fyne breaks a line in a time that grows with
// the square of its length (4,000 bytes 0.1 s, 16,000 2 s, 32,000 13 s, measured
// with 2.8.1) and measures all of the text again at every key. Longer text
// scrolls sideways, in which form 64 KiB on one line are shown at once.
const (
	wrapLine = 4000
	wrapAll  = 32 << 10
)

// wrapFor chooses wrapping or scrolling by the length of the text.
func (e *TextEntry) wrapFor(text string) {
	longest := 0
	if len(text) <= wrapAll {
		for line := range strings.SplitSeq(text, "\n") {
			longest = max(longest, len(line))
		}
	}
	if longest <= wrapLine && len(text) <= wrapAll {
		e.Wrapping, e.Scroll = fyne.TextWrapWord, fyne.ScrollVerticalOnly
	} else {
		e.Wrapping, e.Scroll = fyne.TextWrapOff, fyne.ScrollBoth
	}
}

func (e *TextEntry) changed(text string) {
	if e.MultiLine {
		e.wrapFor(text)
	}
	if !e.quiet && e.o.OnChanged != nil {
		e.o.OnChanged(text)
	}
	e.watched()
}

func (e *TextEntry) watched() {
	if e.watch != nil {
		e.watch()
	}
}

// textField gives a row the field whose text it watches over.
func (e *TextEntry) textField() *TextEntry { return e }

// grabFocus takes the keyboard after a click.
func (e *TextEntry) grabFocus() {
	if c := fyne.CurrentApp().Driver().CanvasForObject(e.self); c != nil {
		c.Focus(e.FocusTarget())
	}
}

// SetTextQuietly replaces the text without telling OnChanged.
func (e *TextEntry) SetTextQuietly(text string) {
	e.quiet = true
	e.SetText(text)
	e.quiet = false
}

// FocusTarget is the entry itself.
func (e *TextEntry) FocusTarget() fyne.Focusable { return e.self.(fyne.Focusable) }

// SetInvalid shows or hides the red frame.
func (e *TextEntry) SetInvalid(invalid bool) {
	if e.ring.invalid != invalid {
		e.ring.invalid = invalid
		e.Refresh()
	}
}

// composes reports whether a key belongs to an input method that is composing.
//
// Fyne does not tell of one, and what GLFW gives it on X11 and macOS are all keys,
// also those that the method uses: Enter and Escape would do something in the form,
// and Backspace delete what stands there. But a key with a letter is followed at
// once by its character, except when a method has kept it. So while letters wait
// whose characters have not come, what is not a letter goes by.
func (e *TextEntry) composes(k fyne.KeyName) bool {
	if len(k) == 1 {
		e.composing++
		return false
	}
	if e.composing == 0 {
		return false
	}
	switch k {
	case fyne.KeyBackspace:
		e.composing--
	case fyne.KeyEscape, fyne.KeyReturn, fyne.KeyEnter:
		e.composing = 0
	}
	return true
}

// TypedRune is Fyne's.
//
// Fyne gives Space as a key first and then as a character, each to what has the
// keyboard at that moment. Where the key moved the keyboard here, by opening a list
// or adding an entry, its character is none that the person typed into this field.
func (e *TextEntry) TypedRune(r rune) {
	others := e.fresh && (r == ' ' || r == '\u3000')
	e.composing, e.fresh = 0, false
	if others {
		return
	}
	e.typing()
	e.Entry.TypedRune(r)
}

// typing tells that what is typed may change something.
func (e *TextEntry) typing() {
	if e.before != nil {
		e.before()
	}
}

// FocusGained is Fyne's.
func (e *TextEntry) FocusGained() {
	e.ring.focused, e.fresh, e.composing = true, true, 0
	e.Entry.FocusGained()
	if !e.entered && e.CursorRow == 0 && e.CursorColumn == 0 && (!e.MultiLine || e.Size().Width > 0) {
		// What is typed goes on where the text there was ends.
		e.Entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyPageDown})
	}
	e.entered = true
	e.o.Env.focused(e.self)
}

// MouseDown is Fyne's: a click puts the cursor where it is.
func (e *TextEntry) MouseDown(m *desktop.MouseEvent) {
	e.entered, e.composing = true, 0
	e.Entry.MouseDown(m)
}

// FocusLost is Fyne's.
func (e *TextEntry) FocusLost() {
	e.ring.focused = false
	e.Entry.FocusLost()
	if e.lost != nil {
		e.lost()
	}
	e.o.Env.left(e.self)
}

// AcceptsTab keeps Tab for moving to the next control, in many lines too: a
// person must be able to leave a field by keyboard.
func (e *TextEntry) AcceptsTab() bool { return false }

// TypedKey is Fyne's.
func (e *TextEntry) TypedKey(k *fyne.KeyEvent) {
	e.fresh = false
	if e.composes(k.Name) {
		return
	}
	if e.o.OnKey != nil && e.o.OnKey(k) {
		return
	}
	if k.Name == fyne.KeyEscape {
		e.o.Env.escape()
		return
	}
	e.typing()
	e.Entry.TypedKey(k)
}

// TypedShortcut is Fyne's: the page sees a shortcut first, the entry knows the
// editing ones.
func (e *TextEntry) TypedShortcut(s fyne.Shortcut) {
	if e.o.Env.shortcut(s) {
		return
	}
	if c, ok := s.(*desktop.CustomShortcut); ok && e.eye != nil && c.KeyName == eyeKey && c.Modifier == fyne.KeyModifierShortcutDefault {
		e.eye.toggle()
		return
	}
	e.typing()
	if e.edits != nil && e.edits(s) {
		return
	}
	e.Entry.TypedShortcut(s)
}

// CreateRenderer is Fyne's: its own, on the ground that all fields have, with
// the ring on top.
func (e *TextEntry) CreateRenderer() fyne.WidgetRenderer {
	r := &entryRenderer{WidgetRenderer: e.Entry.CreateRenderer(), e: e, ground: NewSurface(groundOf(e.Disabled()), ColorFieldLine, radiusField)}
	r.wheel = newWheel(e.o.Env, nil)
	for _, o := range r.WidgetRenderer.Objects() {
		if s, ok := o.(*container.Scroll); ok {
			r.wheel.inner = s
		}
	}
	e.ring.paint(e.Theme())
	return r
}

type entryRenderer struct {
	fyne.WidgetRenderer
	e      *TextEntry
	ground *Surface
	wheel  *wheel
}

// Objects are Fyne's without its fill and border: those meet between two
// pixels, and the border is half as strong as that of other fields.
func (r *entryRenderer) Objects() []fyne.CanvasObject {
	out := []fyne.CanvasObject{r.ground}
	for _, o := range r.WidgetRenderer.Objects() {
		if _, drawn := o.(*canvas.Rectangle); !drawn {
			out = append(out, o)
		}
	}
	return append(append(out, r.e.ring.objects()...), r.wheel)
}

func (r *entryRenderer) Layout(size fyne.Size) {
	r.WidgetRenderer.Layout(size)
	r.ground.Resize(size)
	r.wheel.Resize(size)
	r.e.ring.around(fyne.Position{}, size)
}

func (r *entryRenderer) Refresh() {
	r.e.ring.paint(r.e.Theme())
	r.ground.Fill = groundOf(r.e.Disabled())
	r.ground.Refresh()
	r.WidgetRenderer.Refresh()
}
