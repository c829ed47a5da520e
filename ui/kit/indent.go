package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// Indent moves a part of a form to the right and draws a line beside it, so that
// the eye sees what belongs together.
func Indent(o fyne.CanvasObject) *fyne.Container {
	return container.New(indentLayout{}, NewSurface(ColorFieldLine, "", 1), o)
}

// indentBy is how far a part is moved, indentLine how wide the line is.
const (
	indentBy   = 16
	indentLine = 2
)

// indentLayout lays out a line and what stands beside it.
type indentLayout struct{}

func (indentLayout) heightFor(objects []fyne.CanvasObject, width float32) float32 {
	return heightOf(objects[1], max(width-indentBy, 1))
}

func (indentLayout) naturalWidth(objects []fyne.CanvasObject) float32 {
	return widthOf(objects[1]) + indentBy
}

func (indentLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return objects[1].MinSize().AddWidthHeight(indentBy, 0)
}

func (indentLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	place(objects[0], 0, 0, indentLine, size.Height)
	place(objects[1], indentBy, 0, max(size.Width-indentBy, 1), size.Height)
}
