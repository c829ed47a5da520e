package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
)

// bannerMore is the word in a banner that opens and closes it. Space and Enter
// press it; while the banner is open, the arrows scroll it.
type bannerMore struct {
	focusBase
	banner *Banner
	text   *Text
}

func newBannerMore(env *Env, b *Banner) *bannerMore {
	m := &bannerMore{banner: b, text: NewText()}
	m.text.MaxLines = 1
	m.init(env, m, radiusField)
	m.sync()
	return m
}

// sync says what a press would do.
func (m *bannerMore) sync() {
	key := "kit.banner_more"
	if m.banner.open {
		key = "kit.banner_less"
	}
	m.text.SetRuns(Own(m.env.t(key), Style{Size: SizeHint, Color: ColorAccent, Bold: true}))
}

// Tapped is Fyne's.
func (m *bannerMore) Tapped(*fyne.PointEvent) {
	m.grabFocus()
	m.banner.Toggle()
}

// TypedKey is Fyne's.
func (m *bannerMore) TypedKey(k *fyne.KeyEvent) {
	switch k.Name {
	case fyne.KeySpace, fyne.KeyReturn, fyne.KeyEnter:
		m.banner.Toggle()
	case fyne.KeyUp:
		m.scroll(-1)
	case fyne.KeyDown:
		m.scroll(1)
	default:
		m.env.pass(k)
	}
}

// scroll moves an open banner by lines.
func (m *bannerMore) scroll(lines float32) {
	if m.banner.open {
		r := m.banner.scroll
		r.ScrollTo(r.Offset() + lines*m.banner.origin.runsHeight())
	}
}

// morePad is the room around the word, for the ring and the finger.
const morePad = 3

// CreateRenderer is Fyne's.
func (m *bannerMore) CreateRenderer() fyne.WidgetRenderer {
	r := &boxRenderer{objects: append([]fyne.CanvasObject{m.text}, m.ring.objects()...)}
	r.layout = func(size fyne.Size) {
		m.text.Move(fyne.NewPos(morePad, morePad))
		m.text.Resize(size.SubtractWidthHeight(2*morePad, 2*morePad))
		m.ring.around(fyne.Position{}, size)
	}
	r.min = func() fyne.Size {
		return fyne.NewSize(m.text.NaturalWidth()+2*morePad, m.text.runsHeight()+2*morePad)
	}
	r.refresh = func() {
		m.ring.paint(m.Theme())
		r.layout(m.Size())
		m.text.Refresh()
		canvas.Refresh(m)
	}
	m.ring.paint(m.Theme())
	return r
}
