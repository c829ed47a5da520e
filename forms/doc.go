// Package forms turns the schema of a question into fields, what a person
// enters into checked answers, and answers into the exact bytes to send.
//
// A server asks by way of a requestedSchema (MCP elicitation, form mode): a
// JSON Schema restricted to a flat object of texts, numbers, yes/no and
// enumerations. [Parse] reads it into a [Form] of [Field]s. A [Draft] holds
// what the person does at the controls. [Draft.Check] says what is wrong with
// it and [Draft.Content] gives the content of the accepted answer. Both read
// the same outcome of the same parser, so what was checked is what is sent.
//
// # Servers are strangers
//
// Parse never fails: any bytes give a form, and what cannot be used is named
// in words as the server's fault. Harmless deviations are understood: nullable
// unions, a missing type beside enum or const, local $ref, allOf, unknown
// formats and keywords, too few enumNames, enumerations of numbers, arrays of
// free strings. A $ref to another address is never fetched. A field that
// cannot be shown is [Unsupported]; while such a field is required the form
// cannot be accepted, but it can always be declined or cancelled. Rules that no
// field shows (if/then, dependentRequired, not, …) are named, and the whole
// answer is checked against them (beyond.go). Labels,
// descriptions, options and the values within problems are server text: what
// shows them makes them safe first (package safetext).
//
// # Arguments of tools
//
// A tool's inputSchema is any JSON Schema ([Arguments]). What has no control
// of its own is raw JSON, so that any tool can run. Beyond the kinds of a
// question there are:
//
//   - Groups (objects). An optional one is left out unless it was opened or
//     something in it touched; a required one is sent even if it is {}. One
//     that lies within itself is Closed until it is opened, and raw JSON beyond
//     a depth of twelve.
//   - Rows (arrays of what does not fit on a line), Maps (keys that the person
//     names) and Variants (oneOf, anyOf or several types). Their entries and
//     alternatives are made from templates: the draft makes a field of its own
//     for each, whose path stays while others come and go ([Draft.Add],
//     [Draft.Choose]). What was typed into an alternative stays when another is
//     chosen. Keys that an object declares beyond its properties are a Map
//     among its fields (Inline).
//   - null, where the schema has it, by [Draft.SetNull] and never by itself;
//     what it takes the place of is kept for [Draft.UnsetNull].
//
// Each of them can be answered with raw JSON instead ([Draft.SetText],
// [Draft.Skeleton] to begin with), where that is quicker or the fields cannot
// say it. The default of such a field stands in the fields in it. allOf is taken
// together where one control can keep all of it (merge.go). What no field can
// show, such as if/then or which of two alternatives both fit, is checked at the
// end against the whole schema by another implementation of JSON Schema, within
// bounds (final.go); what that cannot compile or finish is a note.
//
// # Five different things
//
// Absent, empty, null, default and false are five different answers:
//
//   - An optional field that was not touched and has no usable default is
//     absent: its key is not sent.
//   - An untouched field with a usable default sends the default ("", [] and
//     false are defaults like any other), through the parser of all answers.
//   - A cleared optional field, and an optional checklist with every tick taken
//     away, is absent, default or not.
//   - Required text that is empty is sent as "" if its checks allow that, and
//     Notes says so; a required checklist with nothing ticked is [] if minItems
//     allows that.
//   - A required number, date, choice or yes/no without a value is an error.
//     Nothing is preselected.
//   - An option whose value is "" is something else than nothing picked.
//   - null is never sent in an answer to a question, and accepting always
//     sends an object, {} at least.
//
// A default of the wrong type, outside its options or outside its limits is
// not filled in.
//
// What a stranger's schema can cost is bounded too (parse.go). Its patterns may
// run for ever, so all of a form together have a quarter of a second (pattern.go);
// what they leave unchecked is sent as it is, and Notes says so.
//
// # Exactness
//
// Property order, key literals, option values and the digits of numbers go out
// as they came in. No float is involved anywhere: numbers are decimal text
// (type decimal), so 9007199254740993 stays what it is. Text is sent verbatim.
// Numbers, e-mail addresses, URIs and dates lose outer spaces; number.go,
// date.go, datetime.go, email.go and uri.go say what each understands.
// Lengths count code points.
//
// # Secrets
//
// Servers must not ask for passwords, keys, tokens and the like in a form.
// [Field.Secret] marks fields that look as if they did (secret.go); their text
// is masked in [Draft.Preview] and is sent only with [Submit.ConfirmSecrets]; so
// are members of raw JSON, and entries of Maps, with the names of secrets.
// Saved drafts hold answers in plain text; error messages never hold the text
// of a secret field.
//
// The package is pure: no network, no clock but the one that patterns are timed
// by, no goroutine but the one inside the regular-expression library, and no
// file but the one that names the computer's time zone ([LocalZone]).
package forms
