package kit

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// DateFieldOptions describe a date field.
type DateFieldOptions struct {
	Env  *Env
	Text string
	// Placeholder is shown in the empty field; "" takes the kit's.
	Placeholder string
	// Day reads a text as a date, for the calendar to begin at and to mark; ok
	// is false if the text is no date. The field itself judges nothing.
	Day func(text string) (year int, month time.Month, day int, ok bool)
	// WithDay writes a day picked in the calendar into the text; nil replaces
	// the text by YYYY-MM-DD.
	WithDay func(text, isoDay string) string
	// OnChanged is called with the text after each change by the person.
	OnChanged func(text string)
}

// DateField is a text field for a date with a button that opens a calendar;
// Down and F4 open it too. What is typed is kept as it is: Fyne's DateEntry
// refuses both the empty and the ISO form and keeps the old date while the text
// is wrong.
type DateField struct {
	LongEntry
	d      DateFieldOptions
	popup  *popup
	button *calendarButton
}

// NewDateField returns a date field.
func NewDateField(o DateFieldOptions) *DateField {
	if o.Placeholder == "" {
		o.Placeholder = o.Env.t("kit.date_placeholder")
	}
	f := &DateField{d: o}
	f.start(f, TextEntryOptions{Env: o.Env, Text: o.Text, Placeholder: o.Placeholder, OnChanged: o.OnChanged, OnKey: f.key})
	f.button = &calendarButton{icon: NewIcon(IconCalendar, "", 16), tapped: f.open}
	f.button.ExtendBaseWidget(f.button)
	f.entry.ActionItem = f.button
	return f
}

// key opens the calendar.
func (f *DateField) key(k *fyne.KeyEvent) bool {
	if k.Name == fyne.KeyDown || k.Name == fyne.KeyF4 {
		f.open()
		return true
	}
	return false
}

// IsOpen reports whether the calendar is open.
func (f *DateField) IsOpen() bool { return f.popup.isOpen() }

// open shows the calendar at the date in the field, else at today.
func (f *DateField) open() {
	if f.Disabled() || f.IsOpen() {
		return
	}
	at := dayOf(f.o.Env.now())
	var picked *day
	if f.d.Day != nil {
		if y, m, d, ok := f.d.Day(f.Text()); ok && (day{y, m, d}).possible() {
			at = day{y, m, d}
			picked = &at
		}
	}
	cal := newCalendar(f.o.Env, at, picked)
	cal.onEscape = func() { f.popup.close() }
	cal.onPick = func(d day) {
		f.popup.close()
		text := d.iso()
		if f.d.WithDay != nil {
			text = f.d.WithDay(f.Text(), text)
		}
		f.SetText(text)
	}
	f.popup = openPopup(f.o.Env, f.entry, cal, 0, cal, nil)
}

// calendarButton is the picture in the field that opens the calendar. It is
// for the mouse; the keyboard has Down and F4.
type calendarButton struct {
	widget.BaseWidget
	icon   *Icon
	tapped func()
}

// Tapped is Fyne's.
func (b *calendarButton) Tapped(*fyne.PointEvent) { b.tapped() }

// Cursor is Fyne's.
func (b *calendarButton) Cursor() desktop.Cursor { return desktop.DefaultCursor }

// CreateRenderer is Fyne's.
func (b *calendarButton) CreateRenderer() fyne.WidgetRenderer {
	r := &boxRenderer{objects: []fyne.CanvasObject{b.icon}}
	r.layout = func(size fyne.Size) {
		m := b.icon.MinSize()
		b.icon.Resize(m)
		b.icon.Move(fyne.NewPos((size.Width-m.Width)/2, (size.Height-m.Height)/2))
	}
	r.min = func() fyne.Size { return b.icon.MinSize().AddWidthHeight(8, 0) }
	r.refresh = func() {
		b.icon.Refresh()
		canvas.Refresh(b)
	}
	return r
}
