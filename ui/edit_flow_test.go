package ui

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/storage"

	"parley/mcpclient"
	"parley/mcpclient/config"
	"parley/ui/kit"
)

// editing opens the page that edits the first server.
func (r *rig) editing() *editPage {
	r.t.Helper()
	r.s.choose(route{section: sectionEdit, id: r.s.desk.servers[0].ID})
	p, ok := r.s.page.(*editPage)
	if !ok {
		r.t.Fatalf("the page is %T", r.s.page)
	}
	return p
}

// judged waits until the form of the page has said what there is to say of what is
// entered.
func (r *rig) judged() {
	r.t.Helper()
	var f *serverForm
	switch p := r.s.page.(type) {
	case *addPage:
		f = p.form
	case *editPage:
		f = p.form
	}
	r.pass(judgeAfter)
	r.wait(func() bool { return !f.judging.busy })
}

// onDisk is the list as it is stored.
func (r *rig) onDisk() string {
	r.t.Helper()
	raw, err := os.ReadFile(r.store.Path())
	must(r.t, err)
	return string(raw)
}

var withKeys = &mcpclient.Server{Name: "Travel desk", Kind: mcpclient.HTTP, URL: "https://mcp.travel.example/mcp",
	Headers: map[string]string{"Accept-Language": "de"}}

// TestEdit_ASecretHeaderGoesToTheKeychainOnly, and the page that edits it later
// never shows it.
func TestEdit_ASecretHeaderGoesToTheKeychainOnly(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm), as: withKeys})
	v := r.connected()
	p := r.editing()
	r.press("Add a header")
	r.typing("X-Api-Key")
	r.tab()
	r.typing("canary-4711")
	if strings.Contains(r.text(), "canary-4711") {
		t.Error("the value is shown while it is typed")
	}
	p.form.sh.draft.Silence = "2m"
	r.ctrlEnter()
	r.wait(func() bool { return r.s.at.section == sectionServer && len(r.secrets.values()) == 1 && !v.keeping })
	if text := r.onDisk(); strings.Contains(text, "canary") || !strings.Contains(text, `"secretHeaders"`) || !strings.Contains(text, `"Accept-Language": "de"`) || !strings.Contains(text, `"silence": "2m"`) {
		t.Errorf("stored is\n%s", text)
	}
	if !strings.Contains(r.text(), "The connection still uses what it was before.") {
		t.Errorf("the page does not say that it is changed:\n%s", r.text())
	}
	r.noTrace()
	before := len(r.server.requests("server/discover"))
	r.press("Reconnect")
	r.wait(func() bool {
		return len(r.server.requests("server/discover")) > before && v.status.State == mcpclient.Connected
	})
	if v.changed || r.button("Reconnect") != nil {
		t.Error("it still counts as changed")
	}
	t.Run("and stays when nothing is entered in its place", func(t *testing.T) {
		p := r.editing()
		if text := r.text(); !strings.Contains(text, "A value that is kept is not shown. Leave it empty to keep it.") {
			t.Errorf("the page reads:\n%s", text)
		}
		p.form.sh.draft.Name = "Desk"
		r.ctrlEnter()
		r.wait(func() bool { return v.Name == "Desk" })
		r.queue.Drain()
		if got := r.secrets.values(); len(got) != 1 || got[0] != "canary-4711" {
			t.Errorf("%d values are kept", len(got))
		}
	})
}

// TestEdit_AnotherAddressDropsWhatWasKeptForTheOldOne, which is said before and
// asks for the values anew.
func TestEdit_AnotherAddressDropsWhatWasKeptForTheOldOne(t *testing.T) {
	secrets := &memorySecrets{}
	as := *withKeys
	as.SecretHeaders = []string{"X-Api-Key"}
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm), as: &as, secrets: secrets})
	v := r.s.desk.servers[0]
	must(t, r.s.o.Values.Keep(t.Context(), mcpclient.Server{}, v.Server, config.Typed{Headers: map[string]string{"X-Api-Key": "old"}}))
	must(t, r.s.o.Tokens.Keep(t.Context(), v.Server, "token"))
	p := r.editing()
	p.form.sh.draft.URL = "https://other.example/mcp"
	r.s.show(r.s.at)
	r.judged()
	if !strings.Contains(r.text(), "the access token included, is removed when you save") {
		t.Errorf("the page does not say so:\n%s", r.text())
	}
	r.ctrlEnter()
	if !strings.Contains(r.text(), "Enter the value again: the one that is kept was given for another address") || len(secrets.values()) != 2 {
		t.Fatalf("the page reads:\n%s", r.text())
	}
	r.typing("new") // the keyboard is on the value
	r.ctrlEnter()
	r.wait(func() bool { return r.s.at.section == sectionServer && !v.keeping && !v.token.busy })
	if got := secrets.values(); len(got) != 1 || got[0] != "new" {
		t.Errorf("%d values are kept", len(got))
	}
}

