package kit

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
)

// pickList is the open list of a picker: a search field, if there are many
// options, and the rows. The keyboard stays in the search field, or in the
// list itself if it has none.
type pickList struct {
	focusBase
	options   []Option
	clearable bool
	list      *optionList
	current   int   // the option picked, -1 for none
	shown     []int // indices of the options the search found; -1 is "Not answered"
	at        int   // position in shown of the highlight
	search    *LongEntry
	none      *Text
	rows      *rows
	popup     *popup

	onPick   func(i int)
	onEscape func()
}

func newPickList(env *Env, list *optionList, current int, clearable bool) *pickList {
	options := list.options
	l := &pickList{options: options, list: list, current: current, clearable: clearable, rows: newRows(nil, true)}
	l.none = Sentence(env.t("kit.nothing_found"), Style{Color: ColorMuted})
	l.init(env, l, radiusField)
	l.rows.height = func(i int, width float32) float32 {
		if l.shown[i] < 0 {
			return linesHeight(l.Theme(), Own(env.t("kit.not_answered"), Style{}), width-2*optionPadX) + 2*optionPadY
		}
		return l.list.height(env, l.rows.theme, l.shown[i], optionPadX, optionPadY, width)
	}
	l.rows.equal = func(width float32) float32 {
		every := l.list.equal(env, l.rows.theme, optionPadX, optionPadY, width)
		if len(l.shown) > 0 && l.shown[0] < 0 && l.rows.height(0, width) != every {
			return 0
		}
		return every
	}
	l.rows.make = func() fyne.CanvasObject {
		r := newPickRow()
		r.tapped = func(i int) { l.onPick(l.shown[i]) }
		r.hover = func(i int) { l.highlight(i) }
		return r
	}
	l.rows.update = func(i int, o fyne.CanvasObject) {
		r := o.(*pickRow)
		r.index = i
		run, detail := Own(env.t("kit.not_answered"), Style{Color: ColorMuted}), Run{}
		if o, ok := l.option(i); ok {
			run, detail = labelRun(env, o), Server(o.Detail, detailStyle)
		}
		run.style.Bold = l.shown[i] == l.current
		r.text.SetRuns(run)
		r.detail.SetRuns(detail)
		r.back.Fill = ""
		if i == l.at {
			r.back.Fill = ColorHighlight
		}
		r.back.Refresh()
		r.Refresh()
	}
	if len(options) >= searchFrom {
		// The search field has its own Env: what the page does with a key is
		// not for the list.
		l.search = NewLongEntry(TextEntryOptions{
			Env:         &Env{Loc: envLoc(env), beside: l.rows.scroll},
			Placeholder: env.t("kit.search"),
			OnChanged:   l.find,
			OnKey:       l.key,
		})
	}
	l.find("")
	return l
}

// option is the option in row i of the list; false for "Not answered".
func (l *pickList) option(i int) (Option, bool) {
	if l.shown[i] < 0 {
		return Option{}, false
	}
	return l.options[l.shown[i]], true
}

// find shows the options a search finds and highlights the current one, or
// the first. Nothing but spaces searches for nothing.
func (l *pickList) find(query string) {
	query = strings.TrimSpace(query)
	shown := l.list.filter(query)
	if l.clearable && query == "" {
		shown = slices.Concat([]int{-1}, shown)
	}
	if len(shown) > 0 && slices.Equal(shown, l.shown) {
		return // a space more, for example
	}
	l.shown, l.at = shown, 0
	if query == "" {
		l.at = max(slices.Index(shown, l.current), 0)
	}
	l.none.Hidden = len(l.shown) > 0
	l.rows.reset(len(l.shown))
	l.rows.intoView(l.at)
}

// opened is called when the list is on the screen.
func (l *pickList) opened(query string) {
	if query != "" {
		if l.search != nil {
			l.search.around(query, "")
			l.find(query)
			return
		}
		l.jump(query)
	}
	l.rows.intoView(l.at)
}

