package forms

import (
	"encoding/json"
	"time"

	"parley/assets/i18n"
)

// Kind tells which control a field needs and what its value looks like on the
// wire. The strings are those the command line prints.
type Kind string

// The kinds of the specification's restricted schema. List is an array of free
// strings, one text a line. Unsupported is a property that no control can
// answer; Field.Problems says why.
const (
	Text        Kind = "text"
	Email       Kind = "email"
	URI         Kind = "uri"
	Date        Kind = "date"
	DateTime    Kind = "date-time"
	Integer     Kind = "integer"
	Number      Kind = "number"
	Boolean     Kind = "boolean"
	Choice      Kind = "choice"
	Checklist   Kind = "checklist"
	List        Kind = "list"
	Unsupported Kind = "unsupported"
)

// The further kinds of tool arguments. Group is an object with known
// properties (Field.Children), JSON is raw JSON text with a check. Rows,
// Variant and Map belong to the model of tool arguments too; Parse gives JSON
// for what they would hold.
const (
	Group   Kind = "group"
	Rows    Kind = "rows"
	Variant Kind = "variant"
	Map     Kind = "map"
	JSON    Kind = "json"
)

// Typed reports whether a field of this kind is answered by typing text, as
// opposed to picking, ticking or opening.
func (k Kind) Typed() bool {
	switch k {
	case Text, Email, URI, Date, DateTime, Integer, Number, List, JSON:
		return true
	}
	return false
}

// Path names a field within a form: a JSON Pointer (RFC 6901) of decoded keys,
// "/name" or "/group/name". The empty Path is the whole form; the field whose
// key is "" has the path "/".
type Path string

// Purpose says what a schema is for, which decides what may be in it.
type Purpose int

const (
	// Elicitation is a requestedSchema: a flat object of the restricted subset.
	Elicitation Purpose = iota
	// Arguments is a tool's inputSchema: any JSON Schema. A property that has
	// no control of its own is answered as raw JSON, so that any tool can run.
	Arguments
)

// Options are the circumstances of a form. The zero value is an elicitation in
// the computer's time zone.
type Options struct {
	Purpose Purpose
	// Zone is the time zone of date-times typed without an offset; nil is
	// LocalZone().
	Zone *time.Location

	now func() time.Time // the clock that patterns are timed by; nil is time.Now
}

// Form is a parsed schema. It never changes after Parse and is safe for
// concurrent use, unlike its drafts.
type Form struct {
	// Title and Description are the schema's own; server text, may be empty.
	Title, Description string
	// Fields are the properties in the order of the schema.
	Fields []*Field
	// Problems say what is wrong with the schema as a whole. Those of one
	// field are in Field.Problems. Values in them may be server text.
	Problems []i18n.Message

	zone   *time.Location
	byPath map[Path]*Field
	broken bool // no answer can be given at all
	// patterns is what checks against patterns may still take.
	patterns *patternTime
}

// Field is one property of the schema.
type Field struct {
	Path Path
	// Name is the decoded key, with U+FFFD for what is no Unicode; Key is the
	// key's literal as it stood, quotes included, and what is sent.
	Name string
	Key  json.RawMessage
	// Label is the title, or Name without one; Description is shown in full.
	// Both are server text.
	Label, Description string
	Kind               Kind
	Required           bool
	// Secret: the field looks as if it asks for a password, key, token, card
	// number or one-time code (rule C27).
	Secret bool
	// Default is the usable default as it stood, nil without one. A default
	// the field's own checks refuse is not here but in Problems.
	Default json.RawMessage
	// Options are the choices of a Choice or Checklist in their order. Labels
	// need not differ: go by index.
	Options []Option
	Limits  Limits
	// Multiline: the text may well be longer than a line.
	Multiline bool
	// Children are the fields of a Group.
	Children []*Field
	// Hints are the limits in words ("2 to 40 characters") and what could not
	// be checked.
	Hints []i18n.Message
	// Problems say what the server did wrong with this property, or why it
	// cannot be shown. Values in them may be server text.
	Problems []i18n.Message

	zone     *time.Location
	usable   *answer        // Default, parsed
	pattern  *pattern       // nil without a usable one
	item     *Field         // the entries of a List
	shape    byte           // of a JSON field: rawjson.Kind of what its type asks for, 0 for any
	multiple *decimal       // multipleOf
	bounds   numberBounds   // Limits of a number, parsed
	unique   bool           // uniqueItems
	byValue  map[string]int // the index of each value among Options, by valueKey
}

// Option is one choice. Raw is the value as it stood and what is sent; Value
// is its text (a string decoded, anything else as written); Label is its title
// or Value without one. Value and Label are server text.
type Option struct {
	Value string
	Raw   json.RawMessage
	Label string
}

// Limits are a field's constraints as far as they apply to its kind; limits
// that no value can satisfy are not here but in Field.Problems.
type Limits struct {
	// Minimum and Maximum are JSON numbers as they stood, "" without one.
	Minimum, Maximum                   string
	ExclusiveMinimum, ExclusiveMaximum bool
	// MinLength and MaxLength count code points; MaxLength is -1 without one.
	MinLength, MaxLength int
	// MinItems and MaxItems count entries; MaxItems is -1 without one.
	MinItems, MaxItems int
	// Pattern is the ECMAScript regular expression as sent, "" without one.
	Pattern string
}

// Code classes what is wrong with an answer, for callers that decide on it.
type Code string

const (
	// Missing: a required field without a value.
	Missing Code = "missing"
	// Invalid: a value that the field's checks refuse.
	Invalid Code = "invalid"
	// Unanswerable: a required field that cannot be shown, or a schema that
	// cannot be read. Decline and cancel still work.
	Unanswerable Code = "unanswerable"
	// SecretUnconfirmed: secret text that was not confirmed a second time.
	SecretUnconfirmed Code = "secret"
	// BadAct: an act of Apply that does not fit its field.
	BadAct Code = "act"
)

// FieldError is one fault of an answer. Message names what, where and an
// example; values in it may be server text or what the person typed (never a
// secret).
type FieldError struct {
	Path    Path   // "" = the whole form
	Name    string // the field's key; for a nested field its path
	Code    Code
	Message i18n.Message
}

// Field returns the field at p, nil if there is none.
func (f *Form) Field(p Path) *Field { return f.byPath[p] }
