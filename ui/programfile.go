package ui

import (
	"context"

	"fyne.io/fyne/v2"

	"parley/mcpclient"
	"parley/mcpclient/config"
	"parley/mcpclient/stdio"
	"parley/ui/kit"
)

// programFile is the file that would be started for a command, on a page that asks for
// leave to start it. It is looked up in the background; until it is known, or nothing
// was found, there is nothing to agree to. Nothing that was not shown is ever allowed.
type programFile struct {
	s     *shell
	env   *kit.Env
	v     mcpclient.Server
	typed config.Typed
	start *kit.Button
	guard *kit.Guard
	known func() // called when a look-up has ended; nil for nothing

	run     int // counts the look-ups: one that was given up says nothing
	giveUp  context.CancelFunc
	file    stdio.File
	failure *mcpclient.Failure // why there is none
	before  string             // the file that was allowed, where it is another one; else ""
	// line names the file, and warning says that it is another one than before.
	line, warning *fyne.Container
}

// newProgramFile looks up the file of v, with the secret values that were typed for it.
// start is the button that agrees, guard what makes it deaf.
func (s *shell) newProgramFile(env *kit.Env, v mcpclient.Server, typed config.Typed, start *kit.Button, guard *kit.Guard) *programFile {
	f := &programFile{s: s, env: env, v: v, typed: typed, start: start, guard: guard, giveUp: func() {}, line: kit.Column(2), warning: kit.Column(0)}
	f.look()
	return f
}

// look looks the file up, again if nothing was found before.
func (f *programFile) look() {
	s := f.s
	f.stop()
	run := f.run
	ctx, giveUp := context.WithCancel(s.work.ctx)
	f.giveUp = giveUp
	f.file, f.failure = stdio.File{}, nil
	f.start.Disable()
	f.draw()
	s.work.apart(func(context.Context) {
		defer giveUp()
		file, err := s.o.LookUp(ctx, f.v, f.typed)
		before := s.o.Store.AllowedFile(f.v)
		if !file.Named || before != "" && stdio.CheckFile(f.v.Command, before, file.Path) == nil {
			before = ""
		}
		s.do.Do(func() {
			if f.run != run {
				return
			}
			f.file, f.before = file, before
			if err != nil {
				f.failure = failureOf(err)
			}
			f.guard.Arm()
			f.start.Enable()
			f.draw()
			f.env.Reveal.Relayout()
			if f.known != nil {
				f.known()
			}
		})
	})
}

// stop ends the look-up that is under way, if there is one.
func (f *programFile) stop() {
	f.run++
	f.giveUp()
}

// agreed tells that the file is known, and may be started by who presses the button. If
// nothing was found, that is looked up once more: it may be there by now, and is shown.
func (f *programFile) agreed() bool {
	if f.failure != nil {
		f.look()
	}
	return f.file.Path != ""
}

// allowed is the file that leave is kept for; "" for a program that is named by its path.
func (f *programFile) allowed() string {
	if !f.file.Named {
		return ""
	}
	return f.file.Path
}

func (f *programFile) draw() {
	s := f.s
	mono := kit.Style{Size: kit.SizeBody, Mono: true}
	title := kit.Sentence(s.t("ui.allow.file"), hintText)
	f.line.Objects, f.warning.Objects = nil, nil
	switch {
	case f.failure != nil:
		f.line.Objects = []fyne.CanvasObject{kit.NewNotice(kit.Danger, "", s.say(f.failure.Text))}
	case f.file.Path == "":
		f.line.Objects = []fyne.CanvasObject{title, kit.Sentence(s.t("ui.allow.file_looking", "Program", argument(f.v.Command).String()), mutedText)}
	case f.file.Path != f.v.Command || f.file.Target != "":
		f.line.Objects = []fyne.CanvasObject{title, exactText(f.env, whole(f.file.Path), mono)}
		if f.file.Target != "" {
			f.line.Objects = append(f.line.Objects, kit.NewText(kit.Own(s.t("ui.allow.file_link")+" ", hintText), kit.Server(whole(f.file.Target), mono)))
		}
	}
	if f.before != "" {
		f.warning.Objects = []fyne.CanvasObject{kit.NewNotice(kit.Danger, s.t("ui.allow.other_file", "Program", argument(f.v.Command).String()),
			s.t("ui.allow.other_file_body", "Before", whole(f.before).String(), "Now", whole(f.file.Path).String()))}
	}
	for _, c := range []*fyne.Container{f.line, f.warning} {
		c.Hidden = len(c.Objects) == 0 // else there is a gap where nothing is
		c.Refresh()
	}
}
