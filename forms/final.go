package forms

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"parley/assets/i18n"
)

// Tool arguments, and answers to a question that has rules no field shows
// (beyond.go), whose fields are all right one by one are held against the whole
// schema at the end, with an implementation of JSON Schema that is not
// ours (drafts 4 to 2020-12; MCP's default is 2020-12). It knows what no field
// shows: if/then, dependentRequired, not, contains, which union exactly.
//
// It is a stranger's schema, so the check is bounded: nothing is loaded from
// anywhere, patterns are those of the form with their time, and what is too
// large, too deep or too long to compute is a note and no error, since then
// nothing is known to be wrong.

// The bounds of the final check.
const (
	maxFinalBytes    = 1 << 20
	maxFinalDepth    = 100
	maxFinalExponent = 400        // of numbers, which are computed with exactly
	maxFinalSteps    = 30_000     // schemas that are applied to values
	maxFinalLooks    = 20_000_000 // values times options
	maxFinalErrors   = 20
)

// finalCheck holds the arguments of a tool against its schema.
type finalCheck struct {
	schema  *jsonschema.Schema // nil where it cannot be used
	note    i18n.Message       // why not
	options int                // of the longest enumeration
	only    map[string]bool    // the keywords that count, nil for all

	mu    sync.Mutex // guards the run that is going on
	steps int
	slow  i18n.Message // a pattern that was not checked in time
}

// newFinalCheck compiles the schema of f.
func newFinalCheck(f *Form) *finalCheck {
	c := &finalCheck{}
	if f.broken {
		return c
	}
	if !fitsFinal(f.schema) {
		c.note = i18n.M("forms.note.unchecked")
		return c
	}
	engine := newParser(f)
	for _, draft := range []*jsonschema.Draft{jsonschema.Draft2020, jsonschema.Draft7, jsonschema.Draft4} {
		if c.schema = c.compile(f.schema, draft, engine); c.schema != nil {
			c.count(c.schema, map[*jsonschema.Schema]bool{})
			return c
		}
	}
	c.note = i18n.M("forms.note.unchecked")
	return c
}

// compile is nil for a schema that the library refuses. The library is not ours
// and reads what a stranger wrote: a fault in it costs the check, not the app.
func (c *finalCheck) compile(raw json.RawMessage, draft *jsonschema.Draft, engine *parser) (s *jsonschema.Schema) {
	defer func() {
		if recover() != nil {
			s = nil
		}
	}()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil
	}
	if object, ok := doc.(map[string]any); ok && !knownDraft(object["$schema"]) {
		delete(object, "$schema")
	}
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(draft)
	compiler.UseLoader(noLoader{})
	compiler.AssertFormat()
	for _, format := range ownFormats {
		compiler.RegisterFormat(format)
	}
	compiler.UseRegexpEngine(func(source string) (jsonschema.Regexp, error) {
		return &finalPattern{source, engine.pattern(source), c}, nil
	})
	const place = "https://arguments.invalid/schema"
	if compiler.AddResource(place, doc) != nil {
		return nil
	}
	if s, err = compiler.Compile(place); err != nil {
		return nil
	}
	return s
}

// knownDraft reports whether a "$schema" names a draft that is at hand.
func knownDraft(schema any) bool {
	s, _ := schema.(string)
	switch s {
	case "https://json-schema.org/draft/2020-12/schema", "https://json-schema.org/draft/2019-09/schema",
		"http://json-schema.org/draft-07/schema", "http://json-schema.org/draft-07/schema#",
		"http://json-schema.org/draft-06/schema", "http://json-schema.org/draft-06/schema#",
		"http://json-schema.org/draft-04/schema", "http://json-schema.org/draft-04/schema#":
		return true
	}
	return false
}

// noLoader loads nothing: a $ref to another address is never fetched, and one
// to a file is never read.
type noLoader struct{}

func (noLoader) Load(string) (any, error) {
	return nil, errors.New("references to other documents are not followed")
}

// finalPattern is a pattern of the form as the library wants it. One that
// cannot be checked, or not in time, refuses nothing.
type finalPattern struct {
	source  string
	pattern *pattern
	check   *finalCheck
}

func (p *finalPattern) String() string { return p.source }

