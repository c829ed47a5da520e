package forms

import (
	"testing"
	"time"
)

// TestDateTimeInZones: what a wall clock without an offset means, in zones
// with awkward histories.
func TestDateTimeInZones(t *testing.T) {
	const skipped = "forms.error.skipped"
	for _, c := range []struct{ rule, zone, typed, want string }{
		{"summer time", "Europe/Madrid", "2026-07-01 12:00", "2026-07-01T12:00:00+02:00"},
		{"the minute before the gap", "Europe/Madrid", "2026-03-29 01:59", "2026-03-29T01:59:00+01:00"},
		{"first minute of the gap", "Europe/Madrid", "2026-03-29 02:00", skipped},
		{"last minute of the gap", "Europe/Madrid", "2026-03-29 02:59:59", skipped},
		{"the minute after the gap", "Europe/Madrid", "2026-03-29 03:00", "2026-03-29T03:00:00+02:00"},
		{"a time that comes twice is the first", "America/New_York", "2026-11-01 01:30", "2026-11-01T01:30:00-04:00"},
		{"a gap of half an hour", "Australia/Lord_Howe", "2026-10-04 02:15", skipped},
		{"a day that was skipped", "Pacific/Apia", "2011-12-30 12:00", skipped},
		{"the day after it", "Pacific/Apia", "2011-12-31 12:00", "2011-12-31T12:00:00+14:00"},
		{"the day before it", "Pacific/Apia", "2011-12-29 12:00", "2011-12-29T12:00:00-10:00"},
		{"offset of 45 minutes", "Asia/Kathmandu", "2026-01-01 00:00", "2026-01-01T00:00:00+05:45"},
		{"local mean time has seconds in its offset: sent in UTC", "Europe/Madrid", "1850-01-01 00:00", "1850-01-01T00:14:44Z"},
		{"year 0", "UTC", "0000-01-01 00:00", "0000-01-01T00:00:00+00:00"},
		{"last second of the year 9999", "UTC", "9999-12-31 23:59:59.9", "9999-12-31T23:59:59.9+00:00"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			zone, err := time.LoadLocation(c.zone)
			if err != nil {
				t.Fatal(err)
			}
			f := &Field{zone: zone}
			got, problem := f.parseDateTime(c.typed)
			if problem.ID != "" {
				got.send = problem.ID
			}
			if got.send != c.want {
				t.Errorf("%s in %s is %s, want %s", c.typed, c.zone, got.send, c.want)
			}
		})
	}
}

// TestDateTimeTwice: the note says that the time comes twice and how to mean
// the other one.
func TestDateTimeTwice(t *testing.T) {
	d := parseProperties(t, `"w":{"type":"string","format":"date-time"}`).NewDraft()
	d.SetText("/w", "2026-10-25 02:30")
	want := "The clocks are set back, so this time comes twice. Will be sent as 2026-10-25T02:30:00+02:00 (Europe/Madrid +02:00); for the later one write 2026-10-25T02:30:00+01:00"
	if notes := d.Notes("/w"); len(notes) != 1 || english.Text(notes[0]) != want {
		t.Errorf("notes %v", notes)
	}
}

// TestDateForms: every shown form of a date is understood as that date.
func TestDateForms(t *testing.T) {
	day := time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC)
	for day.Year() < 10_000 {
		for _, shown := range []string{FormatDate(day, "en"), FormatDate(day, "zh-Hans"), FormatDateISO(day)} {
			if got, ok := ParseDate(shown); !ok || !got.Equal(day) {
				t.Fatalf("%q is read as %v, %t", shown, got, ok)
			}
		}
		day = day.AddDate(0, 5, 17)
	}
}

// TestLocalZone: the zone has a name where the system tells it, and tells the
// same time as the system's clock.
func TestLocalZone(t *testing.T) {
	for path, want := range map[string]string{
		"/usr/share/zoneinfo/Europe/Madrid":                                "Europe/Madrid",
		"/var/db/timezone/tz/2026a.1.0/zoneinfo/America/Argentina/Ushuaia": "America/Argentina/Ushuaia",
		"/usr/share/zoneinfo/posix/UTC":                                    "UTC",
		"/etc/localtime":                                                   "",
	} {
		if got := zoneOfFile(path); got != want {
			t.Errorf("%s is zone %q, want %q", path, got, want)
		}
	}
	for name, want := range map[string]string{"Europe/Madrid": "Europe/Madrid", "": "Local", "Local": "Local", "/etc/x": "Local", "../x": "Local", "CET-1CEST": "Local"} {
		if got := namedZone(name).String(); got != want {
			t.Errorf("namedZone(%q) is %s, want %s", name, got, want)
		}
	}
	for _, at := range []time.Time{time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC)} {
		_, got := at.In(LocalZone()).Zone()
		if _, want := at.Local().Zone(); got != want {
			t.Errorf("offset of %v is %d, the computer's is %d", at, got, want)
		}
	}
}

// TestZoneNames: what a person reads.
func TestZoneNames(t *testing.T) {
	at := time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC)
	saoPaulo, err := time.LoadLocation("America/Sao_Paulo")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		zone *time.Location
		want string
	}{
		{madrid(t), "Europe/Madrid +02:00"},
		{saoPaulo, "America/Sao_Paulo -03:00"},
		{time.UTC, "UTC +00:00"},
		{time.FixedZone("", 3600), "UTC+01:00"},
	} {
		if got := zoneName(c.zone, at); got != c.want {
			t.Errorf("%v is called %q, want %q", c.zone, got, c.want)
		}
	}
}
