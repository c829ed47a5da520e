package kit

import (
	"slices"
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"parley/consent/safetext"
)

// Option is one choice of a Picker or Checklist. Labels may be equal or empty:
// options are told apart by their index.
type Option struct {
	// Label is what the option is called.
	Label safetext.Text
	// Detail is a second, quieter line; empty for none.
	Detail safetext.Text
}

// searchFrom is the number of options from which a list has a search field.
const searchFrom = 12

// listHeight is the greatest height of a list of options at text scale 1.
const listHeight = 320

// optionRow is an option in a list. It takes no clicks: see [Checklist.Tapped].
type optionRow struct {
	widget.BaseWidget
	text   *Text
	detail *Text
	mark   *tickBox // nil in a picker
	back   *Surface
}

// pickRow is an option in the list of a picker, which takes clicks.
type pickRow struct {
	optionRow
	index  int
	tapped func(i int)
	hover  func(i int)
}

// Room around the text of an option.
const (
	optionPadX = 12
	optionPadY = 7 // in a picker's list
	tickPadX   = 6
	tickPadY   = 2 // in a checklist, where the options stand close
	optionGap  = 10
)

func newOptionRow() *optionRow {
	r := &optionRow{mark: newTickBox()}
	r.start(r)
	return r
}

func newPickRow() *pickRow {
	r := &pickRow{}
	r.start(r)
	return r
}

func (r *optionRow) start(self fyne.Widget) {
	r.text, r.detail, r.back = NewText(), NewText(), NewSurface("", "", radiusField)
	r.ExtendBaseWidget(self)
}

func (r *optionRow) padY() float32 {
	if r.mark == nil {
		return optionPadY
	}
	return tickPadY
}

func (r *optionRow) inset() float32 {
	if r.mark == nil {
		return optionPadX
	}
	return tickPadX + r.mark.MinSize().Width + optionGap
}

// Tapped is Fyne's.
func (r *pickRow) Tapped(*fyne.PointEvent) { r.tapped(r.index) }

// MouseIn is Fyne's.
func (r *pickRow) MouseIn(*desktop.MouseEvent) { r.hover(r.index) }

// MouseMoved is Fyne's.
func (r *pickRow) MouseMoved(*desktop.MouseEvent) {}

// MouseOut is Fyne's.
func (r *pickRow) MouseOut() {}

// CreateRenderer is Fyne's.
func (r *optionRow) CreateRenderer() fyne.WidgetRenderer {
	objects := []fyne.CanvasObject{r.back, r.text, r.detail}
	if r.mark != nil {
		objects = append(objects, r.mark)
	}
	b := &boxRenderer{objects: objects}
	b.layout = func(size fyne.Size) {
		r.back.Resize(size)
		x := r.inset()
		w := max(size.Width-x-optionPadX, 1)
		h := r.text.HeightFor(w)
		r.text.Move(fyne.NewPos(x, r.padY()))
		r.text.Resize(fyne.NewSize(w, h))
		r.detail.Move(fyne.NewPos(x, r.padY()+h))
		r.detail.Resize(fyne.NewSize(w, r.detail.HeightFor(w)))
		if r.mark != nil {
			m := r.mark.MinSize()
			line := r.text.runsHeight()
			r.mark.Move(fyne.NewPos(tickPadX, r.padY()+(line-m.Height)/2+1))
			r.mark.Resize(m)
		}
	}
	b.min = func() fyne.Size { return fyne.NewSize(minTextWidth, 2*r.padY()) }
	b.refresh = func() {
		b.layout(r.Size())
		canvas.Refresh(r)
	}
	return b
}

// runsHeight is the height of one line of ordinary text.
func (t *Text) runsHeight() float32 { return Style{}.ruler(t.Theme()).height }

// blank reports whether t draws nothing.
func blank(t safetext.Text) bool { return strings.TrimSpace(t.String()) == "" }

// labelRun is the label of an option as it is shown: an empty label shows as
// words, so that there is something to pick.
func labelRun(env *Env, o Option) Run {
	if blank(o.Label) {
		return Own(blankWords(env, o.Label), Style{Color: ColorMuted})
	}
	return Server(o.Label, Style{})
}

// blankWords says of a text that draws nothing whether it is empty, or how many spaces
// it has.
func blankWords(env *Env, t safetext.Text) string {
	if n := utf8.RuneCountInString(t.String()); n > 0 {
		return env.t("kit.option_spaces", "N", n)
	}
	return env.t("kit.option_empty")
}

// heightOfOption is the height of an option's row at a width.
func heightOfOption(env *Env, th fyne.Theme, o Option, inset, padY, width float32) float32 {
	w := max(width-inset-optionPadX, 1)
	h := linesHeight(th, labelRun(env, o), w)
	if !o.Detail.IsZero() {
		h += linesHeight(th, Server(o.Detail, detailStyle), w)
	}
	return h + 2*padY
}

var detailStyle = Style{Size: SizeHint, Color: ColorMuted}

// linesHeight is the height of a run at a width. Text that fits on one line,
// the usual case, is not segmented.
func linesHeight(th fyne.Theme, run Run, width float32) float32 {
	ruler := run.style.ruler(th)
	if !strings.Contains(run.text, "\n") && ruler.fits(run.text, width) {
		return ruler.height
	}
	glyphs, text := glyphsOf(th, []Run{run})
	return float32(len(flow(glyphs, breaksOf(text, false), width))) * ruler.height
}

