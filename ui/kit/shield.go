package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// shield lies behind a bar that stands next to a scrolling page, and takes all
// that the mouse does between the controls of the bar. To find what is under the
// pointer, Fyne looks at the edges of the innermost scroller only: what is in a
// scroller that stands in the page is found below the page's own edge too, where it
// is not drawn, and what is nowhere in sight would scroll or be selected.
type shield struct{ widget.BaseWidget }

// Shielded returns a bar that lets nothing through. It must come after the page in
// the order of objects.
func Shielded(bar fyne.CanvasObject) *fyne.Container {
	s := &shield{}
	s.ExtendBaseWidget(s)
	return Stack(s, bar)
}

// Tapped is Fyne's.
func (*shield) Tapped(*fyne.PointEvent) {}

// TappedSecondary is Fyne's.
func (*shield) TappedSecondary(*fyne.PointEvent) {}

// Scrolled is Fyne's.
func (*shield) Scrolled(*fyne.ScrollEvent) {}

// Dragged is Fyne's.
func (*shield) Dragged(*fyne.DragEvent) {}

// DragEnd is Fyne's.
func (*shield) DragEnd() {}

// MouseIn is Fyne's.
func (*shield) MouseIn(*desktop.MouseEvent) {}

// MouseMoved is Fyne's.
func (*shield) MouseMoved(*desktop.MouseEvent) {}

// MouseOut is Fyne's.
func (*shield) MouseOut() {}

// Cursor is Fyne's.
func (*shield) Cursor() desktop.Cursor { return desktop.DefaultCursor }

// MinSize is Fyne's.
func (*shield) MinSize() fyne.Size { return fyne.Size{} }

// CreateRenderer is Fyne's.
func (*shield) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(Spacer(0, 0))
}
