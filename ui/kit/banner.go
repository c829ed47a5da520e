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
	// Short is shown in place of an Origin that needs more than two lines: it
	// must hold what says whose server it is. Without it the beginning stands.
	Short []Run
	// Icon stands before the origin: IconLock, IconUnlock or IconComputer.
	Icon fyne.Resource
	// IconColor is its colour, "" the foreground.
	IconColor fyne.ThemeColorName
	// SelfName is what the server calls itself; empty for nothing. It stands
	// aside and is marked as the server's own words.
	SelfName safetext.Text
	// OnToggle is called after the person has opened or closed the banner, whose
	// height changes with it; it may be nil.
	OnToggle func()
}

// Banner says who asks. The app draws it on top of every question, and no
// text of a server can look like it. It stays low, so that the question below
// it is in view in the smallest window: what does not fit on two lines, and in
// a narrow window what the server calls itself, comes up with a word to press,
// in a box that scrolls.
type Banner struct {
	widget.BaseWidget
	o           BannerOptions
	back, sheet *canvas.Rectangle
	square      *fyne.Container // the avatar
	name        *Text
	origin      *Text
	short       *Text // in place of origin where that is too long
	icon        *Icon
	self        *Text
	more        *bannerMore
	whole       *Bounded
	scroll      *Reveal
	open        bool
}

// Measures of a banner.
const (
	bannerEdge   = 6
	bannerAvatar = 44
	bannerPadX   = 16
	bannerPadY   = 12
	bannerGap    = 14
	bannerIcon   = 14
	bannerLines  = 2   // of the origin
	bannerSelf   = 220 // most width for what the server calls itself
	bannerWide   = 520 // narrower, all is smaller and that is left to be opened
	bannerOpen   = 8   // lines of an open banner
	// The same of a narrow banner.
	narrowAvatar = 32
	narrowPad    = 8
	narrowGap    = 10
	narrowOpen   = 3
)

// NewBanner returns a banner.
func NewBanner(o BannerOptions) *Banner {
	b := &Banner{
		o:     o,
		back:  canvas.NewRectangle(color.Transparent),
		sheet: canvas.NewRectangle(color.Transparent),
	}
	square := NewSurface(ColorAccent, "", radiusButton)
	initial := Sentence(initialOf(o.Name.String()), Style{Size: SizeHeading, Bold: true, Color: ColorOnAccent})
	initial.Align = fyne.TextAlignCenter
	b.square = Stack(square, newMiddle(initial))
	b.name = Label(o.Name, bannerName)
	b.origin = NewText(o.Origin...)
	b.origin.MaxLines = bannerLines
	b.short = NewText(o.Short...)
	b.short.MaxLines = bannerLines
	if o.Icon != nil {
		b.icon = NewIcon(o.Icon, o.IconColor, bannerIcon)
	}
	b.self = NewText()
	all := []Run{Server(o.Name, bannerName)}
	if len(o.Origin) > 0 {
		all = append(append(all, Own("\n", Style{})), o.Origin...)
	}
	if !o.SelfName.IsZero() {
		says, quoted := o.Env.t("kit.self_name"), o.Env.t("kit.self_name_quoted", "Name", o.SelfName.String())
		b.self.SetRuns(Own(says+"\n"+quoted, detailStyle))
		b.self.MaxLines = 3
		all = append(all, Own("\n"+says+" "+quoted, detailStyle))
	}
	b.whole = NewBounded(NewText(all...))
	b.scroll = b.whole.scroll.(*Reveal)
	b.more = newBannerMore(o.Env, b)
	b.more.Hide()
	b.ExtendBaseWidget(b)
	return b
}

var bannerName = Style{Size: SizeTitle, Bold: true}

// initialOf is the first letter of a name, for the avatar.
func initialOf(name string) string {
	for _, r := range name {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return strings.ToUpper(string(r))
		}
	}
	return "?"
}

// bannerPlan is where the parts of a banner go at a width.
type bannerPlan struct {
	folds                            bool // something is left to be opened
	shortened                        bool // the short origin is shown
	avatar, name, origin, icon, self fyne.Position
	more, whole                      fyne.Position
	avatarSize, nameSize, originSize fyne.Size
	selfSize, moreSize, wholeSize    fyne.Size
	height                           float32
}