// TestEdit_ACommandThatIsChangedIsAskedAboutAgain, and nothing is started before.
func TestEdit_ACommandThatIsChangedIsAskedAboutAgain(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm)})
	v := r.connected()
	before := len(r.server.requests("server/discover"))
	p := r.editing()
	p.form.sh.draft.Arguments = "--stdio\n--other"
	r.ctrlEnter()
	r.wait(func() bool { return r.s.at.section == sectionServer && v.Args[1] == "--other" })
	r.queue.Drain()
	if v.allowed() || !v.changed || len(r.server.requests("server/discover")) != before {
		t.Fatal("the new command counts as allowed, or was started")
	}
	r.press("Reconnect")
	if r.s.at.section != sectionAllow || !strings.Contains(r.text(), "--other") {
		t.Fatalf("the page is %v:\n%s", r.s.at, r.text())
	}
	r.agree("Start this program")
	r.wait(func() bool {
		return len(r.server.requests("server/discover")) > before && v.status.State == mcpclient.Connected
	})
	if v.changed {
		t.Error("it still counts as changed")
	}
}

// TestEdit_NothingTypedIsLost: by a change of language, another page, or Esc.
func TestEdit_NothingTypedIsLost(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm)})
	r.connected()
	r.editing()
	r.typing(" 2")
	r.s.settings.Language = "zh-Hans"
	r.s.apply()
	r.s.choose(route{section: sectionQuestions})
	p := r.editing()
	if got := p.form.sh.draft.Name; got != "Travel desk 2" {
		t.Errorf("the name is %q", got)
	}
	if r.s.entered() != 1 {
		t.Error("closing the window would lose it unasked")
	}
	r.key(fyne.KeyEscape)
	if !strings.Contains(r.text(), "要放弃你所做的更改吗？") || !p.form.sh.draft.Changed() {
		t.Fatalf("Esc does not ask:\n%s", r.text())
	}
	r.key(fyne.KeyEscape)
	if r.s.at.section != sectionEdit {
		t.Fatal("Esc discards")
	}
	r.key(fyne.KeyEscape)
	r.press("放弃")
	if r.s.at.section != sectionServer || r.s.entered() != 0 || r.s.desk.servers[0].Name != "Travel desk" {
		t.Errorf("at %v", r.s.at)
	}
}

func TestEdit_MovesInTheListByTheKeyboard(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm), demo: true})
	r.connected()
	for _, name := range []string{"b", "c"} {
		v, err := r.store.Add(mcpclient.Server{Name: name, Kind: mcpclient.Stdio, Command: name})
		must(t, err)
		r.s.desk.addServer(&serverState{Server: v})
	}
	r.s.side.update(r.s)
	stored := func() (names []string) {
		for _, v := range r.store.Servers() {
			names = append(names, v.Name)
		}
		return names
	}
	listed := func() (names []string) {
		for _, v := range r.s.desk.servers {
			names = append(names, v.Name)
		}
		return names
	}
	p := r.editing()
	r.s.win.Canvas().Focus(p.down)
	for _, want := range []string{"b Travel desk c", "b c Travel desk"} {
		r.key(fyne.KeySpace)
		r.wait(func() bool { return strings.Join(stored(), " ") == want })
		r.queue.Drain()
		if got := strings.Join(listed(), " "); got != want+" Demo" {
			t.Errorf("the order is %s, want %s", got, want)
		}
	}
	if f := r.s.win.Canvas().Focused(); f != fyne.Focusable(p.up) {
		t.Errorf("at the end the keyboard is on %T", f)
	}
}

