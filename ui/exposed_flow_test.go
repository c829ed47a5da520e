package ui

import (
	"os"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"parley/mcpclient"
	"parley/mcpclient/config"
	"parley/mcpclient/keychain"
	"parley/ui/kit"
)

// byHand is a server as somebody writes it into the file who copies from a README.
var byHand = mcpclient.Server{Name: "Travel desk", Kind: mcpclient.Stdio, Command: "travel",
	Env: map[string]string{"API_KEY": canary, "GREETING": "hello there", "LOG_LEVEL": "debug"}}

const exposedText = "API_KEY, GREETING may be secrets, and lie in servers.json, which is a plain file."

// exposing waits until the first server is connected and what of it is exposed known.
func (r *rig) exposing() *serverState {
	r.t.Helper()
	v := r.connected()
	r.wait(func() bool { return len(v.exposed.names) > 0 })
	return v
}

// reread takes the list in as it is in the file.
func (r *rig) reread() {
	r.t.Helper()
	again, err := config.Open(r.store.Dir())
	must(r.t, err)
	now := listed{servers: again.Servers(), leave: map[string]config.Leave{}, exposed: map[string][]string{}, settings: again.Settings()}
	for _, v := range now.servers {
		now.leave[v.ID], now.exposed[v.ID] = again.Leave(v), config.Exposed(v)
	}
	r.s.takeList(now)
	r.queue.Drain()
}

// TestExposed_IsMovedToTheKeychain by one press, and nothing changes by it for the
// connection, nor for the leave to start the program.
func TestExposed_IsMovedToTheKeychain(t *testing.T) {
	headers := mcpclient.Server{Name: "Travel desk", Kind: mcpclient.HTTP, URL: "https://mcp.travel.test/mcp", Headers: map[string]string{"X-Key": canary}}
	for text, as := range map[string]*mcpclient.Server{exposedText: &byHand, "X-Key may be a secret, and lies in servers.json, which is a plain file.": &headers} {
		r := newRig(t, rigOptions{tools: askForm("Who?", nameForm), as: as, secrets: &memorySecrets{}})
		v := r.exposing()
		r.s.choose(route{section: sectionServer, id: v.ID})
		if page := r.text(); !strings.Contains(page, text+"\n") || strings.Contains(page, canary) || strings.Contains(page, "hello there") {
			t.Fatalf("the page reads:\n%s", page)
		}
		before := v.Server
		r.press("Move to the keychain")
		r.wait(func() bool { return len(v.exposed.names) == 0 })
		r.queue.Drain()
		page := r.text()
		if !strings.Contains(page, ": no longer in servers.json, kept in this computer’s keychain.\n") || strings.Contains(page, "may be") {
			t.Errorf("the page reads:\n%s", page)
		}
		r.noTrace()
		filled, err := config.NewValues(r.secrets).Fill(t.Context(), r.store.Servers()[0])
		must(t, err)
		for name, value := range before.Env {
			if filled.Env[name] != value {
				t.Errorf("%s is lost", name)
			}
		}
		if filled.Headers["X-Key"] != before.Headers["X-Key"] {
			t.Error("the header is lost")
		}
		if v.changed || v.leave != config.HasLeave || v.status.State != mcpclient.Connected || differs(v.used, v.Server) {
			t.Errorf("changed %v, leave %q, %v", v.changed, v.leave, v.status.State)
		}
		r.s.choose(route{section: sectionQuestions})
		r.s.choose(route{section: sectionServer, id: v.ID})
		if strings.Contains(r.text(), "no longer in servers.json") {
			t.Error("what was done is said once more when the page is come back to")
		}
		r.reread()
		if v.changed || v.leave != config.HasLeave || len(v.exposed.names) > 0 {
			t.Errorf("read anew: changed %v, leave %q, exposed %q", v.changed, v.leave, v.exposed.names)
		}
	}
}

// TestExposed_MayBeSaidToBeNone one by one, and is not named any more.
func TestExposed_MayBeSaidToBeNone(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm), as: &byHand})
	v := r.exposing()
	r.s.choose(route{section: sectionServer, id: v.ID})
	r.press("No secret: “GREETING”")
	r.wait(func() bool { return len(v.exposed.names) == 1 })
	r.queue.Drain()
	if page := r.text(); !strings.Contains(page, "API_KEY may be a secret, and lies in") || strings.Contains(page, "GREETING") || v.changed || v.leave != config.HasLeave {
		t.Errorf("the page reads:\n%s", page)
	}
	if got := config.Exposed(r.store.Servers()[0]); len(got) != 1 {
		t.Errorf("in the file %q", got)
	}
}

