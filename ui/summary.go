package ui

import (
	"slices"
	"strconv"
	"strings"

	"parley/assets/i18n"
	"parley/forms"
)

// entry is one field of a form in words: what the person answered.
type entry struct {
	path   forms.Path
	label  string // safe to show
	value  string // what was typed or the labels of what was picked
	secret bool
	typed  bool // by the person; else a default stands
	blank  bool // nothing was entered, and it is sent empty
}

// entries tells what a draft holds, field by field, in words. Fields that hold
// nothing are left out, unless they are sent empty.
func (v *surroundings) entries(d *forms.Draft) []entry {
	var out []entry
	choice := func(f *forms.Field) bool { return f.Kind == forms.Variant && d.Chosen(f.Path) >= 0 }
	for _, f := range fieldsOf(d, choice) {
		if choice(f) {
			out = append(out, v.chosen(d, f))
			continue
		}
		value, ok := answerOf(d, f, v.t("ui.yes"), v.t("ui.no"))
		if value == "" && sentEmpty(d, f) {
			out = append(out, entry{path: f.Path, label: v.placeOf(d, f), value: v.t("ui.answers.empty"), blank: true})
			continue
		}
		if !ok {
			continue
		}
		out = append(out, entry{path: f.Path, label: v.placeOf(d, f), value: value, secret: f.Secret,
			typed: d.State(f.Path) == forms.Answered})
	}
	return out
}

// chosen is the alternative of a variant that is chosen, in the words of the
// list it was chosen from; what was entered into it follows.
func (v *surroundings) chosen(d *forms.Draft, f *forms.Field) entry {
	label := v.placeOf(d, f)
	if !f.Inline { // whose name is that it is a kind
		label = v.t("ui.answers.kind", "Name", label)
	}
	return entry{path: f.Path, label: label, value: v.shapes(f.Variants)[d.Chosen(f.Path)].Label.String()}
}

// sentEmpty reports whether a field without an answer is sent all the same, as
// an empty text or list, because the form must have it.
func sentEmpty(d *forms.Draft, f *forms.Field) bool {
	return slices.ContainsFunc(d.Notes(f.Path), func(m i18n.Message) bool {
		return strings.HasPrefix(m.ID, "forms.note.sentEmpty")
	})
}

// filledIn are the entries that hold something.
func filledIn(es []entry) []entry {
	return slices.DeleteFunc(es, func(e entry) bool { return e.blank })
}

// placeOf names a field in a sentence by the fields around it and its own name:
// "Passengers › 2 › Seat".
func (v *surroundings) placeOf(d *forms.Draft, f *forms.Field) string {
	var names []string
	for q := f; q != nil; {
		owner := d.Field(outside(q.Path))
		switch {
		case q.Inline && q != f: // it has no name of its own on the page
		case owner == nil:
			names = append(names, v.nameAmong(q, d.Fields("")))
		case owner.Kind == forms.Group:
			names = append(names, v.nameAmong(q, d.Fields(owner.Path)))
		case owner.Kind == forms.Rows:
			names = append(names, strconv.Itoa(slices.Index(d.Rows(owner.Path), q.Path)+1))
		case owner.Kind == forms.Map:
			names = append(names, line(d.Key(q.Path)).String())
		}
		q = owner
	}
	slices.Reverse(names)
	return strings.Join(names, " › ")
}

func answerOf(d *forms.Draft, f *forms.Field, yes, no string) (string, bool) {
	p := f.Path
	switch {
	case d.Null(p):
		return "null", true
	case d.State(p) == forms.Cleared:
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
		if d.State(p) == forms.Untouched && f.Default == nil {
			return "", false
		}
		var labels []string
		for _, i := range d.Ticked(p) {
			labels = append(labels, f.Options[i].Label)
		}
		return strings.Join(labels, ", "), true
	case forms.Unsupported:
		return "", false
	}
	text := d.Text(p)
	return text, text != "" || d.State(p) == forms.Answered || f.Default != nil
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
