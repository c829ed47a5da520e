package forms

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/assets/i18n"
)

// zoneNamed is a zone of the database.
func zoneNamed(t *testing.T, name string) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

const twoTimes = `{"type":"object","properties":{"a":{"type":"string","format":"date-time"},"b":{"type":"string","format":"date-time"},
	"list":{"type":"array","items":{"type":"string","format":"date-time"}},"s":{"type":"string"}}}`

// TestZone_IsOfOneField: the others keep theirs, and what was typed stays.
func TestZone_IsOfOneField(t *testing.T) {
	d := Parse(json.RawMessage(twoTimes), Options{Zone: zoneNamed(t, "Europe/Madrid")}).NewDraft()
	d.SetText("/a", "2026-06-15 09:30")
	d.SetText("/b", "2026-06-15 09:30")
	d.SetLines("/list", "2026-06-15 09:30", "2026-06-15T09:30:00Z")
	d.SetZone("/a", zoneNamed(t, "Asia/Tokyo"))
	d.SetZone("/list", zoneNamed(t, "America/New_York"))
	got, errs := d.Content(Submit{})
	const want = `{"a":"2026-06-15T09:30:00+09:00","b":"2026-06-15T09:30:00+02:00","list":["2026-06-15T09:30:00-04:00","2026-06-15T09:30:00Z"]}`
	if len(errs) > 0 || string(got) != want {
		t.Errorf("sent %s (%v), want %s", got, errs, want)
	}
	for p, zone := range map[Path]string{"/a": "Asia/Tokyo", "/b": "Europe/Madrid", "/list": "America/New_York"} {
		if got := d.Zone(p); got.String() != zone {
			t.Errorf("the zone of %s is %s, want %s", p, got, zone)
		}
		notes := d.Notes(p)
		if len(notes) == 0 || !strings.Contains(english.Text(notes[0]), zone) {
			t.Errorf("%s: the note does not name %s: %v", p, zone, notes)
		}
		hints := d.Hints(p)
		if !slices.ContainsFunc(hints, func(m i18n.Message) bool { return strings.Contains(english.Text(m), zone) }) {
			t.Errorf("%s: no hint names %s: %v", p, zone, hints)
		}
	}
	if zone := d.Zone("/s"); zone != nil {
		t.Errorf("text has the zone %s", zone)
	}
	d.SetZone("/a", nil)
	if got := d.Zone("/a").String(); got != "Europe/Madrid" {
		t.Errorf("back in the form's zone it is %s", got)
	}
}

// TestZone_SkippedAndRepeatedTimesAreThoseOfTheFieldsOwn.
func TestZone_SkippedAndRepeatedTimesAreThoseOfTheFieldsOwn(t *testing.T) {
	d := Parse(json.RawMessage(twoTimes), Options{Zone: time.UTC}).NewDraft()
	d.SetText("/a", "2026-03-29 02:30")
	if e := d.CheckField("/a"); e != nil {
		t.Fatalf("in UTC: %v", e)
	}
	d.SetZone("/a", zoneNamed(t, "Europe/Madrid"))
	if e := d.CheckField("/a"); e == nil || e.Message.ID != "forms.error.skipped" {
		t.Errorf("skipped in Madrid: %v", e)
	}
	d.SetText("/a", "2026-10-25 02:30")
	if notes := d.Notes("/a"); len(notes) != 1 || notes[0].ID != "forms.note.twice" {
		t.Errorf("twice in Madrid: %v", notes)
	}
}

