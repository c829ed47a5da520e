package ui

import (
	"context"
	"strings"

	"fyne.io/fyne/v2"

	"parley/assets/i18n"
	"parley/consent/safetext"
	"parley/mcpclient"
	"parley/ui/kit"
)

// trial is a server as entered being tried, before it is stored.
type trial struct {
	// asked tells that the person is shown the program that would be started.
	asked   bool
	running bool
	stop    context.CancelFunc
	found   *mcpclient.Trial
	failure *mcpclient.Failure
	// run counts the trials, so that a late result of one that was given up says
	// nothing.
	run int
}

// end gives a trial up and forgets what one found.
func (t *trial) end() {
	if t.stop != nil {
		t.stop()
	}
	*t = trial{run: t.run + 1}
}

// try tries the server as entered: an address at once, a program after the person
// has seen and allowed what is started.
func (f *serverForm) try() {
	sh := f.sh
	sh.trial.end()
	if _, ok := f.s.check(sh); !ok {
		f.bringFault()
		f.redraw()
		f.focusFault()
		return
	}
	if sh.byCommand() {
		sh.trial.asked = true
		f.redraw()
		f.showTrial()
		f.s.win.Canvas().Focus(f.notNow)
		return
	}
	f.runTrial()
}

// runTrial tries the server in the background.
func (f *serverForm) runTrial() {
	s, sh := f.s, f.sh
	file := ""
	if f.asked != nil {
		if !f.asked.Idle() || !f.file.agreed() { // not all of the command is shown yet
			return
		}
		file = f.file.allowed()
	}
	v, ok := s.check(sh)
	if !ok {
		f.redraw()
		return
	}
	sh.trial.end()
	run := sh.trial.run
	ctx, stop := context.WithCancel(s.work.ctx)
	sh.trial.running, sh.trial.stop = true, stop
	typed, token := sh.draft.Typed(), sh.token
	s.work.apart(func(context.Context) {
		defer stop()
		found, err := s.o.Try(ctx, v, typed, token, file)
		s.do.Do(func() {
			if sh.trial.run != run {
				return
			}
			sh.trial = trial{run: run, found: &found}
			if err != nil {
				sh.trial.found, sh.trial.failure = nil, failureOf(err)
			}
			s.redrawSheet(sh)
		})
	})
	f.redraw()
	f.showTrial()
	s.win.Canvas().Focus(f.stop)
}

// formOf is the form of the page that shows sh, nil if none does.
func (s *shell) formOf(sh *serverSheet) *serverForm {
	var f *serverForm
	switch p := s.page.(type) {
	case *addPage:
		f = p.form
	case *editPage:
		f = p.form
	}
	if f == nil || f.sh != sh {
		return nil
	}
	return f
}

// redrawSheet shows what became of a trial of sh, if the person is at its page.
func (s *shell) redrawSheet(sh *serverSheet) {
	f := s.formOf(sh)
	if f == nil {
		return
	}
	c := s.win.Canvas()
	waited := c.Focused() == fyne.Focusable(f.stop)
	f.redraw()
	f.showTrial()
	if waited { // the button that had the keyboard is gone
		c.Focus(f.test)
	}
}

// sayTrial shows a trial and what it found.
func (f *serverForm) sayTrial() {
	f.trialBox.Objects = f.trialPart()
	f.trialBox.Refresh()
}

// showTrial scrolls to the question whether to try the server, or to what trying it
// found.
func (f *serverForm) showTrial() { f.s.bringIntoView(f.trialBox) }

// dropTrial gives a trial up when what it is about changes: what is allowed and
// what was found are for what stood there.
func (f *serverForm) dropTrial() {
	if t := &f.sh.trial; t.asked || t.running || t.found != nil || t.failure != nil {
		t.end()
		f.sayTrial()
	}
}

