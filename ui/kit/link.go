package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// Link is a word to click on that does something small beside a control. It is
// for the mouse: the keyboard has a key in the control itself, and Tab goes by.
type Link struct {
	widget.BaseWidget
	text   *Text
	words  string
	tapped func()
}

// NewLink returns a link of the app's own words.
func NewLink(words string, tapped func()) *Link {
	l := &Link{text: Sentence(words, Style{Size: SizeHint, Color: ColorAccent, Bold: true}), words: words, tapped: tapped}
	l.text.MaxLines = 1
	l.ExtendBaseWidget(l)
	return l
}

// Text is what the link says.
func (l *Link) Text() string { return l.words }

// Tapped is Fyne's.
func (l *Link) Tapped(*fyne.PointEvent) { l.tapped() }

// Cursor is Fyne's.
func (l *Link) Cursor() desktop.Cursor { return desktop.PointerCursor }

// NaturalWidth is the width at which the words fit.
func (l *Link) NaturalWidth() float32 { return l.text.NaturalWidth() }

// CreateRenderer is Fyne's.
func (l *Link) CreateRenderer() fyne.WidgetRenderer {
	r := &boxRenderer{objects: []fyne.CanvasObject{l.text}}
	r.layout = func(size fyne.Size) {
		h := l.text.HeightFor(size.Width)
		place(l.text, 0, (size.Height-h)/2, size.Width, h)
	}
	r.min = func() fyne.Size { return fyne.NewSize(l.text.NaturalWidth(), l.text.runsHeight()+8) }
	r.refresh = func() {
		l.text.Refresh()
		canvas.Refresh(l)
	}
	return r
}
