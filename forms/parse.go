package forms

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"

	"parley/assets/i18n"
	"parley/forms/rawjson"
)

// The bounds of a schema. They lie far above what a person could answer; what
// goes beyond is named in words and never cut off silently.
const (
	maxSchemaBytes = 8 << 20
	maxFields      = 2000
	maxOptions     = 50_000   // of all fields together
	maxDepth       = 12       // of groups in groups
	maxRefs        = 32       // of $ref, allOf and unions in one another
	maxKeywords    = 500      // of a schema that is merged with another
	maxWork        = 16 << 20 // bytes that references may lead to, beside the schema's own
)

// Parse reads a requestedSchema (or a tool's inputSchema) into a form. It never
// fails and never panics: whatever cannot be used is in the problems of the
// form and its fields. A missing schema, {} and one without properties are
// forms without fields, which can be accepted (field case B17).
func Parse(schema json.RawMessage, o Options) *Form {
	if o.now == nil {
		o.now = time.Now
	}
	f := &Form{purpose: o.Purpose, zone: o.Zone, now: o.now, byPath: map[Path]*Field{}, patterns: newPatternTime(o.now)}
	if f.zone == nil {
		f.zone = LocalZone()
	}
	switch kind := rawjson.Kind(schema); {
	case kind == 0 || kind == 'n' && json.Valid(schema):
		return f
	case len(schema) > maxSchemaBytes:
		return f.refuse("forms.problem.tooLarge")
	case !json.Valid(schema):
		return f.refuse("forms.problem.notJSON")
	case kind != '{':
		return f.refuse("forms.problem.notObject")
	}
	// JSON is UTF-8 (RFC 8259 section 8.1), and keys, options and defaults go
	// out as they came in.
	schema = bytes.ToValidUTF8(schema, []byte("\uFFFD"))
	f.schema = schema
	p := newParser(f)
	p.parseRoot()
	if f.purpose == Arguments {
		f.final = newFinalCheck(f)
	} else {
		p.checkRules()
	}
	return f
}

// newParser returns a reader of f's schema.
func newParser(f *Form) *parser {
	return &parser{
		form: f, purpose: f.purpose, schema: f.schema, options: maxOptions,
		work: maxWork + 4*len(f.schema), root: &place{raw: f.schema}, active: map[string]int{},
		patterns: map[string]*pattern{}, compiling: newPatternTime(f.now),
	}
}

// refuse marks f as a form to which no answer can be given.
func (f *Form) refuse(problem string, namesAndValues ...any) *Form {
	f.broken = true
	f.Problems = append(f.Problems, i18n.M(problem, namesAndValues...))
	return f
}

// parser holds what reading one schema needs.
type parser struct {
	form    *Form
	purpose Purpose
	schema  json.RawMessage
	root    *place // the schema, as references lead through it
	// followed are the references resolved since it was last cut; active
	// counts those that the groups around the current field came through.
	followed []string
	active   map[string]int
	template int // the templates around the current field
	fields   int // made so far
	options  int // left to make
	work     int // bytes of schema left to read
	filled   int // values of defaults put into fields
	rules    []rulesAt
	chain    []string // the references around the current schema

	patterns  map[string]*pattern // those compiled, by their source
	compiling *patternTime        // what compiling them may still take
}

func (p *parser) parseRoot() {
	n, problem := p.resolve(p.schema, 0)
	if !problem.IsZero() {
		p.form.broken = true
		p.form.Problems = append(p.form.Problems, problem)
		return
	}
	p.form.Title = n.text("title")
	p.form.Description = n.text("description")
	if types := n.types(); len(types) > 0 && !contains(types, "object") {
		p.form.refuse("forms.problem.notObject")
		return
	}
	p.active[""]++ // "#" leads here again
	var problems []i18n.Message
	p.form.Fields, problems = p.object(n, nil, 0)
	p.form.Problems = append(p.form.Problems, problems...)
	if p.purpose == Elicitation {
		p.rules = append(p.rules, rulesAt{nil, n.beyond(beyondForm)})
	}
}

// properties makes the fields of an object schema's properties, those of skip
// left out, and says what is wrong with properties and required as a whole.
func (p *parser) properties(n node, owner *Field, depth int, skip map[string]bool) (fields []*Field, problems []i18n.Message) {
	required, problems := n.required()
	members, err := n.properties()
	if err != nil {
		p.form.broken = p.form.broken || depth == 0
		problems = append(problems, i18n.M("forms.problem.properties"))
	}
	for id := range skip {
		delete(required, id)
	}
	about := owner.secretMatter()
	room := maxFields - p.fields
	p.fields += min(room, len(members))
	for i, m := range members {
		if i == room {
			problems = append(problems, i18n.M("forms.problem.tooManyFields", "Shown", maxFields, "Left", len(members)-i))
			p.form.broken = true
			return fields, problems
		}
		id, _ := rawjson.Decode(m.Raw)
		if skip[id] {
			continue
		}
		_, isRequired := required[id]
		delete(required, id)
		f := p.newField(owner, pointerEscaper.Replace(id))
		f.Name, f.Key, f.Required = m.Key, m.Raw, isRequired
		if !besideSecrets(m.Key) {
			f.about = about
		}
		p.build(f, m.Value, depth)
		fields = append(fields, f)
	}
	problems = append(problems, unknownRequired(n.requiredNames(), required)...)
	return fields, problems
}

// newField is an empty field below owner (nil is the form) with its place in
// the form. Those of a template have none yet.
func (p *parser) newField(owner *Field, segment string) *Field {
	f := &Field{parent: owner, segment: segment, zone: p.form.zone}
	if owner != nil {
		f.Path = owner.Path
	}
	f.Path += "/" + Path(segment)
	if p.template == 0 {
		p.form.byPath[f.Path] = f
	}
	return f
}

// properties are the members under "properties".
func (n node) properties() ([]rawjson.Member, error) {
	raw := n.get("properties")
	if raw == nil {
		return nil, nil
	}
	return rawjson.Object(raw)
}

// unknownRequired names the required keys that are no property, those left in
// the set, the first few one by one.
func unknownRequired(names []string, left map[string]struct{}) (problems []i18n.Message) {
	const most = 10
	for _, name := range names {
		if _, unknown := left[name]; !unknown {
			continue
		}
		if len(problems) == most {
			return append(problems, i18n.N("forms.problem.requiredUnknownMore", len(left)))
		}
		problems = append(problems, i18n.M("forms.problem.requiredUnknown", "Name", excerpt(printable(name))))
		delete(left, name)
	}
	return problems
}

// pointerEscaper escapes a key for a JSON Pointer (RFC 6901 section 3).
var pointerEscaper = strings.NewReplacer("~", "~0", "/", "~1")

// printable is s with U+FFFD for what is no UTF-8.
func printable(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// Answerable reports whether accepting the form is possible at all: its schema
// could be read and every required field can be shown. Declining and
// cancelling are always possible.
func (f *Form) Answerable() bool {
	if f.broken {
		return false
	}
	for _, field := range f.Fields {
		if !field.answerable() {
			return false
		}
	}
	return true
}

func (f *Field) answerable() bool {
	if !f.Required {
		return true
	}
	for _, c := range f.Children {
		if !c.answerable() {
			return false
		}
	}
	return f.Kind != Unsupported
}