func (p *finalPattern) MatchString(s string) bool {
	if p.pattern == nil {
		return true
	}
	ok, checked := p.pattern.matches(s)
	if !checked {
		p.check.slow = i18n.M("forms.note.patternSlow", "Pattern", excerpt(p.source))
	}
	return ok || !checked
}

// ownFormats are the formats that the form has checks of its own for, so that
// there is one opinion about each.
var ownFormats = []*jsonschema.Format{
	ownFormat("email", func(s string) bool { return parseEmail(s).IsZero() }),
	ownFormat("idn-email", func(s string) bool { return parseEmail(s).IsZero() }),
	ownFormat("uri", func(s string) bool { return parseURI(s).IsZero() }),
}

func ownFormat(name string, valid func(string) bool) *jsonschema.Format {
	return &jsonschema.Format{Name: name, Validate: func(v any) error {
		if s, ok := v.(string); ok && !valid(s) {
			return errors.New("not valid")
		}
		return nil
	}}
}

// errTooLong ends a run that has taken its steps.
var errTooLong = errors.New("too many steps")

// count makes each schema that s leads to count the times it is applied, in
// place of its format: a small schema can make a check endless, and the library
// cannot be told to stop.
func (c *finalCheck) count(s *jsonschema.Schema, seen map[*jsonschema.Schema]bool) {
	if s == nil || seen[s] {
		return
	}
	seen[s] = true
	inner := s.Format
	counting := &jsonschema.Format{Validate: func(v any) error {
		if c.steps++; c.steps > maxFinalSteps {
			panic(errTooLong)
		}
		if inner != nil {
			return inner.Validate(v)
		}
		return nil
	}}
	if inner != nil {
		counting.Name = inner.Name
	}
	s.Format = counting
	if s.Enum != nil {
		c.options = max(c.options, len(s.Enum.Values))
	}
	c.countIn(reflect.ValueOf(s).Elem(), seen)
}

// countIn does count for all schemas in a value of the library.
func (c *finalCheck) countIn(v reflect.Value, seen map[*jsonschema.Schema]bool) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				c.countIn(v.Field(i), seen)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			c.countIn(v.Index(i), seen)
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			c.countIn(v.MapIndex(key), seen)
		}
	case reflect.Interface:
		if !v.IsNil() {
			c.countIn(v.Elem(), seen)
		}
	case reflect.Pointer:
		switch s := v.Interface().(type) {
		case *jsonschema.Schema:
			c.count(s, seen)
		case *jsonschema.DynamicRef:
			if s != nil {
				c.count(s.Ref, seen)
			}
		}
	}
}

