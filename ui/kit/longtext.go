package kit

import (
	"strings"
	"time"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"parley/consent/safetext"
)

// Limits up to which Message shows a text in full.
const (
	messageChars = 2000
	messageLines = 40
)

// Message shows a server's message: in full if it is of a usual length, with
// "Copy" on a right click, else in a box that scrolls. onCopy, which may be nil,
// adds "Copy all" to the box.
func Message(env *Env, t safetext.Text, style Style, onCopy func(*Button)) fyne.CanvasObject {
	s := t.String()
	lines := 1
	for _, r := range s {
		if r == '\n' {
			lines++
		}
	}
	if len(s) <= messageChars && lines <= messageLines {
		return newCopyText(env.t("kit.copy"), Server(t, style))
	}
	return NewLongText(t, LongTextOptions{Env: env, Style: style, OnCopy: onCopy})
}

// LongTextOptions describe a LongText.
type LongTextOptions struct {
	Env   *Env
	Style Style
	// Lines is how many lines are in view at most; 0 means 14.
	Lines int
	// Anywhere breaks lines between any two characters, for raw data.
	Anywhere bool
	// OnCopy, if set, adds a button that copies all: it is called with that
	// button, which can say that it has.
	OnCopy func(*Button)
	// Tail shows the end of the text, and stays there as SetText makes it
	// longer, unless the person has scrolled up from it.
	Tail bool
	// OnTail, if set, is called when the person has scrolled back to the end of
	// a text with Tail.
	OnTail func()
}

// LongText shows text of any length in a box that scrolls and draws only the
// lines in view. With the focus, the arrows, Page Up and Down, Home and End
// scroll it.
type LongText struct {
	focusBase
	o     LongTextOptions
	runs  []Run
	rows  *rows
	back  *Surface
	copy  *Button
	chars []rune
	lines []span
	width float32
	theme fyne.Theme
	// rest is what is not broken into lines yet; run counts the breakings, so that a
	// piece of one that was given up does nothing.
	rest string
	run  int
	// tailing tells that the end is kept in view.
	tailing bool
}

// NewLongText returns a box with a text.
func NewLongText(t safetext.Text, o LongTextOptions) *LongText {
	if o.Lines <= 0 {
		o.Lines = 14
	}
	l := &LongText{o: o, runs: []Run{Server(t, o.Style)}, rows: newRows(o.Env, true), back: NewSurface(ColorCard, ColorLine, radiusField)}
	l.rows.equal = func(float32) float32 { return o.Style.ruler(l.Theme()).height }
	l.rows.make = func() fyne.CanvasObject {
		t := NewText()
		t.MaxLines, t.whole = 1, true
		return t
	}
	l.rows.update = func(i int, obj fyne.CanvasObject) {
		s := l.lines[i]
		end := s.end
		if end > s.start && l.chars[end-1] == '\n' {
			end--
		}
		obj.(*Text).SetRuns(Run{text: string(l.chars[s.start:end]), style: o.Style})
	}
	l.tailing = o.Tail
	l.rows.scroll.OnScrolled = func(fyne.Position) { l.scrolled() }
	if o.OnCopy != nil {
		l.copy = NewButton(ButtonOptions{Env: o.Env, Text: o.Env.t("kit.copy_all"), Icon: IconCopy, Importance: Quiet, EnterTaps: true,
			OnTapped: func() { o.OnCopy(l.copy) }})
	}
	l.init(o.Env, l, radiusField)
	return l
}

// SetText changes the text. What is in view stays there, as far as the new text
// goes.
func (l *LongText) SetText(t safetext.Text) {
	l.runs = []Run{Server(t, l.o.Style)}
	l.lines = nil
	l.Refresh()
}

// most is how far the text can be scrolled.
func (l *LongText) most() float32 {
	return max(l.rows.Size().Height-l.rows.scroll.Size().Height, 0)
}

// scrolled draws what has come into view and finds out whether that is the end.
func (l *LongText) scrolled() {
	was := l.tailing
	l.tailing = l.o.Tail && l.rows.scroll.Offset.Y >= l.most()-1
	l.rows.place()
	if l.tailing && !was && l.o.OnTail != nil {
		l.o.OnTail()
	}
}

// Tailing reports whether the end of a text with Tail is kept in view: the
// person has not scrolled up from it.
func (l *LongText) Tailing() bool { return l.tailing }

