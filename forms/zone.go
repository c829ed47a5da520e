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
