package kit

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// The icons, drawn on a field of 24 by 24 as filled shapes, since Fyne colours
// fills only. A hole runs against the shape around it.
var (
	// IconLock is a closed padlock: an encrypted connection.
	IconLock = drawn("lock", "M7.5 10V7a4.5 4.5 0 0 1 9 0v3h-2V7a2.5 2.5 0 0 0-5 0v3z M5 10h14a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1v-9a1 1 0 0 1 1-1z")
	// IconUnlock is an open padlock: a connection anybody on the way can read.
	IconUnlock = drawn("unlock", "M7.5 10V7a4.5 4.5 0 0 1 8.7-1.7l-1.8.8A2.5 2.5 0 0 0 9.5 7v3z M5 10h14a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1v-9a1 1 0 0 1 1-1z")
	// IconInbox is the questions.
	IconInbox = drawn("inbox", "M4 5h16v2.2H4z M4 10.9h16v2.2H4z M4 16.8h16V19H4z")
	// IconPlay is the requests.
	IconPlay = drawn("play", "M6 3.5l15 8.5-15 8.5z M8 7v10l8.8-5z")
	// IconHistory is what was answered before.
	IconHistory = drawn("history", "M12 2.5a9.5 9.5 0 1 1 0 19a9.5 9.5 0 0 1 0-19z M12 4.2a7.8 7.8 0 1 0 0 15.6a7.8 7.8 0 0 0 0-15.6z M11.1 7h1.8v4.6l3.4 2-.9 1.5-4.3-2.5z")
	// IconSettings is the settings.
	IconSettings = drawn("settings", "M10.69 5.53 L10.57 2.51 L13.43 2.51 L13.31 5.53 L15.65 6.50 L17.70 4.27 L19.73 6.30 L17.50 8.35 L18.47 10.69 L21.49 10.57 L21.49 13.43 L18.47 13.31 L17.50 15.65 L19.73 17.70 L17.70 19.73 L15.65 17.50 L13.31 18.47 L13.43 21.49 L10.57 21.49 L10.69 18.47 L8.35 17.50 L6.30 19.73 L4.27 17.70 L6.50 15.65 L5.53 13.31 L2.51 13.43 L2.51 10.57 L5.53 10.69 L6.50 8.35 L4.27 6.30 L6.30 4.27 L8.35 6.50z M12 8.6a3.4 3.4 0 1 0 0 6.8a3.4 3.4 0 0 0 0-6.8z")
	// IconCalendar is a month to pick a day from.
	IconCalendar = drawn("calendar", "M4 4h16a1.5 1.5 0 0 1 1.5 1.5v14a1.5 1.5 0 0 1-1.5 1.5H4a1.5 1.5 0 0 1-1.5-1.5v-14A1.5 1.5 0 0 1 4 4z M4.2 9.5v9.8h15.6V9.5z M7 2h1.8v3H7z M15.2 2H17v3h-1.8z")
	// IconDown is what opens below.
	IconDown = drawn("down", "M5.5 8.5h13L12 16.5z")
	// IconRight is what opens on a click.
	IconRight = drawn("right", "M8 5.5v13l8.5-6.5z")
	// IconCross is an error.
	IconCross = drawn("cross", "M6.3 4.9L12 10.6l5.7-5.7 1.4 1.4L13.4 12l5.7 5.7-1.4 1.4L12 13.4l-5.7 5.7-1.4-1.4L10.6 12 4.9 6.3z")
	// IconTick is a ticked box.
	IconTick = drawn("tick", "M9.3 18.2L3.6 12.5l1.9-1.9 3.8 3.8 9.2-9.2 1.9 1.9z")
	// IconInfo is a remark: a ring.
	IconInfo = drawn("info", "M12 2.5a9.5 9.5 0 1 1 0 19a9.5 9.5 0 0 1 0-19z M12 4.2a7.8 7.8 0 1 0 0 15.6a7.8 7.8 0 0 0 0-15.6z M11 10.4v6.8h2v-6.8z M11 6.6v2.2h2V6.6z")
	// IconCaution is a warning: a triangle.
	IconCaution = drawn("caution", "M12 2.5L23 21.5H1z M11 9v6.2h2V9z M11 16.7v2.2h2v-2.2z")
	// IconDanger is a grave warning: an octagon.
	IconDanger = drawn("danger", "M15.83 2.76 L21.24 8.17 L21.24 15.83 L15.83 21.24 L8.17 21.24 L2.76 15.83 L2.76 8.17 L8.17 2.76z M11 6.5v7h2v-7z M11 15.3v2.2h2v-2.2z")
	// IconBlock is what is not allowed: a barred circle.
	IconBlock = drawn("block", "M12 2a10 10 0 1 1 0 20a10 10 0 0 1 0-20z M6 10.6v2.8h12v-2.8z")
	// IconComputer is this computer.
	IconComputer = drawn("computer", "M3.5 4h17A1.5 1.5 0 0 1 22 5.5v10a1.5 1.5 0 0 1-1.5 1.5h-17A1.5 1.5 0 0 1 2 15.5v-10A1.5 1.5 0 0 1 3.5 4z M4 6v9h16V6z M8 19h8v2H8z")
	// IconArrowUp moves something up.
	IconArrowUp = drawn("arrow-up", "M12 4l6.5 6.5-1.5 1.5L13 8v12h-2V8l-4 4-1.5-1.5z")
	// IconArrowDown moves something down.
	IconArrowDown = drawn("arrow-down", "M12 20l-6.5-6.5L7 12l4 4V4h2v12l4-4 1.5 1.5z")
	// IconPlus is adding.
	IconPlus = drawn("plus", "M11 4h2v7h7v2h-7v7h-2v-7H4v-2h7z")
	// IconCopy is copying.
	IconCopy = drawn("copy", "M8 2h12v15H8z M9.8 3.8v11.4h8.4V3.8z M4 6h1.8v14.2H16V22H4z")
	// IconSearch is searching.
	IconSearch = drawn("search", "M10 3a7 7 0 1 1 0 14a7 7 0 0 1 0-14z M10 5a5 5 0 1 0 0 10a5 5 0 0 0 0-10z M14.6 16l1.4-1.4 5.2 5.2-1.4 1.4z")
	// IconLeft is back.
	IconLeft = drawn("left", "M16 5.5v13L7.5 12z")
)

