package kit

import (
	"image/color"
	"strings"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"parley/consent/safetext"
)

// BannerOptions say who asks.
type BannerOptions struct {
	Env *Env
	// Name is the person's own name for the server.
	Name safetext.Text
	// Origin is where the app is connected to, its site in bold, and who is
	// signed in.
	Origin []Run
	// Icon stands before the origin: IconLock, IconUnlock or IconComputer.
	Icon fyne.Resource
	// IconColor is its colour, "" the foreground.
	IconColor fyne.ThemeColorName
	// SelfName is what the server calls itself; empty for nothing. It stands
	// aside and is marked as the server's own words.
	SelfName safetext.Text
}

// Banner says who asks. The app draws it on top of every question, and no
// text of a server can look like it.
type Banner struct {
	widget.BaseWidget
	back, sheet *canvas.Rectangle
	avatar      *Surface
	initial     *Text
	row         *fyne.Container
}

// Measures of a banner.
const (
	bannerEdge   = 6
	bannerAvatar = 44
	bannerPadX   = 16
	bannerPadY   = 12
)

// NewBanner returns a banner.
func NewBanner(o BannerOptions) *Banner {
	b := &Banner{
		back:    canvas.NewRectangle(color.Transparent),
		sheet:   canvas.NewRectangle(color.Transparent),
		avatar:  NewSurface(ColorAccent, "", radiusButton),
		initial: Sentence(initialOf(o.Name.String()), Style{Size: SizeHeading, Bold: true, Color: ColorOnAccent}),
	}
	b.initial.Align = fyne.TextAlignCenter
	b.avatar.Min = fyne.NewSquareSize(bannerAvatar)
	name := Label(o.Name, Style{Size: SizeTitle, Bold: true})
	name.MaxLines = 2
	origin := []fyne.CanvasObject{NewText(o.Origin...)}
	if o.Icon != nil {
		origin = append([]fyne.CanvasObject{NewIcon(o.Icon, o.IconColor, 14)}, origin...)
	}
	objects := []fyne.CanvasObject{
		Stack(b.avatar, newMiddle(b.initial)),
		Column(0, name, RowFill(3, len(origin)-1, origin...)),
	}
	if !o.SelfName.IsZero() {
		hint := Style{Size: SizeHint, Color: ColorMuted}
		self := NewText(Own(o.Env.t("kit.self_name")+"\n"+o.Env.t("kit.self_name_quoted", "Name", o.SelfName.String()), hint))
		self.Align, self.MaxLines = fyne.TextAlignTrailing, 3
		objects = append(objects, newAtMost(220, self))
	}
	b.row = RowFill(14, 1, objects...)
	b.ExtendBaseWidget(b)
	return b
}

// initialOf is the first letter of a name, for the avatar.
func initialOf(name string) string {
	for _, r := range name {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return strings.ToUpper(string(r))
		}
	}
	return "?"
}

// HeightFor is the height at a width.
func (b *Banner) HeightFor(width float32) float32 {
	return heightOf(b.row, max(width-bannerEdge-2*bannerPadX, 1)) + 2*bannerPadY
}

func (b *Banner) paint() {
	th, v := b.Theme(), variant()
	b.back.FillColor, b.back.CornerRadius = th.Color(ColorAccent, v), radiusCard
	b.sheet.FillColor, b.sheet.StrokeColor, b.sheet.StrokeWidth = th.Color(ColorCard, v), th.Color(ColorLine, v), 1
	b.sheet.TopRightCornerRadius, b.sheet.BottomRightCornerRadius = radiusCard, radiusCard
}

// CreateRenderer is Fyne's.
func (b *Banner) CreateRenderer() fyne.WidgetRenderer {
	r := &boxRenderer{objects: []fyne.CanvasObject{b.back, b.sheet, b.row}}
	r.layout = func(size fyne.Size) {
		// The back shows at the left edge only; it must not shine through the
		// round corners on the right.
		b.back.Resize(fyne.NewSize(min(size.Width, 4*radiusCard), size.Height))
		b.sheet.Move(fyne.NewPos(bannerEdge, 0))
		b.sheet.Resize(fyne.NewSize(max(size.Width-bannerEdge, 0), size.Height))
		b.row.Move(fyne.NewPos(bannerEdge+bannerPadX, bannerPadY))
		b.row.Resize(fyne.NewSize(max(size.Width-bannerEdge-2*bannerPadX, 1), max(size.Height-2*bannerPadY, 0)))
	}
	r.min = func() fyne.Size {
		width := b.Size().Width
		if width <= 0 {
			width = 640
		}
		return fyne.NewSize(240, b.HeightFor(width))
	}
	r.refresh = func() {
		b.paint()
		r.layout(b.Size())
		b.back.Refresh()
		b.sheet.Refresh()
		canvas.Refresh(b)
	}
	b.paint()
	return r
}
