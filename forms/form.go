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

// The further kinds of tool arguments, which hold other fields.
//
//   - Group is an object with known properties (Field.Children).
//   - Rows is an array whose entries are fields of their own, made from
//     Field.Entry: of objects, arrays, yes/no, or of one thing or another.
//   - Variant is one of several shapes (Field.Variants).
//   - Map is an object whose keys the person names, each with a value made from
//     Field.Entry.
//   - JSON is raw JSON text with a check, the last resort.
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

// Structured reports whether a field of this kind holds other fields.
func (k Kind) Structured() bool {
	switch k {
	case Group, Rows, Variant, Map:
		return true
	}
	return false
}

// Path names a field within a form: a JSON Pointer (RFC 6901) of decoded keys,
// "/name" or "/group/name". The empty Path is the whole form; the field whose
// key is "" has the path "/".
//
// Within Rows and Maps the parts are not positions or keys but numbers that an
// entry keeps for as long as it lives (negative for those of a default), within
// a Variant they are the place of the alternative, and fields that are Inline
// have a part that no key is escaped to. So a path stays right when entries
// before it come and go; use Field.Path and what Draft gives, never build one.
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

	purpose Purpose
	schema  json.RawMessage
	zone    *time.Location
	now     func() time.Time
	byPath  map[Path]*Field
	broken  bool // no answer can be given at all
	final   *finalCheck
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
	// Nullable: null is among the answers of a tool's argument, by
	// Draft.SetNull. Questions never send null.
	Nullable bool
	// Fixed: there is one value only, which is sent whenever the object around
	// it is, such as the "kind" that tells alternatives apart. Nothing is to be
	// done, so nothing need be drawn.
	Fixed bool
	// Inline: the field has no key of its own (Name is empty, Key nil); what it
	// holds stands among the members of the object around it. Such are the Map
	// of further keys, the Variant of an object that may have one set of
	// members or another, and JSON where neither can be drawn.
	Inline bool
	// Closed: a Group that lies within itself, as the branch of a tree does.
	// It has no Children until Draft.Open; then Draft.Field gives it with them.
	Closed bool
	// Children are the fields of a Group.
	Children []*Field
	// Entry is what an entry of Rows or a Map looks like before there is one:
	// a field without a Path, to be described and not to be filled in.
	Entry *Field
	// KeyRule is what the keys of a Map must be like: a Text or Choice. nil is
	// any text.
	KeyRule *Field
	// Variants are the alternatives of a Variant, fields without a Path like
	// Entry. Their Label is "" where the server has no name for them; see
	// Field.KindName.
	Variants []*Field
	// Hints are the limits in words ("2 to 40 characters") and what could not
	// be checked.
	Hints []i18n.Message
	// Problems say what the server did wrong with this property, or why it
	// cannot be shown. Values in them may be server text.
	Problems []i18n.Message

	source  json.RawMessage // its schema as it stood; nil where it has none of its own
	segment string          // the last part of Path
	parent  *Field          // the field that holds this one; nil at the top
	about   string          // what an entry is about, for Secret: the name of its owner
	recipe  *recipe         // what a Closed field is made from when it is opened
	number  int             // of an entry: above 0 where the person added it

	zone     *time.Location
	usable   *answer         // Default, parsed
	layer    map[Path]answer // the Default of a structured field, by what is below its Path
	pattern  *pattern        // nil without a usable one
	item     *Field          // the entries of a List
	shape    byte            // of a JSON field: rawjson.Kind of what its type asks for, 0 for any
	multiple *decimal        // multipleOf
	bounds   numberBounds    // Limits of a number, parsed
	unique   bool            // uniqueItems
	byValue  map[string]int  // the index of each value among Options, by valueKey
}

// Option is one choice. Raw is the value as it stood and what is sent; Value
// is its text (a string decoded, anything else as written); Label is its title
// or Value without one; Description is what the server says of it, "" for
// nothing. All but Raw are server text.
type Option struct {
	Value       string
	Raw         json.RawMessage
	Label       string
	Description string
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
	// Refused: tool arguments, or an answer, whose fields are all right each by
	// itself, but which the schema as a whole refuses.
	Refused Code = "refused"
)

// FieldError is one fault of an answer. Message names what, where and an
// example; values in it may be server text or what the person typed (never a
// secret).
type FieldError struct {
	Path    Path   // "" = the whole form
	Name    string // the field's key; for a nested field its place in what is sent ("items/0/qty")
	Code    Code
	Message i18n.Message
}

// Field returns the field at p, nil if there is none. Fields that come with an
// entry, an alternative or an opened group are the draft's: see Draft.Field.
func (f *Form) Field(p Path) *Field { return f.byPath[p] }
