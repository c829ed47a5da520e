package ui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"parley/mcpclient"
)

// importFile has one server of every sort: one that is listed already under
// another name, one whose name is taken, one whose name imitates, secrets in
// both places, a placeholder, and one that is none.
const importFile = `{"mcpServers": {
	"calendar": {"url": "https://mcp.calendar.test/mcp"},
	"Travel desk": {"command": "other", "args": ["a b", "", "c"], "cwd": "/srv"},
	"my trip": {"command": "travel", "args": ["--stdio", "a b"]},
	"Trave1 Desk": {"type": "sse", "url": "https://evil.test/sse"},
	"keys": {"command": "npx", "args": ["keys"], "env": {"API_KEY": "canary-4711", "A": "canary-4711"}},
	"door": {"url": "https://door.test/mcp", "headers": {"Authorization": "Bearer canary-4711"}},
	"code": {"command": "node", "args": ["${workspaceFolder}/x.js"]},
	"broken": {"url": "ftp://x"}
}}`

// importing opens the window on a file and waits until it is read.
func importing(t *testing.T, o rigOptions) *rig {
	r := newRig(t, o)
	r.wait(func() bool { return !r.s.importing.reading })
	r.queue.Drain()
	return r
}

// TestImport_ShowsExactlyWhatWouldBeAdded, and none of the secrets.
func TestImport_ShowsExactlyWhatWouldBeAdded(t *testing.T) {
	r := importing(t, rigOptions{tools: askForm("Who?", nameForm), file: importFile})
	if r.s.at.section != sectionImport {
		t.Fatalf("the first page is %v", r.s.at)
	}
	text := r.text()
	for _, want := range []string{
		"Servers from mcp.json", "Adding starts and reaches nothing.",
		"calendar\n", "https://mcp.calendar.test/mcp\n",
		"Travel desk 2\n", "other \"a b\" \"\" c\n", "/srv\n", "You have a server called “Travel desk” already",
		"You have this server already, as “Travel desk”.",
		"https://evil.test/sse\n", "Its name looks like that of another of your servers, “Travel desk”.",
		"Environment variables, kept in this computer’s keychain: A, API_KEY\n", "Its access token is kept in this computer’s keychain.\n",
		"node \"${workspaceFolder}/x.js\"\n", "What these servers need\n", "Folder of the project",
		"“broken” is left out:",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if t.Failed() {
		t.Logf("the page reads:\n%s", text)
	}
	r.noTrace()
	var ticked []string
	for _, row := range r.s.importing.ticked() {
		ticked = append(ticked, row.name)
	}
	if got := strings.Join(ticked, ", "); got != "calendar, Travel desk 2, Trave1 Desk, keys, door, code" {
		t.Errorf("ticked are %s; want those that can be taken over whole", got)
	}
}

// TestImport_NamesTheAppAndTheFileItReads, and for which server it asks what.
func TestImport_NamesTheAppAndTheFileItReads(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	path := filepath.Join(home, ".cursor", "mcp.json")
	must(t, os.MkdirAll(filepath.Dir(path), 0o700))
	must(t, os.WriteFile(path, []byte(`{"mcpServers": {"one": {"url": "https://one.test/mcp", "headers": {"Authorization": "Bearer <token>"}},
		"two": {"url": "https://your-server.com/mcp"}}}`), 0o600))
	r := newRig(t, rigOptions{})
	r.s.readFile(path)
	r.s.toImport()
	r.wait(func() bool { return r.s.importing.read })
	shown := "~" + strings.TrimPrefix(path, home)
	if text := r.text(); !strings.Contains(text, "Servers from Cursor\n"+shown+"\n") || !strings.Contains(text, "For “one”.  <token>") || strings.Contains(text, "For “two”.") {
		t.Errorf("the page reads:\n%s", text)
	}
	r.s.importing.rows[1].ticked = true
	r.s.show(r.s.at)
	if text := r.text(); !strings.Contains(text, "Its address only shows how one looks.") || !strings.Contains(text, "For “two”.  https://your-server.com/mcp") {
		t.Errorf("the page reads:\n%s", text)
	}
	r.s.openImport()
	r.s.importing.pasted = path
	r.s.readPasted()
	r.wait(func() bool { return r.s.importing.read })
	if text := r.text(); !strings.Contains(text, "Servers from Cursor\n"+shown+"\n") {
		t.Errorf("of a path that was pasted the page reads:\n%s", text)
	}
	r.s.openImport()
	r.s.importing.pasted = "https://one.test/mcp"
	r.s.readPasted()
	r.wait(func() bool { return r.s.importing.read })
	if text := r.text(); !strings.Contains(text, "Servers from what you pasted\n") || strings.Contains(text, shown) {
		t.Errorf("of pasted text the page reads:\n%s", text)
	}
}

// TestImport_AddsTheTickedOnesAndStartsNothing, all by the keyboard.
func TestImport_AddsTheTickedOnesAndStartsNothing(t *testing.T) {
	r := importing(t, rigOptions{tools: askForm("Who?", nameForm), file: importFile, secrets: &memorySecrets{}})
	first := r.s.desk.servers[0]
	r.wait(func() bool { return first.offer != nil })
	if r.s.at.section != sectionImport {
		t.Fatalf("the page went to %v", r.s.at)
	}
	dials := len(r.server.requests("server/discover"))
	for range 2 { // calendar, Travel desk 2
		r.tab()
		r.key(fyne.KeySpace)
	}
	r.ctrlEnter()
	if text := r.text(); len(r.store.Servers()) != 1 || !strings.Contains(text, "take the tick off the servers that need it") {
		t.Fatalf("what a server needs is not asked for:\n%s", text)
	}
	if f := r.s.win.Canvas().Focused(); f != r.s.page.(*importPage).inputs["workspaceFolder"].Control().FocusTarget() {
		t.Errorf("the keyboard is on %T", f)
	}
	r.typing("/srv")
	if text := r.text(); strings.Contains(text, "take the tick off the servers that need it") {
		t.Errorf("it is said to be missing after it was entered:\n%s", text)
	}
	r.s.importing.rows[6].ticked = false
	r.s.show(r.s.at)
	r.ctrlEnter()
	r.wait(func() bool {
		return !r.s.importing.adding && len(r.s.desk.servers) == 4 && len(r.secrets.values()) == 3
	})
	r.queue.Drain()
	stored := r.store.Servers()
	if len(stored) != 4 || stored[1].Name != "Trave1 Desk" || stored[1].Kind != mcpclient.SSE || stored[2].Name != "keys" || stored[2].Command != "npx" {
		t.Fatalf("stored: %d servers, %+v", len(stored), stored)
	}
	if stored[2].Env != nil || strings.Join(stored[2].SecretEnv, " ") != "A API_KEY" || stored[3].SecretHeaders != nil {
		t.Errorf("values are stored: %+v", stored)
	}
	for _, v := range r.secrets.values() {
		if !strings.HasPrefix(v, "canary") {
			t.Error("another value is in the keychain")
		}
	}
	r.noTrace()
	if got := len(r.server.requests("server/discover")); got != dials || r.s.desk.servers[1].tried || r.s.desk.servers[2].tried {
		t.Error("something was connected to")
	}
	if r.s.desk.servers[2].allowed() || r.store.Allowed(stored[2]) {
		t.Error("a program may start without leave")
	}
	if r.s.at != (route{section: sectionServer, id: stored[1].ID}) || r.button("Connect") == nil {
		t.Errorf("it leads to %v", r.s.at)
	}
	t.Run("the rest can be come back to", func(t *testing.T) {
		r.s.choose(route{section: sectionAdd})
		r.press("Import…")
		r.press("Servers from mcp.json")
		if text := r.text(); r.s.at.section != sectionImport || strings.Contains(text, "evil.test") || !strings.Contains(text, "my trip") {
			t.Errorf("the page reads:\n%s", text)
		}
		r.key(fyne.KeyEscape)
		if r.s.at.section != sectionAdd || len(r.store.Servers()) != 4 {
			t.Error("Esc does not leave, or adds")
		}
	})
}

// TestImport_OpensAtTheEntry whatever was read before, which can be gone back to
// with its ticks, and neither takes what is typed from the other.
func TestImport_OpensAtTheEntry(t *testing.T) {
	r := newRig(t, rigOptions{})
	r.s.choose(route{section: sectionAdd})
	r.press("Import…")
	r.typing(`{"servers": {"a": {"command": "x"}, "b": {"command": "y", "env": {"K": "${input:k}"}}}}`)
	read := func() {
		r.ctrlEnter()
		r.wait(func() bool { return r.s.importing.read && !r.s.importing.anew })
		r.queue.Drain()
	}
	read()
	r.s.importing.rows[0].ticked = false
	r.s.importing.answers["input:k"] = "typed"
	r.press("Not now")
	if r.s.at.section != sectionAdd {
		t.Errorf("it leads to %v; want where it was come from", r.s.at)
	}
	r.press("Import…")
	if p := r.s.page.(*importPage); p.paste == nil || !strings.HasPrefix(p.paste.Text(), `{"servers"`) || r.button("Read it") == nil {
		t.Fatalf("there is no entry; the page reads:\n%s", r.text())
	}
	r.press("Servers from what you pasted")
	if m := r.s.importing; len(m.ticked()) != 1 || m.answers["input:k"] != "typed" || r.button("Add the ticked ones") == nil {
		t.Errorf("what was read is not as it was left:\n%s", r.text())
	}
	r.ctrlEnter()
	r.wait(func() bool { return len(r.s.desk.servers) == 1 && !r.s.importing.adding })
	r.queue.Drain()
	r.s.choose(route{section: sectionAdd})
	r.press("Import…")
	p := r.s.page.(*importPage)
	if p.paste == nil || p.paste.Text() != "" || r.button("Servers from what you pasted") == nil {
		t.Fatalf("after adding, the page reads:\n%s", r.text())
	}
	r.typing("npx third")
	read()
	if text := r.text(); !strings.Contains(text, "npx third") || strings.Contains(text, "${input:k}") {
		t.Errorf("the page reads:\n%s", text)
	}
}

// TestImport_TheSecretOfAClientIDIsKept with the others, and the ID for signing in.
func TestImport_TheSecretOfAClientIDIsKept(t *testing.T) {
	accounts := &fakeAccounts{}
	r := importing(t, rigOptions{tools: askForm("Who?", nameForm), accounts: accounts, file: `{"mcpServers": {
		"signed": {"url": "https://signed.test/mcp", "oauth": {"clientId": "the-app", "clientSecret": "canary-4711", "callbackPort": 8123}}}}`})
	if text := r.text(); !strings.Contains(text, "Client ID for signing in: the-app. It is taken over.\n") {
		t.Errorf("the page reads:\n%s", text)
	}
	r.ctrlEnter()
	r.wait(func() bool {
		accounts.mu.Lock()
		defer accounts.mu.Unlock()
		return accounts.secret != ""
	})
	r.queue.Drain()
	if accounts.secret != "canary-4711" {
		t.Error("another secret is kept")
	}
	stored := r.store.Servers()
	if v := stored[len(stored)-1]; v.SignIn != (mcpclient.SignIn{ClientID: "the-app", Port: 8123, Host: "localhost"}) {
		t.Errorf("stored is %+v", v)
	}
	r.noTrace()
}

// TestImport_WhatMayStayEmptyIsNotInTheWay: it is asked for, and nothing else is.
func TestImport_WhatMayStayEmptyIsNotInTheWay(t *testing.T) {
	r := importing(t, rigOptions{tools: askForm("Who?", nameForm), secrets: &memorySecrets{},
		file: `{"mcpServers": {"a": {"command": "x", "env": {"API_KEY": ""}}}}`})
	if text := r.text(); !strings.Contains(text, "Environment variable API_KEY\n") || strings.Contains(text, "required") {
		t.Fatalf("the page reads:\n%s", text)
	}
	r.ctrlEnter()
	r.wait(func() bool { return !r.s.importing.adding })
	if got := r.store.Servers(); len(got) != 2 || strings.Join(got[1].SecretEnv, "") != "API_KEY" {
		t.Errorf("the page reads:\n%s", r.text())
	}
}

func TestImport_AServerThatIsThereAlreadyIsNamedOnce(t *testing.T) {
	for _, name := range []string{"Travel desk", "travel desk", "Trave1 desk"} {
		r := importing(t, rigOptions{tools: askForm("Who?", nameForm), file: `{"mcpServers": {"` + name + `": {"command": "travel", "args": ["--stdio", "a b"]}}}`})
		if n := strings.Count(r.text(), "“Travel desk”"); n != 1 || !strings.Contains(r.text(), "You have this server already, as “Travel desk”.") {
			t.Errorf("%s: named %d times; want once:\n%s", name, n, r.text())
		}
	}
}

func TestImport_NamesOfTheFileThatLookAlikeArePointedOut(t *testing.T) {
	r := importing(t, rigOptions{file: `{"servers": {"Paypal": {"command": "x"}, "PayPaI": {"command": "y"}, "other": {"command": "z"}}}`})
	if n := strings.Count(r.text(), "Its name looks like that of another server of this file, “Paypal”."); n != 1 {
		t.Errorf("pointed out %d times; want once:\n%s", n, r.text())
	}
}

func TestImport_ANameTakenMeanwhileIsSaid(t *testing.T) {
	r := importing(t, rigOptions{file: `{"servers": {"a": {"command": "x"}, "b": {"command": "y"}}}`})
	if _, err := r.store.Add(mcpclient.Server{Name: "b", Kind: mcpclient.Stdio, Command: "z"}); err != nil {
		t.Fatal(err)
	}
	r.press("Add the ticked ones")
	r.wait(func() bool { return !r.s.importing.adding })
	r.queue.Drain()
	if text := r.text(); !strings.Contains(text, "“b” could not be added: There is a server of this name already.") || len(r.s.importing.rows) != 1 {
		t.Errorf("%d rows stay; the page reads:\n%s", len(r.s.importing.rows), text)
	}
}

func TestImport_NothingTickedAddsNothing(t *testing.T) {
	r := importing(t, rigOptions{file: `{"servers": {"a": {"command": "x"}}}`})
	r.tab()
	r.key(fyne.KeySpace)
	if !r.button("Add the ticked ones").Disabled() {
		t.Error("the button can be pressed")
	}
	r.ctrlEnter()
	r.queue.Drain()
	if len(r.store.Servers()) != 0 || r.s.importing.adding {
		t.Error("something is added")
	}
}

// TestImport_AFileThatBrokeMeanwhileIsSaid: the command line has read it before.
func TestImport_AFileThatBrokeMeanwhileIsSaid(t *testing.T) {
	r := importing(t, rigOptions{file: `{`})
	if !strings.Contains(r.text(), "No servers could be read from mcp.json: It is not JSON") {
		t.Errorf("the page reads:\n%s", r.text())
	}
}

func TestExactCommand_EveryPieceCanBeTold(t *testing.T) {
	for want, pieces := range map[string][]string{
		`npx -y server`:              {"npx", "-y", "server"},
		`npx "a b" "" c`:             {"npx", "a b", "", "c"},
		`x "\"a\"" "back\\slash"`:    {"x", `"a"`, `back\slash`},
		`sh -c "$(id)" "a;b" "*.js"`: {"sh", "-c", "$(id)", "a;b", "*.js"},
		`x "a\tb\n" "\u202ec" 项目`:    {"x", "a\tb\n", "\u202ec", "项目"},
		`x "a\u00a0b"`:               {"x", "a\u00a0b"},
	} {
		if got := exactCommand(pieces).String(); got != want {
			t.Errorf("%q reads %s; want %s", pieces, got, want)
		}
	}
}
