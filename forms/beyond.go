package forms

import (
	"net/url"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"parley/assets/i18n"
)

// A question's schema is restricted to a flat object of plain fields, but
// servers write more: that one field needs another (dependentRequired, if/then),
// that one of two must be there (anyOf), that a value is not allowed (not). No
// field shows such a rule. It is named in words, and the whole answer is held
// against the schema when it is checked (final.go).
//
// Only what these keywords say counts there. All else the fields check
// themselves, and they ignore limits that contradict each other, so that a form
// stays usable, which the schema as a whole would not.

// The keywords that no field shows: of the form, of any field, and of lists.
// additionalProperties and unevaluatedProperties are none of them, since an
// answer has no key that is not described.
var (
	beyondForm  = []string{"if", "dependentRequired", "dependentSchemas", "dependencies", "anyOf", "oneOf", "not", "minProperties", "maxProperties", "patternProperties", "propertyNames", "enum", "const"}
	beyondField = []string{"if", "not"}
	beyondList  = []string{"contains", "prefixItems", "unevaluatedItems"}
)

// ruleKeywords may be said twice where schemas meet: no field is made from
// them, and the check of the whole knows all of them.
var ruleKeywords = map[string]bool{
	"if": true, "then": true, "else": true, "not": true, "dependentRequired": true, "dependentSchemas": true, "dependencies": true,
	"propertyNames": true, "contains": true,
}

// beyond are the keywords of n among these.
func (n node) beyond(keywords []string) (found []string) {
	for _, k := range keywords {
		if n.get(k) != nil {
			found = append(found, k)
		}
	}
	return found
}

// noteRules remembers the rules of a question's field that it does not show.
func (p *parser) noteRules(f *Field, n node) {
	if p.purpose != Elicitation || f.Kind == Unsupported {
		return
	}
	found := n.beyond(beyondField)
	if f.Kind == Checklist || f.Kind == List {
		found = append(found, n.beyond(beyondList)...)
	}
	if _, all := n.unionConstants(); n.union() != "" && !all {
		found = append(found, n.union())
	}
	p.rules = append(p.rules, rulesAt{f, found})
}

// rulesAt are keywords that the field (nil is the form) does not show.
type rulesAt struct {
	field    *Field
	keywords []string
}

// checkRules names the rules that no field shows and has the whole checked
// where there are any.
func (p *parser) checkRules() {
	kept := map[string]bool{}
	for _, at := range p.rules {
		for _, k := range at.keywords {
			kept[k] = true
		}
	}
	f := p.form
	if len(kept) == 0 || f.broken {
		return
	}
	if kept["if"] {
		kept["then"], kept["else"] = true, true
	}
	if kept["contains"] {
		kept["minContains"], kept["maxContains"] = true, true
	}
	f.final = newFinalCheck(f)
	f.final.only = kept
	problem := "forms.problem.rules"
	if f.final.schema == nil {
		problem = "forms.problem.rulesUnchecked"
	}
	for _, at := range p.rules {
		switch m := i18n.M(problem, "Keywords", strings.Join(at.keywords, ", ")); {
		case len(at.keywords) == 0:
		case at.field == nil:
			f.Problems = append(f.Problems, m)
		default:
			at.field.Problems = append(at.field.Problems, m)
		}
	}
}

// counts reports whether a fault is one that this check is for: all of a
// tool's arguments, in a question those of the rules that no field shows.
func (c *finalCheck) counts(fault *jsonschema.ValidationError) bool {
	if c.only == nil {
		return true
	}
	_, fragment, _ := strings.Cut(fault.SchemaURL, "#")
	if plain, err := url.PathUnescape(fragment); err == nil {
		fragment = plain
	}
	way := strings.Split(strings.TrimPrefix(fragment, "/"), "/")
	if fragment == "" {
		way = nil
	}
	switch fault.ErrorKind.(type) {
	case *kind.Not:
		way = append(way, "not") // the library gives no path
	case *kind.Dependency:
		way = append(way, "dependencies")
	default:
		way = append(way, fault.ErrorKind.KeywordPath()...)
	}
	for len(way) > 0 {
		switch way[0] {
		case "properties", "$defs", "definitions", "allOf":
			way = way[min(2, len(way)):]
			continue
		case "items":
			way = way[1:]
			continue
		}
		return c.only[way[0]]
	}
	return false
}
