package forms

import (
	"encoding/json"
	"slices"
	"strings"

	"parley/assets/i18n"
	"parley/forms/rawjson"
)

// outcome is what one field comes to: a value to send or none, what to tell
// about it, or why it cannot be sent. Check, Content, Preview and Notes all
// read outcomes, so that what is checked is what is sent.
type outcome struct {
	value  json.RawMessage // nil: the key is absent
	notes  []i18n.Message
	errors []FieldError
}

func (o *outcome) note(m i18n.Message) {
	if !m.IsZero() {
		o.notes = append(o.notes, m)
	}
}

// maxNotes bounds the notes of one field, which a list of a thousand times
// would flood; what is sent can be read in full in Preview.
const maxNotes = 20

// addNotes adds the notes of one entry. That a pattern could not be checked is
// said once, however many entries it applies to.
func (o *outcome) addNotes(notes []i18n.Message) {
	const slow = "forms.note.patternSlow"
	for _, m := range notes {
		if len(o.notes) >= maxNotes && m.ID != slow {
			continue
		}
		said := m.ID == slow && slices.ContainsFunc(o.notes, func(m i18n.Message) bool { return m.ID == slow })
		if !said {
			o.note(m)
		}
	}
}

// holdsText reports whether something is sent that is not empty.
func (o outcome) holdsText() bool {
	switch string(o.value) {
	case "", `""`, "[]":
		return false
	}
	return true
}

// Submit is how an answer is submitted.
type Submit struct {
	// ConfirmSecrets is the second, explicit yes without which secret text is
	// not sent (rule C27).
	ConfirmSecrets bool
}

// Check returns what is wrong with d's answers, in the order of the fields, at
// most one error a field; none means that Content has something to send. It
// does not ask for the second yes; see [Draft.SecretsTyped].
func (d *Draft) Check() []FieldError {
	r := d.read(nil)
	d.checkWhole(r)
	d.refused = r.refused()
	return r.errors
}

// refused are the errors of the check of the whole.
func (r *reading) refused() map[Path]FieldError {
	refused := map[Path]FieldError{}
	for _, e := range r.errors {
		if e.Code == Refused {
			refused[e.Path] = e
		}
	}
	return refused
}

// CheckField returns what is wrong with the answer of the field at p, nil if
// nothing is. It looks at that field and what lies in it only; what Check found
// wrong with it beside the others counts until something is changed.
func (d *Draft) CheckField(p Path) *FieldError {
	if e, ok := d.refused[p]; ok {
		return &e
	}
	f := d.Field(p)
	if f == nil {
		return nil
	}
	if o := d.outcome(f); len(o.errors) > 0 {
		return &o.errors[0]
	}
	return nil
}

// CheckWithin returns all that is wrong with the field at p and what lies in it,
// in the order of the fields; for the empty path with all fields. Of an entry
// it says too what is wrong with it beside its fellows: a key that is missing
// or there twice, a row that equals another. It looks at the fields one by one;
// what Check found wrong with them beside the others counts until something is
// changed. A group that is left out has nothing wrong.
func (d *Draft) CheckWithin(p Path) []FieldError {
	r := &reading{}
	f := d.Field(p)
	switch {
	case p == "":
		r = d.read(nil)
	case f == nil:
		return nil
	case f.parent != nil && (f.parent.Kind == Rows || f.parent.Kind == Map):
		d.readField(r, f.parent)
	default:
		d.readField(r, f)
	}
	known := map[Path]bool{}
	r.errors = slices.DeleteFunc(r.errors, func(e FieldError) bool {
		known[e.Path] = true
		return !lies(e.Path, p)
	})
	var refused []FieldError
	for q, e := range d.refused {
		if lies(q, p) && !known[q] {
			refused = append(refused, e)
		}
	}
	slices.SortFunc(refused, func(a, b FieldError) int { return strings.Compare(string(a.Path), string(b.Path)) })
	return append(r.errors, refused...)
}

// lies reports whether the field at p is the one at owner or lies in it.
func lies(p, owner Path) bool {
	rest, in := strings.CutPrefix(string(p), string(owner))
	return in && (rest == "" || rest[0] == '/')
}

// Content returns the content of an accepted answer, the exact bytes to send:
// an object without white space, keys as they stood and in schema order, {} at
// least. With errors there are no bytes.
func (d *Draft) Content(s Submit) (json.RawMessage, []FieldError) {
	r := d.read(nil)
	d.checkWhole(r)
	d.refused = r.refused()
	if len(r.errors) == 0 && !s.ConfirmSecrets {
		for _, f := range r.secrets {
			r.errors = append(r.errors, d.fault(f, SecretUnconfirmed, i18n.M("forms.error.secret")))
		}
	}
	if len(r.errors) > 0 {
		return nil, r.errors
	}
	return r.content, nil
}

