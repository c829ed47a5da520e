package forms

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// State is how far a person has come with one field. Untouched and Cleared are
// two things: an untouched field sends its default, a cleared one does not.
type State int

const (
	// Untouched: the person did nothing; a usable default stands.
	Untouched State = iota
	// Cleared: the person took the value away.
	Cleared
	// Answered: the person typed, picked or ticked something.
	Answered
)

// answer is what one field holds.
type answer struct {
	state State
	// text is what was typed into a field of a typed kind.
	text string
	// lines are the entries of a List that came as an array and may hold line
	// breaks; nil when text holds them.
	lines []string
	// picks are the indexes of the options picked or ticked, ascending.
	picks []int
	yes   bool
	// null is null on purpose. before is what it took the place of, nil where
	// that was untouched.
	null   bool
	before *answer
	// entries are those of Rows and Maps, in order.
	entries []entry
	// chosen is the place of the alternative of a Variant.
	chosen int
}

// entry is one entry of Rows or a Map.
type entry struct {
	id    int    // the last part of its path; above 0 where the person added it
	key   string // of a Map, as rawjson.Decode gives it
	named bool   // it has a key
}

// Draft is what a person has entered into a form so far. It holds what they
// did, not what it means: half-typed and wrong text stays as it is. The zero
// Draft is not usable; see [Form.NewDraft].
//
// A Draft is not safe for concurrent use: it belongs to one goroutine, the
// window's. Save gives a copy that can travel.
//
// The setters ignore a path or option that the form does not have and a value
// that is not of the field's kind, so that nothing late or mistaken can change
// an answer or stop the app.
type Draft struct {
	form    *Form
	answers map[Path]answer
	// zones are those that the person chose for date-times, where they are not
	// the form's.
	zones map[Path]*time.Location
	// fields are those that are not the form's: of entries, of alternatives
	// and of opened groups.
	fields map[Path]*Field
	made   int     // of fields, in all
	cost   int     // of opening what is closed, in steps of filling
	last   int     // the number of the newest entry
	step   int     // from one entry's number to the next: 1, in a default -1
	reader *parser // of what is opened; nil until something is
	// refused is what the last check of the whole said, until something changes.
	refused map[Path]FieldError
}

// NewDraft returns an untouched draft of f.
func (f *Form) NewDraft() *Draft {
	return &Draft{form: f, answers: map[Path]answer{}, zones: map[Path]*time.Location{}, fields: map[Path]*Field{}, step: 1}
}

// Form returns the form that d is a draft of.
func (d *Draft) Form() *Form { return d.form }

// State tells how far the field at p is.
func (d *Draft) State(p Path) State { return d.answers[p].state }

// Touched reports whether the person has done anything in the form that is not
// taken back; closing an untouched form loses nothing.
func (d *Draft) Touched() bool { return len(d.answers) > 0 }

// SetText puts s where the typed text of the field at p stood. Empty text
// clears the field. Groups, Rows, Maps and Variants can be answered with raw
// JSON in this way too, whatever the fields in them can show; opening the
// group, answering a field in it, adding an entry or choosing an alternative
// takes that text away again.
func (d *Draft) SetText(p Path, s string) {
	f := d.Field(p)
	if f == nil || !f.Kind.Typed() && !f.Kind.Structured() {
		return
	}
	if s == "" {
		d.Clear(p)
		return
	}
	d.put(f, answer{state: Answered, text: strings.ToValidUTF8(s, "\uFFFD")})
}

// SetLines makes lines the entries of the List at p, line breaks and empty
// entries included; none clears it.
func (d *Draft) SetLines(p Path, lines ...string) {
	if f := d.Field(p); f != nil && f.Kind == List {
		d.list(f, lines)
	}
}

func (d *Draft) list(f *Field, lines []string) {
	if len(lines) == 0 {
		d.clear(f)
		return
	}
	d.put(f, answer{state: Answered, lines: slices.Clone(lines)})
}

