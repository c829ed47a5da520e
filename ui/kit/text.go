package kit

import (
	"image/color"
	"math"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"parley/consent/safetext"
)

// Style is how a piece of text looks. The zero Style is ordinary text.
type Style struct {
	// Size names the size; "" is SizeBody.
	Size fyne.ThemeSizeName
	// Color names the colour; "" is the foreground.
	Color fyne.ThemeColorName
	// Bold and Mono choose the face.
	Bold, Mono bool
}

func (s Style) text() fyne.TextStyle { return fyne.TextStyle{Bold: s.Bold, Monospace: s.Mono} }

func (s Style) size(th fyne.Theme) float32 {
	if s.Size == "" {
		return th.Size(SizeBody)
	}
	return th.Size(s.Size)
}

func (s Style) color() fyne.ThemeColorName {
	if s.Color == "" {
		return theme.ColorNameForeground
	}
	return s.Color
}

// heavy is the style bold text of the fallback is drawn in, twice: that has no bold,
// and the bold face of fixed width has no CJK.
func (s Style) heavy() Style {
	s.Bold = false
	return s
}

func (s Style) ruler(th fyne.Theme) *ruler { return rulerFor(s.size(th), s.text()) }

// Run is a piece of text in one style. Make one with Own or Server.
type Run struct {
	text  string
	style Style
	// fill is the colour behind the run, "" for none; the URL view marks the
	// site with it.
	fill fyne.ThemeColorName
	// own tells words of the app, which go from left to right.
	own bool
}

// Own is a sentence of the app, already in the person's language. Server text
// inside it must have gone through safetext.
func Own(sentence string, style Style) Run {
	return Run{text: strings.ReplaceAll(sentence, "\t", " "), style: style, own: true}
}

// Server is text from a server.
func Server(t safetext.Text, style Style) Run { return Run{text: t.String(), style: style} }

// String is the text of r, safe to show.
func (r Run) String() string { return r.text }

// Text shows text that wraps to its width. Nothing in it is a link, and no
// markup is read. It is meant for up to some thousand characters; what may be
// longer belongs in [LongText].
type Text struct {
	widget.BaseWidget
	runs []Run
	// Align is the alignment of the lines.
	Align fyne.TextAlign
	// MaxLines cuts the text after so many lines, ending in "…"; 0 shows all.
	MaxLines int

	anywhere bool
	pad      float32 // room left and right of a filled run
	lead     float32 // room between lines
	whole    bool    // the text is one line that is known to fit

	// What follows is the text broken for width.
	width  float32
	theme  fyne.Theme
	glyphs []glyph
	chars  []rune
	breaks []brk
	levels []level // nil where all of it goes from left to right
	lines  []textLine
	height float32
	cut    bool // MaxLines left some of it out

	natural float32
}

// textLine is one line as it is drawn.
type textLine struct {
	pieces []textPiece
	y      float32
	height float32
	ascent float32
	width  float32
}

// textPiece is the part of a run that is on one line.
type textPiece struct {
	text   string
	run    int
	x      float32
	width  float32
	ascent float32
	height float32
	heavy  bool // drawn twice to look bold
}

// NewText returns a text made of runs.
func NewText(runs ...Run) *Text {
	t := &Text{runs: runs}
	t.ExtendBaseWidget(t)
	return t
}

// Label returns text from a server in one style.
func Label(t safetext.Text, style Style) *Text { return NewText(Server(t, style)) }

// Sentence returns a sentence of the app in one style.
func Sentence(s string, style Style) *Text { return NewText(Own(s, style)) }

// Heading returns the title of a page.
func Heading(s string) *Text { return Sentence(s, Style{Size: SizeHeading, Bold: true}) }

// SetRuns replaces the text.
func (t *Text) SetRuns(runs ...Run) {
	if !slices.Equal(t.runs, runs) {
		t.runs = runs
		t.forget()
	}
	t.Refresh()
}

// String returns the text without its styles.
func (t *Text) String() string {
	var b strings.Builder
	for _, r := range t.runs {
		b.WriteString(r.text)
	}
	return b.String()
}