// SecretsTyped returns the secret fields that would be sent with text in them,
// whether the person typed it or the server suggested it, and fields whose raw
// JSON has members with the names of secrets; with any, submitting needs a
// second yes. An empty text or list gives nothing away.
func (d *Draft) SecretsTyped() []*Field { return d.read(nil).secrets }

// Notes are remarks on the answer of the field at p that are no errors: that
// it will be sent empty, which time zone a date-time is sent in, that a
// pattern could not be checked in time. Those at the empty path are about a
// tool's arguments as a whole: that the schema as a whole could not be checked.
func (d *Draft) Notes(p Path) []i18n.Message {
	if p == "" {
		r := d.read(nil)
		d.checkWhole(r)
		return r.notes
	}
	f := d.Field(p)
	if f == nil {
		return nil
	}
	return d.outcome(f).notes
}

// reading is what all answers of a draft come to, each parsed once: whether a
// pattern could be checked in time may differ from one reading to the next, so
// content and errors must not come from two.
type reading struct {
	content json.RawMessage // the object without the fields in errors
	errors  []FieldError
	secrets []*Field       // whose text is in content
	notes   []i18n.Message // on the whole
	// hide names the fields whose secrets are masked in content; nil names none.
	hide func(*Field) bool
}

// read parses all answers.
func (d *Draft) read(hide func(*Field) bool) *reading {
	r := &reading{hide: hide}
	if d.form.broken {
		r.errors = append(r.errors, FieldError{Code: Unanswerable, Message: i18n.M("forms.error.broken")})
	}
	r.content = d.readObject(r, d.inForm())
	return r
}