// Pick chooses the option of the Choice at p.
func (d *Draft) Pick(p Path, option int) {
	if f := d.Field(p); f != nil && f.Kind == Choice && f.has(option) {
		d.put(f, answer{state: Answered, picks: []int{option}})
	}
}

// Tick ticks or unticks one option of the Checklist at p. In an untouched
// field the default's ticks stand and are the start. With no tick left the
// field is cleared.
func (d *Draft) Tick(p Path, option int, on bool) {
	f := d.Field(p)
	if f == nil || f.Kind != Checklist || !f.has(option) {
		return
	}
	picks := slices.DeleteFunc(d.Ticked(p), func(i int) bool { return i == option })
	if on {
		picks = append(picks, option)
	}
	d.SetTicks(p, picks...)
}

// SetTicks ticks exactly these options of the Checklist at p; none clears it.
func (d *Draft) SetTicks(p Path, options ...int) {
	if f := d.Field(p); f != nil && f.Kind == Checklist {
		d.tick(f, options)
	}
}

func (d *Draft) tick(f *Field, options []int) {
	picks := slices.DeleteFunc(slices.Clone(options), func(i int) bool { return !f.has(i) })
	if len(picks) == 0 {
		d.clear(f)
		return
	}
	slices.Sort(picks)
	d.put(f, answer{state: Answered, picks: slices.Compact(picks)})
}

// SetBool answers the Boolean at p.
func (d *Draft) SetBool(p Path, yes bool) {
	if f := d.Field(p); f != nil && f.Kind == Boolean {
		d.put(f, answer{state: Answered, yes: yes})
	}
}

// SetNull answers the Nullable field at p with null, on purpose. What stood in
// it is kept for UnsetNull.
func (d *Draft) SetNull(p Path) {
	f := d.Field(p)
	if f == nil || !f.Nullable || d.answers[f.Path].null {
		return
	}
	a := answer{state: Answered, null: true}
	if held, ok := d.answers[f.Path]; ok {
		a.before = &held
	}
	d.put(f, a)
}

// UnsetNull takes null back: what stood in the field at p before stands there
// again, however little that was. A null that the default says is cleared.
func (d *Draft) UnsetNull(p Path) {
	f := d.Field(p)
	if f == nil || !d.effective(f).null {
		return
	}
	d.refused = nil
	switch a, own := d.answers[f.Path]; {
	case !own || a.before == nil && d.standing(f).null:
		d.clear(f)
	case a.before == nil:
		delete(d.answers, f.Path)
	default:
		d.answers[f.Path] = *a.before
	}
}

// Null reports whether the field at p is answered with null.
func (d *Draft) Null(p Path) bool {
	f := d.Field(p)
	return f != nil && d.effective(f).null
}

// Clear takes the value of the field at p away, a default included, and with
// it what lies in the entries of Rows and Maps. An optional Group is left out,
// a required one has its fields cleared. What was typed into the alternatives
// of a Variant stays for when one is chosen again.
func (d *Draft) Clear(p Path) {
	if f := d.Field(p); f != nil {
		d.clear(f)
	}
}

// clear is Clear for a field at hand.
func (d *Draft) clear(f *Field) {
	switch {
	case f.Kind == Unsupported || f.Fixed:
		return
	case f.Kind == Group && f.Required:
		delete(d.answers, f.Path)
		for _, c := range d.inside(f) {
			d.clear(c)
		}
		return
	case f.Kind == Group:
		d.reset(f)
		if d.standing(f).state != Answered {
			return
		}
	case f.Kind == Rows || f.Kind == Map:
		d.forgetBelow(f.Path)
	}
	d.put(f, answer{state: Cleared})
}

// Reset makes the field at p and all that lies in it untouched again, so that
// defaults stand; a group that was opened is closed.
func (d *Draft) Reset(p Path) {
	if f := d.Field(p); f != nil {
		d.reset(f)
	}
}

// reset is Reset for a field at hand.
func (d *Draft) reset(f *Field) {
	d.refused = nil
	delete(d.answers, f.Path)
	delete(d.zones, f.Path)
	if f.Kind.Structured() {
		forgetBelow(d.answers, f.Path)
		forgetBelow(d.zones, f.Path)
		d.close(f)
	}
}

