package forms

import (
	"slices"
	"strconv"
	"strings"
)

// The bounds of what a draft may hold beyond the form.
const (
	maxEntryFields = 20_000 // of all entries together
	maxFormEntries = 1000   // of one Rows or Map; more are raw JSON
	maxPathParts   = 4 * maxDepth
)

// Field returns the field at p: of the form, or of an entry, alternative or
// opened group of this draft. It is nil where there is none (any more). The
// draft may change the field of an entry or a group: what is drawn from it is
// to be drawn again after Open, SetKey and Reset.
func (d *Draft) Field(p Path) *Field {
	if f := d.fields[p]; f != nil {
		return f
	}
	if f := d.form.byPath[p]; f != nil {
		return f
	}
	i := strings.LastIndexByte(string(p), '/')
	if i <= 0 || strings.Count(string(p), "/") > maxPathParts {
		return nil
	}
	owner := d.Field(p[:i])
	if owner == nil {
		return nil
	}
	for _, c := range owner.Children {
		if c.Path == p {
			return d.at(c)
		}
	}
	number, err := strconv.Atoi(string(p[i+1:]))
	if err != nil || strconv.Itoa(number) != string(p[i+1:]) {
		return nil
	}
	switch owner.Kind {
	case Variant:
		if number >= 0 && number < len(owner.Variants) {
			return d.alternative(owner, number)
		}
	case Rows, Map:
		for _, e := range d.beneath(owner).entries {
			if e.id == number {
				return d.entryField(owner, e)
			}
		}
	}
	return nil
}

// Fields are the fields that stand in the one at p now, in order: those of the
// form for the empty path, of a group, the entries of Rows and Maps, and the
// chosen alternative. A closed group has none, nor has what is answered with
// raw JSON.
func (d *Draft) Fields(p Path) []*Field {
	if p == "" {
		return d.inForm()
	}
	if f := d.Field(p); f != nil {
		return d.inside(f)
	}
	return nil
}

func (d *Draft) inForm() []*Field { return d.present(d.form.Fields) }

// inside is Fields for a field at hand.
func (d *Draft) inside(f *Field) []*Field {
	switch f.Kind {
	case Group:
		if d.raw(f) {
			return nil
		}
		return d.present(f.Children)
	case Rows, Map:
		return d.entriesOf(f, d.effective(f))
	case Variant:
		if i := d.chosen(f); i >= 0 {
			return []*Field{d.alternative(f, i)}
		}
	}
	return nil
}

// entriesOf are the fields of the entries in the answer a of f.
func (d *Draft) entriesOf(f *Field, a answer) []*Field {
	var entries []*Field
	for _, e := range a.entries {
		entries = append(entries, d.entryField(f, e))
	}
	return entries
}

// present are the fields as they are in this draft, which may have opened some.
func (d *Draft) present(fields []*Field) []*Field {
	list := slices.Clone(fields)
	for i, f := range list {
		list[i] = d.at(f)
	}
	return list
}

// at is f as it is in this draft.
func (d *Draft) at(f *Field) *Field {
	if f.recipe != nil {
		if own := d.fields[f.Path]; own != nil {
			return own
		}
	}
	return f
}

// Open makes the group at p a part of what is sent even if nothing in it is
// touched, and gives a Closed one its fields.
func (d *Draft) Open(p Path) {
	f := d.Field(p)
	if f == nil || f.Kind != Group {
		return
	}
	f = d.unfold(f)
	if f.Kind == Group {
		d.put(f, answer{state: Answered})
	}
}

// unfold gives a closed group its fields. One that lies too deep becomes raw
// JSON.
func (d *Draft) unfold(f *Field) *Field {
	if !f.Closed {
		return f
	}
	if d.fields[f.Path] == nil { // the form's
		own := *f
		f = &own
		d.fields[f.Path] = f
	}
	d.expand(f)
	return f
}

// close takes the fields of an opened group away again.
func (d *Draft) close(f *Field) {
	if f.recipe == nil || f.Closed || f.Kind != Group || f.parent != nil && f.parent.Kind != Group {
		return
	}
	d.forgetBelow(f.Path)
	f.Closed, f.Children = true, nil
}