// TestTrial_OfAnAddress finds out what it offers, and stores nothing.
func TestTrial_OfAnAddress(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm)})
	r.connected()
	before := r.onDisk()
	r.s.adding = serverSheet{draft: config.Draft{URL: "https://mcp.calendar.example/mcp"}}
	r.s.choose(route{section: sectionAdd})
	r.press("Test")
	r.wait(func() bool { return r.s.adding.trial.found != nil })
	r.queue.Drain()
	for _, want := range []string{"It works.", "1 tool", "Nothing was stored"} {
		if !strings.Contains(r.text(), want) {
			t.Errorf("the page lacks %q:\n%s", want, r.text())
		}
	}
	if r.onDisk() != before || len(r.s.desk.servers) != 1 {
		t.Error("something was stored")
	}
	r.s.win.Canvas().Focus(r.s.page.first())
	r.typing("x")
	if strings.Contains(r.text(), "It works.") {
		t.Error("what was found is said of another address")
	}
	t.Run("that is none is said beside the field", func(t *testing.T) {
		r.s.adding = serverSheet{draft: config.Draft{URL: "nonsense"}}
		r.s.choose(route{section: sectionAdd})
		r.press("Test")
		if !strings.Contains(r.text(), "must begin with https://") || r.s.adding.trial.running {
			t.Errorf("the page reads:\n%s", r.text())
		}
	})
}

// TestTrial_OfAProgramStartsItOnlyAfterItWasShownAndAllowed.
func TestTrial_OfAProgramStartsItOnlyAfterItWasShownAndAllowed(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm)})
	r.connected()
	before := len(r.server.requests("server/discover"))
	r.s.adding = serverSheet{draft: config.Draft{Kind: mcpclient.Stdio, Program: "npx", Arguments: "a | b"}}
	r.s.choose(route{section: sectionAdd})
	r.press("Test")
	if text := r.text(); !strings.Contains(text, "1.  a | b\n") || !strings.Contains(text, "No shell is used") {
		t.Fatalf("the command is not shown:\n%s", text)
	}
	r.press("Start it for this test")
	r.press("Not now")
	r.queue.Drain()
	if r.button("Start it for this test") != nil || len(r.server.requests("server/discover")) != before {
		t.Fatal("it was started without leave")
	}
	r.press("Test")
	r.agree("Start it for this test")
	r.wait(func() bool { return r.s.adding.trial.found != nil })
	if len(r.store.Servers()) != 1 {
		t.Error("it was stored")
	}
}

// TestOutside_AnEditOfTheFileIsTakenIn while the window is open; a connection
// goes on and its page says that it is changed.
func TestOutside_AnEditOfTheFileIsTakenIn(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm)})
	v := r.connected()
	text := strings.Replace(r.onDisk(), `"--stdio"`, `"--changed"`, 1)
	text = strings.Replace(text, `"mcpServers": {`, `"mcpServers": {"new one": {"url": "https://new.example/mcp"},`, 1)
	must(t, os.WriteFile(r.store.Path(), []byte(text), 0o600))
	r.wait(func() bool { return len(r.s.desk.servers) == 2 })
	r.queue.Drain()
	if r.s.desk.servers[0].Name != "new one" || r.s.desk.servers[0].tried || r.s.desk.servers[1] != v {
		t.Errorf("the list is %v", r.s.desk.servers)
	}
	if v.allowed() || !v.changed || v.status.State != mcpclient.Connected || v.Args[0] != "--changed" {
		t.Errorf("allowed %v, changed %v, %s", v.allowed(), v.changed, v.status.State)
	}
	if !strings.Contains(r.text(), "The connection still uses what it was before.") {
		t.Errorf("the page reads:\n%s", r.text())
	}
	t.Run("and a server that is gone is disconnected", func(t *testing.T) {
		must(t, os.WriteFile(r.store.Path(), []byte(`{"mcpServers":{}}`), 0o600))
		r.wait(func() bool { return len(r.s.desk.servers) == 0 && r.client.Connection(v.ID) == nil })
		if r.s.at != (route{section: sectionServer, id: v.ID}) || !strings.Contains(r.text(), "This server is not in your list any more.") {
			t.Errorf("the page is %v:\n%s", r.s.at, r.text())
		}
	})
}

// TestOutside_WhatIsAllowedIsWhatIsShown: a command edited while its page is open.
func TestOutside_WhatIsAllowedIsWhatIsShown(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm)})
	v := r.connected()
	v.leave = config.NoLeave
	r.s.choose(route{section: sectionAllow, id: v.ID})
	r.pass(deafTime)
	now := r.s.readList()
	now.servers[0].Args = []string{"--evil"}
	r.s.takeList(now)
	if !strings.Contains(r.text(), "--evil") {
		t.Fatalf("the page shows the old command:\n%s", r.text())
	}
	r.wait(func() bool { return !r.button("Start this program").Disabled() })
	r.press("Start this program")
	if r.s.at.section != sectionAllow {
		t.Error("a press meant for the old command starts the new one")
	}
}

