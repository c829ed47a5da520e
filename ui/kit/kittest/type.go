package kittest

import "fyne.io/fyne/v2"

// Type types a character into what has the keyboard of c, as a window does: Space
// comes as a key first, and then as a character to what has the keyboard by then.
// Nothing having it is a panic, as any mistake of a test is.
func Type(c fyne.Canvas, r rune) {
	if r == ' ' {
		c.Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace})
	}
	c.Focused().TypedRune(r)
}