// IsEmpty reports whether there is nothing to show.
func (t *Text) IsEmpty() bool {
	for _, r := range t.runs {
		if r.text != "" {
			return false
		}
	}
	return true
}

func (t *Text) forget() {
	t.theme, t.glyphs, t.levels, t.lines, t.width = nil, nil, nil, nil, -1
}

// measure prepares the characters for the current theme.
func (t *Text) measure() {
	th := t.Theme()
	if t.theme == th && t.glyphs != nil {
		return
	}
	t.forget()
	t.theme = th
	t.glyphs, t.chars = glyphsOf(th, t.runs)
	if !t.whole {
		t.breaks = breaksOf(t.chars, t.anywhere)
		t.keepFilled()
	}
	t.level()
	var widest, w float32
	for _, g := range t.glyphs {
		if g.r == '\n' {
			widest, w = max(widest, w), 0
			continue
		}
		w += g.width
	}
	// A pixel more, since adding up widths is not exact to the last bit.
	t.natural = max(widest, w) + 1 + 2*t.pad
}

// keepFilled takes the breaks out of the filled runs, so that a line ends before
// one rather than in it; one that is wider than a line is cut all the same.
func (t *Text) keepFilled() {
	for i := 1; i < len(t.glyphs); i++ {
		if run := t.glyphs[i].run; run == t.glyphs[i-1].run && t.runs[run].fill != "" && t.breaks[i] == brkMay {
			t.breaks[i] = brkNo
		}
	}
}

// NaturalWidth is the width at which no line has to be broken.
func (t *Text) NaturalWidth() float32 {
	t.measure()
	return t.natural
}

// HeightFor is the height the text needs at a width.
func (t *Text) HeightFor(width float32) float32 {
	t.layout(width)
	return t.height
}

// isCut reports whether MaxLines left out some of the text, which was last
// broken for a width.
func (t *Text) isCut() bool { return t.cut }

// layout breaks the text for a width, unless that is done already.
func (t *Text) layout(width float32) {
	t.measure()
	if t.lines != nil && t.width == width {
		return
	}
	t.width, t.height, t.cut = width, 0, false
	t.lines = t.lines[:0]
	if len(t.chars) == 0 {
		t.lines = []textLine{}
		return
	}
	spans := []span{{0, len(t.glyphs)}}
	if !t.whole {
		spans = flow(t.glyphs, t.breaks, max(width-2*t.pad, 1))
	}
	cut := t.MaxLines > 0 && len(spans) > t.MaxLines
	t.cut = cut
	if cut {
		spans = spans[:t.MaxLines]
	}
	for i, s := range spans {
		ellipsis := cut && i == len(spans)-1
		l := t.line(s, width, ellipsis)
		if i > 0 {
			t.height += t.lead
		}
		l.y = t.height
		t.height += l.height
		t.lines = append(t.lines, l)
	}
}

// line makes the pieces of one line and puts them on a common baseline.
func (t *Text) line(s span, width float32, ellipsis bool) textLine {
	end := s.end
	for end > s.start && (t.chars[end-1] == ' ' || t.chars[end-1] == '\n') {
		end--
	}
	tail := ""
	if ellipsis {
		tail = "…"
		// The line is filled to its end, also within a word.
		for end = s.start; end < len(t.chars) && t.chars[end] != '\n'; {
			end++
		}
		room := width
		if n := len(t.runs); n > 0 {
			room -= t.runs[n-1].style.ruler(t.theme).measure(tail)
		}
		var used float32
		for i := s.start; i < end; i++ {
			if used += t.glyphs[i].width; used > room {
				end = i
				break
			}
		}
	}
	var l textLine
	if slices.ContainsFunc(t.levelsIn(s.start, end), func(v level) bool { return v > 0 }) {
		t.lay(&l, s.start, end, tail)
	} else {
		t.across(&l, s.start, end, tail)
	}
	for _, p := range l.pieces {
		l.height = max(l.height, l.ascent-p.ascent+p.height)
	}
	return l
}