// plan arranges the parts for a width. The texts are left broken for it.
func (b *Banner) plan(width float32) (p bannerPlan) {
	wide := width >= bannerWide*scaleOf(b.Theme())
	avatar, padX, padY, between, openLines := float32(bannerAvatar), float32(bannerPadX), float32(bannerPadY), float32(bannerGap), bannerOpen
	nameLines := 2
	if !wide {
		avatar, padX, padY, between, openLines = narrowAvatar, narrowPad, narrowPad, narrowGap, narrowOpen
		nameLines = 1
	}
	if b.name.MaxLines != nameLines {
		b.name.MaxLines = nameLines
		b.name.forget()
	}
	x := bannerEdge + padX
	left := x + avatar + between
	text := max(width-left-padX, 1)
	if wide && !b.self.IsEmpty() && !b.open {
		aside := min(b.self.NaturalWidth(), bannerSelf*scaleOf(b.Theme()))
		text = max(text-aside-between, 1)
		p.selfSize = fyne.NewSize(aside, b.self.HeightFor(aside))
	}
	var icon float32
	if b.icon != nil {
		icon = b.icon.MinSize().Width + 3
	}
	originHeight := b.origin.HeightFor(max(text-icon, 1))
	p.folds = b.origin.isCut() || !wide && !b.self.IsEmpty() || p.selfSize.Width > 0 && b.self.isCut()
	if p.shortened = b.origin.isCut() && !b.short.IsEmpty(); p.shortened {
		originHeight = b.short.HeightFor(max(text-icon, 1))
	}
	b.name.HeightFor(text)
	p.folds = p.folds || b.name.isCut()
	nameWidth := text
	if p.folds || b.open {
		p.moreSize = b.more.MinSize()
		nameWidth = max(text-p.moreSize.Width-between, 1)
	}
	p.nameSize = fyne.NewSize(nameWidth, b.name.HeightFor(nameWidth))
	p.folds = p.folds || b.name.isCut()
	p.originSize = fyne.NewSize(max(text-icon, 1), originHeight)
	words := p.nameSize.Height + originHeight
	if b.open {
		b.whole.limit = float32(openLines)*b.origin.runsHeight() + 2
		p.wholeSize = fyne.NewSize(nameWidth, b.whole.HeightFor(nameWidth))
		words = p.wholeSize.Height
	}
	inner := max(words, p.selfSize.Height, avatar, p.moreSize.Height)
	p.height = inner + 2*padY
	top := padY + (inner-words)/2
	p.avatar, p.avatarSize = fyne.NewPos(x, padY+(inner-avatar)/2), fyne.NewSquareSize(avatar)
	p.name = fyne.NewPos(left, top)
	p.whole = p.name
	p.icon = fyne.NewPos(left, top+p.nameSize.Height+max((b.origin.runsHeight()-bannerIcon)/2, 0))
	p.origin = fyne.NewPos(left+icon, top+p.nameSize.Height)
	p.more = fyne.NewPos(left+text-p.moreSize.Width, top+max((b.name.runsHeight()-p.moreSize.Height)/2, 0))
	p.self = fyne.NewPos(width-padX-p.selfSize.Width, padY+(inner-p.selfSize.Height)/2)
	return p
}

// IsFolded reports whether some of what the banner has to say is out of sight
// until it is opened.
func (b *Banner) IsFolded() bool { return b.more.Visible() && !b.open }

// Toggle opens or closes the banner.
func (b *Banner) Toggle() {
	b.open = !b.open
	b.more.sync()
	b.scroll.ScrollToTop()
	b.Refresh()
	if b.o.OnToggle != nil {
		b.o.OnToggle()
	}
}

// HeightFor is the height at a width.
func (b *Banner) HeightFor(width float32) float32 {
	return b.plan(max(width, 1)).height
}

// put moves the parts to where they belong.
func (b *Banner) put(p bannerPlan) {
	at := func(o fyne.CanvasObject, shown bool, pos fyne.Position, size fyne.Size) {
		if !shown {
			o.Hide()
			return
		}
		o.Show()
		o.Move(pos)
		o.Resize(size)
	}
	b.self.Align = fyne.TextAlignTrailing
	at(b.square, true, p.avatar, p.avatarSize)
	at(b.name, !b.open, p.name, p.nameSize)
	at(b.short, !b.open && p.shortened, p.origin, p.originSize)
	at(b.origin, !b.open && !p.shortened, p.origin, p.originSize)
	if b.icon != nil {
		at(b.icon, !b.open, p.icon, b.icon.MinSize())
	}
	at(b.self, p.selfSize.Width > 0, p.self, p.selfSize)
	at(b.whole, b.open, p.whole, p.wholeSize)
	at(b.more, p.folds || b.open, p.more, p.moreSize)
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
	r := &boxRenderer{objects: []fyne.CanvasObject{b.back, b.sheet, b.square, b.name, b.origin, b.short, b.self, b.whole, b.more}}
	if b.icon != nil {
		r.objects = append(r.objects, b.icon)
	}
	r.layout = func(size fyne.Size) {
		// The back shows at the left edge only, and is no wider than its round
		// corners need: its soft edge would shine through above the sheet.
		b.back.Resize(fyne.NewSize(min(size.Width, radiusCard), size.Height))
		b.sheet.Move(fyne.NewPos(bannerEdge, 0))
		b.sheet.Resize(fyne.NewSize(max(size.Width-bannerEdge, 0), size.Height))
		b.put(b.plan(max(size.Width, 1)))
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
