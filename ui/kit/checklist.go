package kit

import (
	"slices"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
)

// ChecklistOptions describe a checklist.
type ChecklistOptions struct {
	Env     *Env
	Options []Option
	// Ticked are the indices of the options that are ticked.
	Ticked []int
	// OnChanged is called with the ticked indices, in the order of the
	// options, after each change by the person.
	OnChanged func(ticked []int)
}

// Checklist is a box of options of which any number can be ticked; one of twelve
// and more scrolls in its box and can be searched. It is one stop for Tab: the arrows go from option to option, Space ticks, Delete takes
// all ticks away.
type Checklist struct {
	focusBase
	o      ChecklistOptions
	list   *optionList
	ticked map[int]bool
	shown  []int
	at     int
	back   *Surface
	rows   *rows
	search *LongEntry // nil in a short list
	none   *Text
}

// NewChecklist returns a checklist. Ticked indices outside the options count
// for nothing.
func NewChecklist(o ChecklistOptions) *Checklist {
	long := len(o.Options) >= searchFrom
	c := &Checklist{o: o, list: newOptionList(o.Options), ticked: map[int]bool{}, rows: newRows(o.Env, long), back: NewSurface(ColorCard, ColorFieldLine, radiusField)}
	c.none = Sentence(o.Env.t("kit.nothing_found"), Style{Color: ColorMuted})
	for _, i := range o.Ticked {
		if i >= 0 && i < len(o.Options) {
			c.ticked[i] = true
		}
	}
	c.init(o.Env, c, radiusField)
	c.rows.height = func(i int, width float32) float32 {
		return c.list.height(o.Env, c.rows.theme, c.shown[i], c.inset(), tickPadY, width)
	}
	c.rows.equal = func(width float32) float32 {
		return c.list.equal(o.Env, c.rows.theme, c.inset(), tickPadY, width)
	}
	c.rows.make = func() fyne.CanvasObject { return newOptionRow() }
	c.rows.update = c.updateRow
	if long {
		c.search = NewLongEntry(TextEntryOptions{
			Env:         o.Env,
			Placeholder: o.Env.t("kit.search"),
			OnChanged:   c.find,
			OnKey:       c.searchKey,
		})
	}
	c.find("")
	return c
}

// inset is where the text of an option begins.
func (c *Checklist) inset() float32 { return tickPadX + 16*scaleOf(c.Theme()) + optionGap }

func (c *Checklist) updateRow(i int, o fyne.CanvasObject) {
	r := o.(*optionRow)
	option := c.o.Options[c.shown[i]]
	run := labelRun(c.env, option)
	if c.Disabled() {
		run.style.Color = disabledColor
	}
	r.text.SetRuns(run)
	r.detail.SetRuns(Server(option.Detail, detailStyle))
	r.mark.set(c.ticked[c.shown[i]], c.Disabled())
	r.back.Fill = ""
	if i == c.at && c.active() {
		r.back.Fill = ColorHighlight
	}
	r.back.Refresh()
	r.Refresh()
}

// active reports whether the keyboard is at the list.
func (c *Checklist) active() bool {
	return c.ring.focused || c.search != nil && c.search.entry.ring.focused
}

// find shows the options a search finds.
func (c *Checklist) find(query string) {
	c.shown = c.list.filter(query)
	c.at = 0
	c.none.Hidden = len(c.shown) > 0
	c.rows.reset(len(c.shown))
}

// Ticked returns the ticked indices in the order of the options.
func (c *Checklist) Ticked() []int {
	out := make([]int, 0, len(c.ticked))
	for i, on := range c.ticked {
		if on {
			out = append(out, i)
		}
	}
	slices.Sort(out)
	return out
}

// SetTicked ticks exactly these options without telling OnChanged.
func (c *Checklist) SetTicked(ticked []int) {
	clear(c.ticked)
	for _, i := range ticked {
		if i >= 0 && i < len(c.o.Options) {
			c.ticked[i] = true
		}
	}
	c.Refresh()
}

// toggle ticks or unticks the highlighted option.
func (c *Checklist) toggle() {
	if c.Disabled() || c.at >= len(c.shown) {
		return
	}
	i := c.shown[c.at]
	c.ticked[i] = !c.ticked[i]
	c.rows.refreshRow(c.at)
	if c.o.OnChanged != nil {
		c.o.OnChanged(c.Ticked())
	}
}

// SelectNone takes all ticks away, as Delete and Backspace do.
func (c *Checklist) SelectNone() {
	if c.Disabled() || len(c.Ticked()) == 0 {
		return
	}
	c.SetTicked(nil)
	if c.o.OnChanged != nil {
		c.o.OnChanged(nil)
	}
}

func (c *Checklist) parts() []Control {
	if c.search == nil {
		return nil
	}
	return []Control{c.search}
}

func (c *Checklist) highlight(i int) {
	old := c.at
	c.at = i
	c.rows.refreshRow(old)
	c.rows.refreshRow(i)
}