// Opened reports whether the group at p will be sent.
func (d *Draft) Opened(p Path) bool {
	f := d.Field(p)
	return f != nil && f.Kind == Group && d.sends(f)
}

// sends reports whether the group f will be sent: it is required, opened, has
// a default, or something in it is touched.
func (d *Draft) sends(f *Field) bool {
	a := d.effective(f)
	if a.null || a.state == Cleared && !f.Required {
		return false
	}
	return f.Required || a.state == Answered || d.touchedIn(f)
}

// touchedIn reports whether something is answered in f, or a default taken
// away.
func (d *Draft) touchedIn(f *Field) bool {
	for _, c := range d.inside(f) {
		a, ok := d.answers[c.Path]
		switch {
		case ok && a.state == Answered, ok && d.standing(c).state == Answered:
			return true
		case d.touchedIn(c):
			return true
		}
	}
	return false
}

// Rows are the paths of the entries of the Rows or Map at p, in order.
func (d *Draft) Rows(p Path) []Path {
	var paths []Path
	if f := d.Field(p); f != nil && (f.Kind == Rows || f.Kind == Map) {
		for _, e := range d.inside(f) {
			paths = append(paths, e.Path)
		}
	}
	return paths
}

// Add appends an entry to the Rows or Map at p and returns its path, "" if
// there can be no more. In a Map it still needs its key. Entries that null took
// the place of are there again.
func (d *Draft) Add(p Path) Path {
	f := d.Field(p)
	if f == nil || f.Kind != Rows && f.Kind != Map {
		return ""
	}
	d.UnsetNull(p)
	if d.full(f) {
		return ""
	}
	return d.add(f, entry{}).Path
}

// full reports whether f can have no more entries.
func (d *Draft) full(f *Field) bool {
	return d.made >= maxEntryFields || len(d.effective(f).entries) >= maxFormEntries
}

// add appends e, which gets a number of its own.
func (d *Draft) add(f *Field, e entry) *Field {
	d.last += d.step
	e.id = d.last
	d.put(f, answer{state: Answered, entries: append(slices.Clone(d.effective(f).entries), e)})
	return d.entryField(f, e)
}

// place finds the entry at p: the field that holds it, all its entries (a copy)
// and which it is.
func (d *Draft) place(p Path) (owner *Field, entries []entry, i int) {
	f := d.Field(p)
	if f == nil || f.parent == nil || f.parent.Kind != Rows && f.parent.Kind != Map {
		return nil, nil, 0
	}
	entries = slices.Clone(d.effective(f.parent).entries)
	i = slices.IndexFunc(entries, func(e entry) bool { return strconv.Itoa(e.id) == f.segment })
	if i < 0 {
		return nil, nil, 0
	}
	return f.parent, entries, i
}

// Remove takes the entry at p away with all that was typed into it. The paths
// of the others stay as they are. With the last one gone, the field is cleared.
func (d *Draft) Remove(p Path) {
	owner, entries, i := d.place(p)
	if owner == nil {
		return
	}
	d.forgetBelow(p)
	delete(d.answers, p)
	delete(d.zones, p)
	delete(d.fields, p)
	a := answer{state: Answered, entries: slices.Delete(entries, i, i+1)}
	if len(a.entries) == 0 {
		a = answer{state: Cleared}
	}
	d.put(owner, a)
}

// Move puts the entry at p in another place among its fellows, counted from 0;
// places beyond the ends are the ends.
func (d *Draft) Move(p Path, to int) {
	owner, entries, i := d.place(p)
	if owner == nil {
		return
	}
	e := entries[i]
	entries = slices.Delete(entries, i, i+1)
	entries = slices.Insert(entries, max(0, min(to, len(entries))), e)
	d.put(owner, answer{state: Answered, entries: entries})
}

// Key is the key of the entry at p of a Map, "" while it has none.
func (d *Draft) Key(p Path) string {
	if owner, entries, i := d.place(p); owner != nil {
		return printable(entries[i].key)
	}
	return ""
}

// SetKey names the entry at p of a Map; "" takes its key away. What it holds
// stays.
func (d *Draft) SetKey(p Path, key string) {
	owner, entries, i := d.place(p)
	if owner == nil || owner.Kind != Map {
		return
	}
	entries[i].key, entries[i].named = printable(key), key != ""
	d.put(owner, answer{state: Answered, entries: entries})
	d.entryField(owner, entries[i])
}

