package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
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
// is, around a middle that takes the rest. A tail stands between the middle and
// the foot: right below what is in the middle while there is room for it, else
// at the foot, so that it is in view however long the middle is.
type panes struct{}

// newPanes lays out the four parts; all but the middle may be nil.
func newPanes(head, middle, tail, foot fyne.CanvasObject) *fyne.Container {
	part := func(o fyne.CanvasObject) fyne.CanvasObject {
		if o == nil {
			return container.NewWithoutLayout()
		}
		return o
	}
	return container.New(panes{}, part(head), middle, part(tail), part(foot))
}

// leastMiddle is the smallest middle, so that a window made small still shows
// something of the page between its banner and its buttons.
const leastMiddle = 80

// mostTail is the largest part of the room between head and foot that a tail
// takes; it scrolls then.
const mostTail = .6

// scroller is a part that scrolls and knows how high it would be without.
type scroller interface{ ContentHeight(width float32) float32 }

func (panes) MinSize(o []fyne.CanvasObject) fyne.Size {
	head, middle, tail, foot := o[0].MinSize(), o[1].MinSize(), o[2].MinSize(), o[3].MinSize()
	return fyne.NewSize(max(head.Width, middle.Width, tail.Width, foot.Width), head.Height+leastMiddle+foot.Height)
}

func (panes) Layout(o []fyne.CanvasObject, size fyne.Size) {
	// A text tells its height once it knows its width.
	height := func(o fyne.CanvasObject) float32 {
		o.Resize(fyne.NewSize(size.Width, o.MinSize().Height))
		return o.MinSize().Height
	}
	place := func(o fyne.CanvasObject, y, h float32) {
		o.Move(fyne.NewPos(0, y))
		o.Resize(fyne.NewSize(size.Width, max(h, 0)))
	}
	head, foot := height(o[0]), height(o[3])
	room := max(size.Height-head-foot, 0)
	middle, tail := room, float32(0)
	below, ok := o[2].(scroller)
	above, both := o[1].(scroller)
	if ok && both && o[2].Visible() {
		tail = min(below.ContentHeight(size.Width), room*mostTail)
		middle = min(above.ContentHeight(size.Width), room-tail)
	}
	place(o[0], 0, head)
	place(o[1], head, middle)
	place(o[2], head+middle, tail)
	place(o[3], size.Height-foot, foot)
}
