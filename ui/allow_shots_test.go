package ui

import (
	"testing"

	"fyne.io/fyne/v2"

	"parley/mcpclient"
	"parley/mcpclient/config"
	"parley/mcpclient/stdio"
)

// TestShots_Allow draws every state of the page that asks for leave to start a program.
func TestShots_Allow(t *testing.T) {
	files := make(lookUps)
	shots(t, rigOptions{tools: askForm("Who?", nameForm), lookUp: files.lookUp}, func(s *shooter) {
		r := s.r
		drawAllowPages(s, files)
		r.s.win.Canvas().(interface{ SetScale(float32) }).SetScale(2)
		r.s.win.Resize(fyne.NewSize(600, 360))
		s.tag = "-2x" + s.tag
		drawAllowPages(s, files)
		r.s.win.Canvas().(interface{ SetScale(float32) }).SetScale(1)
	})
}

func drawAllowPages(s *shooter, files lookUps) {
	r := s.r
	v := r.s.desk.servers[0]
	was, leave := v.Server, v.leave
	npx := stdio.File{Path: "/home/lin/.nvm/versions/node/v22.19.0/bin/npx", Target: "/home/lin/.nvm/versions/node/v22.19.0/lib/node_modules/npm/bin/npx-cli.js", Named: true}
	asked := func(name string, leave config.Leave, file stdio.File, command string, args ...string) {
		v.Command, v.Args, v.leave = command, args, leave
		r.s.choose(route{section: sectionAllow, id: v.ID})
		if name == "b0-allow" {
			s.shot("b1-allow-looking")
		}
		files.find(file)
		r.known(r.s.page.(*allowPage).start)
		s.shot(name)
		p := r.s.page.(*allowPage)
		p.reveal.ScrollTo(p.reveal.ContentHeight(600)) // to its end
		s.shot(name + "-below")
	}
	asked("b0-allow", config.NoLeave, npx, "npx", "-y", "files-server")
	asked("b2-allow-shell", config.NoLeave, stdio.File{Path: "/bin/sh", Target: "/usr/bin/dash", Named: true}, "sh", "-c", "files-server --root ~ | tee /tmp/log; rm -rf /tmp/old")
	asked("b3-allow-code", config.NoLeave, stdio.File{Path: "/usr/bin/python3", Target: "/usr/bin/python3.11", Named: true}, "python3", "-c", "import server; server.run()")
	asked("b4-allow-changed", config.LostLeave, npx, "npx", "-y", "other-server")
	must(r.t, r.store.Allow(v.Server, "/usr/bin/npx"))
	asked("b5-allow-other-file", config.HasLeave, npx, "npx", "-y", "other-server")
	r.s.choose(route{section: sectionAllow, id: v.ID})
	files.miss()
	r.known(r.s.page.(*allowPage).start)
	s.shot("b6-allow-not-found")
	st := v.status
	v.status, v.leave = mcpclient.Status{}, config.LostLeave
	r.s.side.update(r.s)
	r.s.choose(route{section: sectionServer, id: v.ID})
	s.shot("b7-changed-since")
	moved := &stdio.StartError{Kind: stdio.OtherFile, Program: "npx", Allowed: "/usr/bin/npx", Found: npx.Path}
	v.status, v.leave = mcpclient.Status{State: mcpclient.Lost, Failure: &mcpclient.Failure{Kind: mcpclient.FailLost, Text: moved.Sentence()}}, config.HasLeave
	r.s.side.update(r.s)
	r.s.choose(route{section: sectionServer, id: v.ID})
	s.shot("b8-other-file")
	v.status, v.leave, v.Server = st, leave, was
	r.s.side.update(r.s)
	r.s.adding = serverSheet{draft: config.Draft{Kind: mcpclient.Stdio, Program: "npx", Arguments: "-y\nfiles-server"}}
	r.s.choose(route{section: sectionAdd})
	r.press(r.s.t("ui.trial.try"))
	files.find(npx)
	r.known(r.button(r.s.t("ui.trial.start")))
	s.shot("b9-trial")
	r.s.adding = serverSheet{}
	r.s.choose(route{section: sectionServer, id: v.ID})
}