// across makes the pieces of a line that goes from left to right.
func (t *Text) across(l *textLine, start, end int, tail string) {
	for i := start; i < end || (i == start && i == end); {
		run := t.runAt(i)
		bold := t.runs[run].style.Bold
		heavy := bold && i < end && inFallback(t.chars[i])
		j := i
		for j < end && t.glyphs[j].run == run && (!bold || inFallback(t.chars[j]) == heavy) {
			j++
		}
		// A space goes with the text before it, in whose font it then is.
		for j < end && t.chars[j] == ' ' && t.runs[t.glyphs[j].run].fill == "" {
			j++
		}
		text := string(t.chars[i:j])
		if j >= end {
			text += tail
		}
		if i == start && t.runs[run].fill == "" {
			// Spaces at the start have no text before them whose font they would
			// be in, and Fyne draws them in one of another width.
			rest := strings.TrimLeft(text, " ")
			l.width = float32(len(text)-len(rest)) * t.rulerOf(run, heavy).width(' ')
			text = rest
		}
		t.put(l, text, run, heavy)
		if j == i {
			break
		}
		i = j
	}
}

// put puts a piece at the end of a line.
func (t *Text) put(l *textLine, text string, run int, heavy bool) {
	ruler := t.rulerOf(run, heavy)
	p := textPiece{text: text, run: run, x: l.width, ascent: ruler.ascent, height: ruler.height, heavy: heavy}
	if t.runs[run].fill != "" {
		p.x += t.pad
		l.width += 2 * t.pad
	}
	p.width = ruler.measure(text)
	l.width += p.width
	l.ascent = max(l.ascent, p.ascent)
	l.height = max(l.height, p.height)
	l.pieces = append(l.pieces, p)
}

// rulerOf is the ruler of what is drawn of a run.
func (t *Text) rulerOf(run int, heavy bool) *ruler {
	style := t.runs[run].style
	if heavy {
		style = style.heavy()
	}
	return style.ruler(t.theme)
}

// runAt is the run of the character at i, the last run at the end of the text.
func (t *Text) runAt(i int) int {
	if i < len(t.glyphs) {
		return t.glyphs[i].run
	}
	return t.glyphs[len(t.glyphs)-1].run
}

// MinSize is the height at the current width, and a width that always fits.
func (t *Text) MinSize() fyne.Size {
	t.ExtendBaseWidget(t)
	if t.IsEmpty() {
		return fyne.Size{}
	}
	natural := t.NaturalWidth()
	width := t.Size().Width
	if width <= 0 {
		width = natural
	}
	return fyne.NewSize(min(natural, minTextWidth), t.HeightFor(width))
}

// minTextWidth is the narrowest column text is asked to fit.
const minTextWidth = 48

// copyText is a Text that a right click offers to copy. It is a type of its
// own: Fyne gives a click to the topmost object that takes clicks of any kind,
// so a Text that took the right one would keep the left one from the button or
// row it is part of.
type copyText struct {
	Text
	word string // for "Copy"
}

func newCopyText(word string, runs ...Run) *copyText {
	c := &copyText{Text: Text{runs: runs}, word: word}
	c.ExtendBaseWidget(c)
	return c
}

// TappedSecondary is Fyne's: it offers to copy the text.
func (c *copyText) TappedSecondary(e *fyne.PointEvent) {
	at := fyne.CurrentApp().Driver().CanvasForObject(c)
	if at == nil {
		return
	}
	widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", fyne.NewMenuItem(c.word, func() {
		fyne.CurrentApp().Clipboard().SetContent(c.String())
	})), at, e.AbsolutePosition)
}

// CreateRenderer is Fyne's.
func (t *Text) CreateRenderer() fyne.WidgetRenderer {
	t.ExtendBaseWidget(t)
	r := &textRenderer{t: t}
	r.Layout(t.Size())
	return r
}

// textRenderer draws a Text: one canvas.Text a piece, from a pool.
type textRenderer struct {
	t       *Text
	texts   []*canvas.Text
	fills   []*canvas.Rectangle
	objects []fyne.CanvasObject
}

