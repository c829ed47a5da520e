package ui

import (
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"parley/assets/i18n"
	"parley/mcpclient"
	"parley/mcpclient/config"
	"parley/ui/kit"
)

// serverForm draws the fields of a serverSheet, for the page that adds a server
// and for the one that edits one.
type serverForm struct {
	s    *shell
	sh   *serverSheet
	env  *kit.Env
	edit bool
	// redraw draws the page anew: a field came or went.
	redraw func()

	rows    map[string]*kit.FieldRow // by field, see valueField for values
	focus   map[string]fyne.Focusable
	remarks *fyne.Container
	// secretChecks say where a value that is secret is kept.
	secretChecks []*kit.Check
	// exposed are rows of values that may be secrets and are none to the list.
	exposed []*kit.FieldRow
	// trialBox shows what trying the server found.
	trialBox *fyne.Container
	// test begins a trial; notNow and stop, while they are there, end one.
	test, notNow, stop *kit.Button
	// apart takes a command line apart that was entered for the program.
	apart *kit.Button
	// builder draws the values, in pieces if there are many. wanted is the field
	// that gets the keyboard once it is there.
	builder *kit.Builder
	wanted  string
	drawing bool // the page is being made, and is laid out after
	// asked draws the command that is asked about before a trial, file is that of its
	// program; nil for none.
	asked   *kit.Builder
	file    *programFile
	judging judging
}

// submit finds out whether what was entered can be stored, and shows what is wrong
// with it if not.
func (f *serverForm) submit() (v mcpclient.Server, ok bool) {
	sh := f.sh
	if sh.storing {
		return v, false
	}
	f.dropJudging()
	if v, ok = f.s.check(sh); !ok {
		f.showFaults()
		return v, false
	}
	sh.storing = true
	sh.trial.end()
	return v, true
}

// showFaults shows what is wrong with what was entered.
func (f *serverForm) showFaults() {
	f.bringFault()
	f.redraw()
	f.focusFault()
}

// stored goes on after the server was stored, or shows why it was not.
func (f *serverForm) stored(err error, then func()) {
	f.sh.storing = false
	if err == nil {
		then()
		return
	}
	f.sh.trouble = config.Sentence(err)
	if shown := f.s.formOf(f.sh); shown != nil {
		shown.redraw()
	}
}

// usualSilence is the usual one as it would be entered.
var usualSilence = fmt.Sprintf("%ds", int(mcpclient.DefaultSilence.Seconds()))

// kindField and the names of package config name the fields.
const (
	kindField  = "kind"
	tokenField = "token"
)

// valueField names one part of an environment variable or header.
func valueField(field string, row int, inName bool) string {
	if inName {
		return fmt.Sprintf("%s %d name", field, row)
	}
	return fmt.Sprintf("%s %d value", field, row)
}

// objects draws all fields anew.
func (f *serverForm) objects() []fyne.CanvasObject {
	if f.builder != nil {
		f.builder.Stop()
	}
	f.builder, f.wanted, f.drawing = kit.NewBuilder(f.s.do, nil), "", true
	defer func() { f.drawing = false }()
	f.rows, f.focus, f.remarks = map[string]*kit.FieldRow{}, map[string]fyne.Focusable{}, kit.Column(gap)
	f.secretChecks, f.exposed = nil, nil
	f.trialBox = kit.Column(gap)
	f.env.OnLeave = f.left
	s, d := f.s, &f.sh.draft
	kinds := make([]kit.Option, len(serverKinds))
	for i, o := range serverKinds {
		kinds[i] = kit.Option{Label: line(s.t(o.words))}
	}
	picker := kit.NewPicker(kit.PickerOptions{Env: f.env, Options: kinds, Selected: kindIndex(d.Kind), OnChanged: func(i int) {
		if i >= 0 && i != kindIndex(d.Kind) {
			f.sh.setKind(serverKinds[i].kind)
			f.redraw()
			f.focusOn(kindField)
		}
	}})
	rows := []*kit.FieldRow{
		f.row(kindField, s.t("ui.add.kind"), "", false, picker, false),
		f.row(config.FieldName, s.t("ui.add.name"), s.t("ui.add.name_hint"), false, f.entry(&d.Name, ""), false),
	}
	byCommand := f.sh.byCommand()
	if byCommand {
		rows = append(rows,
			f.program(),
			f.row(config.FieldFolder, s.t("ui.add.folder"), s.t("ui.add.folder_hint"), false, f.mono(&d.Folder, 0), false),
			f.row(config.FieldArguments, s.t("ui.add.arguments"), s.t("ui.add.arguments_hint"), false, f.mono(&d.Arguments, 5), true))
	} else {
		rows = append(rows, f.row(config.FieldURL, s.t("ui.add.url"), s.t("ui.add.url_hint"), true, f.address(&d.URL), true))
		if s.o.Tokens != nil && !f.edit {
			rows = append(rows, f.row(tokenField, s.t("ui.add.token"), s.tokenHint(), false, tokenEntry(f.env, f.sh.token, f.typedToken), true))
		}
	}
	out := []fyne.CanvasObject{kit.Card(kit.NewFormGrid(f.env, rows...)), f.remarks}
	if byCommand {
		out = append(out, kit.NewNotice(kit.Caution, s.t("ui.add.code"), s.t("ui.add.code_body")))
		out = append(out, f.values(config.FieldEnv, &d.Env))
	}
	out = append(out, kit.NewFold(f.env, s.t("ui.add.more"), f.moreSettings(), f.sh.more, func(open bool) {
		f.sh.more = open
		f.env.Reveal.Relayout()
	}))
	f.sayVerdict()
	f.judge()
	f.sayTrial()
	return append(out, f.trialBox)
}

