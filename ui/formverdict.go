package ui

import (
	"context"
	"slices"
	"time"

	"fyne.io/fyne/v2"

	"parley/assets/i18n"
	"parley/consent"
	"parley/mcpclient"
	"parley/mcpclient/config"
	"parley/ui/kit"
)

// formVerdict is what there is to say of a server that is being entered. It is
// found in the background: a command line is parsed for it, an address read, the
// server compared with all others.
type formVerdict struct {
	// alike is the name of another server that the name looks like, twin that of one
	// that is the same; "" is none.
	alike, twin string
	// command tells that a command line stands in the place of the program, apart
	// that it can be taken apart.
	command, apart bool
	remarks        []i18n.Message
	faults         []config.Fault
	// long tells that the faults are of what is too long, beside which nothing else was
	// looked for.
	long bool
}

// judged finds it out. It runs on any goroutine.
func judged(d config.Draft, list []mcpclient.Server) formVerdict {
	if long := d.TooLong(); long != nil {
		return formVerdict{faults: long, long: true}
	}
	v := d.Server()
	id := d.Before().ID
	var names []string
	var out formVerdict
	for _, o := range list {
		if o.ID == id {
			continue
		}
		names = append(names, o.Name)
		if out.twin == "" && same(o, v) {
			out.twin = o.Name
		}
	}
	name := v.Name
	if identity, err := v.Identify(); name == "" && err == nil {
		name = identity.Name
	}
	if name != "" && !slices.Contains(names, v.Name) { // which is an error, and said as one
		out.alike, _ = consent.LooksLike(name, names)
	}
	if out.command = d.HoldsCommand(); out.command {
		_, out.apart = d.TakenApart()
	}
	out.remarks = d.Remarks()
	_, out.faults = d.Check(names)
	return out
}

// judgeAfter is how long after the last key the form is judged.
const judgeAfter = 150 * time.Millisecond

// judging is the finding out of a verdict.
type judging struct {
	run   int    // counts them, so that a late one says nothing
	pause func() // ends the wait for the next
	// left are the fields that the keyboard has left since the last verdict: what is
	// wrong with them is said with the next.
	left map[string]bool
	// busy tells that a verdict is to come, entered counts what was entered.
	busy    bool
	entered int
	over    bool // the page was left
}

// judgeSoon judges what was entered a moment after the last change.
func (f *serverForm) judgeSoon() {
	if f.dropJudging(); f.judging.over {
		return
	}
	f.judging.busy = true
	f.judging.pause = f.s.clock.After(judgeAfter, func() { f.s.do.Do(f.judge) })
}

// dropJudging lets what is being found out say nothing any more.
func (f *serverForm) dropJudging() {
	if f.judging.pause != nil {
		f.judging.pause()
	}
	f.judging.run++
	f.judging.pause, f.judging.busy = nil, false
}

// judge finds out in the background what there is to say, and says it.
func (f *serverForm) judge() {
	if f.dropJudging(); f.judging.over {
		return
	}
	s, run := f.s, f.judging.run
	f.judging.busy = true
	d, list := f.sh.draft.Clone(), s.asListed()
	s.work.apart(func(context.Context) {
		v := judged(d, list)
		s.do.Do(func() {
			if f.judging.run == run && f.s.formOf(f.sh) == f {
				f.judging.busy = false
				f.take(v)
			}
		})
	})
}

// asListed are the servers as they stand in the list.
func (s *shell) asListed() []mcpclient.Server {
	out := make([]mcpclient.Server, len(s.desk.servers))
	for i, v := range s.desk.servers {
		out[i] = v.Server
	}
	return out
}

// take says what was found. Of what is wrong it renews what is said, and says what
// is wrong with fields that were left with something in them, and what is too long; the
// rest waits.
func (f *serverForm) take(v formVerdict) {
	f.sh.verdict = v
	said := f.judging.left
	if said == nil {
		said = map[string]bool{}
	}
	f.judging.left = nil
	for _, fault := range f.sh.faults { // of what is not drawn yet, too
		said[fieldOf(fault)] = true
	}
	now := map[string]string{}
	f.sh.faults = nil
	for _, fault := range v.faults {
		if field := fieldOf(fault); said[field] || v.long {
			now[field] = f.s.say(fault.Text)
			f.sh.faults = append(f.sh.faults, fault)
		}
	}
	for field, r := range f.rows {
		if field != tokenField {
			r.SetError(now[field])
		}
	}
	f.sayVerdict()
}

// sayVerdict shows what was found: that the name looks like another's, that a whole
// command stands in the place of the program, what there is to know before the
// server is stored.
func (f *serverForm) sayVerdict() {
	s, v := f.s, &f.sh.verdict
	hint := kit.Own(s.t("ui.add.name_hint"), hintText)
	if v.alike != "" {
		hint = kit.Own(s.t("ui.banner.alike", "Other", line(v.alike).String()), cautionText)
	}
	f.rows[config.FieldName].SetHint(hint)
	f.sayCommand()
	f.remark()
}

// remark says what the person should know before they store it.
func (f *serverForm) remark() {
	v := &f.sh.verdict
	said := v.remarks
	if v.twin != "" {
		said = append([]i18n.Message{i18n.M("ui.import.same", "Name", line(v.twin).String())}, said...)
	}
	said = said[:min(len(said), maxProblems)]
	var remarks []fyne.CanvasObject
	for _, m := range said {
		remarks = append(remarks, kit.NewNotice(kit.Caution, "", f.s.say(m)))
	}
	f.remarks.Objects = remarks
	f.remarks.Refresh()
	if f.env.Reveal != nil && !f.drawing {
		f.env.Reveal.Relayout()
	}
}