// TestZone_IsStoredAndRestoredExactly: also where the computer is in another
// zone by then, and without anything typed.
func TestZone_IsStoredAndRestoredExactly(t *testing.T) {
	madrid, tokyo := Options{Zone: zoneNamed(t, "Europe/Madrid")}, Options{Zone: zoneNamed(t, "Asia/Tokyo")}
	d := Parse(json.RawMessage(twoTimes), madrid).NewDraft()
	d.SetText("/a", "2026-06-15 09:30")
	d.SetText("/b", "2026-06-15 09:30")
	d.SetZone("/b", zoneNamed(t, "America/New_York"))
	d.SetZone("/list", zoneNamed(t, "UTC"))
	saved := d.Save()
	const want = `{"/a":{"text":"2026-06-15 09:30","zone":"Europe/Madrid"},"/b":{"text":"2026-06-15 09:30","zone":"America/New_York"},"/list":{"zone":"UTC"}}`
	if string(saved) != want {
		t.Errorf("saved %s, want %s", saved, want)
	}
	content, _ := d.Content(Submit{})
	for name, o := range map[string]Options{"the same zone": madrid, "another": tokyo} {
		back := Parse(json.RawMessage(twoTimes), o).NewDraft()
		if err := back.Restore(saved); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got, errs := back.Content(Submit{}); string(got) != string(content) || len(errs) > 0 {
			t.Errorf("%s: sent %s (%v), want %s", name, got, errs, content)
		}
		if again := back.Save(); string(again) != string(saved) {
			t.Errorf("%s: saved %s, want %s", name, again, saved)
		}
	}
	// A draft that was saved before zones were, or by name of one unknown here.
	back := Parse(json.RawMessage(twoTimes), tokyo).NewDraft()
	if err := back.Restore(json.RawMessage(`{"/a":{"text":"2026-06-15 09:30"}}`)); err != nil || back.Zone("/a").String() != "Asia/Tokyo" {
		t.Errorf("without a zone: %v, %s", err, back.Zone("/a"))
	}
	for _, unknown := range []string{`{"/a":{"text":"2026-06-15 09:30","zone":"Middle/Earth"}}`, `{"/a":{"zone":""}}`, `{"/a":{"zone":7}}`,
		`{"/a":{"zone":"../../etc/passwd"}}`, `{"/s":{"text":"x","zone":"UTC"}}`, `{"/s":{"zone":"UTC"}}`} {
		if err := back.Restore(json.RawMessage(unknown)); !errors.Is(err, ErrDraftMismatch) {
			t.Errorf("%s: %v", unknown, err)
		}
	}
	whole, err := back.RestoreFitting(json.RawMessage(`{"/a":{"text":"2026-06-15 09:30","zone":"Middle/Earth"}}`))
	if whole || err != nil || back.Text("/a") != "2026-06-15 09:30" {
		t.Errorf("what fits of an unknown zone: %t %v %q", whole, err, back.Text("/a"))
	}
}

// TestZone_LivesAsLongAsItsField.
func TestZone_LivesAsLongAsItsField(t *testing.T) {
	const schema = `{"type":"object","properties":{"rows":{"type":"array","items":{"type":"object","properties":{"t":{"type":"string","format":"date-time"}}}}}}`
	d := Parse(json.RawMessage(schema), Options{Purpose: Arguments, Zone: time.UTC}).NewDraft()
	p, q := d.Add("/rows"), d.Add("/rows")
	for _, row := range []Path{p, q} {
		d.SetText(row+"/t", "2026-06-15 09:30")
		d.SetZone(row+"/t", zoneNamed(t, "Asia/Tokyo"))
	}
	back := d.Form().NewDraft()
	if err := back.Restore(d.Save()); err != nil || back.Zone(q+"/t").String() != "Asia/Tokyo" {
		t.Errorf("in a row, restored: %v, %s", err, back.Zone(q+"/t"))
	}
	d.Remove(p)
	d.Clear(q + "/t")
	if got := d.Zone(q + "/t").String(); got != "Asia/Tokyo" {
		t.Errorf("cleared, the zone is %s", got)
	}
	d.Reset(q + "/t")
	if got := d.Zone(q + "/t").String(); got != "UTC" {
		t.Errorf("reset, the zone is %s", got)
	}
	if len(d.zones) != 0 {
		t.Errorf("zones of fields that are gone: %v", d.zones)
	}
}

// TestZone_OnlyWhatASavedDraftCanName is taken, and choosing one is no answer.
func TestZone_OnlyWhatASavedDraftCanName(t *testing.T) {
	d := Parse(json.RawMessage(twoTimes), Options{Zone: zoneNamed(t, "Europe/Madrid")}).NewDraft()
	for _, zone := range []*time.Location{time.FixedZone("Nowhere/Known", 3600), time.FixedZone("", 3600), time.FixedZone("+01:00", 3600)} {
		d.SetZone("/a", zone)
		if got := d.Zone("/a").String(); got != "Europe/Madrid" {
			t.Errorf("took %q", got)
		}
	}
	d.SetZone("/a", time.FixedZone("Asia/Tokyo", 0)) // the name counts
	d.SetText("/a", "2026-06-15 09:30")
	if got, _ := d.Content(Submit{}); string(got) != `{"a":"2026-06-15T09:30:00+09:00"}` {
		t.Errorf("sent %s", got)
	}
	d.SetZone("/b", time.Local)
	d.SetZone("/none", time.UTC)
	d.SetZone("/s", time.UTC)
	d.Clear("/a")
	d.Reset("/a")
	if d.Touched() {
		t.Error("a zone alone counts as an answer")
	}
}