// moreSettings are those that are rarely needed.
func (f *serverForm) moreSettings() fyne.CanvasObject {
	s, d := f.s, &f.sh.draft
	var parts []fyne.CanvasObject
	if !f.sh.byCommand() {
		parts = append(parts, f.values(config.FieldHeaders, &d.Headers))
	}
	revisions := append([]string{""}, mcpclient.Revisions()...)
	levels := append([]string{"", mcpclient.LogOff}, mcpclient.LogLevels...)
	parts = append(parts, kit.Card(kit.NewFormGrid(f.env,
		f.row(config.FieldSilence, s.t("ui.add.silence"), s.t("ui.add.silence_hint", "Usual", usualSilence), false, f.entry(&d.Silence, usualSilence), false),
		f.row(config.FieldSize, s.t("ui.add.size"), s.t("ui.add.size_hint"), false, f.entry(&d.MaxMessage, "64 MiB"), false),
		f.row("protocol", s.t("ui.add.protocol"), s.t("ui.add.protocol_hint"), false, f.choice(&d.Protocol, revisions, s.t("ui.add.protocol_auto")), false),
		f.row("level", s.t("ui.add.level"), s.t("ui.add.level_hint"), false, f.choice(&d.LogLevel, levels, s.t("ui.add.level_auto", "Level", mcpclient.DefaultLogLevel)), false))))
	return kit.Pad(gapSmall, 0, 0, 0, kit.Column(gap, parts...))
}

// choice picks one of some words; the first is "", which reads as usual. One that
// nobody knows stays a choice.
func (f *serverForm) choice(into *string, words []string, usual string) *kit.Picker {
	if indexOf(words, *into) == 0 && *into != "" {
		words = append(words, *into)
	}
	options := make([]kit.Option, len(words))
	for i, w := range words {
		options[i] = kit.Option{Label: line(w)}
		switch w {
		case "":
			options[i].Label = line(usual)
		case mcpclient.LogOff:
			options[i].Label = line(f.s.t("ui.add.level_off"))
		}
	}
	return kit.NewPicker(kit.PickerOptions{Env: f.env, Options: options, Selected: indexOf(words, *into), OnChanged: func(i int) {
		if i >= 0 {
			*into = words[i]
			f.changed()
		}
	}})
}

func (f *serverForm) row(name, label, hint string, required bool, c kit.Control, wide bool) *kit.FieldRow {
	r := kit.NewFieldRow(kit.FieldRowOptions{Env: f.env, Label: line(label), Required: required, Hint: []kit.Run{kit.Own(hint, hintText)}, Control: c, Wide: wide})
	f.rows[name], f.focus[name] = r, c.FocusTarget()
	f.sayFault(name)
	return r
}

// entry is the control for a field of one line.
func (f *serverForm) entry(into *string, placeholder string) *kit.LongEntry {
	return f.text(into, kit.TextEntryOptions{Placeholder: placeholder})
}

// mono is one for what is read by a program; 0 lines are one line.
func (f *serverForm) mono(into *string, lines int) *kit.LongEntry {
	return f.text(into, kit.TextEntryOptions{Lines: lines, Mono: true})
}

// text is the control for a text.
func (f *serverForm) text(into *string, o kit.TextEntryOptions) *kit.LongEntry {
	o.Env, o.Text = f.env, *into
	o.OnChanged = func(text string) {
		*into = text
		f.changed()
	}
	return kit.NewLongEntry(o)
}

