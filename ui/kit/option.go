package kit

import (
	"slices"
	"strings"

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

// optionRow is an option in a list.
type optionRow struct {
	widget.BaseWidget
	text   *Text
	detail *Text
	mark   *tickBox // nil in a picker
	back   *Surface
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

func newOptionRow(marked bool) *optionRow {
	r := &optionRow{text: NewText(), detail: NewText(), back: NewSurface("", "", radiusField)}
	if marked {
		r.mark = newTickBox()
	}
	r.ExtendBaseWidget(r)
	return r
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
func (r *optionRow) Tapped(*fyne.PointEvent) { r.tapped(r.index) }

// MouseIn is Fyne's.
func (r *optionRow) MouseIn(*desktop.MouseEvent) {
	if r.hover != nil {
		r.hover(r.index)
	}
}

// MouseMoved is Fyne's.
func (r *optionRow) MouseMoved(*desktop.MouseEvent) {}

// MouseOut is Fyne's.
func (r *optionRow) MouseOut() {}

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
		return Own(env.t("kit.option_empty"), Style{Color: ColorMuted})
	}
	return Server(o.Label, Style{})
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
	heights []float32 // of the rows, at width with theme; 0 is not known yet
	width   float32
	theme   fyne.Theme
	ruler   *ruler
	short   int // how many letters surely fit on a line
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
	// Who goes on typing finds among what was found.
	among := l.all
	switch {
	case l.words == nil || !narrows(l.words, words):
	case slices.Equal(l.words, words):
		return l.found
	default:
		among = l.found
	}
	l.words, l.found = words, make([]int, 0, len(among))
	hay := l.haystack()
	for _, i := range among {
		if containsAll(hay[i], words) {
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
	var b strings.Builder
	ends := make([]int, len(l.options))
	for i, o := range l.options {
		b.WriteString(o.Label.String())
		if !o.Detail.IsZero() {
			b.WriteByte('\n')
			b.WriteString(o.Detail.String())
		}
		b.WriteByte('\n')
		ends[i] = b.Len()
	}
	text := b.String()
	ascii := strings.IndexFunc(text, func(r rune) bool { return r >= 0x80 }) < 0
	if ascii { // whose letters are as long in lower case
		text = strings.ToLower(text)
	}
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

// height is the height of the row of option i at a width.
func (l *optionList) height(env *Env, th fyne.Theme, i int, inset, padY, width float32) float32 {
	if l.heights == nil || l.width != width || l.theme != th {
		l.heights, l.width, l.theme = make([]float32, len(l.options)), width, th
		l.ruler = Style{}.ruler(th)
		l.short = int((width - inset - optionPadX) / l.ruler.widest())
	}
	if l.heights[i] == 0 {
		o := l.options[i]
		if label := o.Label.String(); o.Detail.IsZero() && 0 < len(label) && len(label) <= l.short && plain(label) {
			l.heights[i] = l.ruler.height + 2*padY
		} else {
			l.heights[i] = heightOfOption(env, th, o, inset, padY, width)
		}
	}
	return l.heights[i]
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
	return slices.ContainsFunc(l.options[:i], func(other Option) bool { return other.Label == o.Label }) ||
		slices.ContainsFunc(l.options[i+1:], func(other Option) bool { return other.Label == o.Label })
}

// hasPrefixFold reports whether s begins with prefix, whatever the case.
func hasPrefixFold(s, prefix string) bool {
	return strings.HasPrefix(strings.ToLower(s), strings.ToLower(prefix))
}
