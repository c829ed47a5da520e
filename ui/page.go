package ui

import (
	"fyne.io/fyne/v2"
)

// page is one page of the window. It is drawn from the shell's state and may
// be thrown away and drawn anew at any time.
type page interface {
	object() fyne.CanvasObject
	// update redraws what the changes touch.
	update(ch *changes)
	// escape and submit are the Esc key and Ctrl+Enter, wherever the focus is.
	escape()
	submit()
	// first is where the keyboard goes when the person chose this page from a
	// list; nil is nowhere.
	first() fyne.Focusable
	// leave is called before another page is shown.
	leave()
}

// base is a page that reacts to nothing; pages embed it and say what they do.
type base struct{}

func (base) update(*changes)       {}
func (base) escape()               {}
func (base) submit()               {}
func (base) first() fyne.Focusable { return nil }
func (base) leave()                {}