// TestExposed_NothingIsOfferedThatWouldLoseIt: where secrets are kept until Parley is
// quit, it stays in the file, and the page says why and where that can be changed.
func TestExposed_NothingIsOfferedThatWouldLoseIt(t *testing.T) {
	place := &fakePlace{}
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm), as: &byHand, place: place})
	v := r.exposing()
	for name, open := range map[string]func(){
		"server": func() { r.s.choose(route{section: sectionServer, id: v.ID}) },
		"allow":  func() { r.allowing() },
	} {
		open()
		for mode, want := range map[keychain.Mode]string{keychain.SessionOnly: "Where secrets are kept…", keychain.VaultLocked: "Unlock…",
			keychain.Vault: "Move to the encrypted file", keychain.Available: "Move to the keychain", keychain.Untried: "Move to the keychain"} {
			place.be(keychain.State{Mode: mode})
			r.queue.Drain()
			page := r.text()
			if r.button(want) == nil || !strings.Contains(page, exposedText) || strings.Contains(page, "Move to") != strings.HasPrefix(want, "Move to") {
				t.Errorf("%s, %v: the page reads:\n%s", name, mode, page)
			}
		}
	}
	r.s.choose(route{section: sectionEdit, id: v.ID})
	for mode, want := range map[keychain.Mode]string{keychain.SessionOnly: "would be lost then, so nothing is moved.", keychain.Available: "With the tick below it is moved when you save."} {
		place.be(keychain.State{Mode: mode})
		r.queue.Drain()
		if page := r.text(); strings.Count(page, "which is a plain file. ") != 2 || strings.Count(page, want) != 2 {
			t.Errorf("edit, %v: the page reads:\n%s", mode, page)
		}
	}
	place.be(keychain.State{Mode: keychain.SessionOnly})
	r.s.choose(route{section: sectionServer, id: v.ID})
	if page := r.text(); !strings.Contains(page, "What is moved out of the file would be lost then, so nothing is moved.") {
		t.Errorf("the page reads:\n%s", page)
	}
	r.press("Where secrets are kept…")
	if r.s.at.section != sectionSettings {
		t.Errorf("it leads to %v", r.s.at)
	}
}

// TestExposed_StaysWhereItIsIfItCannotBeKept, which only a use can find out.
func TestExposed_StaysWhereItIsIfItCannotBeKept(t *testing.T) {
	secrets := &memorySecrets{}
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm), as: &byHand, secrets: secrets})
	v := r.exposing()
	r.s.choose(route{section: sectionServer, id: v.ID})
	secrets.Away(keychain.Locked)
	r.press("Move to the keychain")
	r.wait(func() bool { return !v.exposed.busy })
	secrets.Back()
	if got := config.Exposed(r.store.Servers()[0]); len(got) != 2 || len(v.exposed.names) != 2 || len(secrets.All()) != 0 {
		t.Errorf("in the file %q, on the page %q, kept %d", got, v.exposed.names, len(secrets.All()))
	}
	raw, err := os.ReadFile(r.store.Path())
	must(t, err)
	must(t, os.WriteFile(r.store.Path(), []byte(strings.ReplaceAll(string(raw), "hello there", "good morning")), 0o600))
	r.press("Move to the keychain")
	r.wait(func() bool { return !v.exposed.busy })
	if page := r.text(); !strings.Contains(page, "The server list was changed meanwhile, so nothing was moved.") {
		t.Errorf("the page reads:\n%s", page)
	}
	r.reread()
	r.press("Move to the keychain")
	r.wait(func() bool { return len(v.exposed.names) == 0 })
	r.noTrace()
}

