package kit

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"

	"parley/assets/i18n"
)

// Env is what all controls of a page share. A nil Env and the zero Env work:
// they speak English and tell nobody.
type Env struct {
	// Loc renders the kit's own words (the kit.* keys); nil means English.
	Loc *i18n.Localizer
	// OnEscape is called for Escape in a control that has nothing open.
	OnEscape func()
	// OnShortcut gets the shortcuts typed while a text field has the focus,
	// because Fyne then keeps them from the canvas; it returns true if it used
	// one. [IsSubmit] recognises Ctrl+Enter.
	OnShortcut func(fyne.Shortcut) bool
	// OnLeave is called with a widget that has just lost the keyboard: a page
	// shows the error of a field when the field is left.
	OnLeave func(fyne.CanvasObject)
	// OnKey gets the other keys that no control has a use for, and those that no
	// control has the keyboard for: [Env.Scroll] takes some.
	OnKey func(*fyne.KeyEvent)
	// Reveal scrolls a control into view when it gains the focus.
	Reveal *Reveal
	// Below, which may be nil, scrolls what stands below Reveal, on a page with two
	// parts that do.
	Below *Reveal
	// Now is the clock; nil means time.Now.
	Now func() time.Time
	// Do takes what takes long to the event thread in pieces; nil means that it is
	// done at once.
	Do Dispatcher

	popup *popup
	// beside is what the mouse wheel scrolls over a field that stands beside it.
	beside *container.Scroll
}

var english = i18n.New("en")

// t renders one of the kit's own sentences.
func (e *Env) t(id string, namesAndValues ...any) string {
	if e == nil || e.Loc == nil {
		return english.T(id, namesAndValues...)
	}
	return e.Loc.T(id, namesAndValues...)
}

func (e *Env) tag() string {
	if e == nil || e.Loc == nil {
		return english.Tag()
	}
	return e.Loc.Tag()
}

func (e *Env) now() time.Time {
	if e == nil || e.Now == nil {
		return time.Now()
	}
	return e.Now()
}

// escape passes on an Escape nobody in the control had a use for.
func (e *Env) escape() {
	if e != nil && e.OnEscape != nil {
		e.OnEscape()
	}
}

// pass passes on a key that the control has no use for.
func (e *Env) pass(k *fyne.KeyEvent) {
	switch {
	case k.Name == fyne.KeyEscape:
		e.escape()
	case e != nil && e.OnKey != nil:
		e.OnKey(k)
	}
}

// Scroll scrolls the page by Page Up, Page Down, Home and End.
func (e *Env) Scroll(k *fyne.KeyEvent) {
	if e == nil || e.Reveal == nil {
		return
	}
	top, bottom := e.Reveal, e.Reveal
	if e.Below != nil {
		bottom = e.Below
	}
	switch k.Name {
	case fyne.KeyPageDown:
		if top.AtEnd() {
			top = bottom
		}
		top.ScrollOn()
	case fyne.KeyPageUp:
		if bottom.Offset() == 0 {
			bottom = top
		}
		bottom.ScrollBack()
	case fyne.KeyHome:
		top.ScrollToTop()
		bottom.ScrollToTop()
	case fyne.KeyEnd:
		top.ScrollTo(noLimit)
		bottom.ScrollTo(noLimit)
	}
}

// shortcut offers s to the page and reports whether it was used.
func (e *Env) shortcut(s fyne.Shortcut) bool {
	return e != nil && e.OnShortcut != nil && e.OnShortcut(s)
}

// focused scrolls o into view.
func (e *Env) focused(o fyne.CanvasObject) {
	if e != nil && e.Reveal != nil {
		e.Reveal.IntoView(o)
	}
}

// relayout lays the page out again after a control has grown or shrunk.
func (e *Env) relayout() {
	if e != nil && e.Reveal != nil {
		e.Reveal.Relayout()
	}
}

// left tells the page that o has lost the keyboard; a popup that o itself has
// opened is no leaving.
func (e *Env) left(o fyne.CanvasObject) {
	if e == nil || e.OnLeave == nil || e.popup.isOpen() && e.popup.anchor == o {
		return
	}
	e.OnLeave(o)
}

// SubmitShortcut is Ctrl+Enter (the Command key on a Mac), for the canvas.
func SubmitShortcut() fyne.Shortcut { return SubmitWith(fyne.KeyReturn) }

// SubmitWith is the same with one of the two Enter keys. A canvas knows each by
// itself.
func SubmitWith(enter fyne.KeyName) fyne.Shortcut {
	return &desktop.CustomShortcut{KeyName: enter, Modifier: fyne.KeyModifierShortcutDefault}
}

// IsSubmit reports whether s is Ctrl+Enter, with either Enter key.
func IsSubmit(s fyne.Shortcut) bool {
	c, ok := s.(*desktop.CustomShortcut)
	if !ok || c.Modifier != fyne.KeyModifierShortcutDefault {
		return false
	}
	return c.KeyName == fyne.KeyReturn || c.KeyName == fyne.KeyEnter
}

// envLoc is the localizer of an Env that may be nil.
func envLoc(e *Env) *i18n.Localizer {
	if e == nil {
		return nil
	}
	return e.Loc
}