func (r *textRenderer) Layout(size fyne.Size) {
	t := r.t
	t.layout(size.Width)
	v := variant()
	r.objects = r.objects[:0]
	texts, fills := 0, 0
	var front []fyne.CanvasObject
	for _, l := range t.lines {
		x := float32(0)
		switch t.Align {
		case fyne.TextAlignCenter:
			x = (size.Width - l.width) / 2
		case fyne.TextAlignTrailing:
			x = size.Width - l.width
		}
		x = max(x, 0)
		for _, p := range l.pieces {
			run := t.runs[p.run]
			pos := fyne.NewPos(x+p.x, l.y+l.ascent-p.ascent)
			if run.fill != "" {
				if fills == len(r.fills) {
					r.fills = append(r.fills, canvas.NewRectangle(color.Transparent))
				}
				f := r.fills[fills]
				fills++
				f.FillColor, f.CornerRadius = t.theme.Color(run.fill, v), radiusMark
				f.Move(pos.SubtractXY(t.pad, 0))
				f.Resize(fyne.NewSize(p.width+2*t.pad, p.height))
				r.objects = append(r.objects, f)
			}
			front = append(front, r.draw(&texts, run, p, pos))
			if p.heavy {
				front = append(front, r.draw(&texts, run, p, pos.AddXY(t.heavyShift(run.style), 0)))
			}
		}
	}
	r.objects = append(r.objects, front...)
	for _, o := range r.objects {
		o.Refresh()
	}
}

// heavyShare is how far, as a part of the text size, the second copy of a bold
// text of the fallback lies beside the first. The fallback has no bold; a second
// one would make the app twice as large.
const heavyShare = 0.045

// heavyShift is that in Fyne's units: whole pixels, one at least, since texts are
// drawn at whole pixels and the copies would else fall on each other at times.
func (t *Text) heavyShift(style Style) float32 {
	scale := float32(1)
	if c := fyne.CurrentApp().Driver().CanvasForObject(t); c != nil {
		scale = c.Scale()
	}
	pixels := max(math.Round(float64(style.size(t.theme)*heavyShare*scale)), 1)
	return float32(pixels) / scale
}

// draw fills the next canvas.Text of the pool with a piece.
func (r *textRenderer) draw(next *int, run Run, p textPiece, pos fyne.Position) *canvas.Text {
	if *next == len(r.texts) {
		r.texts = append(r.texts, canvas.NewText("", color.Black))
	}
	c := r.texts[*next]
	*next++
	style := run.style
	if p.heavy {
		style = style.heavy()
	}
	c.Text, c.TextStyle, c.TextSize = p.text, style.text(), style.size(r.t.theme)
	c.Color = r.t.theme.Color(run.style.color(), variant())
	c.Move(pos)
	c.Resize(fyne.NewSize(p.width, p.height))
	return c
}

// isCJK reports whether a character is one of Chinese, Japanese or Korean.
func isCJK(r rune) bool {
	return r >= 0x2e80 && (r <= 0x9fff || r >= 0xac00 && r <= 0xd7a3 || r >= 0xf900 && r <= 0xfaff ||
		r >= 0xff00 && r <= 0xffef || r >= 0x20000 && r <= 0x3ffff)
}

// inFallback reports whether a character is drawn with the fallback: CJK,
// Hebrew, Arabic, Devanagari, Tamil, Thai.
func inFallback(r rune) bool {
	return isCJK(r) || r >= 0x0590 && (r <= 0x06ff || r >= 0x0900 && r <= 0x097f || r >= 0x0b80 && r <= 0x0bff || r >= 0x0e00 && r <= 0x0e7f)
}

// radiusMark is the corner radius behind a marked run.
const radiusMark = 4

func (r *textRenderer) MinSize() fyne.Size           { return r.t.MinSize() }
func (r *textRenderer) Objects() []fyne.CanvasObject { return r.objects }
func (r *textRenderer) Destroy()                     {}

func (r *textRenderer) Refresh() {
	if r.t.theme != r.t.Theme() {
		r.t.forget()
	}
	r.Layout(r.t.Size())
	canvas.Refresh(r.t)
}