// TestImport_PastedTextAndADroppedFile.
func TestImport_PastedTextAndADroppedFile(t *testing.T) {
	r := newRig(t, rigOptions{})
	r.s.choose(route{section: sectionAdd})
	r.press("Import…")
	if b := r.button("Read it"); b == nil || !b.Disabled() {
		t.Error("nothing can be read")
	}
	r.typing("claude mcp add tickets --env API_TOKEN=canary-4711 -- npx -y tickets")
	r.ctrlEnter()
	r.wait(func() bool { return r.s.importing.read })
	r.queue.Drain()
	if text := r.text(); !strings.Contains(text, "npx -y tickets") || !strings.Contains(text, "kept in this computer’s keychain: API_TOKEN") {
		t.Errorf("the page reads:\n%s", text)
	}
	r.noTrace()
	r.ctrlEnter()
	r.wait(func() bool { return len(r.s.desk.servers) == 1 && len(r.secrets.values()) == 1 })
	if text := r.onDisk(); strings.Contains(text, "canary") || !strings.Contains(text, `"secretEnv"`) {
		t.Errorf("stored is\n%s", text)
	}
	path := filepath.Join(t.TempDir(), "dropped.json")
	must(t, os.WriteFile(path, []byte(`{"servers": {"b": {"command": "x", "env": {"K": "${input:k}"}}}}`), 0o600))
	r.s.dropped(fyne.Position{}, []fyne.URI{storage.NewFileURI(path)})
	r.wait(func() bool { return r.s.importing.read })
	r.queue.Drain()
	if text := r.text(); !strings.Contains(text, "Servers from dropped.json") || !strings.Contains(text, "${input:k}") {
		t.Errorf("the page reads:\n%s", text)
	}
	r.ctrlEnter() // the keyboard goes to what is missing
	r.typing("canary-4712")
	r.ctrlEnter()
	r.wait(func() bool { return len(r.s.desk.servers) == 2 && len(r.secrets.values()) == 2 })
	r.noTrace()
	t.Run("what cannot be read is said, and stays to be corrected", func(t *testing.T) {
		r.s.choose(route{section: sectionImport})
		if r.button("Something else…") != nil {
			t.Error("what was added as a whole is still there to come back to")
		}
		r.s.importing.pasted = "npx x | tee y"
		r.s.show(r.s.at)
		r.press("Read it")
		r.wait(func() bool { return !r.s.importing.reading })
		r.queue.Drain()
		if text := r.text(); !strings.Contains(text, "It needs a shell (|)") || r.s.page.(*importPage).paste.Text() != "npx x | tee y" {
			t.Errorf("the page reads:\n%s", text)
		}
	})
}

// TestExport_ShowsTheListWithoutSecretsAndSavesIt.
func TestExport_ShowsTheListWithoutSecretsAndSavesIt(t *testing.T) {
	as := *withKeys
	as.SecretHeaders = []string{"X-Api-Key"}
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm), as: &as})
	r.s.choose(route{section: sectionAdd})
	r.press("Export…")
	r.wait(func() bool { return r.s.export.text != "" })
	r.queue.Drain()
	r.press("Copy")
	if got := r.app.Clipboard().Content(); !strings.Contains(got, "${env:X_API_KEY}") || !strings.Contains(got, "mcp.travel.example") {
		t.Errorf("copied is\n%s", got)
	}
	r.s.export.path = filepath.Join(t.TempDir(), "mcp.json")
	r.ctrlEnter()
	r.wait(func() bool { return r.s.export.saved != "" })
	r.ctrlEnter()
	r.wait(func() bool { return !r.s.export.trouble.IsZero() })
	r.queue.Drain()
	if !strings.Contains(r.text(), "There is a file of this name already.") {
		t.Errorf("the page reads:\n%s", r.text())
	}
}

