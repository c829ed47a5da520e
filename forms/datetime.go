package forms

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"parley/assets/i18n"
	"parley/forms/rawjson"
)

// clockTime is a time of day with an optional fraction and offset, as RFC 3339
// section 5.6 spells it, seconds left out if one likes.
var clockTime = regexp.MustCompile(`^([0-9]{1,2}):([0-9]{2})(?::([0-9]{2})(\.[0-9]{1,18})?)?(?: ?([Zz]|[+-][0-9]{2}:[0-9]{2}))?$`)

// wallClock is a date and time of day as typed, before it has a zone.
type wallClock struct {
	day                  time.Time
	hour, minute, second int
	fraction             string // with its point, "" without one
	offset               string // "Z" or ±hh:mm, "" without one
}

// dateTime is what a date-time means: what to send, and what to tell about it.
type dateTime struct {
	send string
	note i18n.Message
}

// parseDateTime reads what was typed into a DateTime. A date as ParseDate
// takes it, T or a space, a time; without an offset the form's time zone
// counts. It is sent with T, seconds and offset (field case B25).
func (f *Field) parseDateTime(typed string) (dateTime, i18n.Message) {
	w, ok := splitDateTime(typed)
	if !ok {
		return dateTime{}, i18n.M("forms.error.dateTime")
	}
	if w.offset != "" {
		return w.withOffset()
	}
	return w.in(f.zone)
}

// parseMoment is parseDateTime for the one parser of all kinds.
func (f *Field) parseMoment(typed string) (json.RawMessage, i18n.Message, i18n.Message) {
	dt, problem := f.parseDateTime(typed)
	if !problem.IsZero() {
		return nil, i18n.Message{}, problem
	}
	return rawjson.Quote(dt.send), dt.note, i18n.Message{}
}

// splitDateTime takes typed apart into a day and a time of day.
func splitDateTime(typed string) (w wallClock, ok bool) {
	s := strings.TrimSpace(ascii(typed))
	const most = 200 // bytes; no date and time is longer
	if len(s) > most {
		return w, false
	}
	at := -1
	// The date ends at the last T or space that has a time behind it: local
	// dates have spaces of their own, and so may the offset.
	var m []string
	for i := len(s) - 1; i > 0 && m == nil; i-- {
		if c := s[i]; c == ' ' || c == 'T' || c == 't' {
			if m = clockTime.FindStringSubmatch(s[i+1:]); m != nil {
				at = i
			}
		}
	}
	if m == nil {
		return w, false
	}
	if w.day, ok = ParseDate(s[:at]); !ok {
		return w, false
	}
	w.hour, w.minute, w.fraction = number(m[1]), number(m[2]), m[4]
	if m[3] != "" {
		w.second = number(m[3])
	}
	w.offset = strings.ToUpper(m[5])
	return w, w.hour < 24 && w.minute < 60 && (w.second < 60 || w.leapSecond())
}

// leapSecond reports whether w is a 60th second where there can be one: at
// 23:59:60 UTC, so only where the offset is written.
func (w wallClock) leapSecond() bool {
	offset, ok := offsetSeconds(w.offset)
	if !ok || w.second != 60 {
		return false
	}
	minutes := (w.hour*60 + w.minute - offset/60 + 2*24*60) % (24 * 60)
	return minutes == 23*60+59
}

// offsetSeconds reads an offset, ok is false for one that cannot be.
func offsetSeconds(offset string) (seconds int, ok bool) {
	if offset == "Z" {
		return 0, true
	}
	if len(offset) != len("+00:00") {
		return 0, false
	}
	h, m := number(offset[1:3]), number(offset[4:6])
	if offset[0] == '-' {
		return -(h*3600 + m*60), h < 24 && m < 60
	}
	return h*3600 + m*60, h < 24 && m < 60
}

// withOffset is w with the offset that was typed.
func (w wallClock) withOffset() (dateTime, i18n.Message) {
	if _, ok := offsetSeconds(w.offset); !ok {
		return dateTime{}, i18n.M("forms.error.dateTime")
	}
	return dateTime{send: w.text() + w.offset}, i18n.Message{}
}

// in is w in a time zone. A time that a clock change skips is an error. One
// that happens twice is the first of the two, and the note says so.
func (w wallClock) in(zone *time.Location) (dateTime, i18n.Message) {
	candidates := w.candidates(zone)
	if len(candidates) == 0 {
		return dateTime{}, i18n.M("forms.error.skipped", "Zone", zoneName(zone, w.utc()))
	}
	t := candidates[0]
	send, ok := w.send(t)
	if !ok {
		return dateTime{}, i18n.M("forms.error.dateTime")
	}
	name := zoneName(zone, t)
	if len(candidates) > 1 {
		other, _ := w.send(candidates[1])
		return dateTime{send, i18n.M("forms.note.twice", "Sent", send, "Zone", name, "Other", other)}, i18n.Message{}
	}
	return dateTime{send, i18n.M("forms.note.dateTime", "Sent", send, "Zone", name)}, i18n.Message{}
}

// candidates are the moments, earliest first, at which clocks in zone show w.
func (w wallClock) candidates(zone *time.Location) []time.Time {
	utc := w.utc()
	var found []time.Time
	// Offsets reach from -12 to +14 hours and whole days have been skipped, so
	// the offset in force is among those of the surrounding three days.
	for h := -36; h <= 36; h += 3 {
		_, offset := utc.Add(time.Duration(h) * time.Hour).In(zone).Zone()
		t := utc.Add(-time.Duration(offset) * time.Second)
		if _, there := t.In(zone).Zone(); there == offset && !slices.ContainsFunc(found, t.Equal) {
			found = append(found, t)
		}
	}
	for i := range found {
		found[i] = found[i].In(zone)
	}
	slices.SortFunc(found, time.Time.Compare)
	return found
}

// utc is w as if it were UTC.
func (w wallClock) utc() time.Time {
	return w.day.Add(time.Duration(w.hour)*time.Hour + time.Duration(w.minute)*time.Minute + time.Duration(w.second)*time.Second)
}

// send spells the moment t that w means. An offset with seconds, as before
// standard time, cannot be written (RFC 3339 section 5.6); such a moment is
// sent in UTC. ok is false outside the years 0 to 9999.
func (w wallClock) send(t time.Time) (s string, ok bool) {
	_, offset := t.Zone()
	if offset%60 != 0 {
		u := t.UTC()
		return u.Format("2006-01-02T15:04:05") + w.fraction + "Z", u.Year() >= 0 && u.Year() <= 9999
	}
	return w.text() + offsetText(offset), true
}

// text is the date and time without an offset.
func (w wallClock) text() string {
	return fmt.Sprintf("%sT%02d:%02d:%02d%s", FormatDateISO(w.day), w.hour, w.minute, w.second, w.fraction)
}

// offsetText spells an offset of whole minutes.
func offsetText(seconds int) string {
	sign := '+'
	if seconds < 0 {
		sign, seconds = '-', -seconds
	}
	return fmt.Sprintf("%c%02d:%02d", sign, seconds/3600, seconds/60%60)
}
