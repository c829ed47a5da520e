package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// popup is the one thing that may lie above a page: a list or a calendar that
// belongs to a control. A click beside it or Escape closes it and gives the
// focus back to its control.
type popup struct {
	widget.BaseWidget
	env     *Env
	canvas  fyne.Canvas
	anchor  fyne.CanvasObject
	panel   fyne.CanvasObject
	width   float32
	onClose func()
}

// openPopup shows content below anchor, or above it where there is more room,
// at least as wide as anchor and width; as wide as content likes if width is 0.
// A popup that is open already is closed.
// It returns nil if anchor is not on a canvas.
func openPopup(env *Env, anchor fyne.CanvasObject, content fyne.CanvasObject, width float32, focus fyne.Focusable, onClose func()) *popup {
	c := fyne.CurrentApp().Driver().CanvasForObject(anchor)
	if c == nil {
		return nil
	}
	if env != nil && env.popup != nil {
		env.popup.close()
	}
	p := &popup{env: env, canvas: c, anchor: anchor, width: width, onClose: onClose}
	p.panel = Stack(newShadowed(), Pad(popupPad, popupPad, popupPad, popupPad, content))
	p.ExtendBaseWidget(p)
	if env != nil {
		env.popup = p
	}
	c.Overlays().Add(p)
	p.Resize(c.Size())
	p.Refresh()
	if focus != nil {
		c.Focus(focus)
	}
	return p
}

// popupPad is the room between the edge of a popup and what is in it.
const popupPad = 6

// newShadowed is the sheet of a popup.
func newShadowed() *Surface { return NewSurface(ColorCard, ColorLine, radiusButton) }

// isOpen reports whether p is on the screen.
func (p *popup) isOpen() bool { return p != nil && p.canvas != nil }

// close takes p off the screen; a second call does nothing.
func (p *popup) close() {
	if !p.isOpen() {
		return
	}
	c := p.canvas
	p.canvas = nil
	c.Overlays().Remove(p)
	if p.env != nil && p.env.popup == p {
		p.env.popup = nil
	}
	if f, ok := p.anchor.(fyne.Focusable); ok && p.anchor.Visible() {
		c.Focus(f)
	}
	// Fyne tells the field below nothing of having the keyboard again.
	if f, ok := p.anchor.(interface{ textField() *TextEntry }); ok {
		if e := f.textField(); e != nil {
			e.fresh = true
		}
	}
	if p.onClose != nil {
		p.onClose()
	}
}

// ClosePopup closes the popup of a page, for example before the page goes.
func (e *Env) ClosePopup() {
	if e != nil && e.popup != nil {
		e.popup.close()
	}
}

// PopupOpen reports whether a control of the page has a popup open.
func (e *Env) PopupOpen() bool { return e != nil && e.popup.isOpen() }

// Tapped closes the popup: whoever clicks on p itself clicked beside the panel.
func (p *popup) Tapped(*fyne.PointEvent) { p.close() }

// TappedSecondary closes the popup too.
func (p *popup) TappedSecondary(*fyne.PointEvent) { p.close() }

// CreateRenderer is Fyne's.
func (p *popup) CreateRenderer() fyne.WidgetRenderer { return &popupRenderer{p} }

type popupRenderer struct{ p *popup }

func (r *popupRenderer) Layout(size fyne.Size) {
	p := r.p
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(p.anchor)
	box := p.anchor.Size()
	w := p.panel.MinSize().Width
	if p.width > 0 {
		w = max(box.Width, p.width, w)
	}
	w = min(w, size.Width)
	h := heightOf(p.panel, w)
	below := at.Y + box.Height + 2
	room, roomAbove := size.Height-below-popupEdge, at.Y-2-popupEdge
	y := below
	switch {
	case h <= room:
	case roomAbove > room:
		h = min(h, max(roomAbove, 0))
		y = at.Y - 2 - h
	default:
		h = min(h, max(room, 0))
	}
	x := max(min(at.X, size.Width-w), 0)
	p.panel.Move(fyne.NewPos(x, max(y, 0)))
	p.panel.Resize(fyne.NewSize(w, h))
}

// popupEdge is the room a popup keeps to the edge of the window.
const popupEdge = 8

func (r *popupRenderer) MinSize() fyne.Size           { return fyne.Size{} }
func (r *popupRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.p.panel} }
func (r *popupRenderer) Destroy()                     {}

func (r *popupRenderer) Refresh() {
	r.Layout(r.p.Size())
	r.p.panel.Refresh()
}