// fits reports whether s is no wider than width.
func (r *ruler) fits(s string, width float32) bool {
	rulers.Lock()
	defer rulers.Unlock()
	var w float32
	for _, c := range s {
		if w += r.width(c); w > width {
			return false
		}
	}
	return true
}

// optionList is options with what searching and laying them out takes again and
// again: it is kept for as long as they are.
type optionList struct {
	options []Option
	hay     []string  // what is searched in: label and detail in lower case
	all     []int     // the indices of all options
	words   []string  // of the last search
	found   []int     // by it
	heights []float32 // of the rows, at width with theme
	every   float32   // the height of all of them, 0 if they differ
	width   float32
	theme   fyne.Theme
}

// plain reports whether s is nothing but printable ASCII.
func plain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] >= 0x7f {
			return false
		}
	}
	return true
}

func newOptionList(options []Option) *optionList { return &optionList{options: options} }

// filter returns the indices of the options that a search finds: each of its
// words must be in the label or detail; case does not count. The slice belongs to
// the list.
func (l *optionList) filter(query string) []int {
	if l.all == nil {
		l.all = make([]int, len(l.options))
		for i := range l.all {
			l.all[i] = i
		}
	}
	words := strings.Fields(strings.ToLower(query))
	if len(words) == 0 {
		l.words, l.found = nil, nil
		return l.all
	}
	// Who goes on typing finds among what was found, by what was added.
	among, added := l.all, words
	switch {
	case l.words == nil || !narrows(l.words, words):
	case slices.Equal(l.words, words):
		return l.found
	default:
		before := l.words
		among = l.found
		added = slices.DeleteFunc(slices.Clone(words), func(w string) bool { return slices.Contains(before, w) })
	}
	l.words, l.found = words, make([]int, 0, len(among))
	hay := l.haystack()
	for _, i := range among {
		if containsAll(hay[i], added) {
			l.found = append(l.found, i)
		}
	}
	return l.found
}

// narrows reports whether all that has the words of now has those of before too.
func narrows(before, now []string) bool {
	for _, w := range before {
		if !slices.ContainsFunc(now, func(n string) bool { return strings.Contains(n, w) }) {
			return false
		}
	}
	return true
}

// haystack is what is searched in, made once: one text cut in pieces, since a
// text for each of five thousand options would be five thousand allocations.
func (l *optionList) haystack() []string {
	if l.hay != nil {
		return l.hay
	}
	size := 0
	for _, o := range l.options {
		size += len(o.Label.String()) + len(o.Detail.String()) + len("\n\n")
	}
	all := make([]byte, 0, size)
	ends := make([]int, len(l.options))
	for i, o := range l.options {
		all = append(all, o.Label.String()...)
		if !o.Detail.IsZero() {
			all = append(append(all, '\n'), o.Detail.String()...)
		}
		all = append(all, '\n')
		ends[i] = len(all)
	}
	// ASCII is as long in lower case as it is otherwise.
	ascii := true
	for i, c := range all {
		if 'A' <= c && c <= 'Z' {
			all[i] = c + 'a' - 'A'
		}
		ascii = ascii && c < utf8.RuneSelf
	}
	text := string(all)
	l.hay = make([]string, len(l.options))
	for i, from := 0, 0; i < len(ends); i++ {
		l.hay[i], from = text[from:ends[i]], ends[i]
		if !ascii {
			l.hay[i] = strings.ToLower(l.hay[i])
		}
	}
	return l.hay
}

func containsAll(s string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(s, w) {
			return false
		}
	}
	return true
}

// height is the height of the row of option i at a width, and of every row if they
// are all of one height.
func (l *optionList) height(env *Env, th fyne.Theme, i int, inset, padY, width float32) float32 {
	l.measure(env, th, inset, padY, width)
	return l.heights[i]
}

// equal is the height of all rows at a width, 0 if they differ.
func (l *optionList) equal(env *Env, th fyne.Theme, inset, padY, width float32) float32 {
	l.measure(env, th, inset, padY, width)
	return l.every
}

// measure computes the heights of all rows, once for a width.
func (l *optionList) measure(env *Env, th fyne.Theme, inset, padY, width float32) {
	if l.heights != nil && l.width == width && l.theme == th {
		return
	}
	l.width, l.theme = width, th
	l.heights = slices.Grow(l.heights[:0], len(l.options))[:len(l.options)]
	ruler := Style{}.ruler(th)
	short := int((width - inset - optionPadX) / ruler.widest()) // so many letters surely fit on a line
	line := ruler.height + 2*padY
	l.every = line
	for i, o := range l.options {
		h := line
		if label := o.Label.String(); !o.Detail.IsZero() || strings.TrimSpace(label) == "" || len(label) > short || !plain(label) {
			h = heightOfOption(env, th, o, inset, padY, width)
		}
		l.heights[i] = h
		if h != l.heights[0] {
			l.every = 0
		} else if l.every > 0 {
			l.every = h
		}
	}
}

// ambiguous reports whether the label alone does not tell option i from the
// others, and its detail does.
func (l *optionList) ambiguous(i int) bool {
	o := l.options[i]
	if o.Detail.IsZero() {
		return false
	}
	if blank(o.Label) {
		return true
	}
	label := strings.TrimSpace(o.Label.String())
	same := func(other Option) bool { return strings.TrimSpace(other.Label.String()) == label }
	return slices.ContainsFunc(l.options[:i], same) || slices.ContainsFunc(l.options[i+1:], same)
}

// hasPrefixFold reports whether s begins with prefix, whatever the case.
func hasPrefixFold(s, prefix string) bool {
	return strings.HasPrefix(strings.ToLower(s), strings.ToLower(prefix))
}