// readObject adds these fields to r and gives the object of their values.
func (d *Draft) readObject(r *reading, fields []*Field) json.RawMessage {
	out := []byte{'{'}
	for _, f := range fields {
		value := d.readField(r, f)
		if f.Inline {
			value = membersOf(value)
		}
		if len(value) == 0 {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		if !f.Inline {
			out = append(out, f.Key...)
			out = append(out, ':')
		}
		out = append(out, value...)
	}
	return append(out, '}')
}

// membersOf is an object without its braces.
func membersOf(object json.RawMessage) json.RawMessage {
	if len(object) < 2 {
		return nil
	}
	return object[1 : len(object)-1]
}

// readField adds f to r and gives its value, nil if it has none.
func (d *Draft) readField(r *reading, f *Field) json.RawMessage {
	f = d.at(f)
	if f.Fixed {
		return f.Options[0].Raw
	}
	if a := d.effective(f); f.Kind.Structured() && !a.null && a.text == "" {
		return d.readStructure(r, f, a)
	}
	o := d.leaf(f)
	r.errors = append(r.errors, o.errors...)
	secret := secretNone
	if o.holdsText() {
		secret = f.secretIn(o.value)
	}
	if secret == secretNone {
		return o.value
	}
	r.secrets = append(r.secrets, f)
	switch {
	case r.hide == nil || !r.hide(f):
		return o.value
	case secret == secretWithin:
		return f.maskWithin(o.value)
	}
	return masked()
}

// outcome is the one parser: it decides what f sends.
func (d *Draft) outcome(f *Field) outcome {
	f = d.at(f)
	if a := d.effective(f); f.Kind.Structured() && !a.null && a.text == "" || f.Fixed {
		r := &reading{}
		o := outcome{value: d.readField(r, f), errors: r.errors}
		if len(o.errors) == 0 && o.value != nil && a.state != Answered && f.Kind != Group && !f.Fixed {
			o.notes = f.blank().notes
		}
		return o
	}
	return d.leaf(f)
}

// leaf is the outcome of a field that is one value.
func (d *Draft) leaf(f *Field) (o outcome) {
	a := d.effective(f)
	switch {
	case f.Kind == Unsupported && f.Required:
		o = f.failed(Unanswerable, i18n.M("forms.error.unanswerable"))
	case f.Kind == Unsupported:
	case a.state != Answered:
		o = f.blank()
	default:
		o = f.inZone(d.zone(f)).parse(a)
	}
	if inline := f.among(); inline != nil && len(o.errors) == 0 {
		if key, known := d.repeats(inline, o.value); known {
			o = f.failed(Invalid, i18n.M("forms.error.keyKnown", "Key", excerpt(printable(key))))
		}
	}
	if secret := f.secretIn(o.value); secret == secretWithin && o.holdsText() {
		o.note(i18n.M("forms.note.secretWithin"))
	}
	for i := range o.errors {
		o.errors[i].Name = d.nameOf(f)
	}
	return o
}

// parse turns an answer into what is sent.
func (f *Field) parse(a answer) outcome {
	switch {
	case a.null:
		return outcome{value: json.RawMessage("null")}
	case f.Kind.Structured():
		return f.parseTyped(a.text)
	}
	switch f.Kind {
	case Boolean:
		if a.yes {
			return outcome{value: json.RawMessage("true")}
		}
		return outcome{value: json.RawMessage("false")}
	case Choice:
		return outcome{value: f.Options[a.picks[0]].Raw}
	case Checklist:
		return f.parseTicks(a.picks)
	case List:
		return f.parseList(a)
	case Text:
		return f.parseTyped(a.text)
	}
	text := strings.TrimSpace(a.text)
	if strings.TrimSpace(ascii(text)) == "" {
		return f.blank()
	}
	return f.parseTyped(text)
}

// parseTyped turns the text of one value into what is sent.
func (f *Field) parseTyped(text string) (o outcome) {
	var problem i18n.Message
	switch f.Kind {
	case Integer, Number:
		o.value, problem = f.parseNumber(text)
	case Date:
		o.value, problem = parseDay(text)
	case DateTime:
		var note i18n.Message
		o.value, note, problem = f.parseMoment(text)
		o.note(note)
	case JSON, Group, Rows, Map, Variant:
		o.value, problem = f.parseJSON(text)
		if key, twice := repeatedKey(o.value); twice {
			o.note(i18n.M("forms.note.keyTwice", "Key", excerpt(printable(key))))
		}
	case Email, URI:
		if problem = parseEmailOrURI(f.Kind, text); problem.IsZero() {
			o.value = rawjson.Quote(text)
		}
	default:
		o.value = rawjson.Quote(text)
	}
	if problem.IsZero() && f.Kind.sendsString() {
		sent, _ := rawjson.Decode(o.value)
		var note i18n.Message
		note, problem = f.checkText(sent)
		o.note(note)
	}
	if !problem.IsZero() {
		return f.failed(Invalid, f.discreet(problem))
	}
	return o
}

// discreet is problem without what was typed, if that may be a secret.
func (f *Field) discreet(problem i18n.Message) i18n.Message {
	if !f.Secret {
		return problem
	}
	switch problem.ID {
	case "forms.error.notWhole", "forms.error.comma":
		return i18n.M("forms.error.integer")
	case "forms.error.spelling", "forms.error.exponent", "forms.error.thousands":
		return i18n.M("forms.error.number")
	case "forms.error.uriEncode", "forms.error.uriSigns":
		return i18n.M("forms.error.uri")
	}
	return problem
}

// sendsString reports whether a field of this kind sends one JSON string, to
// which lengths and pattern apply.
func (k Kind) sendsString() bool {
	switch k {
	case Text, Email, URI, Date, DateTime:
		return true
	}
	return false
}

func parseEmailOrURI(k Kind, text string) i18n.Message {
	if k == Email {
		return parseEmail(text)
	}
	return parseURI(text)
}

// parseDay is ParseDate for the one parser of all kinds.
func parseDay(text string) (json.RawMessage, i18n.Message) {
	t, ok := ParseDate(text)
	if !ok {
		return nil, i18n.M("forms.error.date")
	}
	return rawjson.Quote(FormatDateISO(t)), i18n.Message{}
}

// blank is what a field without a value comes to: absent if it is optional;
// else an empty text or list if the field's checks allow that, else an error.
func (f *Field) blank() outcome {
	if !f.Required {
		return outcome{}
	}
	switch f.Kind {
	case Text:
		o := f.parseTyped("")
		if len(o.errors) == 0 {
			o.note(i18n.M("forms.note.sentEmpty"))
			return o
		}
	case Checklist, List, Rows:
		return f.blankItems("[]", i18n.M("forms.note.sentEmptyList"))
	case Map:
		return f.blankItems("{}", i18n.M("forms.note.sentEmptyMap"))
	case Variant:
		return f.failed(Missing, i18n.M("forms.error.choose"))
	case Group:
		return f.failed(Missing, i18n.M("forms.error.closed"))
	}
	return f.failed(Missing, i18n.M("forms.error.required"))
}

// blankItems is what a required list or map without entries comes to.
func (f *Field) blankItems(value string, note i18n.Message) outcome {
	if f.Limits.MinItems > 0 {
		return f.failed(Missing, f.itemsError(0))
	}
	o := outcome{value: json.RawMessage(value)}
	o.note(note)
	return o
}

// failed is the outcome of a field that cannot be sent.
func (f *Field) failed(code Code, m i18n.Message) outcome {
	return outcome{errors: []FieldError{f.fault(code, m)}}
}

// fault is an error at f. Draft.leaf knows what a field within others is called.
func (f *Field) fault(code Code, m i18n.Message) FieldError {
	return FieldError{Path: f.Path, Name: f.Name, Code: code, Message: m}
}
