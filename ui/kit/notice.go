package kit

import (
	"fyne.io/fyne/v2"
)

// Level is how grave a notice is.
type Level int

// The levels. They differ in colour and in the shape of their icon, so that
// nobody depends on colours: a ring, a triangle, an octagon, a barred circle.
const (
	Info Level = iota
	Caution
	Danger
	Block
)

// noticeLook is the look of a level.
type noticeLook struct {
	icon               fyne.Resource
	text, fill, stroke fyne.ThemeColorName
}

var noticeLooks = map[Level]noticeLook{
	Info:    {IconInfo, ColorMuted, ColorCard, ColorLine},
	Caution: {IconCaution, ColorCaution, ColorCautionFill, ""},
	Danger:  {IconDanger, ColorDanger, ColorDangerFill, ""},
	Block:   {IconBlock, ColorDanger, ColorDangerFill, ColorDanger},
}

// NewNotice returns a box with a remark or a warning. title is bold and may be
// "", body is plain and may be "". Both are the app's sentences; what of a
// server is in them has gone through safetext.
func NewNotice(level Level, title, body string) *fyne.Container {
	look, ok := noticeLooks[level]
	if !ok {
		look = noticeLooks[Block]
	}
	return Stack(
		NewSurface(look.fill, look.stroke, radiusButton),
		Pad(11, 16, 11, 16, RowFill(14, 1,
			NewIcon(look.icon, look.text, 19),
			Column(0,
				Sentence(title, Style{Bold: true, Color: look.text}),
				Sentence(body, Style{Color: look.text}),
			),
		)),
	)
}

// NewNoticeLine returns a remark or a warning of one line with buttons at its end:
// what does not fit beside them is left out.
func NewNoticeLine(level Level, sentence string, buttons ...fyne.CanvasObject) *fyne.Container {
	look, ok := noticeLooks[level]
	if !ok {
		look = noticeLooks[Block]
	}
	text := Sentence(sentence, Style{Color: look.text})
	text.MaxLines = 1
	row := append([]fyne.CanvasObject{NewIcon(look.icon, look.text, 19), text}, buttons...)
	return Stack(NewSurface(look.fill, look.stroke, radiusButton), Pad(4, 16, 4, 16, RowFill(14, 1, row...)))
}