// Choose chooses the alternative i of the Variant at p, and none for -1. What
// was typed into the others stays, and is not sent.
func (d *Draft) Choose(p Path, i int) {
	f := d.Field(p)
	switch {
	case f == nil || f.Kind != Variant || i >= len(f.Variants):
	case i < 0:
		d.Clear(p)
	default:
		d.put(f, answer{state: Answered, chosen: i})
	}
}

// Chosen is the alternative that the Variant at p shows, -1 for none.
func (d *Draft) Chosen(p Path) int {
	if f := d.Field(p); f != nil && f.Kind == Variant {
		return d.chosen(f)
	}
	return -1
}

func (d *Draft) chosen(f *Field) int {
	if a := d.effective(f); a.state == Answered && !a.null && a.text == "" {
		return a.chosen
	}
	return -1
}

// entryField is the field of the entry e of f.
func (d *Draft) entryField(f *Field, e entry) *Field {
	g := d.instance(f, f.Entry, e.id)
	if f.Kind == Map {
		g.Name = printable(e.key)
		g.Label = g.Name
		if f.Entry.Label != "" {
			g.Label = f.Entry.Label
		}
		g.Secret = f.Entry.Secret || g.Kind.holdsSecret() && looksSecret(e.key, "", "", "")
	}
	return g
}

// alternative is the field of the alternative i of f.
func (d *Draft) alternative(f *Field, i int) *Field { return d.instance(f, f.Variants[i], i) }

// instance is the field made from a template of f, with this number.
func (d *Draft) instance(f, template *Field, number int) *Field {
	segment := strconv.Itoa(number)
	path := f.Path + "/" + Path(segment)
	if g := d.fields[path]; g != nil {
		return g
	}
	var open []*Field
	g := template.clone(path, f, func(g *Field) {
		d.fields[g.Path] = g
		d.made++
		if g.recipe != nil && (g.Path == path || g.Kind != Group) {
			open = append(open, g)
		}
	})
	g.segment = segment
	if f.Kind != Variant {
		g.number = number
	}
	for _, closed := range open {
		d.expand(closed)
	}
	if f.Kind == Variant {
		fixAlternative(g)
	}
	return g
}

// clone copies a template and what is in it to a place in the form. Each copy
// is shown to made.
func (f *Field) clone(path Path, parent *Field, made func(*Field)) *Field {
	g := *f
	g.Path, g.parent = path, parent
	made(&g)
	g.Children = nil
	for _, c := range f.Children {
		g.Children = append(g.Children, c.clone(path+"/"+Path(c.segment), &g, made))
	}
	return &g
}

// expand makes of a closed field what its recipe says.
func (d *Draft) expand(f *Field) {
	if d.reader == nil {
		d.reader = newParser(d.form)
	}
	p := d.reader
	p.form = &Form{purpose: d.form.purpose, schema: d.form.schema, zone: d.form.zone, now: d.form.now,
		byPath: d.fields, patterns: d.form.patterns}
	work := maxWork + 4*len(p.schema)
	p.work, p.fields, p.options, p.template = work, 0, maxOptions, 0
	recipe := f.recipe
	*f = Field{Path: f.Path, Name: f.Name, Key: f.Key, Required: f.Required, Inline: f.Inline, recipe: recipe,
		segment: f.segment, parent: f.parent, about: f.about, number: f.number, zone: f.zone}
	p.build(f, recipe.raw, strings.Count(string(f.Path), "/")-1)
	d.made += p.fields
	d.cost += (work - p.work) / 128
}

// forgetBelow forgets all that lies in the field at p.
func (d *Draft) forgetBelow(p Path) {
	forgetBelow(d.answers, p)
	forgetBelow(d.zones, p)
	forgetBelow(d.fields, p)
}

// forgetBelow takes out of m what lies in the field at p.
func forgetBelow[V any](m map[Path]V, p Path) {
	below := string(p) + "/"
	for q := range m {
		if strings.HasPrefix(string(q), below) {
			delete(m, q)
		}
	}
}
