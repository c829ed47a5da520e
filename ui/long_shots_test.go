package ui

import (
	"fmt"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"parley/mcpclient"
	"parley/mcpclient/config"
)

// TestShots_LongServer draws a server with more arguments and variables than are
// edited at once, and a whole command in the place of a program.
func TestShots_LongServer(t *testing.T) {
	as := mcpclient.Server{Name: "Much", Kind: mcpclient.Stdio, Command: "program", Env: map[string]string{}}
	for i := range 1000 {
		as.Args = append(as.Args, fmt.Sprint("--argument-", i))
	}
	for i := range 100 {
		as.Env[fmt.Sprintf("VALUE_%03d", i)] = fmt.Sprint(i)
	}
	as.Env["VALUE_000"] = "-----BEGIN CERTIFICATE-----\n" + strings.Repeat("MIIB\n", 3) + "-----END CERTIFICATE-----\n"
	shots(t, rigOptions{tools: askForm("Who?", nameForm), as: &as}, func(s *shooter) {
		r := s.r
		r.s.desk.addServer(&serverState{Server: mcpclient.Server{ID: "other", Name: "Calendar", Kind: mcpclient.HTTP, URL: "https://mcp.calendar.example/mcp"}})
		r.s.side.update(r.s)
		for _, scale := range []float32{1, 2} {
			r.s.win.Canvas().(interface{ SetScale(float32) }).SetScale(scale)
			if scale == 2 {
				r.s.win.Resize(fyne.NewSize(640, 400))
				s.tag = "-2x" + s.tag
			}
			p := r.editing()
			r.judged()
			s.shot("b0-long-edit")
			p.env.Reveal.IntoView(p.form.rows[config.FieldArguments])
			s.shot("b1-long-arguments")
			r.s.win.Canvas().Focus(p.form.focus[valueField(config.FieldEnv, 0, false)])
			s.shot("b2-long-values")
			p.env.Reveal.IntoView(r.button(r.s.t("ui.values.env_add")))
			s.shot("b3-long-values-end")
			delete(r.s.edits, r.s.desk.servers[0].ID)
			r.s.adding = serverSheet{draft: config.Draft{Kind: mcpclient.Stdio, Program: "claude mcp add notes -- npx -y notes-server", Env: []config.DraftValue{{Name: "KEY", Value: "canary\ncanary\n", Secret: true}}}}
			r.s.choose(route{section: sectionAdd})
			r.judged()
			s.shot("b4-whole-command")
			r.s.win.Canvas().Focus(r.s.page.(*addPage).form.focus[valueField(config.FieldEnv, 0, false)])
			s.shot("b5-secret-of-lines")
			r.s.adding = serverSheet{}
			r.s.choose(route{section: sectionExport})
			r.wait(func() bool { return r.s.export.text != "" })
			r.s.export.path = "/home/lin/mcp.json"
			r.s.page.(*exportPage).draw()
			s.shot("b6-export")
		}
		r.s.win.Canvas().(interface{ SetScale(float32) }).SetScale(1)
		r.s.win.Resize(firstSize)
	})
}