func drawn(name, path string) fyne.Resource {
	return fyne.NewStaticResource("parley-"+name+".svg", fmt.Appendf(nil,
		`<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 24 24"><path fill="#000000" d="%s"/></svg>`, path))
}

// Icon shows an icon in a colour of the theme.
type Icon struct {
	widget.BaseWidget
	resource fyne.Resource
	color    fyne.ThemeColorName
	size     float32
}

// NewIcon returns an icon; size is its side at text scale 1, color "" the
// foreground.
func NewIcon(icon fyne.Resource, color fyne.ThemeColorName, size float32) *Icon {
	if color == "" {
		color = theme.ColorNameForeground
	}
	i := &Icon{resource: icon, color: color, size: size}
	i.ExtendBaseWidget(i)
	return i
}

// Set changes the picture and its colour.
func (i *Icon) Set(icon fyne.Resource, color fyne.ThemeColorName) {
	if i.resource == icon && i.color == color {
		return
	}
	i.resource, i.color = icon, color
	i.Refresh()
}

// CreateRenderer is Fyne's.
func (i *Icon) CreateRenderer() fyne.WidgetRenderer {
	r := &iconRenderer{i: i, image: &canvas.Image{FillMode: canvas.ImageFillContain}}
	r.paint()
	return r
}

type iconRenderer struct {
	i     *Icon
	image *canvas.Image
}

func (r *iconRenderer) paint() { r.image.Resource = theme.NewColoredResource(r.i.resource, r.i.color) }

func (r *iconRenderer) MinSize() fyne.Size {
	return fyne.NewSquareSize(r.i.size * scaleOf(r.i.Theme()))
}
func (r *iconRenderer) Layout(size fyne.Size)        { r.image.Resize(size) }
func (r *iconRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.image} }
func (r *iconRenderer) Destroy()                     {}

func (r *iconRenderer) Refresh() {
	r.paint()
	r.image.Refresh()
}
