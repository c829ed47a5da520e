package ui

import (
	"fyne.io/fyne/v2"

	"parley/ui/kit"
)

// sideLines is how many lines are in view.
const sideLines = 12

// sideFold is a sideLog on a page: a heading that counts, and below it, once it
// is opened, the lines. They are put together only while somebody can see them.
type sideFold struct {
	s      *shell
	env    *kit.Env
	log    *sideLog
	object *fyne.Container // empty as long as nothing was said
	fold   *kit.Fold
	inside *fyne.Container
	lines  *kit.LongText
	opened bool
	drawn  int // the changes of the log that are in lines
}

func newSideFold(s *shell, env *kit.Env, log *sideLog) *sideFold {
	return &sideFold{s: s, env: env, log: log, object: kit.Column(0), inside: kit.Column(0)}
}

// open unfolds the lines, now or when there are some.
func (f *sideFold) open() { f.toggled(true) }

func (f *sideFold) toggled(open bool) {
	f.opened = open
	if f.fold != nil {
		f.fold.SetOpen(open)
	}
	f.update()
}

// update brings the page up to what was said.
func (f *sideFold) update() {
	if f.log.changes == 0 {
		return
	}
	title := f.s.sideTitle(f.log)
	if f.fold == nil {
		f.fold = kit.NewFold(f.env, title, f.inside, f.opened, f.toggled)
		f.object.Objects = []fyne.CanvasObject{f.fold}
		f.object.Refresh()
	}
	f.fold.SetTitle(title)
	if !f.opened || f.drawn == f.log.changes || f.lines != nil && !f.lines.Tailing() {
		return // what somebody has scrolled up to read stands still
	}
	f.drawn = f.log.changes
	text := f.s.sideText(f.log)
	if f.lines != nil {
		f.lines.SetText(text)
	} else {
		f.lines = kit.NewLongText(text, kit.LongTextOptions{Env: f.env, Style: monoText, Lines: sideLines, Tail: true, OnTail: f.update,
			OnCopy: func(b *kit.Button) { f.s.toClipboard(b, f.s.sideText(f.log).String()) }})
		f.inside.Objects = []fyne.CanvasObject{f.lines}
	}
	if f.lines.MinSize().Height != f.lines.Size().Height {
		f.env.Reveal.Relayout()
	}
}