// jump goes to the next option that begins with prefix, round the end.
func (l *pickList) jump(prefix string) {
	for n := 1; n <= len(l.shown); n++ {
		i := (l.at + n) % len(l.shown)
		if o, ok := l.option(i); ok && hasPrefixFold(o.Label.String(), prefix) {
			l.highlight(i)
			l.rows.intoView(i)
			return
		}
	}
}

func (l *pickList) highlight(i int) {
	if i < 0 || i >= len(l.shown) || i == l.at {
		return
	}
	old := l.at
	l.at = i
	l.rows.refreshRow(old)
	l.rows.refreshRow(i)
}

// key handles the keys that are for the list and reports whether k was one.
func (l *pickList) key(k *fyne.KeyEvent) bool {
	last := len(l.shown) - 1
	to := l.at
	switch k.Name {
	case fyne.KeyDown:
		to++
	case fyne.KeyUp:
		to--
	case fyne.KeyPageDown:
		to += pageRows
	case fyne.KeyPageUp:
		to -= pageRows
	case fyne.KeyReturn, fyne.KeyEnter:
		if last >= 0 {
			l.onPick(l.shown[l.at])
		}
		return true
	case fyne.KeyEscape, fyne.KeyTab:
		l.onEscape()
		return true
	default:
		return false
	}
	to = max(min(to, last), 0)
	l.highlight(to)
	l.rows.intoView(to)
	return true
}

// TypedKey is Fyne's, for a list without a search field.
func (l *pickList) TypedKey(k *fyne.KeyEvent) {
	switch k.Name {
	case fyne.KeyHome:
		l.highlight(0)
		l.rows.intoView(l.at)
	case fyne.KeyEnd:
		l.highlight(len(l.shown) - 1)
		l.rows.intoView(l.at)
	case fyne.KeySpace:
		l.key(&fyne.KeyEvent{Name: fyne.KeyReturn})
	default:
		l.key(k)
	}
}

// TypedRune is Fyne's: a letter goes to the next option that begins with it.
func (l *pickList) TypedRune(r rune) {
	if r != ' ' {
		l.jump(string(r))
	}
}

// AcceptsTab keeps Tab in the list, which it closes.
func (l *pickList) AcceptsTab() bool { return l.search == nil }

// FocusGained is Fyne's; the list marks its place by the highlight.
func (l *pickList) FocusGained() {}

// FocusLost is Fyne's.
func (l *pickList) FocusLost() {}

// focus is what gets the keyboard when the list opens.
func (l *pickList) focus() fyne.Focusable {
	if l.search != nil {
		return l.search.FocusTarget()
	}
	return l
}

// box is what the popup shows.
func (l *pickList) box() fyne.CanvasObject {
	if l.search == nil {
		return l
	}
	return Column(6, l.search, l)
}

// HeightFor is the height of the list at a width.
func (l *pickList) HeightFor(width float32) float32 {
	limit := listHeight * scaleOf(l.Theme())
	// A list with a search field keeps its height while it is searched.
	if l.search != nil {
		return limit
	}
	return min(l.rows.HeightFor(width), limit)
}

// CreateRenderer is Fyne's.
func (l *pickList) CreateRenderer() fyne.WidgetRenderer {
	r := &boxRenderer{objects: []fyne.CanvasObject{l.rows.scroll, l.none}}
	r.layout = func(size fyne.Size) {
		l.rows.Resize(fyne.NewSize(size.Width, l.rows.HeightFor(size.Width)))
		l.rows.scroll.Resize(size)
		l.none.Move(fyne.NewPos(optionPadX, optionPadY))
		w := max(size.Width-2*optionPadX, 1)
		l.none.Resize(fyne.NewSize(w, l.none.HeightFor(w)))
	}
	r.min = func() fyne.Size { return fyne.NewSize(120, 2*fieldHeight) }
	r.refresh = func() {
		r.layout(l.Size())
		l.rows.scroll.Refresh()
		canvas.Refresh(l)
	}
	return r
}
