package ui

import (
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"

	"parley/consent/safetext"
	"parley/forms"
	"parley/ui/kit"
)

// atOnce is how many plain fields are drawn in one step; a longer form comes in
// pieces, so that the window stays alive.
const atOnce = 12

// formView draws a form being filled in, each field with the control of its
// kind, and carries what the person does into the draft. It decides nothing:
// the draft says what an answer is and what is wrong with it.
//
// Fields that hold others are drawn in place: what is added, opened or taken
// away changes their part of the page and nothing else.
type formView struct {
	*surroundings
	env  *kit.Env
	fill *fill
	// changed is called after the person changed anything.
	changed func()

	box     *fyne.Container
	top     *part
	byPath  map[forms.Path]*fieldView
	builder *kit.Builder
	// at is the control that the keyboard was in last, nil before.
	at kit.Control
	// undo is what was taken away last, for as long as nothing else is done.
	undo *undo
	// showing ends the wait before something is brought into view.
	showing func()
}

// part is fields under each other: those of the form, or in a field.
type part struct {
	owner *fieldView // nil for the form
	box   *fyne.Container
	views []*fieldView
	// wrap is what box stands in beside its line; nil where nobody asks.
	wrap fyne.CanvasObject
}

// newFormView begins to draw f; ready is called, later or at once, when all
// fields stand.
func newFormView(v *surroundings, env *kit.Env, f *fill, changed, ready func()) *formView {
	view := &formView{surroundings: v, env: env, fill: f, changed: changed,
		top: &part{box: kit.Column(gap)}, byPath: map[forms.Path]*fieldView{}, showing: func() {}}
	view.box = view.top.box
	view.builder = kit.NewBuilder(v.do, ready)
	env.OnLeave = view.left
	view.build(len(leaves(f.draft)), view.steps(view.top, f.draft.Fields(""))...)
	return view
}

// build draws n fields with these steps: a few at once, many in pieces.
func (v *formView) build(n int, steps ...func()) {
	idle := v.builder.Idle()
	v.builder.Add(steps...)
	if idle && n <= atOnce {
		v.builder.Finish()
	}
}

// close ends a drawing that is still going on.
func (v *formView) close() {
	v.builder.Stop()
	v.showing()
}

// steps is the drawing of fields: runs of plain fields become grids of two
// columns, fields that hold others stand on their own.
func (v *formView) steps(p *part, fields []*forms.Field) []func() {
	var steps []func()
	var run []*forms.Field
	labels := map[string]int{}
	for _, f := range fields {
		if !f.Fixed {
			labels[shown(v.labelOf(f))]++
		}
	}
	enter := func(f *forms.Field) *fieldView {
		fv := v.enter(p, f)
		if f.Key != nil && labels[shown(fv.label)] > 1 {
			fv.name = named(f)
		}
		return fv
	}
	var held []*kit.FieldRow // waits for the field beside it
	flush := func(last bool) {
		if len(run) == 0 {
			return
		}
		fields := run
		run = nil
		steps = append(steps, func() {
			rows := held
			held = nil
			for _, f := range fields {
				fv := enter(f)
				v.plain(fv, nil)
				rows = append(rows, fv.row)
			}
			if !last {
				rows, held = kit.WholeLines(rows)
			}
			p.box.Add(kit.NewFormGrid(v.env, rows...))
		})
	}
	for _, f := range fields {
		switch {
		case f.Fixed:
		case f.Kind.Structured():
			flush(true)
			steps = append(steps, func() {
				fv := enter(f)
				p.box.Add(fv.box)
				v.draw(fv)
			})
		default:
			if len(run) == atOnce {
				flush(false)
			}
			run = append(run, f)
		}
	}
	flush(true)
	return steps
}

// enter makes a field a part of the page.
func (v *formView) enter(p *part, f *forms.Field) *fieldView {
	fv := &fieldView{path: f.Path, field: f, owner: p.owner, label: v.labelOf(f), box: kit.Column(gapSmall * 2)}
	p.views = append(p.views, fv)
	v.byPath[f.Path] = fv
	return fv
}

// drop takes what is drawn in a field out of the page.
func (v *formView) drop(fv *fieldView) {
	if fv.inside == nil {
		return
	}
	for _, c := range fv.inside.views {
		v.drop(c)
		delete(v.byPath, c.path)
	}
	fv.inside = nil
}

