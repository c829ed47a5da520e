package kit

import (
	"fmt"
	"strconv"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// The names of the months and of the days of a week that begins on Monday.
var (
	monthKeys = [...]string{
		"kit.month_1", "kit.month_2", "kit.month_3", "kit.month_4", "kit.month_5", "kit.month_6",
		"kit.month_7", "kit.month_8", "kit.month_9", "kit.month_10", "kit.month_11", "kit.month_12",
	}
	weekdayKeys = [...]string{
		"kit.weekday_1", "kit.weekday_2", "kit.weekday_3", "kit.weekday_4", "kit.weekday_5", "kit.weekday_6", "kit.weekday_7",
	}
)

// day is a date without time or zone.
type day struct {
	y int
	m time.Month
	d int
}

func dayOf(t time.Time) day {
	y, m, d := t.Date()
	return day{y, m, d}
}

func (d day) time() time.Time { return time.Date(d.y, d.m, d.d, 0, 0, 0, 0, time.UTC) }

func (d day) add(days int) day { return dayOf(d.time().AddDate(0, 0, days)) }

// addMonths goes months on and stays in that month: from 31 January to 28
// February.
func (d day) addMonths(months int) day {
	first := time.Date(d.y, d.m+time.Month(months), 1, 0, 0, 0, 0, time.UTC)
	last := first.AddDate(0, 1, -1).Day()
	y, m, _ := first.Date()
	return day{y, m, min(d.d, last)}
}

// iso writes a date as RFC 3339 does.
func (d day) iso() string { return fmt.Sprintf("%04d-%02d-%02d", d.y, int(d.m), d.d) }

// Years a calendar can show, those that ISO 8601 writes with four digits.
const (
	firstYear = 1
	lastYear  = 9999
)

func (d day) possible() bool { return d.y >= firstYear && d.y <= lastYear }

// calendar shows a month as a grid of days that works by keyboard: the arrows
// go by day and week, Page Up and Page Down by month, Home and End to the ends
// of the week, Enter and Space pick.
type calendar struct {
	focusBase
	today, at day
	picked    *day
	onPick    func(day)
	onEscape  func()

	title      *Text
	prev, next *Icon
	names      []*Text
	cells      []*dayCell
}

// dayCell is one of the 42 fields.
type dayCell struct {
	widget.BaseWidget
	cal  *calendar
	day  day
	text *Text
	back *Surface
}

// calCell is the side of a field at text scale 1.
const calCell = 36

const (
	calDays  = 7
	calWeeks = 6
)

func newCalendar(env *Env, at day, picked *day) *calendar {
	c := &calendar{today: dayOf(env.now()), at: at, picked: picked, title: NewText(), prev: NewIcon(IconLeft, "", 16), next: NewIcon(IconRight, "", 16)}
	c.title.Align = fyne.TextAlignCenter
	for _, key := range weekdayKeys {
		name := Sentence(env.t(key), Style{Size: SizeHint, Color: ColorMuted})
		name.Align = fyne.TextAlignCenter
		c.names = append(c.names, name)
	}
	for range calDays * calWeeks {
		d := &dayCell{cal: c, text: NewText(), back: NewSurface("", "", radiusField)}
		d.text.Align = fyne.TextAlignCenter
		d.ExtendBaseWidget(d)
		c.cells = append(c.cells, d)
	}
	c.init(env, c, radiusField)
	c.fill()
	return c
}

// fill puts the days of the month shown into the fields; weeks begin on Monday,
// as ISO 8601 has them.
func (c *calendar) fill() {
	first := day{c.at.y, c.at.m, 1}
	offset := (int(first.time().Weekday()) + 6) % calDays
	c.title.SetRuns(Own(c.env.t("kit.month", "Month", c.env.t(monthKeys[c.at.m-1]), "Year", strconv.Itoa(c.at.y)), Style{Bold: true}))
	for i, cell := range c.cells {
		cell.day = first.add(i - offset)
		style := Style{}
		cell.back.Fill, cell.back.Stroke = "", ""
		switch {
		case !cell.day.possible():
			style.Color = disabledColor
		case c.picked != nil && cell.day == *c.picked:
			style.Color, style.Bold = ColorOnAccent, true
			cell.back.Fill = ColorAccent
		case cell.day.m != c.at.m:
			style.Color = ColorMuted
		}
		if cell.day == c.today {
			cell.back.Stroke, style.Bold = ColorLine, true
		}
		if cell.day == c.at {
			cell.back.Stroke = ColorAccent
			if cell.back.Fill == "" {
				cell.back.Fill = ColorHighlight
			}
		}
		cell.text.SetRuns(Own(strconv.Itoa(cell.day.d), style))
		cell.Refresh()
	}
}

// goTo moves the mark, within the years a date can have.
func (c *calendar) goTo(d day) {
	if d.possible() {
		c.at = d
		c.fill()
	}
}

func (c *calendar) pick(d day) {
	if d.possible() && c.onPick != nil {
		c.onPick(d)
	}
}

// TypedKey is Fyne's.
func (c *calendar) TypedKey(k *fyne.KeyEvent) {
	weekday := (int(c.at.time().Weekday()) + 6) % calDays
	switch k.Name {
	case fyne.KeyLeft:
		c.goTo(c.at.add(-1))
	case fyne.KeyRight:
		c.goTo(c.at.add(1))
	case fyne.KeyUp:
		c.goTo(c.at.add(-calDays))
	case fyne.KeyDown:
		c.goTo(c.at.add(calDays))
	case fyne.KeyPageUp:
		c.goTo(c.at.addMonths(-1))
	case fyne.KeyPageDown:
		c.goTo(c.at.addMonths(1))
	case fyne.KeyHome:
		c.goTo(c.at.add(-weekday))
	case fyne.KeyEnd:
		c.goTo(c.at.add(calDays - 1 - weekday))
	case fyne.KeySpace, fyne.KeyReturn, fyne.KeyEnter:
		c.pick(c.at)
	case fyne.KeyEscape, fyne.KeyTab:
		c.onEscape()
	}
}

// AcceptsTab keeps Tab in the calendar, which it closes.
func (c *calendar) AcceptsTab() bool { return true }

// Tapped is Fyne's: the head of the calendar goes a month back or on.
func (c *calendar) Tapped(e *fyne.PointEvent) {
	if e.Position.Y > calCell*scaleOf(c.Theme()) {
		return
	}
	if e.Position.X < c.Size().Width/2 {
		c.goTo(c.at.addMonths(-1))
	} else {
		c.goTo(c.at.addMonths(1))
	}
}

// CreateRenderer is Fyne's.
func (c *calendar) CreateRenderer() fyne.WidgetRenderer {
	r := &boxRenderer{objects: []fyne.CanvasObject{c.title, c.prev, c.next}}
	for _, n := range c.names {
		r.objects = append(r.objects, n)
	}
	for _, d := range c.cells {
		r.objects = append(r.objects, d)
	}
	r.layout = func(size fyne.Size) {
		w := size.Width / calDays
		h := size.Height / (calWeeks + 2)
		centre := func(o fyne.CanvasObject, x, y, w float32, height float32) {
			o.Move(fyne.NewPos(x, y+(h-height)/2))
			o.Resize(fyne.NewSize(w, height))
		}
		icon := c.prev.MinSize().Height
		centre(c.prev, w/2-icon/2, 0, icon, icon)
		centre(c.next, size.Width-w/2-icon/2, 0, icon, icon)
		centre(c.title, w, 0, size.Width-2*w, c.title.HeightFor(size.Width-2*w))
		for i, n := range c.names {
			centre(n, w*float32(i), h, w, n.HeightFor(w))
		}
		for i, d := range c.cells {
			d.Move(fyne.NewPos(w*float32(i%calDays)+1, h*float32(2+i/calDays)+1))
			d.Resize(fyne.NewSize(w-2, h-2))
		}
	}
	r.min = func() fyne.Size {
		s := calCell * scaleOf(c.Theme())
		return fyne.NewSize(s*calDays, s*(calWeeks+2)*.9)
	}
	r.refresh = func() {
		r.layout(c.Size())
		canvas.Refresh(c)
	}
	return r
}

// Tapped is Fyne's.
func (d *dayCell) Tapped(*fyne.PointEvent) { d.cal.pick(d.day) }

// MouseIn is Fyne's.
func (d *dayCell) MouseIn(*desktop.MouseEvent) {
	if d.day.m == d.cal.at.m {
		d.cal.goTo(d.day)
	}
}

// MouseMoved is Fyne's.
func (d *dayCell) MouseMoved(*desktop.MouseEvent) {}

// MouseOut is Fyne's.
func (d *dayCell) MouseOut() {}

// CreateRenderer is Fyne's.
func (d *dayCell) CreateRenderer() fyne.WidgetRenderer {
	r := &boxRenderer{objects: []fyne.CanvasObject{d.back, d.text}}
	r.layout = func(size fyne.Size) {
		d.back.Resize(size)
		h := d.text.HeightFor(size.Width)
		d.text.Move(fyne.NewPos(0, (size.Height-h)/2))
		d.text.Resize(fyne.NewSize(size.Width, h))
	}
	r.min = func() fyne.Size { return fyne.NewSquareSize(calCell * scaleOf(d.Theme()) * .8) }
	r.refresh = func() {
		d.back.Refresh()
		r.layout(d.Size())
		canvas.Refresh(d)
	}
	return r
}