func (f *serverForm) trialPart() []fyne.CanvasObject {
	f.dropAsked()
	s, t := f.s, &f.sh.trial
	switch {
	case t.asked:
		return []fyne.CanvasObject{f.askTrial()}
	case t.running:
		f.stop = f.ending("ui.trial.stop")
		return []fyne.CanvasObject{kit.RowFill(gap, 0, kit.NewNotice(kit.Info, "", s.t("ui.trial.running")), f.stop)}
	case wantsSignIn(t.failure):
		next := "ui.trial.then_add"
		if f.edit {
			next = "ui.trial.then_save"
		}
		return []fyne.CanvasObject{kit.NewNotice(kit.Info, s.t("ui.trial.signin"), s.t(next)+" "+s.t("ui.trial.nothing_stored"))}
	case t.failure != nil:
		return append([]fyne.CanvasObject{kit.Sentence(s.t("ui.trial.failed"), boldText)}, s.failure(f.env, t.failure)...)
	case t.found != nil:
		return f.foundPart(*t.found)
	}
	return nil
}

// ending is a button that gives a trial up.
func (f *serverForm) ending(words string) *kit.Button {
	return kit.NewButton(kit.ButtonOptions{Env: f.env, Text: f.s.t(words), EnterTaps: true, OnTapped: func() {
		f.sh.trial.end()
		f.redraw()
		f.s.win.Canvas().Focus(f.test)
	}})
}

// wantsSignIn reports whether a server was reached, and wants to know who the
// person is before it says more.
func wantsSignIn(f *mcpclient.Failure) bool {
	return f != nil && (f.Text.ID == "auth.token.needed" || f.Text.ID == "auth.signin.unattended")
}

// foundPart says what a trial found: our words, then what the server says of
// itself.
func (f *serverForm) foundPart(t mcpclient.Trial) []fyne.CanvasObject {
	s := f.s
	id := t.Info.Identity
	parts := []string{s.t("ui.server.connected."+string(t.Info.Era), "Protocol", t.Info.Protocol, "Transport", i18n.M("ui.transport."+string(id.Transport)))}
	if t.Listing == nil {
		parts = append(parts, s.say(i18n.N("ui.trial.tools", t.Tools)), s.say(i18n.N("ui.trial.prompts", t.Prompts)), s.say(i18n.N("ui.trial.resources", t.Resources+t.Templates)))
	}
	out := []fyne.CanvasObject{kit.NewNotice(kit.Info, s.t("ui.trial.works"), strings.Join(parts, "  •  ")+"\n"+s.t("ui.trial.nothing_stored"))}
	if self := selfName(&t.Info); self != "" {
		out = append(out, kit.ServerArea(s.t("ui.trial.says"), kit.Label(safetext.Line(self, maxName), bodyText)))
	}
	return append(out, s.failure(f.env, t.Listing)...)
}

// dropAsked ends the drawing of a command that is not asked about any more.
func (f *serverForm) dropAsked() {
	if f.asked != nil {
		f.asked.Stop()
		f.file.stop()
		f.asked, f.file = nil, nil
	}
}

// askTrial asks for leave to start a program for a trial; it shows exactly what
// would be started.
func (f *serverForm) askTrial() fyne.CanvasObject {
	s := f.s
	guard := kit.NewGuard(f.env)
	guard.Arm()
	f.notNow = f.ending("ui.allow.not_now")
	start := kit.NewButton(kit.ButtonOptions{Env: f.env, Text: s.t("ui.trial.start"), Importance: kit.Primary, Guard: guard, Firm: true, OnTapped: f.runTrial})
	v := f.sh.draft.Server()
	f.file = s.newProgramFile(f.env, v, f.sh.draft.Typed(), start, guard)
	parts, builder := s.commandParts(f.env, v, f.file, nil)
	f.asked = builder
	return kit.Card(kit.Column(gap,
		kit.Sentence(s.t("ui.trial.ask"), boldText),
		kit.Sentence(s.t("ui.trial.ask_body"), mutedText),
		f.file.warning,
		parts,
		kit.ActionBar(nil, []fyne.CanvasObject{f.notNow, start})))
}