// TestServerPage_AMissingSecretLeadsToItsEntry.
func TestServerPage_AMissingSecretLeadsToItsEntry(t *testing.T) {
	as := *withKeys
	as.SecretHeaders = []string{"X-Api-Key"}
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm), as: &as})
	v := r.s.desk.servers[0]
	r.wait(func() bool { return v.status.State == mcpclient.Lost })
	r.queue.Drain()
	if text := r.text(); !strings.Contains(text, "There is no secret value for X-Api-Key on this computer") {
		t.Errorf("the page reads:\n%s", text)
	}
	r.press("Edit…")
	p := r.s.page.(*editPage)
	r.s.win.Canvas().Focus(p.form.focus["headers 1 value"])
	r.typing("canary-4711")
	r.ctrlEnter()
	r.wait(func() bool { return r.s.at.section == sectionServer && !v.keeping })
	r.press("Connect again")
	r.wait(func() bool { return v.status.State == mcpclient.Connected })
	r.noTrace()
}

// TestAllow_NothingOfACommandIsLeftOut, whatever characters it is made of.
func TestAllow_NothingOfACommandIsLeftOut(t *testing.T) {
	for arg, want := range map[string]string{
		"$(a) | tee \u202elog":        `"$(a) | tee \u202elog"`,
		strings.Repeat("\u200b", 300): `"` + strings.Repeat(`\u200b`, 300) + `"`,
		strings.Repeat("x", 5000):     strings.Repeat("x", 5000),
		`C:\My Docs\a&b`:              `C:\My Docs\a&b`,
		"a\nb":                        `"a\nb"`,
		"":                            `""`,
		" ":                           `" "`,
		"\xff\xfe":                    "⟨0xFF⟩⟨0xFE⟩",
	} {
		if got := argument(arg).String(); got != want {
			t.Errorf("%q is shown as %s", arg, got)
		}
		if n := whole(arg).Omitted(); n != 0 {
			t.Errorf("%q: %d characters are left out", arg, n)
		}
	}
}

// TestOutside_AnEditOfAnotherServerDisturbsNobody who is typing.
func TestOutside_AnEditOfAnotherServerDisturbsNobody(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm)})
	v := r.connected()
	p := r.editing()
	focused := r.s.win.Canvas().Focused()
	now := r.s.readList()
	now.servers = append(now.servers, mcpclient.Server{ID: "other", Name: "Other", Kind: mcpclient.Stdio, Command: "x"})
	r.s.takeList(now)
	if len(r.s.desk.servers) != 2 || r.s.win.Canvas().Focused() != focused || r.s.page != page(p) {
		t.Error("the page was drawn anew")
	}
	r.typing("!")
	now = r.s.readList()
	now.servers[0].Args = []string{"--changed"}
	r.s.takeList(now)
	if text := r.text(); !strings.Contains(text, "This server was changed outside Parley meanwhile.") || p.form.sh.draft.Name != "Travel desk!" || !v.changed {
		t.Errorf("the page reads:\n%s", text)
	}
}

// TestRemove_TakesTheSecretsOfAProgramWithIt.
func TestRemove_TakesTheSecretsOfAProgramWithIt(t *testing.T) {
	secrets := &memorySecrets{}
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm), secrets: secrets})
	v := r.connected()
	r.editing()
	r.press("Add a variable")
	r.typing("API_TOKEN")
	r.tab()
	r.typing(canary)
	r.ctrlEnter()
	r.wait(func() bool { return r.s.at.section == sectionServer && !v.keeping && len(secrets.values()) == 1 })
	if got := v.SecretEnv; len(got) != 1 || v.allowed() {
		t.Errorf("secret are %v, allowed %v", got, v.allowed())
	}
	r.press("Remove server")
	r.press("Remove it")
	r.wait(func() bool { return len(r.s.desk.servers) == 0 })
	if len(secrets.values()) != 0 || len(r.store.Servers()) != 0 {
		t.Error("something stays")
	}
}

