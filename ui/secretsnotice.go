package ui

import (
	"fyne.io/fyne/v2"

	"parley/mcpclient/keychain"
	"parley/ui/kit"
)

// drawSecretsNotice draws the notice above the page, or takes it away: something
// that was entered is kept for this run only. It covers nothing, never takes the
// keyboard and comes once in a run.
func (s *shell) drawSecretsNotice() {
	if !s.secrets.notice {
		if len(s.unkept.Objects) > 0 {
			s.unkept.Objects = nil
			s.main.Refresh()
		}
		return
	}
	if len(s.unkept.Objects) > 0 && s.unkeptLoc == s.loc {
		return
	}
	s.unkeptLoc = s.loc
	env := s.newEnv()
	words, way, lead := "ui.secrets.notice", "ui.secrets.where", func() {
		s.dropSecretsNotice()
		s.choose(route{section: sectionSettings})
	}
	if s.o.Secrets.State().Mode == keychain.VaultLocked {
		words, way, lead = "ui.secrets.notice_locked", "ui.secrets.unlock", s.toUnlock
	}
	button := func(id string, im kit.Importance, do func()) fyne.CanvasObject {
		return kit.NewButton(kit.ButtonOptions{Env: env, Text: s.t(id), Importance: im, EnterTaps: true, OnTapped: do})
	}
	s.unkept.Objects = []fyne.CanvasObject{kit.Pad(pageTop, pageSide, 0, pageSide, kit.RowFill(gap, 0,
		kit.NewNotice(kit.Caution, "", s.t(words)), button(way, kit.Plain, lead), button("ui.secrets.dismiss", kit.Quiet, s.dropSecretsNotice)))}
	s.main.Refresh()
}

// dropSecretsNotice takes the notice away; what it says stays on the settings
// page.
func (s *shell) dropSecretsNotice() {
	s.secrets.notice = false
	s.drawSecretsNotice()
}
