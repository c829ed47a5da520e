package forms

import (
	"encoding/json"
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
	_, errors := d.object(d.form.Fields, nil)
	if d.form.broken {
		errors = append([]FieldError{{Code: Unanswerable, Message: i18n.M("forms.error.broken")}}, errors...)
	}
	return errors
}

// CheckField returns what is wrong with the answer of the field at p, nil if
// nothing is.
func (d *Draft) CheckField(p Path) *FieldError {
	f := d.form.Field(p)
	if f == nil {
		return nil
	}
	if o := d.outcome(f); len(o.errors) > 0 {
		return &o.errors[0]
	}
	return nil
}

// Content returns the content of an accepted answer, the exact bytes to send:
// an object without white space, keys as they stood and in schema order, {} at
// least. With errors there are no bytes.
func (d *Draft) Content(s Submit) (json.RawMessage, []FieldError) {
	if errors := d.Check(); len(errors) > 0 {
		return nil, errors
	}
	if !s.ConfirmSecrets {
		var errors []FieldError
		for _, f := range d.SecretsTyped() {
			errors = append(errors, f.fault(SecretUnconfirmed, i18n.M("forms.error.secret")))
		}
		if len(errors) > 0 {
			return nil, errors
		}
	}
	content, _ := d.object(d.form.Fields, nil)
	return content, nil
}

// SecretsTyped returns the secret fields that would be sent with text in them,
// whether the person typed it or the server suggested it; with any, submitting
// needs a second yes. An empty text or list gives nothing away.
func (d *Draft) SecretsTyped() []*Field {
	var found []*Field
	var walk func(fields []*Field)
	walk = func(fields []*Field) {
		for _, f := range fields {
			if f.Secret && d.outcome(f).holdsText() {
				found = append(found, f)
			}
			walk(f.Children)
		}
	}
	walk(d.form.Fields)
	return found
}

// Notes are remarks on the answer of the field at p that are no errors: that
// it will be sent empty, which time zone a date-time is sent in, that a
// pattern could not be checked in time.
func (d *Draft) Notes(p Path) []i18n.Message {
	f := d.form.Field(p)
	if f == nil {
		return nil
	}
	return d.outcome(f).notes
}

// object writes the object of these fields and collects their errors. Values
// of the fields that hide names are masked; nil hides none.
func (d *Draft) object(fields []*Field, hide func(*Field) bool) (json.RawMessage, []FieldError) {
	out := []byte{'{'}
	var errors []FieldError
	for _, f := range fields {
		o := d.outcomeHiding(f, hide)
		errors = append(errors, o.errors...)
		if o.value == nil {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(out, f.Key...)
		out = append(out, ':')
		out = append(out, o.value...)
	}
	return append(out, '}'), errors
}

// outcomeHiding is outcome with what hide names masked.
func (d *Draft) outcomeHiding(f *Field, hide func(*Field) bool) outcome {
	if f.Kind == Group {
		return d.groupOutcome(f, hide)
	}
	o := d.outcome(f)
	if o.value != nil && hide != nil && hide(f) {
		o.value = masked()
	}
	return o
}

// outcome is the one parser: it decides what f sends.
func (d *Draft) outcome(f *Field) outcome {
	switch f.Kind {
	case Group:
		return d.groupOutcome(f, nil)
	case Unsupported:
		if f.Required {
			return f.failed(Unanswerable, i18n.M("forms.error.unanswerable"))
		}
		return outcome{}
	}
	a := d.effective(f)
	if a.state != Answered {
		return f.blank()
	}
	return f.parse(a)
}

// groupOutcome is a nested object: sent when it is required or anything in it
// was touched.
func (d *Draft) groupOutcome(f *Field, hide func(*Field) bool) outcome {
	if !f.Required && !d.touchedIn(f) {
		return outcome{}
	}
	value, errors := d.object(f.Children, hide)
	return outcome{value: value, errors: errors}
}

func (d *Draft) touchedIn(f *Field) bool {
	for _, c := range f.Children {
		if _, ok := d.answers[c.Path]; ok || d.touchedIn(c) {
			return true
		}
	}
	return false
}

// parse turns an answer into what is sent.
func (f *Field) parse(a answer) outcome {
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
	case JSON:
		o.value, problem = f.parseJSON(text)
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
	case "forms.error.notWhole":
		return i18n.M("forms.error.integer")
	case "forms.error.spelling":
		return i18n.M("forms.error.number")
	case "forms.error.uriEncode":
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
	case Checklist, List:
		if f.Limits.MinItems == 0 {
			o := outcome{value: json.RawMessage("[]")}
			o.note(i18n.M("forms.note.sentEmptyList"))
			return o
		}
		return f.failed(Missing, f.itemsError(0))
	}
	return f.failed(Missing, i18n.M("forms.error.required"))
}

// failed is the outcome of a field that cannot be sent.
func (f *Field) failed(code Code, m i18n.Message) outcome {
	return outcome{errors: []FieldError{f.fault(code, m)}}
}

// fault is an error at f.
func (f *Field) fault(code Code, m i18n.Message) FieldError {
	return FieldError{Path: f.Path, Name: f.shownName(), Code: code, Message: m}
}

// shownName is the key of a top-level field and the path of a nested one.
func (f *Field) shownName() string {
	if strings.Count(string(f.Path), "/") > 1 {
		return printable(string(f.Path[1:]))
	}
	return f.Name
}
