package ui

import (
	"context"

	"parley/mcpclient/config"
	"parley/ui/kit"
)

// program is the entry for a program. What READMEs show are whole command lines:
// one that is entered here is said to be one, and taken apart on request only,
// since a path may hold spaces too.
func (f *serverForm) program() *kit.FieldRow {
	s := f.s
	f.apart = kit.NewButton(kit.ButtonOptions{Env: f.env, Text: s.t("ui.add.program_apart"), Importance: kit.Quiet, EnterTaps: true, OnTapped: f.takeApart})
	f.apart.Hidden = !f.sh.verdict.apart
	control := f.mono(&f.sh.draft.Program, 0)
	r := kit.NewFieldRow(kit.FieldRowOptions{Env: f.env, Label: line(s.t("ui.add.program")), Required: true,
		Hint: []kit.Run{kit.Own(s.t("ui.add.program_hint"), hintText)}, Control: control, Action: f.apart})
	f.rows[config.FieldProgram], f.focus[config.FieldProgram] = r, control.FocusTarget()
	f.sayFault(config.FieldProgram)
	return r
}

// sayCommand says below the program that it looks like a command line.
func (f *serverForm) sayCommand() {
	if !f.sh.byCommand() {
		return
	}
	hint := kit.Own(f.s.t("ui.add.program_hint"), hintText)
	if f.sh.verdict.command {
		hint = kit.Own(f.s.t("ui.add.program_command"), cautionText)
	}
	r := f.rows[config.FieldProgram]
	r.SetHint(hint)
	if f.apart.Hidden == f.sh.verdict.apart {
		f.apart.Hidden = !f.sh.verdict.apart
		r.Refresh() // which gives it its place
	}
}

// takeApart puts the parts of a command line into their fields, unless something is
// entered while they are found.
func (f *serverForm) takeApart() {
	s, sh := f.s, f.sh
	entered, d := f.judging.entered, sh.draft.Clone()
	s.work.apart(func(context.Context) {
		apart, ok := d.TakenApart()
		s.do.Do(func() {
			if !ok || f.judging.entered != entered || s.formOf(sh) != f {
				return
			}
			sh.draft = apart
			f.changed()
			f.redraw()
			f.focusOn(f.startField())
		})
	})
}
