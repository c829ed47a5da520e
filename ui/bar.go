package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"parley/ui/kit"
)

// barHeight is the thickness of the bar that shows progress.
const barHeight = 6

// newBar draws how much of a whole is done, between 0 and 1.
func newBar(done float32) fyne.CanvasObject {
	return container.New(barLayout{done}, kit.NewSurface(kit.ColorLine, "", barHeight/2), kit.NewSurface(kit.ColorAccent, "", barHeight/2))
}

type barLayout struct{ done float32 }

func (barLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(80, barHeight) }

func (l barLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	o[0].Resize(size)
	o[1].Resize(fyne.NewSize(size.Width*l.done, size.Height))
}
