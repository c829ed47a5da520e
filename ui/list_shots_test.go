package ui

import (
	"os"
	"testing"

	"fyne.io/fyne/v2"

	"parley/mcpclient"
	"parley/mcpclient/config"
)

// TestShots_List draws what a person meets when the list changes below them.
func TestShots_List(t *testing.T) {
	shots(t, rigOptions{tools: askForm("Who travels?", nameForm)}, func(s *shooter) {
		r := s.r
		v := r.s.desk.servers[0]
		r.run("ask")
		r.question()
		must(t, os.WriteFile(r.store.Path(), []byte(`{"mcpServers": {`), 0o600))
		broken, err := r.store.Add(mcpclient.Server{Name: "Calendar", Kind: mcpclient.Stdio, Command: "npx", Args: []string{"-y", "calendar"}})
		must(t, err)
		r.s.tell(&changes{})
		s.shot("a0-problem")
		r.s.win.Resize(fyne.NewSize(leastWidth, leastHeight))
		s.shot("a1-problem-small")
		r.s.win.Resize(firstSize)
		r.s.choose(route{section: sectionSettings})
		s.shot("a2-problem-settings")
		must(t, r.store.Remove(broken.ID))
		r.s.choose(route{section: sectionRequests})
		s.shot("a3-requests")
		r.s.problems.sift(map[string]bool{problemKey(r.s.problems.known[0]): true})
		p := r.editing()
		p.form.sh.draft.Name = "Travel desk, Lisbon"
		p.form.sh.draft.Env = []config.DraftValue{{Name: "API_KEY", Value: canary, Secret: true}}
		was := r.without()
		s.shot("a4-gone")
		r.s.takeList(was)
		delete(r.s.edits, v.ID)
		v = r.s.desk.servers[0]
		v.Args = []string{"-y", "files-server", "$(whoami)", "a b"}
		r.allowing()
		r.editedOutside(func(v *mcpclient.Server) { v.Args = []string{"-y", "other-server"} })
		r.known(r.s.page.(*allowPage).start)
		s.shot("a5-allow-other")
		r.s.win.Canvas().(interface{ SetScale(float32) }).SetScale(2)
		r.s.win.Resize(fyne.NewSize(640, 400))
		s.shot("a5-allow-other-2x")
		r.s.win.Canvas().(interface{ SetScale(float32) }).SetScale(1)
		r.s.win.Resize(firstSize)
		r.s.adding = serverSheet{draft: config.Draft{Kind: mcpclient.Stdio, Program: "npx", Arguments: "-y\nfiles-server"}}
		r.s.choose(route{section: sectionAdd})
		r.s.page.(*addPage).form.try()
		r.known(r.button(r.s.t("ui.trial.start")))
		s.shot("a6-trial")
		r.s.askedToClose()
		s.shot("a7-quit")
		r.s.keepOpen()
		r.s.adding = serverSheet{}
	})
}