// Breaking a long text takes longer than a frame: ten thousand lines 40 ms, a line of
// 180,000 characters 80 ms. At once only some times as many lines are broken as are in
// view, which tells how high the box is; the rest comes in pieces of breakSlice, and the
// scroll bar becomes shorter with them.
const (
	breakSlice  = 6 * time.Millisecond
	breakAtOnce = 4
)

// maxPiece is how much of one line is broken at a time, in bytes.
const maxPiece = 4 << 10

// sureChars is how many characters have to follow a place for it to be sure that a
// line may end there (UAX #14 looks ahead over spaces and what combines).
const sureChars = 64

// breakFor breaks the text for a width.
func (l *LongText) breakFor(width float32) {
	if th := l.Theme(); l.lines == nil || l.width != width || l.theme != th {
		l.width, l.theme = width, th
		l.run++
		l.chars, l.lines, l.rest = l.chars[:0], l.lines[:0], ""
		for _, run := range l.runs {
			l.rest += run.text
		}
		l.breakOn()
		clear(l.rows.visible)
	}
}

// breakOn breaks what is needed at once: all there is where nothing takes a piece to
// the event thread, and where the end is what is looked at.
func (l *LongText) breakOn() {
	inPieces := l.o.Env != nil && l.o.Env.Do != nil && !l.o.Tail
	for l.rest != "" && !(inPieces && len(l.lines) > breakAtOnce*l.o.Lines) {
		l.breakLine()
	}
	if l.broken(); l.rest != "" {
		l.breakLater()
	}
}

// breakLater breaks the rest in pieces.
func (l *LongText) breakLater() {
	run := l.run
	l.o.Env.Do.Do(func() {
		if l.run != run || l.rest == "" {
			return
		}
		for begin := time.Now(); l.rest != "" && time.Since(begin) < breakSlice; {
			l.breakLine()
		}
		l.broken()
		l.rows.Resize(fyne.NewSize(l.rows.Size().Width, l.rows.HeightFor(l.rows.Size().Width)))
		l.rows.scroll.Refresh()
		if l.rest != "" {
			l.breakLater()
		}
	})
}

// breakLine breaks the next line of the text as it was written, or a piece of it. One
// that fits, as most do in a large result, is measured only; finding the places where
// a line may break takes ten times as long.
func (l *LongText) breakLine() {
	paragraph := l.rest
	if end := strings.IndexByte(l.rest, '\n'); end >= 0 {
		paragraph = l.rest[:end+1]
	}
	if plain := strings.TrimSuffix(paragraph, "\n"); len(paragraph) <= maxPiece && l.o.Style.ruler(l.theme).fits(plain, max(l.width, 1)) {
		start := len(l.chars)
		l.chars = append(l.chars, []rune(paragraph)...)
		l.lines = append(l.lines, span{start: start, end: len(l.chars)})
		l.rest = l.rest[len(paragraph):]
		return
	}
	for size := maxPiece; !l.breakPiece(paragraph, size); size *= 2 {
	}
}

// breakPiece breaks the first bytes of a line. The last line that comes of them may
// go on in what follows, so it is left to the next piece; ok is false if there would be
// none then.
func (l *LongText) breakPiece(paragraph string, size int) (ok bool) {
	whole := len(paragraph) <= size
	piece := strings.TrimSuffix(paragraph, "\n")
	if !whole {
		for !utf8.RuneStart(paragraph[size]) {
			size--
		}
		piece = paragraph[:size]
	}
	start := len(l.chars)
	glyphs, text := glyphsOf(l.theme, []Run{{text: piece, style: l.o.Style}})
	spans := flow(glyphs, breaksOf(text, l.o.Anywhere), max(l.width, 1))
	if !whole {
		for n := len(spans); n > 0 && spans[n-1].start > len(text)-sureChars; n-- {
			spans = spans[:n-1]
		}
		if len(spans) < 2 {
			return false
		}
		spans = spans[:len(spans)-1]
		text = text[:spans[len(spans)-1].end]
		paragraph = piece[:len(string(text))]
	}
	l.chars = append(l.chars, text...)
	for _, s := range spans {
		l.lines = append(l.lines, span{start: start + s.start, end: start + s.end})
	}
	if whole && strings.HasSuffix(paragraph, "\n") {
		l.chars = append(l.chars, '\n')
		l.lines[len(l.lines)-1].end++
	}
	l.rest = l.rest[len(paragraph):]
	return true
}

