package forms

import (
	"slices"
	"strings"
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
}

// NewDraft returns an untouched draft of f.
func (f *Form) NewDraft() *Draft {
	return &Draft{form: f, answers: map[Path]answer{}}
}

// Form returns the form that d is a draft of.
func (d *Draft) Form() *Form { return d.form }

// State tells how far the field at p is.
func (d *Draft) State(p Path) State { return d.answers[p].state }

// Touched reports whether the person has done anything in the form that is not
// taken back; closing an untouched form loses nothing.
func (d *Draft) Touched() bool { return len(d.answers) > 0 }

// SetText puts s where the typed text of the field at p stood. Empty text
// clears the field.
func (d *Draft) SetText(p Path, s string) {
	f := d.form.Field(p)
	if f == nil || !f.Kind.Typed() {
		return
	}
	if s == "" {
		d.Clear(p)
		return
	}
	d.answers[p] = answer{state: Answered, text: strings.ToValidUTF8(s, "\uFFFD")}
}

// SetLines makes lines the entries of the List at p, line breaks and empty
// entries included; none clears it.
func (d *Draft) SetLines(p Path, lines ...string) {
	f := d.form.Field(p)
	if f == nil || f.Kind != List {
		return
	}
	if len(lines) == 0 {
		d.Clear(p)
		return
	}
	d.answers[p] = answer{state: Answered, lines: slices.Clone(lines)}
}

// Pick chooses the option of the Choice at p.
func (d *Draft) Pick(p Path, option int) {
	if f := d.form.Field(p); f != nil && f.Kind == Choice && f.has(option) {
		d.answers[p] = answer{state: Answered, picks: []int{option}}
	}
}

// Tick ticks or unticks one option of the Checklist at p. In an untouched
// field the default's ticks stand and are the start. With no tick left the
// field is cleared.
func (d *Draft) Tick(p Path, option int, on bool) {
	f := d.form.Field(p)
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
	f := d.form.Field(p)
	if f == nil || f.Kind != Checklist {
		return
	}
	picks := slices.DeleteFunc(slices.Clone(options), func(i int) bool { return !f.has(i) })
	if len(picks) == 0 {
		d.Clear(p)
		return
	}
	slices.Sort(picks)
	d.answers[p] = answer{state: Answered, picks: slices.Compact(picks)}
}

// SetBool answers the Boolean at p.
func (d *Draft) SetBool(p Path, yes bool) {
	if f := d.form.Field(p); f != nil && f.Kind == Boolean {
		d.answers[p] = answer{state: Answered, yes: yes}
	}
}

// Clear takes the value of the field at p away, a default included.
func (d *Draft) Clear(p Path) {
	if f := d.form.Field(p); f != nil && f.Kind != Unsupported && f.Kind != Group {
		d.answers[p] = answer{state: Cleared}
	}
}

// Reset makes the field at p untouched again, so that a default stands.
func (d *Draft) Reset(p Path) { delete(d.answers, p) }

// Text is what the control of the typed field at p shows: what was typed, the
// default while untouched, "" when cleared.
func (d *Draft) Text(p Path) string {
	a := d.current(p)
	if a.lines != nil {
		return strings.Join(a.lines, "\n")
	}
	return a.text
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

// current is the answer at p with the default standing in for an untouched one.
func (d *Draft) current(p Path) answer {
	f := d.form.Field(p)
	if f == nil {
		return answer{}
	}
	return d.effective(f)
}

// effective is what f holds: the person's answer, else the usable default
// (whose state is Answered), else nothing.
func (d *Draft) effective(f *Field) answer {
	if a, ok := d.answers[f.Path]; ok {
		return a
	}
	if f.usable != nil {
		return *f.usable
	}
	return answer{}
}

// has reports whether f has the option i.
func (f *Field) has(i int) bool { return i >= 0 && i < len(f.Options) }
