package ui

import (
	"os"
	"path/filepath"
	"testing"

	"fyne.io/fyne/v2"

	"parley/assets/i18n"
	"parley/mcpclient"
	"parley/mcpclient/config"
)

// pasteOfEverySort has what the page that takes servers over can show.
const pasteOfEverySort = `{
  "inputs": [{"type": "promptString", "id": "tickets-key", "description": "Key of the ticket system", "password": true},
    {"type": "pickString", "id": "region", "description": "Where your data lies", "options": ["eu", "us"], "default": "eu"}],
  "servers": {
    "tickets": {"type": "http", "url": "https://tickets.test/mcp/${input:region}", "headers": {"X-Api-Key": "${input:tickets-key}", "Accept-Language": "de"}},
    "files": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "${workspaceFolder}"], "env": {"TOKEN": "canary", "LOG_LEVEL": "debug"}},
    "db": {"command": "db-server", "args": ["--dsn", "postgres://lin:canary@localhost/trips"], "disabled": true}
  }
}`

// standInsOfEverySort leaves to its reader what a file of Cursor can.
const standInsOfEverySort = `{"mcpServers": {
	"tickets": {"url": "https://mcp.tickets.test/mcp", "headers": {"Authorization": "Bearer <your-token>"}},
	"intranet": {"url": "https://your-instance.service-now.com/mcp", "auth": {"CLIENT_ID": "the-app", "CLIENT_SECRET": "canary"}},
	"files": {"command": "npx", "args": ["-y", "files", "/path/to/folder", "${workspaceFolder}"], "env": {"API_KEY": "YOUR_API_KEY_HERE"}}}}`

// TestShots_ServerPages draws the pages on which servers are entered, changed,
// tried, taken over and given away.
func TestShots_ServerPages(t *testing.T) {
	as := mcpclient.Server{Name: "Travel desk", Kind: mcpclient.HTTP, URL: "https://mcp.travel.example/mcp", Silence: 120e9,
		Headers: map[string]string{"Accept-Language": "de"}}
	secrets := &memorySecrets{}
	shots(t, rigOptions{tools: askForm("Who?", nameForm), as: &as, secrets: secrets}, func(s *shooter) {
		r := s.r
		// The server in memory needs no key; the page shows one all the same.
		r.s.desk.servers[0].SecretHeaders = []string{"X-Api-Key"}
		drawServerPages(s)
		r.s.win.Canvas().(interface{ SetScale(float32) }).SetScale(2)
		r.s.win.Resize(fyne.NewSize(640, 400))
		s.tag = "-2x" + s.tag
		r.s.importing = importSheet{}
		// The server in memory needs no key; the page shows one all the same.
		r.s.desk.servers[0].SecretHeaders = []string{"X-Api-Key"}
		drawServerPages(s)
		r.s.win.Canvas().(interface{ SetScale(float32) }).SetScale(1)
	})
}

