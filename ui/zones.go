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

// zoneIndex is the option of a zone.
func zoneIndex(zone *time.Location) int {
	if zone == nil {
		return 0
	}
	for i, name := range zones() {
		if name == zone.String() {
			return i + 1
		}
	}
	return 0
}

// dateTime is the control of a date-time: the zone of what is typed without one
// stands beside it and can be changed, for all of the form.
func (v *formView) dateTime(f *forms.Field, shown *forms.Draft) kit.Control {
	p := f.Path
	at := zoneIndex(v.fill.zone)
	return kit.NewDateTimeField(kit.DateTimeOptions{Env: v.env, Text: shown.Text(p), Zones: v.zoneOptions(), Zone: at, Day: day, WithDay: withDay,
		OnChanged: func(text string, zone int) {
			if zone != at {
				v.fill.setZone(zoneAt(zone))
				v.redraw(p)
				return
			}
			v.fill.draft.SetText(p, text)
			v.touched(p)
		}})
}

// redraw draws all fields anew and gives the keyboard to the one at p.
func (v *formView) redraw(p forms.Path) {
	v.undo = nil
	v.top.views = nil
	v.top.box.RemoveAll()
	v.byPath = map[forms.Path]*fieldView{}
	v.at = nil
	v.builder.Add(v.steps(v.top, v.fill.draft.Fields(""))...)
	v.builder.Finish()
	v.changed()
	if fv := v.byPath[p]; fv != nil {
		v.bring(fv.entrance())
	}
}