// each calls f for all fields of the page in their order, until it returns
// false.
func (v *formView) each(f func(*fieldView) bool) {
	var walk func(*part) bool
	walk = func(p *part) bool {
		for _, fv := range p.views {
			if !f(fv) || fv.inside != nil && !walk(fv.inside) {
				return false
			}
		}
		return true
	}
	walk(v.top)
}

// relayout makes room for what has grown, before something is brought into
// view. A window does so with its next frame.
func (v *formView) relayout() {
	if v.env.Reveal != nil {
		v.env.Reveal.Relayout()
	}
}

// touched is called after the person changed the field at p.
func (v *formView) touched(p forms.Path) {
	if v.undo != nil {
		v.forgetUndo()
	}
	for q := p; q != ""; q = outside(q) {
		fv := v.byPath[q]
		if fv == nil || fv.row == nil {
			continue
		}
		if q == p {
			fv.row.SetNote(v.note(fv.field))
			fv.row.SetHint(v.hint(fv.field)...)
			if fv.renew != nil {
				fv.renew()
			}
		}
		// An error that shows goes as soon as it is mended, and comes only when
		// the field is left.
		if fv.hasError() && v.fill.fault(q) == nil {
			fv.setError(nil, "")
		}
	}
	v.changed()
}

// left shows a field's error once the keyboard has left it.
func (v *formView) left(o fyne.CanvasObject) {
	fv := v.holder(o)
	if fv == nil {
		return
	}
	if fv.owner != nil { // where the keyboard goes is known only then
		v.do.Do(func() { v.leftAround(fv) })
	}
	key := fv.key != nil && kit.Holds(fv.key.control, o)
	if !key && (fv.control == nil || !kit.Holds(fv.control, o)) {
		return
	}
	v.at = fv.control
	if key {
		v.at = fv.key.control
	}
	if key || v.fill.draft.State(fv.path) != forms.Untouched {
		v.fill.left[fv.path] = true
	}
	v.showFault(fv)
	if key {
		v.keyLeft(fv)
	}
}

// holder is the field that o is a part of, nil for none.
func (v *formView) holder(o fyne.CanvasObject) (at *fieldView) {
	v.each(func(fv *fieldView) bool {
		if fv.has(o) {
			at = fv
		}
		return at == nil
	})
	return at
}

// leftAround shows what is wrong in the fields around fv that the keyboard has
// left with it: in the entry it stands in, and in the entries as such.
func (v *formView) leftAround(fv *fieldView) {
	if v.byPath[fv.path] != fv {
		return // it was drawn anew meanwhile
	}
	c := fyne.CurrentApp().Driver().CanvasForObject(v.box)
	if c == nil || c.Focused() == nil {
		return
	}
	at, _ := c.Focused().(fyne.CanvasObject)
	here := v.holder(at)
	for q := fv.owner; q != nil && !here.lies(q); q = q.owner {
		if !v.entered(q) {
			continue
		}
		for _, e := range v.fill.draft.CheckWithin(q.path) {
			v.fill.left[e.Path] = true
			if wrong := v.byPath[e.Path]; wrong != nil {
				v.showFault(wrong)
			}
		}
	}
}

// lies reports whether fv is q or stands in it; no field does neither.
func (fv *fieldView) lies(q *fieldView) bool {
	for ; fv != nil; fv = fv.owner {
		if fv == q {
			return true
		}
	}
	return false
}

// entered reports whether the person has made fv or done something in it.
func (v *formView) entered(fv *fieldView) bool {
	if fv.tools != nil || v.fill.draft.State(fv.path) != forms.Untouched {
		return true
	}
	return fv.inside != nil && slices.ContainsFunc(fv.inside.views, v.entered)
}

func (v *formView) showFault(fv *fieldView) {
	if e := v.fill.fault(fv.path); e != nil {
		fv.setError(e, v.say(e.Message))
		return
	}
	fv.setError(nil, "")
}

// lead shows all errors beside their fields and goes to the first one. What no
// field can show it returns, for the page to say.
func (v *formView) lead(errs []forms.FieldError) (rest []forms.FieldError) {
	v.builder.Finish()
	v.each(func(fv *fieldView) bool { fv.setError(nil, ""); return true })
	var first *fieldView
	for _, e := range errs {
		fv := v.near(e.Path)
		if fv == nil || fv.row == nil {
			rest = append(rest, e)
			continue
		}
		if fv.path == e.Path || !fv.hasError() {
			fv.setError(&e, v.say(e.Message))
		}
		if first == nil {
			first = fv
		}
	}
	if first != nil {
		v.goTo(first)
	}
	return rest
}

