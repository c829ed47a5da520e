package forms

import (
	"encoding/json"

	"parley/forms/rawjson"
)

// mergeKeyword is what two values of one keyword come to where both must hold
// (JSON Schema 2020-12 core, section 10.2.1.1): all properties and all required
// keys, the stricter of two limits. ok is false for keywords whose values
// cannot be taken together.
func mergeKeyword(key string, a, b json.RawMessage) (json.RawMessage, bool) {
	switch key {
	case "properties":
		return mergeProperties(a, b)
	case "required":
		return mergeRequired(a, b)
	case "minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties":
		return stricter(a, b, 1)
	case "maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties":
		return stricter(a, b, -1)
	case "uniqueItems":
		yes := func(raw json.RawMessage) bool { return rawjson.Kind(raw) == 't' || rawjson.Kind(raw) == 'f' }
		return json.RawMessage("true"), yes(a) && yes(b) // they differ, so one is true
	}
	if ruleKeywords[key] {
		return a, true
	}
	return nil, false
}

// mergeProperties has the properties of both, those of a first. One that both
// have must be what both say.
func mergeProperties(a, b json.RawMessage) (json.RawMessage, bool) {
	first, err := rawjson.Object(a)
	second, err2 := rawjson.Object(b)
	if err != nil || err2 != nil || len(first)+len(second) > 2*maxKeywords {
		return nil, false
	}
	later := map[string]int{}
	for i, m := range second {
		id, _ := rawjson.Decode(m.Raw)
		later[id] = i
	}
	var w objectWriter
	for _, m := range first {
		id, _ := rawjson.Decode(m.Raw)
		value := m.Value
		if i, again := later[id]; again {
			if string(second[i].Value) != string(value) {
				value = both(second[i].Value, value)
			}
			delete(later, id)
		}
		w.putRaw(m.Raw, value)
	}
	for _, m := range second {
		id, _ := rawjson.Decode(m.Raw)
		if _, left := later[id]; left {
			w.putRaw(m.Raw, m.Value)
		}
	}
	return w.end(), true
}

// mergeRequired is all names of both, each once where they are names at all.
func mergeRequired(a, b json.RawMessage) (json.RawMessage, bool) {
	first, err := rawjson.Array(a)
	second, err2 := rawjson.Array(b)
	if err != nil || err2 != nil {
		return nil, false
	}
	seen := map[string]bool{}
	var all []json.RawMessage
	for _, name := range append(first[:len(first):len(first)], second...) {
		if seen[string(name)] {
			continue
		}
		seen[string(name)] = true
		all = append(all, name)
	}
	return joinArray(all), true
}

// stricter is the limit of two that allows less: the higher one for sign 1, the
// lower one for -1.
func stricter(a, b json.RawMessage, sign int) (json.RawMessage, bool) {
	x, ok := decimalOf(a)
	y, ok2 := decimalOf(b)
	if !ok || !ok2 {
		return nil, false
	}
	if x.compare(y) == sign {
		return a, true
	}
	return b, true
}