// move handles the keys that go through the list and reports whether k was one.
func (c *Checklist) move(k *fyne.KeyEvent) bool {
	to, last := c.at, len(c.shown)-1
	switch k.Name {
	case fyne.KeyDown:
		to++
	case fyne.KeyUp:
		to--
	case fyne.KeyPageDown:
		to += pageRows
	case fyne.KeyPageUp:
		to -= pageRows
	default:
		return false
	}
	c.goTo(max(min(to, last), 0))
	return true
}

// goTo moves the highlight to row i and into view.
func (c *Checklist) goTo(i int) {
	c.highlight(i)
	c.rows.intoView(i)
	if c.rows.scroll == nil && c.env != nil && c.env.Reveal != nil {
		if o := c.rows.visible[i]; o != nil {
			c.env.Reveal.IntoView(o)
		}
	}
}

// searchKey is the part of the keyboard the search field leaves to the list.
func (c *Checklist) searchKey(k *fyne.KeyEvent) bool {
	switch k.Name {
	case fyne.KeyReturn, fyne.KeyEnter:
		c.toggle()
		return true
	case fyne.KeyEscape:
		if c.search.Text() != "" {
			c.search.SetText("")
			return true
		}
		return false
	}
	return c.move(k)
}

// Tapped is Fyne's. The box takes the clicks of its rows: it is never found where
// the page does not show it, and the rows would be, since they lie in a scroller of
// their own (see [Shielded]).
func (c *Checklist) Tapped(ev *fyne.PointEvent) {
	c.grabFocus()
	if i, ok := c.rows.rowAt(ev.Position); ok {
		c.highlight(i)
		c.toggle()
	}
}

// TypedRune is Fyne's: a letter searches a long list for it.
func (c *Checklist) TypedRune(r rune) {
	at := fyne.CurrentApp().Driver().CanvasForObject(c)
	if c.search == nil || at == nil || unicode.IsSpace(r) {
		return
	}
	at.Focus(c.search.entry)
	c.search.entry.TypedRune(r)
}

// TypedKey is Fyne's.
func (c *Checklist) TypedKey(k *fyne.KeyEvent) {
	switch k.Name {
	case fyne.KeySpace, fyne.KeyReturn, fyne.KeyEnter:
		c.toggle()
	case fyne.KeyHome:
		c.goTo(0)
	case fyne.KeyEnd:
		c.goTo(max(len(c.shown)-1, 0))
	case fyne.KeyDelete, fyne.KeyBackspace:
		c.SelectNone()
	default:
		if !c.move(k) {
			c.env.pass(k)
		}
	}
}

// HeightFor is the height at a width.
func (c *Checklist) HeightFor(width float32) float32 {
	inner := max(width-2*checklistPad, 1)
	if c.search == nil {
		return c.rows.HeightFor(inner) + 2*checklistPad
	}
	return c.search.HeightFor(inner) + checklistPad + listHeight*scaleOf(c.Theme())*.7 + 2*checklistPad
}

// checklistPad is the room between the box and its rows.
const checklistPad = 6

// CreateRenderer is Fyne's.
func (c *Checklist) CreateRenderer() fyne.WidgetRenderer {
	r := &boxRenderer{objects: []fyne.CanvasObject{c.back}}
	if c.search != nil {
		r.objects = append(r.objects, c.search, c.rows.scroll, c.rows.wheel, c.none)
	} else {
		r.objects = append(r.objects, c.rows)
	}
	r.objects = append(r.objects, c.ring.objects()...)
	r.layout = func(size fyne.Size) {
		c.back.Resize(size)
		c.ring.around(fyne.Position{}, size)
		inner := max(size.Width-2*checklistPad, 1)
		y := float32(checklistPad)
		if c.search == nil {
			c.rows.Move(fyne.NewPos(checklistPad, y))
			c.rows.Resize(fyne.NewSize(inner, max(size.Height-2*checklistPad, 0)))
			return
		}
		h := c.search.HeightFor(inner)
		c.search.Move(fyne.NewPos(checklistPad, y))
		c.search.Resize(fyne.NewSize(inner, h))
		y += h + checklistPad
		c.rows.Resize(fyne.NewSize(inner, c.rows.HeightFor(inner)))
		c.rows.box(fyne.NewPos(checklistPad, y), fyne.NewSize(inner, max(size.Height-y-checklistPad, 0)))
		c.rows.place()
		c.none.Move(fyne.NewPos(optionPadX, y+optionPadY))
		c.none.Resize(fyne.NewSize(inner, c.none.HeightFor(inner)))
	}
	r.min = func() fyne.Size {
		width := c.Size().Width
		if width <= 0 {
			width = 240
		}
		return fyne.NewSize(120, c.HeightFor(width))
	}
	r.refresh = func() {
		c.ring.paint(c.Theme())
		c.back.Fill = groundOf(c.Disabled())
		c.back.Refresh()
		r.layout(c.Size())
		c.rows.Refresh()
		canvas.Refresh(c)
	}
	c.ring.paint(c.Theme())
	return r
}
