package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"parley/ui/kit"
)

// The smallest window, in Fyne's units: at twice the size it still fits on a
// screen of 1280 by 768 pixels.
const (
	leastWidth  = 600
	leastHeight = 360
)

// split is the window: the sidebar on the left, a thin line, the page. Its
// objects are the page, the sidebar and the line; the page comes first, so that
// Tab begins there.
type split struct{}

func (split) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(leastWidth, leastHeight) }

func (split) Layout(o []fyne.CanvasObject, size fyne.Size) {
	o[1].Move(fyne.NewPos(0, 0))
	o[1].Resize(fyne.NewSize(sideWidth-1, size.Height))
	o[2].Move(fyne.NewPos(sideWidth-1, 0))
	o[2].Resize(fyne.NewSize(1, size.Height))
	o[0].Move(fyne.NewPos(sideWidth, 0))
	o[0].Resize(fyne.NewSize(max(size.Width-sideWidth, 0), size.Height))
}

// panes stacks a head and a foot, each as high as it needs at the width there
// is, around a middle that takes the rest. Where that would leave too little of
// the middle, the head gets lower and scrolls: nothing lies on anything else.
// head and foot may be nil.
type panes struct{}

func newPanes(head, middle, foot fyne.CanvasObject) *fyne.Container {
	if head == nil {
		head = container.NewWithoutLayout()
	}
	if foot == nil {
		return container.New(panes{}, kit.NewBounded(head), middle, container.NewWithoutLayout())
	}
	return container.New(panes{}, kit.NewBounded(head), middle, kit.Shielded(foot))
}

// leastMiddle is the smallest middle, so that a window made small still shows
// something of the page between its banner and its buttons.
const leastMiddle = 64

// leastHead is the smallest head: who asks must be in view, whatever is below.
const leastHead = 60

func (panes) MinSize(o []fyne.CanvasObject) fyne.Size {
	head, middle, foot := o[0].MinSize(), o[1].MinSize(), o[2].MinSize()
	return fyne.NewSize(max(head.Width, middle.Width, foot.Width), head.Height+leastMiddle+foot.Height)
}

func (panes) Layout(o []fyne.CanvasObject, size fyne.Size) {
	foot := heightAt(o[2], size.Width)
	bound := o[0].(*kit.Bounded)
	bound.Unbound()
	bound.Shrink(bound.HeightFor(size.Width)+foot+leastMiddle-size.Height, leastHead)
	head := bound.HeightFor(size.Width)
	place(o[0], 0, size.Width, head)
	place(o[1], head, size.Width, size.Height-head-foot)
	place(o[2], size.Height-foot, size.Width, foot)
}

// place puts o at the left edge, y from the top.
func place(o fyne.CanvasObject, y, width, height float32) {
	o.Move(fyne.NewPos(0, y))
	o.Resize(fyne.NewSize(width, max(height, 0)))
}

// heightAt is the height that o needs at a width: a text tells its height once
// it knows its width.
func heightAt(o fyne.CanvasObject, width float32) float32 {
	o.Resize(fyne.NewSize(width, o.MinSize().Height))
	return o.MinSize().Height
}
