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
	avatar      *fyne.Container
	words       *fyne.Container
	self        *Text
}

// Measures of a banner.
const (
	bannerEdge   = 6
	bannerAvatar = 44
	bannerPadX   = 16
	bannerPadY   = 12
	bannerGap    = 14
	bannerSelf   = 220 // most width for what the server calls itself
	bannerWide   = 520 // narrower, that stands below instead of beside
)

// NewBanner returns a banner.
func NewBanner(o BannerOptions) *Banner {
	b := &Banner{
		back:  canvas.NewRectangle(color.Transparent),
		sheet: canvas.NewRectangle(color.Transparent),
	}
	square := NewSurface(ColorAccent, "", radiusButton)
	initial := Sentence(initialOf(o.Name.String()), Style{Size: SizeHeading, Bold: true, Color: ColorOnAccent})
	initial.Align = fyne.TextAlignCenter
	name := Label(o.Name, Style{Size: SizeTitle, Bold: true})
	name.MaxLines = 2
	origin := []fyne.CanvasObject{NewText(o.Origin...)}
	if o.Icon != nil {
		origin = append([]fyne.CanvasObject{NewIcon(o.Icon, o.IconColor, 14)}, origin...)
	}
	b.avatar = Stack(square, newMiddle(initial))
	b.words = Column(0, name, RowFill(3, len(origin)-1, origin...))
	b.self = NewText()
	if !o.SelfName.IsZero() {
		b.self.SetRuns(Own(o.Env.t("kit.self_name")+"\n"+o.Env.t("kit.self_name_quoted", "Name", o.SelfName.String()), detailStyle))
		b.self.MaxLines = 3
	}
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

// arrange calls put for every part with its rectangle and returns the height.
func (b *Banner) arrange(width float32, put func(o fyne.CanvasObject, x, y, w, h float32)) float32 {
	x := float32(bannerEdge + bannerPadX)
	inner := max(width-x-bannerPadX, 1)
	text := max(inner-bannerAvatar-bannerGap, 1)
	var aside float32
	wide := width >= bannerWide*scaleOf(b.Theme())
	if wide && !b.self.IsEmpty() {
		aside = min(b.self.NaturalWidth(), bannerSelf*scaleOf(b.Theme()))
		text = max(text-aside-bannerGap, 1)
	}
	words := heightOf(b.words, text)
	below := float32(0)
	b.self.Align = fyne.TextAlignTrailing
	if !wide && !b.self.IsEmpty() {
		b.self.Align = fyne.TextAlignLeading
		below = b.self.HeightFor(text) + 2
	}
	side := float32(0)
	if aside > 0 {
		side = b.self.HeightFor(aside)
	}
	height := max(words+below, side, bannerAvatar)
	put(b.avatar, x, bannerPadY+(height-bannerAvatar)/2, bannerAvatar, bannerAvatar)
	put(b.words, x+bannerAvatar+bannerGap, bannerPadY+(height-words-below)/2, text, words)
	if aside > 0 {
		put(b.self, width-bannerPadX-aside, bannerPadY+(height-side)/2, aside, side)
	} else {
		put(b.self, x+bannerAvatar+bannerGap, bannerPadY+(height+words-below)/2+2, text, max(below-2, 0))
	}
	return height + 2*bannerPadY
}

// HeightFor is the height at a width.
func (b *Banner) HeightFor(width float32) float32 {
	return b.arrange(max(width, 1), func(fyne.CanvasObject, float32, float32, float32, float32) {})
}

func (b *Banner) paint() {
	th, v := b.Theme(), variant()
	b.back.FillColor = th.Color(ColorAccent, v)
	b.back.TopLeftCornerRadius, b.back.BottomLeftCornerRadius = radiusCard, radiusCard
	b.sheet.FillColor, b.sheet.StrokeColor, b.sheet.StrokeWidth = th.Color(ColorCard, v), th.Color(ColorLine, v), 1
	b.sheet.TopRightCornerRadius, b.sheet.BottomRightCornerRadius = radiusCard, radiusCard
}

// CreateRenderer is Fyne's.
func (b *Banner) CreateRenderer() fyne.WidgetRenderer {
	r := &boxRenderer{objects: []fyne.CanvasObject{b.back, b.sheet, b.avatar, b.words, b.self}}
	r.layout = func(size fyne.Size) {
		// The back shows at the left edge only, and is no wider than its round
		// corners need: its soft edge would shine through above the sheet.
		b.back.Resize(fyne.NewSize(min(size.Width, radiusCard), size.Height))
		b.sheet.Move(fyne.NewPos(bannerEdge, 0))
		b.sheet.Resize(fyne.NewSize(max(size.Width-bannerEdge, 0), size.Height))
		b.arrange(max(size.Width, 1), place)
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
