package ui

import (
	"fmt"

	"fyne.io/fyne/v2"

	"parley/assets/i18n"
	"parley/ui/kit"
)

// problemBar is a line above the page, whichever it is, while something is wrong
// with the file of the list: it was broken or deleted outside, or kept aside. It is
// one line however long its sentence is, so that it pushes no button of a question
// off a small window; the settings tell the whole. It covers nothing and never takes
// the keyboard.
type problemBar struct {
	box *fyne.Container // empty while there is nothing to tell
	// known is what the list said last, open what of it the person has not taken
	// note of, shown what the bar is drawn from.
	known, open, shown []i18n.Message
	loc                *i18n.Localizer // the language it is drawn in
	// dropped are those the person has taken note of, by problemKey, as long as they last.
	dropped map[string]bool
}

// drawProblems draws the bar, or takes it away. It is called whenever the list may
// have said something new, and costs nothing if it has not.
func (s *shell) drawProblems() {
	b := &s.problems
	if now := s.o.Store.Problems(); !sameSlice(now, b.known) {
		b.known = now
		b.sift(b.dropped)
		if p, ok := s.page.(*settingsPage); ok {
			p.drawProblems()
		}
	}
	open := b.open
	if s.at.section == sectionSettings { // which tells them all
		open = nil
	}
	if sameSlice(open, b.shown) && b.loc == s.loc {
		return
	}
	b.shown, b.loc = open, s.loc
	b.box.Objects = nil
	if len(open) > 0 {
		b.box.Objects = []fyne.CanvasObject{kit.Pad(gap, pageSide, 0, pageSide, s.problemLine(open))}
	}
	s.main.Refresh()
}

// problemLine is the bar: as much of the newest problem as fits, and the ways on.
func (s *shell) problemLine(open []i18n.Message) fyne.CanvasObject {
	env := s.newEnv()
	button := func(id string, do func()) fyne.CanvasObject {
		return kit.NewButton(kit.ButtonOptions{Env: env, Text: s.t(id), Importance: kit.Quiet, EnterTaps: true, OnTapped: do})
	}
	say := s.say(open[len(open)-1])
	if len(open) > 1 {
		say = s.t("ui.problems.several", "N", len(open), "Newest", say)
	}
	return kit.NewNoticeLine(kit.Caution, say,
		button("ui.problems.more", func() { s.choose(route{section: sectionSettings}) }),
		button("ui.problems.drop", s.dropProblems))
}

// dropProblems takes the bar away until something new is wrong; what it said stays
// on the settings page as long as it is so.
func (s *shell) dropProblems() {
	b := &s.problems
	noted := map[string]bool{}
	for _, p := range b.known {
		noted[problemKey(p)] = true
	}
	b.sift(noted)
	s.win.Canvas().Unfocus()
	s.drawProblems()
}

// problemKey tells one problem from another: what it is, and of what.
func problemKey(p i18n.Message) string { return fmt.Sprint(p.ID, p.Data) }

// sift sorts out those that the person has taken note of. What is over is
// forgotten: if it comes again, it is new.
func (b *problemBar) sift(noted map[string]bool) {
	b.open, b.dropped = b.known, nil
	if len(noted) == 0 {
		return
	}
	b.open, b.dropped = nil, map[string]bool{}
	for _, p := range b.known {
		if key := problemKey(p); noted[key] {
			b.dropped[key] = true
		} else {
			b.open = append(b.open, p)
		}
	}
}

// sameSlice reports whether a and b are one slice: those of the store are never
// changed.
func sameSlice(a, b []i18n.Message) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// maxProblems is how many problems the settings tell one by one.
const maxProblems = 20

// problemsPart tells on the settings page what is wrong with the file of the list,
// with the way to a file that was kept aside.
func (s *shell) problemsPart(env *kit.Env) []fyne.CanvasObject {
	var out []fyne.CanvasObject
	problems := s.o.Store.Problems()
	for i, p := range problems {
		if i == maxProblems {
			out = append(out, kit.NewNotice(kit.Caution, "", s.say(i18n.N("ui.problems.others", len(problems)-maxProblems))))
			break
		}
		out = append(out, kit.NewNotice(kit.Caution, s.say(p), ""))
		if path := s.o.Store.Aside(p); path != "" {
			out = append(out, kit.RowFill(gap, 0, kit.NewText(kit.Own(s.t("ui.problems.aside")+" ", mutedText), kit.Server(whole(path), monoText)),
				s.copyButton(kit.ButtonOptions{Env: env, Icon: kit.IconCopy, Text: s.t("ui.problems.copy")}, func() string { return path })))
		}
	}
	return out
}