// broken takes in the lines there are. Behind the last line end is one without text.
func (l *LongText) broken() {
	if n := len(l.chars); l.rest == "" && (n == 0 || l.chars[n-1] == '\n') {
		l.lines = append(l.lines, span{n, n})
	}
	l.rows.count, l.rows.known = len(l.lines), false
}

// finish breaks all that is left.
func (l *LongText) finish() {
	if l.rest == "" {
		return
	}
	for l.rest != "" {
		l.breakLine()
	}
	l.broken()
	l.rows.Resize(fyne.NewSize(l.rows.Size().Width, l.rows.HeightFor(l.rows.Size().Width)))
}

// longPad is the room around the lines.
const longPad = 10

// longBar is the room beside the lines for the scroll bar.
const longBar = 8

// HeightFor is the height at a width.
func (l *LongText) HeightFor(width float32) float32 {
	l.breakFor(max(width-2*longPad-longBar, 1))
	h := float32(min(len(l.lines), l.o.Lines))*l.o.Style.ruler(l.Theme()).height + 2*longPad
	if l.copy != nil {
		h += l.copy.MinSize().Height + 2
	}
	return h
}

// wholeHeight is the height at which the box would not have to scroll, as far as that is
// known; HeightFor comes before it.
func (l *LongText) wholeHeight() float32 {
	h := float32(len(l.lines))*l.o.Style.ruler(l.Theme()).height + 2*longPad
	if l.copy != nil {
		h += l.copy.MinSize().Height + 2
	}
	return h
}

// Tapped is Fyne's.
func (l *LongText) Tapped(*fyne.PointEvent) { l.grabFocus() }

// TypedKey is Fyne's.
func (l *LongText) TypedKey(k *fyne.KeyEvent) {
	line := l.o.Style.ruler(l.Theme()).height
	page := line * float32(max(l.o.Lines-1, 1))
	y := l.rows.scroll.Offset.Y
	switch k.Name {
	case fyne.KeyDown:
		y += line
	case fyne.KeyUp:
		y -= line
	case fyne.KeyPageDown, fyne.KeySpace:
		y += page
	case fyne.KeyPageUp:
		y -= page
	case fyne.KeyHome:
		y = 0
	case fyne.KeyEnd:
		l.finish()
		y = l.rows.Size().Height
	case fyne.KeyEscape:
		l.env.escape()
		return
	default:
		return
	}
	l.rows.scroll.ScrollToOffset(fyne.NewPos(0, max(min(y, l.most()), 0)))
	l.scrolled()
}

// CreateRenderer is Fyne's.
func (l *LongText) CreateRenderer() fyne.WidgetRenderer {
	r := &boxRenderer{objects: []fyne.CanvasObject{l.back, l.rows.scroll, l.rows.wheel}}
	if l.copy != nil {
		r.objects = append(r.objects, l.copy)
	}
	r.objects = append(r.objects, l.ring.objects()...)
	r.layout = func(size fyne.Size) {
		w := max(size.Width-2*longPad-longBar, 1)
		l.breakFor(w)
		box := size
		if l.copy != nil {
			m := l.copy.MinSize()
			box.Height = max(box.Height-m.Height-2, 0)
			l.copy.Resize(m)
			l.copy.Move(fyne.NewPos(0, box.Height+2))
		}
		l.back.Resize(box)
		l.ring.around(fyne.Position{}, box)
		l.rows.Resize(fyne.NewSize(w+longBar, l.rows.HeightFor(w+longBar)))
		tailing := l.tailing // which Resize would take for the person's scrolling
		l.rows.box(fyne.NewPos(longPad, longPad), fyne.NewSize(w+longBar, max(box.Height-2*longPad, 0)))
		if l.tailing = tailing; tailing {
			l.rows.scroll.Offset.Y = l.most()
		}
		l.rows.place()
	}
	r.min = func() fyne.Size {
		width := l.Size().Width
		if width <= 0 { // nobody knows yet: breaking a long text for nothing takes long
			return fyne.NewSize(160, 2*longPad+l.o.Style.ruler(l.Theme()).height)
		}
		return fyne.NewSize(160, l.HeightFor(width))
	}
	r.refresh = func() {
		l.ring.paint(l.Theme())
		l.back.Refresh()
		r.layout(l.Size())
		l.rows.scroll.Refresh()
		canvas.Refresh(l)
	}
	l.ring.paint(l.Theme())
	return r
}