// TestMove_AltAndAnArrowMoveAServerInTheList, at once and in the file, and the keyboard
// stays on its row; in a text they move nothing.
func TestMove_AltAndAnArrowMoveAServerInTheList(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm), demo: true})
	r.connected()
	for _, name := range []string{"b", "c"} {
		_, err := r.store.Add(mcpclient.Server{Name: name, Kind: mcpclient.HTTP, URL: "https://" + name + ".example"})
		must(t, err)
	}
	r.s.takeList(r.s.readList())
	order := func() (inFile, inWindow string) {
		var file, window []string
		for _, v := range r.store.Servers() {
			file = append(file, v.Name)
		}
		for _, v := range r.s.desk.servers {
			window = append(window, v.Name)
		}
		return strings.Join(file, ","), strings.Join(window, ",")
	}
	alt := func(k fyne.KeyName, want string) {
		t.Helper()
		r.shortcut(&desktop.CustomShortcut{KeyName: k, Modifier: fyne.KeyModifierAlt})
		if _, window := order(); window != want+",Demo" {
			t.Fatalf("in the window the order is %s; want %s", window, want)
		}
		r.wait(func() bool { file, _ := order(); return file == want })
	}
	r.s.win.Canvas().Focus(r.s.side.servers.Row(0))
	alt(fyne.KeyUp, "Travel desk,b,c")
	alt(fyne.KeyDown, "b,Travel desk,c")
	alt(fyne.KeyDown, "b,c,Travel desk")
	alt(fyne.KeyDown, "b,c,Travel desk") // the demo stays the last
	if at := r.s.side.servers.Focused(); at != 2 {
		t.Errorf("the keyboard is on row %d", at)
	}
	was := r.s.readList()
	added, err := r.store.Add(mcpclient.Server{Name: "first", Kind: mcpclient.HTTP, URL: "https://first.example"})
	must(t, err)
	must(t, r.store.Move(added.ID, 0))
	r.s.takeList(r.s.readList())
	if at := r.s.side.servers.Focused(); at != 3 {
		t.Errorf("after another was added the keyboard is on row %d", at)
	}
	must(t, r.store.Remove(added.ID))
	r.s.takeList(was)
	r.s.win.Canvas().Focus(r.s.side.servers.Row(3)) // the demo's
	alt(fyne.KeyUp, "b,c,Travel desk")
	r.s.choose(route{section: sectionServer, id: r.s.desk.servers[2].ID})
	r.s.win.Canvas().Unfocus()
	alt(fyne.KeyUp, "b,Travel desk,c")
	p := r.editing()
	r.typing(" 2")
	alt(fyne.KeyUp, "b,Travel desk,c")
	if got := p.form.sh.draft.Name; got != "b 2" {
		t.Errorf("what was entered is %q", got)
	}
}

// TestMove_ThatCannotBeStoredIsTakenBackAndSaid.
func TestMove_ThatCannotBeStoredIsTakenBackAndSaid(t *testing.T) {
	r := newRig(t, rigOptions{})
	for _, name := range []string{"a", "b"} {
		_, err := r.store.Add(mcpclient.Server{Name: name, Kind: mcpclient.HTTP, URL: "https://" + name + ".example"})
		must(t, err)
	}
	r.s.takeList(r.s.readList())
	first := r.s.desk.servers[0]
	must(t, os.WriteFile(r.store.Path(), []byte(`{"mcpServers":{"b":{"type":"http","url":"https://b.example"}}}`), 0o600))
	r.s.choose(route{section: sectionServer, id: first.ID})
	r.s.moveServer(first.ID, 1)
	r.wait(func() bool { return len(r.s.desk.servers) == 1 })
	r.queue.Drain()
	if textOf(r.s.note.box) == "" {
		t.Error("nothing is said")
	}
}

// TestExport_TheListHasTheHeightThereIs, as far as it has text, and is whole in a small
// window by scrolling.
func TestExport_TheListHasTheHeightThereIs(t *testing.T) {
	r := newRig(t, rigOptions{})
	for i := range 30 {
		_, err := r.store.Add(mcpclient.Server{Name: fmt.Sprint("server ", i), Kind: mcpclient.HTTP, URL: fmt.Sprintf("https://s%d.example", i)})
		must(t, err)
	}
	r.s.takeList(r.s.readList())
	list := func() (found *kit.LongText) {
		r.s.choose(route{section: sectionExport})
		r.wait(func() bool { return r.s.export.text != "" })
		for _, o := range objectsOf(r.s.page.object()) {
			if l, ok := o.(*kit.LongText); ok {
				found = l
			}
		}
		return found
	}
	r.s.win.Resize(fyne.NewSize(1280, 800))
	large := list()
	p := r.s.page.(*exportPage)
	end := func(o fyne.CanvasObject) float32 {
		return fyne.CurrentApp().Driver().AbsolutePositionForObject(o).Y + o.Size().Height
	}
	if free := end(p.env.Reveal) - end(p.path); free > 40 || large.Size().Height < 300 {
		t.Errorf("the list is %v high, and %v below the last field are empty", large.Size().Height, free)
	}
	r.s.win.Resize(fyne.NewSize(leastWidth, leastHeight))
	if small := list(); small.Size().Height > 220 {
		t.Errorf("in a small window the list is %v high", small.Size().Height)
	}
}
