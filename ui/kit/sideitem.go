package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"parley/consent/safetext"
)

// SideItemOptions describe a row of the sidebar.
type SideItemOptions struct {
	Env  *Env
	Icon fyne.Resource
	// Title is the name, Subtitle a quieter line below it, or empty.
	Title, Subtitle safetext.Text
	// HasDot shows Dot in place of an icon.
	HasDot bool
	Dot    Dot
	// Count is the number in the badge; 0 shows none.
	Count int
	// Accent shows the row in the colour of a link: "Add a server".
	Accent   bool
	OnTapped func()
}

// SideItem is a row of the sidebar. Up and Down go to its neighbours, Enter and
// Space choose it: it only shows a page and answers nothing.
type SideItem struct {
	focusBase
	o        SideItemOptions
	selected bool
	back     *Surface
	icon     *Icon
	dot      *StatusDot
	title    *Text
	subtitle *Text
	badge    *Badge
	row      *fyne.Container
}

// NewSideItem returns a row of the sidebar.
func NewSideItem(o SideItemOptions) *SideItem {
	s := &SideItem{o: o, back: NewSurface("", "", radiusButton), title: NewText(), subtitle: NewText(), badge: NewBadge(o.Count)}
	s.title.MaxLines, s.subtitle.MaxLines = 1, 1
	gap := float32(6)
	var lead fyne.CanvasObject = Spacer(0, 0)
	switch {
	case o.HasDot:
		s.dot = NewDot(o.Dot)
		lead, gap = s.dot, 10
	case o.Icon != nil:
		s.icon = NewIcon(o.Icon, "", 16)
		lead = s.icon
	}
	s.row = RowFill(gap, 1, lead, Column(-1, s.title, s.subtitle), s.badge)
	s.init(o.Env, s, radiusButton)
	s.paint()
	return s
}

// SetSelected marks the row as the page that is shown.
func (s *SideItem) SetSelected(selected bool) {
	s.selected = selected
	s.Refresh()
}

// Selected reports whether the row is marked so.
func (s *SideItem) Selected() bool { return s.selected }

// SetCount changes the number in the badge.
func (s *SideItem) SetCount(count int) {
	s.badge.SetCount(count)
	s.Refresh()
}

// SetDot changes the dot.
func (s *SideItem) SetDot(dot Dot) {
	if s.dot != nil {
		s.dot.Set(dot)
	}
}

// SetTexts changes title and subtitle.
func (s *SideItem) SetTexts(title, subtitle safetext.Text) {
	s.o.Title, s.o.Subtitle = title, subtitle
	s.Refresh()
}

// Tapped is Fyne's.
func (s *SideItem) Tapped(*fyne.PointEvent) {
	if s.o.OnTapped != nil && !s.Disabled() {
		s.o.OnTapped()
	}
}

// TypedKey is Fyne's.
func (s *SideItem) TypedKey(k *fyne.KeyEvent) {
	c := fyne.CurrentApp().Driver().CanvasForObject(s)
	switch k.Name {
	case fyne.KeySpace, fyne.KeyReturn, fyne.KeyEnter:
		s.Tapped(nil)
	case fyne.KeyDown:
		if c != nil {
			c.FocusNext()
		}
	case fyne.KeyUp:
		if c != nil {
			c.FocusPrevious()
		}
	default:
		s.env.pass(k)
	}
}

func (s *SideItem) paint() {
	s.back.Fill, s.back.Stroke = "", ""
	switch {
	case s.selected:
		s.back.Fill, s.back.Stroke = ColorCard, ColorLine
	case s.hovered:
		s.back.Fill = ColorHighlight
	}
	style := Style{Bold: s.selected}
	if s.o.Accent {
		style.Color = ColorAccent
	}
	s.title.SetRuns(Server(s.o.Title, style))
	s.subtitle.SetRuns(Server(s.o.Subtitle, detailStyle))
	if s.icon != nil {
		s.icon.Set(s.o.Icon, style.color())
	}
}

// Rooms around the parts of a row.
const (
	sidePadX = 11
	sidePadY = 9
)

// CreateRenderer is Fyne's.
func (s *SideItem) CreateRenderer() fyne.WidgetRenderer {
	r := &boxRenderer{objects: append([]fyne.CanvasObject{s.back, s.row}, s.ring.objects()...)}
	r.layout = func(size fyne.Size) {
		s.back.Resize(size)
		s.ring.around(fyne.Position{}, size)
		s.row.Move(fyne.NewPos(sidePadX, 0))
		s.row.Resize(fyne.NewSize(max(size.Width-2*sidePadX, 1), size.Height))
		s.row.Layout.Layout(s.row.Objects, s.row.Size())
	}
	r.min = func() fyne.Size {
		return fyne.NewSize(120, heightOf(s.row, 400)+2*sidePadY)
	}
	r.refresh = func() {
		s.paint()
		s.ring.paint(s.Theme())
		s.back.Refresh()
		r.layout(s.Size())
		canvas.Refresh(s)
	}
	s.ring.paint(s.Theme())
	return r
}