// run holds content against the schema. The error is what the library says;
// notes say what was not checked.
func (c *finalCheck) run(content json.RawMessage) (fault *jsonschema.ValidationError, notes []i18n.Message) {
	switch {
	case !c.note.IsZero():
		return nil, []i18n.Message{c.note}
	case c.schema == nil:
		return nil, nil
	case !fitsFinal(content) || c.options > 0 && bytes.Count(content, []byte{','})+1 > maxFinalLooks/c.options:
		return nil, []i18n.Message{i18n.M("forms.note.unchecked")}
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(content))
	if err != nil {
		return nil, []i18n.Message{i18n.M("forms.note.unchecked")}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.steps, c.slow = 0, i18n.Message{}
	defer func() {
		// errTooLong, or a fault of the library's.
		if recover() != nil {
			fault, notes = nil, []i18n.Message{i18n.M("forms.note.unchecked")}
		}
	}()
	err = c.schema.Validate(value)
	if !c.slow.IsZero() {
		notes = append(notes, c.slow)
	}
	errors.As(err, &fault)
	return fault, notes
}

// fitsFinal reports whether JSON is small and plain enough for the check.
func fitsFinal(raw json.RawMessage) bool {
	if len(raw) > maxFinalBytes {
		return false
	}
	depth := 0
	for i := 0; i < len(raw); i++ {
		switch b := raw[i]; {
		case b == '"':
			for i++; i < len(raw) && raw[i] != '"'; i++ {
				if raw[i] == '\\' {
					i++
				}
			}
		case b == '{' || b == '[':
			if depth++; depth > maxFinalDepth {
				return false
			}
		case b == '}' || b == ']':
			depth--
		case b == '-' || b >= '0' && b <= '9':
			end := i
			for end < len(raw) && bytes.IndexByte([]byte("+-.eE0123456789"), raw[end]) >= 0 {
				end++
			}
			if !plainNumber(string(raw[i:end])) {
				return false
			}
			i = end - 1
		}
	}
	return true
}

// plainNumber reports whether a number can be computed with exactly at little
// cost.
func plainNumber(s string) bool {
	d, ok := parseDecimal(s)
	return ok && len(s) <= maxNumber && math.Abs(float64(d.exp)) <= maxFinalExponent+maxDigits
}

// checkWhole adds what the schema as a whole says against the content that has
// no errors in it.
func (d *Draft) checkWhole(r *reading) {
	c := d.form.final
	if c == nil || len(r.errors) > 0 {
		return
	}
	fault, notes := c.run(r.content)
	r.notes = notes
	if fault == nil {
		return
	}
	seen := map[Path]bool{}
	for _, leaf := range leavesOf(fault, nil) {
		if !c.counts(leaf) {
			continue
		}
		e := d.refusal(leaf)
		if !seen[e.Path] && len(r.errors) < maxFinalErrors {
			seen[e.Path] = true
			r.errors = append(r.errors, e)
		}
	}
}

// refusal is what the library says in the words of the form: which field, and
// where in it if it is raw JSON.
func (d *Draft) refusal(fault *jsonschema.ValidationError) FieldError {
	m := finalSentence(fault.ErrorKind)
	if missing := lacking(fault); len(missing) > 0 {
		m = i18n.M("forms.final.oneOf", "Names", names(missing))
	}
	f, rest := d.find(fault.InstanceLocation)
	if f == nil && len(rest) == 0 {
		switch k := fault.ErrorKind.(type) {
		case *kind.MinProperties:
			m = i18n.N("forms.final.fieldsAtLeast", k.Want, "Now", k.Got)
		case *kind.MaxProperties:
			m = i18n.N("forms.final.fieldsAtMost", k.Want, "Now", k.Got)
		}
	}
	if _, not := fault.ErrorKind.(*kind.Not); not && f != nil {
		m = i18n.M("forms.final.forbiddenValue")
	}
	if missing, ok := fault.ErrorKind.(*kind.Required); ok && len(rest) == 0 && len(missing.Missing) > 0 {
		fields := d.inForm()
		if f != nil {
			fields = d.inside(f)
		}
		if c := d.member(f, fields, missing.Missing[0]); c != nil {
			return d.fault(c, Refused, i18n.M("forms.error.required"))
		}
	}
	if len(rest) > 0 {
		var where strings.Builder
		for _, token := range rest {
			where.WriteString("/" + pointerEscaper.Replace(token))
		}
		m = i18n.M("forms.final.at", "Where", excerpt(where.String()), "Reason", m)
	}
	if f == nil {
		return FieldError{Code: Refused, Message: m}
	}
	return d.fault(f, Refused, m)
}

// find is the field that holds the value at a place of the content, and what of
// the place lies within that field's own text. nil is the form.
func (d *Draft) find(location []string) (f *Field, rest []string) {
	fields := d.inForm()
	for i, token := range location {
		next := d.member(f, fields, token)
		if next == nil {
			for _, inline := range fields {
				if inline.Inline && inline.Kind == JSON {
					f = inline
				}
			}
			return f, location[i:]
		}
		for next.Kind == Variant && d.chosen(next) >= 0 {
			next = d.alternative(next, d.chosen(next))
		}
		f, fields = next, d.inside(next)
	}
	return f, nil
}

// member is the field that a part of a place leads to among the fields in f.
func (d *Draft) member(f *Field, fields []*Field, token string) *Field {
	if f != nil && f.Kind == Rows {
		if i, err := strconv.Atoi(token); err == nil && i >= 0 && i < len(fields) {
			return fields[i]
		}
		return nil
	}
	for _, c := range fields {
		switch {
		case !c.Inline && c.Name == token:
			return c
		case c.Inline && c.Kind == Variant:
			for _, v := range d.inside(c) {
				if found := d.member(v, d.inside(v), token); found != nil {
					return found
				}
			}
		case c.Inline && c.Kind == Map:
			if found := d.member(c, d.inside(c), token); found != nil {
				return found
			}
		}
	}
	return nil
}
