package ui

import (
	"slices"

	"fyne.io/fyne/v2"

	"parley/consent/safetext"
	"parley/forms"
	"parley/ui/kit"
)

// entryTools are the buttons of one entry of Rows or a Map.
type entryTools struct {
	up, down, remove *kit.Button
	row              fyne.CanvasObject
}

// entries draws the entries of Rows and Maps, and the button that adds one.
func (v *formView) entries(fv *fieldView) []fyne.CanvasObject {
	d := v.fill.draft
	fv.inside = &part{owner: fv, box: kit.Column(gapLarge)}
	add := v.quiet(v.t("ui.form.add_entry"), kit.IconPlus, func() { v.addEntry(fv) })
	if name := line(fv.field.Entry.Label).String(); name != "" {
		add.SetText(v.t("ui.form.add", "Name", name))
	}
	fv.start = add
	fv.renew = func() {
		v.number(fv)
		if most := fv.field.Limits.MaxItems; most >= 0 && len(fv.inside.views) >= most {
			add.Disable()
		} else {
			add.Enable()
		}
	}
	entries := d.Fields(fv.path)
	var steps []func()
	for _, f := range entries {
		steps = append(steps, func() { v.entry(fv, f) })
	}
	if len(steps) > 0 {
		steps = append(steps, fv.renew)
	}
	v.build(len(entries), steps...)
	return []fyne.CanvasObject{v.head(fv, nil), fv.inside.box, kit.Row(gap, append([]fyne.CanvasObject{add}, v.toJSON(fv)...)...)}
}

// entry draws one entry after the others.
func (v *formView) entry(fv *fieldView, f *forms.Field) *fieldView {
	if fv.inside == nil {
		return nil // it was taken away while it was drawn
	}
	e := v.enter(fv.inside, f)
	e.label = v.entryLabel(fv, len(fv.inside.views)-1)
	e.tools = v.toolsOf(fv, e)
	if fv.field.Kind == forms.Map {
		v.keyOf(fv, e)
	}
	fv.inside.box.Add(e.indent(e.box))
	v.draw(e)
	return e
}

// entryLabel is what entry i is called by: its place, and what it is.
func (v *formView) entryLabel(fv *fieldView, i int) safetext.Text {
	n, of := i+1, max(len(v.fill.draft.Rows(fv.path)), i+1)
	what := line(fv.field.Entry.Label).String()
	switch {
	case fv.field.Kind == forms.Map && what == "":
		return line(v.t("ui.form.value"))
	case fv.field.Kind == forms.Map:
		return line(what)
	case what != "":
		return line(v.t("ui.form.entry_named", "Name", what, "N", n, "Of", of))
	}
	return line(v.t("ui.form.entry", "N", n, "Of", of))
}

func (v *formView) toolsOf(fv, e *fieldView) *entryTools {
	button := func(icon fyne.Resource, name string, do func()) *kit.Button {
		return kit.NewButton(kit.ButtonOptions{Env: v.env, Icon: icon, Name: v.t(name), Importance: kit.Quiet, EnterTaps: true, OnTapped: do})
	}
	t := &entryTools{
		up:     button(kit.IconArrowUp, "ui.form.up", func() { v.move(fv, e, -1) }),
		down:   button(kit.IconArrowDown, "ui.form.down", func() { v.move(fv, e, 1) }),
		remove: button(kit.IconCross, "ui.form.remove", func() { v.removeEntry(fv, e) }),
	}
	t.row = kit.Row(gapSmall, t.up, t.down, t.remove)
	return t
}

// number brings the places of all entries up to date, and how many there are.
func (v *formView) number(fv *fieldView) {
	if fv.inside == nil || fv.row == nil {
		return
	}
	for i, e := range fv.inside.views {
		e.label = v.entryLabel(fv, i)
		if e.row != nil {
			e.row.SetLabel(e.label)
		}
		if e.key != nil {
			e.key.row.SetLabel(v.keyLabel(fv, i))
		}
		enable(e.tools.up, i > 0)
		enable(e.tools.down, i < len(fv.inside.views)-1)
	}
	fv.inside.box.Hidden = len(fv.inside.views) == 0
	fv.row.SetNote(v.note(fv.field))
	fv.row.SetHint(v.hint(fv.field)...)
}

func enable(b *kit.Button, on bool) {
	switch {
	case on && b.Disabled():
		b.Enable()
	case !on && !b.Disabled():
		b.Disable()
	}
}

// addEntry adds an entry at the end and gives it the keyboard.
func (v *formView) addEntry(fv *fieldView) {
	p := v.fill.draft.Add(fv.path)
	if p == "" {
		return
	}
	e := v.entry(fv, v.fill.draft.Field(p))
	fv.renew()
	fv.box.Refresh()
	v.touched(fv.path)
	v.enterInto(e)
}

// move changes the place of an entry; the keyboard stays with it.
func (v *formView) move(fv, e *fieldView, by int) {
	from := slices.Index(fv.inside.views, e)
	to := from + by
	if from < 0 || to < 0 || to >= len(fv.inside.views) {
		return
	}
	v.fill.draft.Move(e.path, to)
	views, objects := fv.inside.views, fv.inside.box.Objects
	views[from], views[to] = views[to], views[from]
	objects[from], objects[to] = objects[to], objects[from]
	fv.inside.box.Refresh()
	fv.renew()
	v.touched(fv.path)
	at := e.tools.up
	if by > 0 && !e.tools.down.Disabled() || at.Disabled() {
		at = e.tools.down
	}
	v.bring(at)
}

// removeEntry takes an entry away; the keyboard goes to the next one.
func (v *formView) removeEntry(fv, e *fieldView) {
	i := slices.Index(fv.inside.views, e)
	if i < 0 {
		return
	}
	saved := v.fill.draft.Save()
	v.fill.draft.Remove(e.path)
	v.drop(e)
	delete(v.byPath, e.path)
	fv.inside.views = slices.Delete(fv.inside.views, i, i+1)
	fv.inside.box.Remove(fv.inside.box.Objects[i])
	fv.renew()
	v.taken(fv, saved)
	if n := len(fv.inside.views); n > 0 {
		next := fv.inside.views[min(i, n-1)]
		v.bring(next.tools.remove)
		return
	}
	v.bring(fv.start)
}