// TestExposed_AtTheQuestionBeforeAStart: moving it is no other command, and then it can
// be allowed.
func TestExposed_AtTheQuestionBeforeAStart(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm), as: &byHand})
	r.exposing()
	v, p := r.allowing()
	if page := r.text(); strings.Contains(page, canary) || !strings.Contains(page, "API_KEY  (its value is not shown)\nGREETING=hello there\n") {
		t.Errorf("before, the page reads:\n%s", page)
	}
	r.press("Move to the keychain")
	r.wait(func() bool { return len(v.exposed.names) == 0 })
	r.queue.Drain()
	page := r.text()
	if strings.Contains(page, otherCommand) || strings.Contains(page, canary) || !strings.Contains(page, "API_KEY  (a secret value)") || p.shown != v.Place() {
		t.Errorf("the page reads:\n%s", page)
	}
	v.leave = config.NoLeave
	r.agree("Start this program")
	r.wait(func() bool { return v.leave == config.HasLeave })
	if !r.store.Allowed(r.store.Servers()[0]) {
		t.Error("it is not allowed in the file")
	}
}

// TestExposed_AnEditOutsideIsNoticed while its page is shown.
func TestExposed_AnEditOutsideIsNoticed(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm)})
	v := r.connected()
	r.s.choose(route{section: sectionServer, id: v.ID})
	if strings.Contains(r.text(), "may be a secret") {
		t.Fatalf("the page reads:\n%s", r.text())
	}
	raw, err := os.ReadFile(r.store.Path())
	must(t, err)
	must(t, os.WriteFile(r.store.Path(), []byte(strings.Replace(string(raw), `"command": "travel"`, `"command": "travel", "env": {"DB_PASSWORD": "`+canary+`"}`, 1)), 0o600))
	r.reread()
	if page := r.text(); !strings.Contains(page, "DB_PASSWORD may be a secret") || strings.Contains(page, canary) {
		t.Errorf("the page reads:\n%s", page)
	}
}

// TestExposed_OnTheEditPage it is masked and said to lie in the file; with the tick it
// is kept before the file is written.
func TestExposed_OnTheEditPage(t *testing.T) {
	secrets := &memorySecrets{}
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm), as: &byHand, secrets: secrets})
	v := r.exposing()
	r.s.choose(route{section: sectionEdit, id: v.ID})
	p := r.s.page.(*editPage)
	if page := r.text(); strings.Count(page, "This may be a secret, and lies in servers.json") != 2 || strings.Contains(page, canary) {
		t.Fatalf("the page reads:\n%s", page)
	}
	asked, answer := secrets.Stop(keychain.Saving, "env API_KEY")
	p.form.secretChecks[0].Tapped(nil)
	r.ctrlEnter()
	<-asked
	if raw, err := os.ReadFile(r.store.Path()); err != nil || !strings.Contains(string(raw), canary) {
		t.Errorf("it is out of the file before it is kept: %v", err)
	}
	answer()
	r.wait(func() bool { return r.s.at.section == sectionServer && !v.keeping })
	r.noTrace()
	if filled, err := config.NewValues(secrets).Fill(t.Context(), r.store.Servers()[0]); err != nil || filled.Env["API_KEY"] != canary {
		t.Errorf("it is lost: %v", err)
	}
	if v.leave != config.HasLeave || !strings.Contains(r.text(), "GREETING may be a secret") {
		t.Errorf("leave %q; the page reads:\n%s", v.leave, r.text())
	}
}

// TestExposed_ALongNameMakesNoPageWider: all of it fits into the smallest window, the
// command and the warning included.
func TestExposed_ALongNameMakesNoPageWider(t *testing.T) {
	server := byHand
	server.Env = map[string]string{"LONG_NAME_OF_THE_VARIABLE_WITH_THE_KEY_IN_IT": canary}
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm), as: &server})
	r.s.win.Resize(fyne.NewSize(600, 360))
	v := r.exposing()
	d := r.app.Driver()
	for name, open := range map[string]func(){
		"server": func() { r.s.choose(route{section: sectionServer, id: v.ID}) },
		"allow":  func() { r.allowing() },
	} {
		open()
		r.queue.Drain()
		right, seen := r.s.win.Canvas().Size().Width, false
		for _, o := range objectsOf(r.s.page.object()) {
			switch w := o.(type) {
			case *kit.Text:
			case *kit.Button:
				seen = seen || strings.HasPrefix(w.Text(), "No secret: “LONG_NAME")
			default:
				continue
			}
			if end := d.AbsolutePositionForObject(o).X + o.Size().Width; end > right {
				t.Errorf("%s: a %T ends at %v; the window at %v", name, o, end, right)
			}
		}
		if !seen {
			t.Errorf("%s: the button is missing", name)
		}
	}
}