// put makes a the answer of f, and the groups around it such as hold one.
func (d *Draft) put(f *Field, a answer) {
	d.refused = nil
	d.answers[f.Path] = a
	for q := f.parent; q != nil; q = q.parent {
		held, ok := d.answers[q.Path]
		if ok && q.Kind == Group && (held.null || held.state == Cleared || held.text != "") {
			delete(d.answers, q.Path)
		}
	}
}

// Text is what the control of the typed field at p shows: what was typed, the
// default while untouched, "" when cleared, and under null what null took the
// place of. Of Groups, Rows, Maps and Variants it is the raw JSON of what stands
// in them, for whoever wants to go on writing that.
func (d *Draft) Text(p Path) string {
	f := d.Field(p)
	if f == nil {
		return ""
	}
	a := d.beneath(f)
	switch {
	case a.lines != nil:
		return strings.Join(a.lines, "\n")
	case f.Kind == Group && a.text == "" && !d.effective(f).null && d.sends(f),
		f.Kind.Structured() && f.Kind != Group && a.text == "" && a.state == Answered && !d.effective(f).null:
		return string(d.outcome(f).value)
	}
	return a.text
}

// Raw reports whether the Group, Rows, Map or Variant at p is answered with raw
// JSON as a whole, so that no fields stand in it.
func (d *Draft) Raw(p Path) bool {
	f := d.Field(p)
	return f != nil && d.raw(f)
}

// raw is Raw for a field at hand.
func (d *Draft) raw(f *Field) bool {
	return f.Kind.Structured() && d.effective(f).text != ""
}

// Picked is the option that the Choice at p shows as picked, -1 for none.
func (d *Draft) Picked(p Path) int {
	if a := d.current(p); len(a.picks) > 0 {
		return a.picks[0]
	}
	return -1
}

// Ticked are the options that the Checklist at p shows as ticked, ascending.
// The caller may keep and change the slice.
func (d *Draft) Ticked(p Path) []int { return slices.Clone(d.current(p).picks) }

// Bool is what the Boolean at p shows; ok is false while it is not answered,
// the third state.
func (d *Draft) Bool(p Path) (yes, ok bool) {
	a := d.current(p)
	return a.yes, a.state == Answered
}

// current is what the control of the field at p shows: its answer, with the
// default standing in for an untouched one.
func (d *Draft) current(p Path) answer {
	f := d.Field(p)
	if f == nil {
		return answer{}
	}
	return d.beneath(f)
}

// beneath is what f holds, and under null what that took the place of.
func (d *Draft) beneath(f *Field) answer {
	a := d.effective(f)
	switch {
	case !a.null:
		return a
	case a.before != nil:
		return *a.before
	}
	if a = d.standing(f); a.null {
		return answer{}
	}
	return a
}

// effective is what f holds: the person's answer, else what stands without one
// (whose state is Answered), else nothing.
func (d *Draft) effective(f *Field) answer {
	if a, ok := d.answers[f.Path]; ok {
		return a
	}
	return d.standing(f)
}

// standing is what f holds while it is untouched. The default of a field
// around it comes before its own, except in an entry that the person added and
// in an alternative that the default does not choose.
func (d *Draft) standing(f *Field) answer {
	own := func() answer {
		if f.usable != nil {
			return *f.usable
		}
		return answer{}
	}
	var alternatives []*Field // between f and the default
	for q := f; q != nil; q = q.parent {
		if q.layer != nil {
			for _, v := range alternatives {
				a := q.layer[v.parent.Path[len(q.Path):]]
				if a.state != Answered || strconv.Itoa(a.chosen) != v.segment {
					return own()
				}
			}
			return q.layer[f.Path[len(q.Path):]]
		}
		if q.number > 0 {
			break
		}
		if q.parent != nil && q.parent.Kind == Variant {
			alternatives = append(alternatives, q)
		}
	}
	return own()
}

// has reports whether f has the option i.
func (f *Field) has(i int) bool { return i >= 0 && i < len(f.Options) }