// address is the entry for an address: in a fixed width, and over two lines when
// it is long, so that it is seen whole.
func (f *serverForm) address(into *string) *kit.LongEntry {
	o := kit.TextEntryOptions{Placeholder: "https://"}
	if f.edit && len(*into) > 60 {
		o.Lines, o.Mono = 2, true
	}
	return f.text(into, o)
}

// typedToken takes the token as it is typed; what was wrong with it before says
// nothing of it now.
func (f *serverForm) typedToken(text string) {
	f.sh.token, f.sh.tokenFault = text, i18n.Message{}
	f.rows[tokenField].SetError("")
}

// sayKept says where secrets are kept as that is now.
func (f *serverForm) sayKept() {
	for _, c := range f.secretChecks {
		c.SetLabel(f.s.t("ui.values.secret", "Kept", f.s.kept()))
	}
	for _, r := range f.exposed {
		r.SetHint(kit.Own(f.s.exposedHint(), hintText))
	}
	if r := f.rows[tokenField]; r != nil {
		r.SetHint(kit.Own(f.s.tokenHint(), hintText))
	}
	if f.env.Reveal != nil {
		f.env.Reveal.Relayout()
	}
}

// changed keeps what is said beside the fields true.
func (f *serverForm) changed() {
	f.judging.entered++
	f.dropTrial()
	f.s.renewQuitBar()
	f.judgeSoon()
}

// fieldOf is the field that a fault is in.
func fieldOf(fault config.Fault) string {
	if fault.Field == config.FieldEnv || fault.Field == config.FieldHeaders {
		return valueField(fault.Field, fault.Row, fault.InName)
	}
	return fault.Field
}

// sayFault shows beside a field what is wrong with it.
func (f *serverForm) sayFault(field string) {
	if field == tokenField {
		f.rows[field].SetError(f.s.say(f.sh.tokenFault))
		return
	}
	for _, fault := range f.sh.faults {
		if fieldOf(fault) == field {
			f.rows[field].SetError(f.s.say(fault.Text))
		}
	}
}

// left judges a field that the keyboard has left, if something stands in it.
func (f *serverForm) left(o fyne.CanvasObject) {
	entry, ok := o.(*kit.TextEntry)
	if !ok {
		return
	}
	for field, target := range f.focus {
		if target != fyne.Focusable(entry) || field == tokenField {
			continue
		}
		if strings.TrimSpace(entry.Text) != "" {
			mark(&f.judging.left, field)
			f.judge()
		} else {
			f.rows[field].SetError("")
		}
		return
	}
}

// close ends what the form does when its page is left.
func (f *serverForm) close() {
	f.builder.Stop()
	f.dropAsked()
	f.dropJudging()
	f.judging.over = true
}

// focusOn gives a field the keyboard.
func (f *serverForm) focusOn(field string) {
	target := f.focus[field]
	if target == nil {
		f.wanted = field
		return
	}
	f.s.win.Canvas().Focus(target)
	f.s.keepInView()
	f.rows[field].RevealError()
}

// focusFault gives the keyboard to the first field with a fault, in the order of
// the page. It opens the settings that are rarely needed if it is there.
func (f *serverForm) focusFault() {
	if !f.sh.tokenFault.IsZero() {
		f.focusOn(tokenField)
		return
	}
	order := []string{config.FieldProgram, config.FieldURL, config.FieldName, config.FieldFolder, config.FieldArguments, config.FieldEnv}
	for _, field := range order {
		for _, fault := range f.sh.faults {
			if fault.Field == field {
				f.focusOn(fieldOf(fault))
				return
			}
		}
	}
	if len(f.sh.faults) > 0 {
		f.focusOn(fieldOf(f.sh.faults[0]))
	}
}

// bringFault lets the first field with a fault be drawn.
func (f *serverForm) bringFault() {
	f.sh.more = f.sh.more || inMore(f.sh.faults)
	for _, fault := range slices.Backward(f.sh.faults) {
		if fault.Field == config.FieldEnv || fault.Field == config.FieldHeaders {
			f.sh.bringValue(fault.Field, fault.Row)
		}
	}
}

// inMore reports whether a fault lies in the settings that are rarely needed.
func inMore(faults []config.Fault) bool {
	for _, fault := range faults {
		switch fault.Field {
		case config.FieldHeaders, config.FieldSilence, config.FieldSize:
			return true
		}
	}
	return false
}

// first is what gets the keyboard when the page comes up.
func (f *serverForm) first() fyne.Focusable {
	if f.edit {
		return f.focus[config.FieldName]
	}
	return f.focus[f.startField()]
}

// startField is what is pasted most: the kind stands before it.
func (f *serverForm) startField() string {
	if f.sh.byCommand() {
		return config.FieldProgram
	}
	return config.FieldURL
}
