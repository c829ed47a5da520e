package kit

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
)

// hit is the object that Fyne's window gives a click at pos to: the topmost one
// that takes clicks of any kind, as internal/driver/glfw does it. The test
// driver calls Tapped of whatever it is given, and so cannot tell.
func hit(o fyne.CanvasObject, pos fyne.Position) fyne.CanvasObject {
	if !o.Visible() || pos.X < 0 || pos.Y < 0 || pos.X >= o.Size().Width || pos.Y >= o.Size().Height {
		return nil
	}
	var children []fyne.CanvasObject
	switch p := o.(type) {
	case *fyne.Container:
		children = p.Objects
	case fyne.Widget:
		children = test.WidgetRenderer(p).Objects()
	}
	for i := len(children) - 1; i >= 0; i-- {
		if found := hit(children[i], pos.Subtract(children[i].Position())); found != nil {
			return found
		}
	}
	switch o.(type) {
	case fyne.Tappable, fyne.SecondaryTappable, fyne.DoubleTappable, fyne.Focusable, desktop.Mouseable:
		return o
	}
	return nil
}

func TestAClickReachesTheControlWhereverItLands(t *testing.T) {
	options := []Option{{Label: safe("One")}, {Label: safe("Two"), Detail: safe("the second")}}
	for name, o := range map[string]fyne.CanvasObject{
		"side item": NewSideItem(SideItemOptions{Title: safe("Travel desk"), Subtitle: safe("mcp.travel.example"), HasDot: true, Count: 2}),
		"row":       NewSideItem(SideItemOptions{Icon: IconPlay, Title: safe("Book a trip"), Subtitle: safe("Asks in two forms")}),
		"button":    NewButton(ButtonOptions{Text: "Submit", Shortcut: "Ctrl+↵"}),
		"check":     NewCheck(nil, "I know evil.example and expected this page", false, func(bool) {}),
		"yes or no": NewYesNo(YesNoOptions{}),
		"picker":    NewPicker(PickerOptions{Options: options, Selected: 0}),
		"option":    newPickRow(),
	} {
		newScene(t, Column(0, o), 400, 300)
		size := o.Size()
		for x := float32(1); x < size.Width; x += 3 {
			for y := float32(1); y < size.Height; y += 3 {
				if got := hit(o, fyne.NewPos(x, y)); got != o {
					t.Fatalf("%s: a click at %v,%v of %v goes to %T", name, x, y, size, got)
				}
			}
		}
	}
}
