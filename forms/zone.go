package forms

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"parley/assets/i18n"
)

// LocalZone is the computer's time zone under its own name, "Europe/Madrid",
// where the system tells it; else [time.Local], whose name is "Local" and says
// nothing. It is found out once: TZ, then where /etc/localtime leads.
var LocalZone = sync.OnceValue(func() *time.Location {
	name, set := os.LookupEnv("TZ")
	if !set {
		if target, err := filepath.EvalSymlinks("/etc/localtime"); err == nil {
			name = zoneOfFile(target)
		}
	}
	return namedZone(strings.TrimPrefix(name, ":"))
})

// zoned reports whether what is typed into f may need a time zone.
func (f *Field) zoned() bool { return f.Kind == DateTime || f.Kind == List && f.item.Kind == DateTime }

// SetZone makes zone the one of times without an offset in the date-time at p
// (or a list of them); nil is the form's again. It must be of the time zone
// database or time.Local, since a saved draft names it; others are ignored.
// What was typed stays as it is and means another moment.
func (d *Draft) SetZone(p Path, zone *time.Location) {
	f := d.Field(p)
	if f == nil || !f.zoned() {
		return
	}
	if zone == nil || zone.String() == f.zone.String() {
		delete(d.zones, f.Path)
	} else if known := databaseZone(zone.String()); known != nil {
		d.zones[f.Path] = known
	} else {
		return
	}
	d.refused = nil
}

// Zone is the time zone of times without an offset in the field at p, nil where
// there are none.
func (d *Draft) Zone(p Path) *time.Location {
	f := d.Field(p)
	if f == nil || !f.zoned() {
		return nil
	}
	return d.zone(f)
}

// zone is Zone for a field at hand, the form's for one without times.
func (d *Draft) zone(f *Field) *time.Location {
	if zone := d.zones[f.Path]; zone != nil {
		return zone
	}
	return f.zone
}

// inZone is f with another time zone.
func (f *Field) inZone(zone *time.Location) *Field {
	if zone == f.zone {
		return f
	}
	g := *f
	g.zone = zone
	if f.item != nil {
		g.item = f.item.inZone(zone)
	}
	return &g
}

// Hints are the hints of the field at p with what holds in this draft: the time
// zone that was chosen for it.
func (d *Draft) Hints(p Path) []i18n.Message {
	f := d.Field(p)
	if f == nil {
		return nil
	}
	zone := d.zone(f)
	if zone == f.zone {
		return f.Hints
	}
	limits := f.inZone(zone).limitHints()
	return append(limits, f.Hints[len(limits):]...)
}

// databaseZone is the zone that the time zone database has under this name, nil
// without one. "Local" is the computer's.
func databaseZone(name string) *time.Location {
	if known, ok := databaseZones.Load(name); ok {
		return known.(*time.Location)
	}
	if name == "" {
		return nil
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return nil
	}
	databaseZones.Store(name, zone)
	return zone
}

// databaseZones are the zones that were asked for, by name, since each is read
// from a file.
var databaseZones sync.Map

// namedZone is the zone called name if the system's clock goes by it.
func namedZone(name string) *time.Location {
	if name == "" || name == "Local" || filepath.IsAbs(name) {
		return time.Local
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return time.Local
	}
	return zone
}

// zoneOfFile is the name of a zone by its file in a zoneinfo tree, "" for
// another file.
func zoneOfFile(path string) string {
	_, name, _ := strings.Cut(filepath.ToSlash(path), "/zoneinfo/")
	for _, tree := range []string{"posix/", "right/"} {
		name = strings.TrimPrefix(name, tree)
	}
	return name
}

// zoneName names a time zone to a person, with its offset at t:
// "Europe/Madrid +02:00". The computer's own zone goes by its abbreviation.
func zoneName(zone *time.Location, t time.Time) string {
	abbreviation, offset := t.In(zone).Zone()
	name := zone.String()
	if name == "Local" || name == "" {
		name = abbreviation
	}
	text := offsetText(offset - offset%60)
	if name == "" || name[0] == '+' || name[0] == '-' {
		return "UTC" + text
	}
	return name + " " + text
}

// zoneLabel names the zone of date-times without an offset where no moment is
// known yet.
func zoneLabel(zone *time.Location) any {
	if name := zone.String(); name != "Local" && name != "" {
		return name
	}
	return i18n.M("forms.zone.computer")
}
