package ui

import (
	_ "embed"
	"strings"
	"sync"
	"time"
	_ "time/tzdata" // the zones of a computer that has none of its own

	"parley/forms"
	"parley/ui/kit"
)

// zonesText names the time zones of the IANA database (public domain), one a
// line: those of its zone.tab, which are the ones that people know.
//
//go:embed zones.txt
var zonesText string

// zones are the time zones to choose from, after the computer's own.
var zones = sync.OnceValue(func() []string {
	return append([]string{"UTC"}, strings.Fields(zonesText)...)
})

// zoneOptions are the zones as options: the computer's first.
func (v *formView) zoneOptions() []kit.Option {
	out := make([]kit.Option, 0, len(zones())+1)
	local := kit.Option{Label: line(v.t("ui.form.zone_local"))}
	if name := forms.LocalZone().String(); name != "" && name != "Local" {
		local = kit.Option{Label: line(name), Detail: local.Label}
	}
	out = append(out, local)
	for _, name := range zones() {
		out = append(out, kit.Option{Label: line(name)})
	}
	return out
}

// zoneAt is the zone of an option, nil for the computer's.
func zoneAt(i int) *time.Location {
	if i <= 0 || i > len(zones()) {
		return nil
	}
	zone, err := time.LoadLocation(zones()[i-1])
	if err != nil {
		return nil
	}
	return zone
}

// zoneIndex is the option of a zone, -1 for one that is not among them.
func zoneIndex(zone *time.Location) int {
	if zone == forms.LocalZone() {
		return 0
	}
	for i, name := range zones() {
		if name == zone.String() {
			return i + 1
		}
	}
	return -1
}

// dateTime is the control of a date-time: the zone of what is typed without one
// stands beside it and can be changed.
func (v *formView) dateTime(f *forms.Field) kit.Control {
	d, p := v.fill.draft, f.Path
	options, before := v.zoneOptions(), d.Zone(p)
	at := zoneIndex(before)
	if at < 0 { // of a draft from elsewhere
		at = len(options)
		options = append(options, kit.Option{Label: line(before.String())})
	}
	return kit.NewDateTimeField(kit.DateTimeOptions{Env: v.env, Text: d.Text(p), Zones: options, Zone: at, Day: day, WithDay: withDay,
		OnChanged: func(text string, zone int) {
			switch {
			case zone == at:
				v.fill.draft.SetText(p, text)
			case zone > len(zones()):
				v.fill.draft.SetZone(p, before)
			default:
				v.fill.draft.SetZone(p, zoneAt(zone))
			}
			at = zone
			v.touched(p)
		}})
}
