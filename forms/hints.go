package forms

import "parley/assets/i18n"

// limitHints are the field's limits in words.
func (f *Field) limitHints() []i18n.Message {
	var hints []i18n.Message
	add := func(m i18n.Message) {
		if !m.IsZero() {
			hints = append(hints, m)
		}
	}
	switch f.Kind {
	case Text, Email, URI:
		add(lengthHint(f.Limits))
		if f.pattern != nil {
			add(i18n.M("forms.hint.pattern", "Pattern", excerpt(f.Limits.Pattern)))
		}
	case Date:
		add(i18n.M("forms.hint.date"))
	case DateTime:
		add(i18n.M("forms.hint.dateTime", "Zone", zoneLabel(f.zone)))
	case Integer:
		add(f.numberHint("forms.hint.integer"))
	case Number:
		add(f.numberHint("forms.hint.number"))
	case Checklist:
		add(itemRange("forms.hint.choose", f.Limits, 0))
	case Rows, Map:
		if f.Inline {
			add(i18n.M("forms.hint.further"))
		}
		add(itemRange("forms.hint.entries", f.Limits, 0))
		if f.KeyRule != nil {
			for _, h := range f.KeyRule.Hints {
				add(i18n.M("forms.hint.keys", "Limit", h))
			}
		}
	case List:
		add(i18n.M("forms.hint.lines"))
		add(itemRange("forms.hint.entries", f.Limits, 0))
		if f.item.Kind != Text || f.item.Limits.MinLength > 0 || f.item.Limits.MaxLength >= 0 || f.item.pattern != nil {
			for _, h := range f.item.limitHints() {
				add(i18n.M("forms.hint.each", "Limit", h))
			}
		}
	}
	return hints
}

func lengthHint(l Limits) i18n.Message {
	switch {
	case l.MinLength > 0 && l.MinLength == l.MaxLength:
		return i18n.N("forms.hint.lengthExactly", l.MinLength)
	case l.MinLength > 0 && l.MaxLength >= 0:
		return i18n.M("forms.hint.lengthBetween", "Min", l.MinLength, "Max", l.MaxLength)
	case l.MinLength > 0:
		return i18n.N("forms.hint.lengthAtLeast", l.MinLength)
	case l.MaxLength >= 0:
		return i18n.N("forms.hint.lengthAtMost", l.MaxLength)
	}
	return i18n.Message{}
}

// numberHint is "Whole number", "Whole number, 1 to 9" and so on.
func (f *Field) numberHint(key string) i18n.Message {
	what := i18n.M(key)
	if r := numberRange(f.Limits); !r.IsZero() {
		what = i18n.M("forms.hint.inRange", "What", what, "Range", r)
	}
	if f.multiple != nil {
		what = i18n.M("forms.hint.inRange", "What", what, "Range", i18n.M("forms.range.multipleOf", "Step", f.multiple.String()))
	}
	return what
}

// numberRange is the range of a number in words: "1 to 9", "more than 0",
// "more than 0 and at most 10"; zero without limits.
func numberRange(l Limits) i18n.Message {
	low, high := "forms.range.atLeast", "forms.range.atMost"
	if l.ExclusiveMinimum {
		low = "forms.range.moreThan"
	}
	if l.ExclusiveMaximum {
		high = "forms.range.lessThan"
	}
	a, b := excerpt(l.Minimum), excerpt(l.Maximum)
	switch {
	case a == "" && b == "":
		return i18n.Message{}
	case b == "":
		return i18n.M(low, "Limit", a)
	case a == "":
		return i18n.M(high, "Limit", b)
	case a == b:
		return i18n.M("forms.range.exactly", "Limit", a)
	case !l.ExclusiveMinimum && !l.ExclusiveMaximum:
		return i18n.M("forms.range.between", "Min", a, "Max", b)
	}
	return i18n.M("forms.range.and", "Low", i18n.M(low, "Limit", a), "High", i18n.M(high, "Limit", b))
}