// near is the field at p, else the one around it that is drawn; nil for none.
func (v *formView) near(p forms.Path) *fieldView {
	for q := p; q != ""; q = outside(q) {
		if fv := v.byPath[q]; fv != nil {
			return fv
		}
	}
	return nil
}

// goTo brings a field into view and gives it the keyboard.
func (v *formView) goTo(fv *fieldView) {
	v.relayout()
	if v.env.Reveal != nil && fv.row != nil {
		v.env.Reveal.IntoView(fv.row)
	}
	if f := fv.focus(); f != nil {
		v.focus(f)
	}
}

// bring gives the keyboard to something and brings it into view: now, and again
// with the next frame, since Fyne knows the place of what is new only then.
func (v *formView) bring(f fyne.Focusable) {
	v.relayout()
	v.focus(f)
	o, ok := f.(fyne.CanvasObject)
	if v.env.Reveal == nil || !ok {
		return
	}
	v.showing()
	v.showing = v.clock.After(frameTime, func() { v.do.Do(func() { v.env.Reveal.IntoView(o) }) })
}

// frameTime is how long a frame takes, with some room.
const frameTime = 40 * time.Millisecond

// focus gives the keyboard to something on the page.
func (v *formView) focus(f fyne.Focusable) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(v.box); c != nil {
		c.Focus(f)
	}
}

// first is the control the keyboard goes to when the form comes up.
func (v *formView) first() (first fyne.Focusable) {
	v.each(func(fv *fieldView) bool {
		first = fv.focus()
		return first == nil
	})
	return first
}

// last is the control the keyboard was in last, to go on there; before that it
// is the first.
func (v *formView) last() fyne.Focusable {
	if v == nil {
		return nil
	}
	if v.at != nil {
		return v.at.FocusTarget()
	}
	return v.first()
}

// label makes the name of a field or an option safe to show; it is shown in full.
func label(s string) safetext.Text { return safetext.Line(s, longText) }

// labelOf is what a field is called on the page. Fields without a key go by
// what they are.
func (v *formView) labelOf(f *forms.Field) safetext.Text {
	switch {
	case f.Inline && f.Kind == forms.Variant:
		return line(v.t("ui.form.one_of"))
	case f.Inline:
		return line(v.t("ui.form.further"))
	case f.Key == nil && f.Label == "":
		return line(v.say(f.KindName()))
	}
	return label(f.Label)
}

// named is the key of a field, as JSON where it would not be seen by itself.
func named(f *forms.Field) safetext.Text {
	if name := label(f.Name); shown(name) != "" {
		return name
	}
	return label(string(f.Key))
}

// nameOf names a field in a sentence: its label on one line, or the words for
// having none.
func (v *surroundings) nameOf(f *forms.Field) string {
	switch {
	case f.Inline && f.Kind == forms.Variant:
		return v.t("ui.form.one_of")
	case f.Inline:
		return v.t("ui.form.further")
	}
	if name := line(f.Label).String(); strings.TrimSpace(name) != "" {
		return name
	}
	if f.Key == nil && f.Kind != "" {
		return v.say(f.KindName())
	}
	return v.t("kit.no_name")
}

// nameAmong is nameOf for a field that stands beside others: with its key where
// one of those goes by the same name, as the form shows it.
func (v *surroundings) nameAmong(f *forms.Field, beside []*forms.Field) string {
	name := v.nameOf(f)
	same := func(o *forms.Field) bool { return o != f && o.Path != f.Path && !o.Fixed && v.nameOf(o) == name }
	if f.Key == nil || !slices.ContainsFunc(beside, same) {
		return name
	}
	return v.t("ui.form.named", "Label", name, "Name", named(f).String())
}

// namesOf names fields one after the other, which stand beside others.
func (v *surroundings) namesOf(fields, beside []*forms.Field) string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = v.nameAmong(f, beside)
	}
	return strings.Join(names, ", ")
}

// placesOf is namesOf for fields that may stand in others.
func (v *surroundings) placesOf(d *forms.Draft, fields []*forms.Field) string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = v.placeOf(d, f)
	}
	return strings.Join(names, ", ")
}

// wholeNotice says what is wrong with a form as a whole, below a title that says
// what cannot be done because of it; nil for nothing.
func wholeNotice(v *surroundings, title string, errs []forms.FieldError) fyne.CanvasObject {
	if len(errs) == 0 {
		return nil
	}
	return kit.NewNotice(kit.Danger, v.t(title), v.sentences(messagesOf(errs)))
}
