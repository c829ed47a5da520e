package forms

import (
	"encoding/json"
	"strings"

	"parley/assets/i18n"
)

// parseTicks sends the ticked options of a Checklist in their order, equal
// values once.
func (f *Field) parseTicks(picks []int) outcome {
	var values []json.RawMessage
	seen := map[string]bool{}
	for _, i := range picks {
		raw := f.Options[i].Raw
		if key := valueKey(raw); !seen[key] {
			seen[key] = true
			values = append(values, raw)
		}
	}
	if problem := f.itemsError(len(values)); !problem.IsZero() {
		return f.failed(Invalid, problem)
	}
	return outcome{value: joinArray(values)}
}

// maxEntries bounds the entries of a List, each of which is parsed at every
// check.
const maxEntries = 50_000

// parseList sends the entries of a List, each checked as its items ask for.
func (f *Field) parseList(a answer) (o outcome) {
	entries := a.texts()
	if len(entries) == 0 && a.lines == nil {
		return f.blank()
	}
	if len(entries) > maxEntries {
		return f.failed(Invalid, i18n.N("forms.error.entriesAtMost", maxEntries, "Now", len(entries)))
	}
	var values []json.RawMessage
	seen := map[string]int{}
	for i, entry := range entries {
		part := f.parseEntry(entry)
		if len(part.errors) > 0 {
			return f.failed(Invalid, i18n.M("forms.error.entry", "Number", i+1, "Reason", part.errors[0].Message))
		}
		if f.unique {
			key := valueKey(part.value)
			if first, again := seen[key]; again {
				return f.failed(Invalid, i18n.M("forms.error.twice", "First", first, "Second", i+1))
			}
			seen[key] = i + 1
		}
		values = append(values, part.value)
		o.addNotes(part.notes)
	}
	if problem := f.itemsError(len(values)); !problem.IsZero() {
		return f.failed(Invalid, problem)
	}
	o.value = joinArray(values)
	return o
}

func (f *Field) parseEntry(entry string) outcome {
	if f.item.Kind != Text {
		entry = strings.TrimSpace(entry)
	}
	return f.item.parseTyped(entry)
}

// itemsError says how many entries there must be when n are too few or too
// many.
func (f *Field) itemsError(n int) i18n.Message {
	l := f.Limits
	if n >= l.MinItems && (l.MaxItems < 0 || n <= l.MaxItems) {
		return i18n.Message{}
	}
	kind := "entries"
	if f.Kind == Checklist {
		kind = "choose"
	}
	return itemRange("forms.error."+kind, l, n)
}

// itemRange is the sentence about a number of items that fits the limits:
// KEY.exactly, KEY.between, KEY.atLeast or KEY.atMost, zero without limits.
func itemRange(key string, l Limits, now int) i18n.Message {
	switch {
	case l.MinItems > 0 && l.MinItems == l.MaxItems:
		return i18n.N(key+"Exactly", l.MinItems, "Now", now)
	case l.MinItems > 0 && l.MaxItems >= 0:
		return i18n.M(key+"Between", "Min", l.MinItems, "Max", l.MaxItems, "Now", now)
	case l.MinItems > 0:
		return i18n.N(key+"AtLeast", l.MinItems, "Now", now)
	case l.MaxItems >= 0:
		return i18n.N(key+"AtMost", l.MaxItems, "Now", now)
	}
	return i18n.Message{}
}
