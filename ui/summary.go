package ui

import (
	"strings"

	"parley/forms"
)

// entry is one field of a form in words: what the person answered.
type entry struct {
	path   forms.Path
	label  string // safe to show
	value  string // what was typed or the labels of what was picked
	secret bool
	typed  bool // by the person; else a default stands
}

// entries tells what a draft holds, field by field, in words. Fields that hold
// nothing are left out.
func (v *surroundings) entries(d *forms.Draft) []entry {
	var out []entry
	for _, f := range leaves(d.Form().Fields) {
		value, ok := answerOf(d, f, v.t("ui.yes"), v.t("ui.no"))
		if !ok {
			continue
		}
		out = append(out, entry{path: f.Path, label: v.nameOf(f), value: value, secret: f.Secret,
			typed: d.State(f.Path) == forms.Answered})
	}
	return out
}

func answerOf(d *forms.Draft, f *forms.Field, yes, no string) (string, bool) {
	p := f.Path
	if d.State(p) == forms.Cleared || d.State(p) == forms.Untouched && f.Default == nil {
		return "", false
	}
	switch f.Kind {
	case forms.Boolean:
		value, ok := d.Bool(p)
		if value {
			return yes, ok
		}
		return no, ok
	case forms.Choice:
		i := d.Picked(p)
		if i < 0 || i >= len(f.Options) {
			return "", false
		}
		return f.Options[i].Label, true
	case forms.Checklist:
		var labels []string
		for _, i := range d.Ticked(p) {
			labels = append(labels, f.Options[i].Label)
		}
		return strings.Join(labels, ", "), true
	case forms.Unsupported:
		return "", false
	}
	return d.Text(p), true
}

// copyText is the answers as text for the clipboard; secrets stay masked
// unless they are revealed.
func copyText(es []entry, revealed map[forms.Path]bool) string {
	var b strings.Builder
	for _, e := range es {
		value := e.value
		if e.secret && !revealed[e.path] {
			value = forms.Mask
		}
		b.WriteString(e.label)
		b.WriteString(": ")
		b.WriteString(value)
		b.WriteByte('\n')
	}
	return b.String()
}
