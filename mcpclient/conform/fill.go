package main

import (
	"encoding/json"
	"errors"
	"math/big"
	"strconv"
	"strings"

	"parley/forms"
)

// fill answers a form, a question or the arguments of a call, with the least
// that it allows: defaults stand, what is optional and has none stays out, and
// each other field gets the first value that its own checks take: nothing, no,
// the first option, the shortest text, zero or else the number nearest to its
// lower limit. The same input gives the same answer. The error names the fields
// for which no value was found.
func fill(form *forms.Form) (json.RawMessage, error) {
	d := form.NewDraft()
	for _, f := range form.Fields {
		fillField(d, f)
	}
	// What is made up is nobody's secret.
	content, errs := d.Content(forms.Submit{ConfirmSecrets: true})
	if len(errs) == 0 {
		return content, nil
	}
	faults := make([]error, len(errs))
	for i, e := range errs {
		faults[i] = errors.New("field " + strconv.Quote(e.Name) + ": " + english.Text(e.Message))
	}
	return nil, errors.Join(faults...)
}

// fillField gives f a value if it needs one.
func fillField(d *forms.Draft, f *forms.Field) {
	if d.CheckField(f.Path) == nil {
		return
	}
	for _, child := range d.Fields(f.Path) {
		fillField(d, child)
	}
	for _, act := range acts(f) {
		act(d)
		if d.CheckField(f.Path) == nil {
			return
		}
	}
}

// fillInside gives values to the fields in the one at p.
func fillInside(d *forms.Draft, p forms.Path) {
	for _, f := range d.Fields(p) {
		fillField(d, f)
	}
}

// act is something a person might do at the control of a field.
type act func(*forms.Draft)

// acts are what to try at f, best first.
func acts(f *forms.Field) []act {
	switch f.Kind {
	case forms.Boolean:
		return []act{func(d *forms.Draft) { d.SetBool(f.Path, false) }}
	case forms.Choice:
		return []act{func(d *forms.Draft) { d.Pick(f.Path, 0) }}
	case forms.Checklist:
		ticks := make([]int, min(f.Limits.MinItems, len(f.Options)))
		for i := range ticks {
			ticks[i] = i
		}
		return []act{func(d *forms.Draft) { d.SetTicks(f.Path, ticks...) }}
	case forms.Variant:
		var tries []act
		for i := range f.Variants {
			tries = append(tries, func(d *forms.Draft) {
				d.Choose(f.Path, i)
				fillInside(d, f.Path)
			})
		}
		return tries
	case forms.Rows, forms.Map:
		return []act{func(d *forms.Draft) {
			for i := range min(max(f.Limits.MinItems, 1), most) {
				d.SetKey(d.Add(f.Path), strconv.Itoa(i+1)) // in Rows it has none
			}
			fillInside(d, f.Path)
		}}
	case forms.Group: // a closed one
		return []act{func(d *forms.Draft) {
			d.Open(f.Path)
			fillInside(d, f.Path)
		}}
	case forms.List:
		// Numerals, which are texts and numbers and differ.
		lines := make([]string, min(max(f.Limits.MinItems, 1), most))
		for i := range lines {
			lines[i] = strconv.Itoa(i + 1)
		}
		return []act{func(d *forms.Draft) { d.SetLines(f.Path, lines...) }}
	}
	var tries []act
	for _, text := range texts(f) {
		tries = append(tries, func(d *forms.Draft) { d.SetText(f.Path, text) })
	}
	return tries
}

// most bounds the length of texts and lists that a server may demand.
const most = 100_000

// texts are what to type into f, best first.
func texts(f *forms.Field) []string {
	switch f.Kind {
	case forms.Text:
		n := min(max(f.Limits.MinLength, 1), most)
		return []string{strings.Repeat("a", n), strings.Repeat("A", n), strings.Repeat("1", n)}
	case forms.Email:
		return []string{"a@example.com"}
	case forms.URI:
		return []string{"https://example.com/"}
	case forms.Date:
		return []string{"2026-07-28"}
	case forms.DateTime:
		return []string{"2026-07-28T00:00:00Z"}
	case forms.Integer, forms.Number:
		return numbers(f.Limits)
	case forms.JSON:
		return []string{"{}", "[]", `""`, "0", "false", "null"}
	}
	return nil
}

// numbers are numbers that may be within the limits: zero, then from the lower
// limit upwards.
func numbers(l forms.Limits) []string {
	tries := []string{"0"}
	low, bounded := new(big.Rat).SetString(l.Minimum)
	high, capped := new(big.Rat).SetString(l.Maximum)
	if bounded {
		next := new(big.Int).Div(low.Num(), low.Denom()) // rounds down
		tries = append(tries, l.Minimum, next.Add(next, big.NewInt(1)).String())
	}
	if bounded && capped {
		middle := new(big.Rat).Add(low, high)
		middle.Quo(middle, big.NewRat(2, 1))
		digits, _ := middle.FloatPrec()
		tries = append(tries, middle.FloatString(digits))
	}
	if capped {
		next := new(big.Int).Div(high.Num(), high.Denom())
		tries = append(tries, l.Maximum, next.String(), next.Sub(next, big.NewInt(1)).String())
	}
	return tries
}
