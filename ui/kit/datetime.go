package kit

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"
)

// DateTimeOptions describe a field for a date with a time in a zone.
type DateTimeOptions struct {
	Env *Env
	// Text is the date and time as typed, "2026-06-15 09:30".
	Text string
	// Zones are the time zones to choose from and Zone the index of the one
	// named in the field.
	Zones []Option
	Zone  int
	// Day reads the date in a text; see DateFieldOptions.
	Day func(text string) (year int, month time.Month, day int, ok bool)
	// WithDay puts a day picked in the calendar into a text and keeps its time.
	WithDay func(text, isoDay string) string
	// OnChanged is called with both parts after each change by the person.
	OnChanged func(text string, zone int)
}

// DateTimeField is a date field that takes a time as well, beside a picker for
// the time zone, so that the zone is always in view.
type DateTimeField struct {
	widget.BaseWidget
	date *DateField
	zone *Picker
}

// NewDateTimeField returns such a field.
func NewDateTimeField(o DateTimeOptions) *DateTimeField {
	f := &DateTimeField{}
	changed := func() {
		if o.OnChanged != nil {
			o.OnChanged(f.date.Text(), f.zone.Selected())
		}
	}
	f.date = NewDateField(DateFieldOptions{
		Env: o.Env, Text: o.Text, Day: o.Day, WithDay: o.WithDay,
		Placeholder: o.Env.t("kit.datetime_placeholder"),
		OnChanged:   func(string) { changed() },
	})
	f.zone = NewPicker(PickerOptions{Env: o.Env, Options: o.Zones, Selected: o.Zone, OnChanged: func(int) { changed() }})
	f.ExtendBaseWidget(f)
	return f
}

// Text is the date and time as typed.
func (f *DateTimeField) Text() string { return f.date.Text() }

// Zone is the index of the zone named in the field.
func (f *DateTimeField) Zone() int { return f.zone.Selected() }

// SetQuietly replaces both parts without telling OnChanged.
func (f *DateTimeField) SetQuietly(text string, zone int) {
	f.date.SetTextQuietly(text)
	f.zone.SetSelected(zone)
}

func (f *DateTimeField) textField() *TextEntry { return f.date.textField() }

func (f *DateTimeField) parts() []Control { return []Control{f.date, f.zone} }

// FocusTarget is the date.
func (f *DateTimeField) FocusTarget() fyne.Focusable { return f.date.FocusTarget() }

// SetInvalid shows or hides the red frame around the date.
func (f *DateTimeField) SetInvalid(invalid bool) { f.date.SetInvalid(invalid) }

// Enable is Fyne's.
func (f *DateTimeField) Enable() {
	f.date.Enable()
	f.zone.Enable()
}

// Disable is Fyne's.
func (f *DateTimeField) Disable() {
	f.date.Disable()
	f.zone.Disable()
}

// Disabled is Fyne's.
func (f *DateTimeField) Disabled() bool { return f.date.Disabled() }

// dateShare is the part of the width the date gets; below narrowDateTime the
// zone goes under it.
const (
	dateShare      = 0.55
	dateGap        = 8
	narrowDateTime = 300
)

func (f *DateTimeField) narrow(width float32) bool { return width < narrowDateTime*scaleOf(f.Theme()) }

// HeightFor is the height at a width.
func (f *DateTimeField) HeightFor(width float32) float32 {
	if f.narrow(width) {
		return f.date.HeightFor(width) + dateGap + f.zone.HeightFor(width)
	}
	return max(f.date.HeightFor((width-dateGap)*dateShare), f.zone.HeightFor((width-dateGap)*(1-dateShare)))
}

// CreateRenderer is Fyne's.
func (f *DateTimeField) CreateRenderer() fyne.WidgetRenderer {
	r := &boxRenderer{objects: []fyne.CanvasObject{f.date, f.zone}}
	r.layout = func(size fyne.Size) {
		if f.narrow(size.Width) {
			h := f.date.HeightFor(size.Width)
			f.date.Resize(fyne.NewSize(size.Width, h))
			f.zone.Move(fyne.NewPos(0, h+dateGap))
			f.zone.Resize(fyne.NewSize(size.Width, f.zone.HeightFor(size.Width)))
			return
		}
		w := (size.Width - dateGap) * dateShare
		f.date.Resize(fyne.NewSize(w, f.date.HeightFor(w)))
		zone := max(size.Width-w-dateGap, 0)
		f.zone.Move(fyne.NewPos(w+dateGap, 0))
		f.zone.Resize(fyne.NewSize(zone, f.zone.HeightFor(zone)))
	}
	r.min = func() fyne.Size { return fyne.NewSize(160, f.HeightFor(f.Size().Width)) }
	r.refresh = func() {
		f.date.Refresh()
		f.zone.Refresh()
		canvas.Refresh(f)
	}
	return r
}