func drawServerPages(s *shooter) {
	r := s.r
	v := r.s.desk.servers[0]
	p := r.editing()
	s.shot("80-edit-address")
	p.form.sh.draft.URL = "http://mcp.travel.example/mcp"
	p.form.sh.draft.Silence = "soon"
	r.ctrlEnter()
	s.shot("81-edit-faults")
	r.key(fyne.KeyEscape)
	s.shot("82-edit-discard")
	r.press(r.s.t("ui.edit.discard"))
	v.changed = true
	r.s.choose(route{section: sectionServer, id: v.ID})
	s.shot("83-changed")
	old := v.URL
	v.URL = "https://mcp.elsewhere.example/mcp"
	r.s.choose(route{section: sectionServer, id: v.ID})
	s.shot("83-moved")
	v.URL = old
	v.changed = false
	r.s.adding = serverSheet{draft: config.Draft{Kind: mcpclient.Stdio, Name: "My files", Program: "npx",
		Arguments: "-y\n@modelcontextprotocol/server-filesystem\n/home/lin/My Documents\n*.txt; rm -rf ~",
		Env:       []config.DraftValue{{Name: "API_TOKEN", Value: "canary", Secret: true}, {Name: "LOG_LEVEL", Value: "debug"}}}}
	r.s.choose(route{section: sectionAdd})
	s.shot("84-add-command")
	r.press(r.s.t("ui.trial.try"))
	r.known(r.button(r.s.t("ui.trial.start")))
	s.shot("85-try-program")
	r.s.adding = serverSheet{draft: config.Draft{URL: "https://mcp.calendar.example/mcp"}}
	r.s.choose(route{section: sectionAdd})
	r.press(r.s.t("ui.trial.try"))
	r.wait(func() bool { return r.s.adding.trial.found != nil })
	r.s.show(r.s.at)
	s.shot("86-tried")
	r.s.adding.trial.found, r.s.adding.trial.failure = nil, &mcpclient.Failure{Text: i18n.M("auth.token.needed")}
	r.s.show(r.s.at)
	s.shot("86-tried-signin")
	r.s.adding = serverSheet{}
	r.s.importing.known = []config.KnownFile{{App: "Claude Desktop", Path: "/home/lin/.config/Claude/claude_desktop_config.json"}, {App: "Cursor", Path: "/home/lin/.cursor/mcp.json"}}
	r.s.importing.looked = true
	r.s.choose(route{section: sectionImport})
	s.shot("87-import")
	r.s.importing.pasted = pasteOfEverySort
	r.s.readPasted()
	r.wait(func() bool { return r.s.importing.read })
	r.s.choose(route{section: sectionImport})
	s.shot("88-offered")
	r.s.importing.rows[1].ticked = true
	r.s.show(r.s.at)
	r.ctrlEnter()
	s.shot("89-needed")
	path := filepath.Join(r.t.TempDir(), ".cursor", "mcp.json")
	must(r.t, os.MkdirAll(filepath.Dir(path), 0o700))
	must(r.t, os.WriteFile(path, []byte(standInsOfEverySort), 0o600))
	r.s.readFile(path)
	r.wait(func() bool { return r.s.importing.read })
	r.s.importing.file = "~/.cursor/mcp.json"
	r.s.importing.rows[1].ticked = true
	r.s.show(r.s.at)
	s.tall("89-stand-ins")
	r.s.choose(route{section: sectionExport})
	r.wait(func() bool { return r.s.export.text != "" })
	r.s.export.path = "/home/lin/mcp.json"
	r.s.page.(*exportPage).draw()
	s.shot("90-export")
	program := v.Server
	program.Kind, program.URL, program.Command = mcpclient.Stdio, "", "npx"
	program.Args = []string{"-y", "files-server", "$(whoami) | tee \u202elog", "a b", ""}
	program.Env, program.SecretEnv, program.Dir = map[string]string{"LOG_LEVEL": "debug"}, []string{"API_TOKEN"}, "/srv/files"
	was := v.Server
	v.Server = program
	r.s.choose(route{section: sectionAllow, id: v.ID})
	r.known(r.s.page.(*allowPage).start)
	s.shot("91-allow")
	program.Env = map[string]string{"API_KEY": "canary", "GREETING": "hello", "LOG_LEVEL": "debug"}
	v.Server, v.exposed.names = program, config.Exposed(program)
	r.s.choose(route{section: sectionAllow, id: v.ID})
	r.s.page.(*allowPage).reveal.ScrollTo(1e6)
	s.shot("91-allow-exposed")
	r.s.choose(route{section: sectionServer, id: v.ID})
	s.shot("91-exposed")
	r.s.choose(route{section: sectionEdit, id: v.ID})
	s.tall("91-edit-exposed")
	delete(r.s.edits, v.ID)
	v.exposed.names = nil
	program.Env = nil
	v.Server = was
}

// tall is shot in a window of twice the height.
func (s *shooter) tall(name string) {
	was := s.r.s.win.Canvas().Size()
	s.r.s.win.Resize(fyne.NewSize(was.Width, 2*was.Height))
	s.shot(name)
	s.r.s.win.Resize(was)
}
