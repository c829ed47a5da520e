package kit

import (
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"parley/assets/i18n"
)

var testClock = &clock{time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)}

func dateScene(t *testing.T, o DateFieldOptions) (*scene, *DateField, *[]string) {
	t.Helper()
	var got []string
	if o.Env == nil {
		o.Env = &Env{}
	}
	o.Env.Now = testClock.now
	o.Day = isoDay
	o.OnChanged = func(s string) { got = append(got, s) }
	f := NewDateField(o)
	s := newScene(t, Column(0, f), 500, 600)
	s.focus(f.FocusTarget())
	return s, f, &got
}

func TestCalendarWorksByKeyboard(t *testing.T) {
	for _, c := range []struct {
		name, text string
		keys       []fyne.KeyName
		want       string
	}{
		{"an empty field begins today", "", []fyne.KeyName{fyne.KeyReturn}, "2026-06-01"},
		{"no date begins today", "soon", []fyne.KeyName{fyne.KeySpace}, "2026-06-01"},
		{"a date begins there", "2026-12-31", []fyne.KeyName{fyne.KeyRight, fyne.KeyReturn}, "2027-01-01"},
		{"Left and Up go back", "2026-03-01", []fyne.KeyName{fyne.KeyLeft, fyne.KeyUp, fyne.KeyReturn}, "2026-02-21"},
		{"Down is a week", "2024-02-28", []fyne.KeyName{fyne.KeyDown, fyne.KeyReturn}, "2024-03-06"},
		{"Page Down keeps to the month", "2026-01-31", []fyne.KeyName{fyne.KeyPageDown, fyne.KeyReturn}, "2026-02-28"},
		{"Page Up over a new year", "2026-01-15", []fyne.KeyName{fyne.KeyPageUp, fyne.KeyReturn}, "2025-12-15"},
		{"Home is Monday", "2026-06-18", []fyne.KeyName{fyne.KeyHome, fyne.KeyReturn}, "2026-06-15"},
		{"End is Sunday", "2026-06-15", []fyne.KeyName{fyne.KeyEnd, fyne.KeyReturn}, "2026-06-21"},
		{"the first year has no day before", "0001-01-01", []fyne.KeyName{fyne.KeyLeft, fyne.KeyPageUp, fyne.KeyRight, fyne.KeyReturn}, "0001-01-02"},
		{"the last year has no day after", "9999-12-31", []fyne.KeyName{fyne.KeyRight, fyne.KeyPageDown, fyne.KeyLeft, fyne.KeyReturn}, "9999-12-30"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, f, got := dateScene(t, DateFieldOptions{Text: c.text})
			s.keys(fyne.KeyDown)
			expect(t, "open", f.IsOpen(), true)
			s.keys(c.keys...)
			expect(t, "text", f.Text(), c.want)
			if !slices.Equal(*got, []string{c.want}) {
				t.Errorf("reported %q, want once %q", *got, c.want)
			}
			if s.c.Focused() != f.FocusTarget() {
				t.Error("the focus is not back in the field")
			}
		})
	}
}

func TestCalendarEscapeClosesThePopupOnly(t *testing.T) {
	escapes := 0
	s, f, got := dateScene(t, DateFieldOptions{Env: &Env{OnEscape: func() { escapes++ }}, Text: "2026-01-01"})
	s.keys(fyne.KeyF4, fyne.KeyRight, fyne.KeyEscape)
	expect(t, "open", f.IsOpen(), false)
	expect(t, "text", f.Text(), "2026-01-01")
	expect(t, "Escapes the page heard of", escapes, 0)
	expect(t, "reports", len(*got), 0)
}

func TestB99_DateFieldKeepsWhatIsTyped(t *testing.T) {
	for _, tag := range i18n.Languages {
		for _, text := range []string{"", "2026-03-04", "04.03.2026", "March 4", "2026-3-4 "} {
			_, f, _ := dateScene(t, DateFieldOptions{Env: &Env{Loc: i18n.New(tag)}, Text: text})
			f.entry.FocusLost()
			expect(t, tag+" text", f.Text(), text)
		}
	}
}

func TestCalendarByMouse(t *testing.T) {
	s, f, _ := dateScene(t, DateFieldOptions{Text: "2026-06-15"})
	test.Tap(f.button)
	expect(t, "overlays", s.overlays(), 1)
	var cell *dayCell
	for _, o := range test.LaidOutObjects(s.c.Overlays().Top()) {
		if d, ok := o.(*dayCell); ok && d.day == (day{2026, 6, 30}) {
			cell = d
		}
	}
	test.Tap(cell)
	expect(t, "text", f.Text(), "2026-06-30")
	f.Disable()
	test.Tap(f.button)
	expect(t, "overlays of a disabled field", s.overlays(), 0)
}

func TestCalendarSpeaksTheLanguage(t *testing.T) {
	for tag, want := range map[string]string{"en": "June 2026", "zh-Hans": "2026年6月"} {
		c := newCalendar(&Env{Loc: i18n.New(tag), Now: testClock.now}, day{2026, 6, 1}, nil)
		expect(t, tag, c.title.String(), want)
	}
}

func TestDateTimeFieldReportsTextAndZone(t *testing.T) {
	type report struct {
		text string
		zone int
	}
	var got []report
	f := NewDateTimeField(DateTimeOptions{
		Env: &Env{Now: testClock.now}, Text: "2026-06-15 09:30", Zones: optionsOf("Europe/Madrid +02:00", "UTC"),
		Day: func(s string) (int, time.Month, int, bool) {
			day, _, _ := strings.Cut(s, " ")
			return isoDay(day)
		},
		WithDay: func(text, iso string) string {
			_, clock, _ := strings.Cut(text, " ")
			return iso + " " + clock
		},
		OnChanged: func(text string, zone int) { got = append(got, report{text, zone}) },
	})
	s := newScene(t, Column(0, f), 500, 600)
	s.focus(f.FocusTarget())
	s.keys(fyne.KeyDown, fyne.KeyRight, fyne.KeyReturn)
	s.focus(f.zone)
	s.keys(fyne.KeyDown, fyne.KeyDown, fyne.KeyReturn)
	want := []report{{"2026-06-16 09:30", 0}, {"2026-06-16 09:30", 1}}
	if !slices.Equal(got, want) {
		t.Errorf("reported %v, want %v", got, want)
	}
	f.SetQuietly("2027-01-01 00:00", 0)
	expect(t, "text", f.Text(), "2027-01-01 00:00")
	expect(t, "zone", f.Zone(), 0)
	f.Disable()
	expect(t, "the zone's picker is disabled too", f.zone.Disabled(), true)
	expect(t, "reports", len(got), 2)
}

func TestDateTimeFieldPutsTheZoneBelowWhereItIsNarrow(t *testing.T) {
	f := NewDateTimeField(DateTimeOptions{Zones: optionsOf("UTC")})
	s := newScene(t, Column(0, f), 500, 300)
	expect(t, "zone beside the date", f.zone.Position().Y, 0)
	s.w.Resize(fyne.NewSize(200, 300))
	if f.zone.Position().Y <= 0 || f.zone.Size().Width != 200 {
		t.Errorf("zone at %v, %v wide", f.zone.Position(), f.zone.Size().Width)
	}
}
