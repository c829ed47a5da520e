package ui

import (
	"strings"
	"time"

	"fyne.io/fyne/v2"

	"parley/assets/i18n"
	"parley/consent/safetext"
	"parley/mcpclient"
	"parley/ui/kit"
)

// Bounds of what is shown of one text, in code points. What is longer than
// longText stands in a scroller of its own.
const (
	maxName    = 300
	maxMessage = 64 << 10
	maxResult  = 1 << 20
	longText   = 2000
)

// The ways text is written on a page.
var (
	bodyText    = kit.Style{Size: kit.SizeBody}
	boldText    = kit.Style{Size: kit.SizeBody, Bold: true}
	mutedText   = kit.Style{Size: kit.SizeBody, Color: kit.ColorMuted}
	mutedBold   = kit.Style{Size: kit.SizeBody, Color: kit.ColorMuted, Bold: true}
	hintText    = kit.Style{Size: kit.SizeHint, Color: kit.ColorMuted}
	monoText    = kit.Style{Size: kit.SizeHint, Mono: true}
	messageText = kit.Style{Size: kit.SizeMessage}
	titleText   = kit.Style{Size: kit.SizeTitle, Bold: true}
	cautionText = kit.Style{Size: kit.SizeHint, Color: kit.ColorCaution, Bold: true}
	errorText   = kit.Style{Size: kit.SizeHint, Color: kit.ColorDanger, Bold: true}
)

// Distances of the drawings in the mock-ups.
const (
	gapSmall  = 4
	gap       = 12
	gapLarge  = 20
	pageSide  = 28
	pageTop   = 20
	sideWidth = 248
)

// surroundings is what a part of a page needs to be drawn and to stay alive.
type surroundings struct {
	loc   *i18n.Localizer
	do    kit.Dispatcher
	clock clock
}

// say renders a sentence for people. Its values may be words of a server, so
// the whole is made safe.
func (v *surroundings) say(m i18n.Message) string {
	return safetext.Block(v.loc.Text(m), maxMessage).String()
}

// t renders one of the pages' own words.
func (v *surroundings) t(id string, namesAndValues ...any) string {
	return v.say(i18n.M(id, namesAndValues...))
}

// line makes one line of a stranger's words safe to show.
func line(s string) safetext.Text { return safetext.Line(s, maxName) }

// words is a stranger's text on a page; it gets a scroller of its own when it
// is long.
func words(env *kit.Env, s string, st kit.Style, max int) fyne.CanvasObject {
	text := safetext.Block(s, max)
	if len(s) > longText {
		return withRest(kit.NewLongText(text, kit.LongTextOptions{Env: env, Style: st, Lines: 12}), env, text, "ui.cut")
	}
	return kit.Label(text, st)
}

// withRest puts below o, which shows text, how much of it is not shown: in the
// words of key.
func withRest(o fyne.CanvasObject, env *kit.Env, text safetext.Text, key string) fyne.CanvasObject {
	n := text.Omitted()
	if n == 0 {
		return o
	}
	return kit.Column(gapSmall, o, kit.Sentence(env.Loc.Text(i18n.N(key, n, "N", i18n.Grouped(n))), hintText))
}

// manyLines is how many lines of a list are drawn as they are, if together they have
// no more than manyChars bytes; fewLines is how many of a longer one are made in one
// step.
const (
	manyLines = 40
	manyChars = 8 * longText
	fewLines  = 250
)

// listOf draws the n lines of a list below each other, whole; a long list in a box
// that scrolls and draws only those in view, for which builder makes the lines in
// pieces. The lines are safe to show.
func listOf(env *kit.Env, builder *kit.Builder, n int, lineAt func(i int) []kit.Run) fyne.CanvasObject {
	box := kit.Column(2)
	chars := 0
	var texts []fyne.CanvasObject
	for i := 0; i < n && i < manyLines; i++ {
		runs := lineAt(i)
		for _, r := range runs {
			chars += len(r.String())
		}
		texts = append(texts, kit.NewText(runs...))
	}
	if n <= manyLines && chars <= manyChars {
		box.Objects = texts
		return box
	}
	var all strings.Builder
	var steps []func()
	for from := 0; from < n; from += fewLines {
		steps = append(steps, func() {
			for i := from; i < min(from+fewLines, n); i++ {
				if i > 0 {
					all.WriteByte('\n')
				}
				for _, r := range lineAt(i) {
					all.WriteString(r.String())
				}
			}
		})
	}
	builder.AddLater(append(steps, func() {
		text := all.String()
		box.Objects = []fyne.CanvasObject{kit.NewLongText(safetext.Block(text, len(text)), kit.LongTextOptions{Env: env, Style: kit.Style{Size: kit.SizeBody, Mono: true}})}
		box.Refresh()
		env.Reveal.Relayout()
	})...)
	return box
}

// pageFrame puts a page together: what stays on top, what scrolls, and the bar
// with the page's buttons below. top and bar may be nil.
func pageFrame(top, scroll, bar fyne.CanvasObject) fyne.CanvasObject {
	head := kit.Pad(pageTop, pageSide, gap, pageSide, kit.Column(0, nonNil(top)...))
	var foot fyne.CanvasObject
	if bar != nil {
		foot = kit.Pad(gap, pageSide, pageTop, pageSide, bar)
	}
	return newPanes(head, scroll, foot)
}

// nonNil drops what is not there.
func nonNil(objects ...fyne.CanvasObject) []fyne.CanvasObject {
	out := objects[:0]
	for _, o := range objects {
		if o != nil {
			out = append(out, o)
		}
	}
	return out
}

// ago says how long t lies back, and how long that sentence stays true.
func ago(now, t time.Time) (m i18n.Message, next time.Duration) {
	d := now.Sub(t)
	switch {
	case d < 2*time.Second:
		return i18n.M("ui.ago.now"), 2*time.Second - max(d, 0)
	case d < time.Minute:
		return i18n.N("ui.ago.seconds", int(d/time.Second)), time.Second - d%time.Second
	case d < time.Hour:
		return i18n.N("ui.ago.minutes", int(d/time.Minute)), time.Minute - d%time.Minute
	case d < 24*time.Hour:
		return i18n.N("ui.ago.hours", int(d/time.Hour)), time.Hour - d%time.Hour
	}
	return i18n.N("ui.ago.days", int(d/(24*time.Hour))), time.Hour
}

// placeOf says in a few words where a server is, for the sidebar.
func placeOf(s *serverState) i18n.Message {
	switch {
	case s.demo:
		return i18n.M("ui.place.demo")
	case s.reached().Kind == mcpclient.Stdio:
		return i18n.M("ui.place.program")
	}
	id := s.identity()
	if _, host, found := strings.Cut(id.Origin, "://"); found {
		return i18n.M("ui.place.address", "Host", host)
	}
	return i18n.M("ui.place.address", "Host", id.Origin)
}

// block makes a stranger's text of several lines safe to show.
func block(s string, max int) safetext.Text { return safetext.Block(s, max) }
