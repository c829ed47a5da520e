//go:build linux && window

package windowtest

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestTour is the main job, end to end, in the real window and by keyboard
// alone: run a tool, answer its two forms, consent to a page, read the result.
// What the server receives is compared byte for byte. "make tour" plays it
// slowly.
func TestTour(t *testing.T) {
	for _, c := range []struct {
		name  string
		env   []string
		speak string // the demo server's language
		know  string // its value for that language
	}{
		{"english-light", []string{"LANG=en_US.UTF-8", "FYNE_THEME=light"}, "en", "en"},
		{"chinese-dark", []string{"LANG=zh_CN.UTF-8", "LANGUAGE=zh_CN", "FYNE_THEME=dark"}, "zh-Hans", "zh"},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := startTour(t, c.name, c.env, c.speak)
			v.bookATrip(c.know)
			v.linkAnAccount()
			v.lookAround()
			v.d.Key("alt+F4")
			if code := v.app.Wait(); code != 0 {
				t.Errorf("closing the window ended the app with code %d:\n%s", code, v.app.Output())
			}
		})
	}
}

// tour is one tour while it goes on.
type tour struct {
	t      *testing.T
	d      *Display
	app    *App
	server *recorder
	window string
	name   string
}

// startTour opens the app on a home whose only server is the demo behind a
// recorder, and waits until its tools are shown.
func startTour(t *testing.T, name string, env []string, language string) *tour {
	t.Helper()
	d := StartDisplay(t)
	server := startRecorder(t, language)
	home := homeWith(t, map[string]any{"Travel desk": map[string]any{"type": "http", "url": server.URL}})
	v := &tour{t: t, d: d, server: server, name: name}
	v.app = d.StartParley(Options{Env: env, Home: home})
	v.window = d.WaitWindow("Parley")
	d.waitFor("the app to ask for the server's lists", func() bool { return server.heard("resources/templates/list") })
	d.Settle()
	v.picture("tools")
	return v
}

// homeWith makes a home folder whose app knows the given servers.
func homeWith(t *testing.T, servers map[string]any) string {
	t.Helper()
	home := t.TempDir()
	for name, content := range map[string]any{
		".config/fyne/settings.json":  map[string]any{"no_animations": true},
		".config/parley/servers.json": map[string]any{"mcpServers": servers},
	} {
		raw, err := json.Marshal(content)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, raw, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return home
}

// picture keeps a picture of what stands on the screen.
func (v *tour) picture(name string) { v.d.Screenshot(v.name + "-" + name) }

// questions waits until the window's title counts n open questions.
func (v *tour) questions(n int) {
	v.t.Helper()
	want := "Parley"
	if n > 0 {
		want = fmt.Sprintf("(%d) Parley", n)
	}
	v.d.waitFor("the title "+want, func() bool { return v.d.Title(v.window) == want })
	v.d.Settle()
}

// answered waits until the server has had n answers and returns the last.
func (v *tour) answered(n int) string {
	v.t.Helper()
	v.d.waitFor(fmt.Sprintf("answer %d", n), func() bool { return len(v.server.answers()) >= n })
	v.d.Settle()
	return v.server.answers()[n-1]
}

// same fails the test if the server was sent something else.
func (v *tour) same(got, want string) {
	v.t.Helper()
	if got != want {
		v.t.Errorf("the server was sent\n%s, want\n%s", got, want)
	}
}

// bookATrip runs the demo's first tool, which asks with two forms.
func (v *tour) bookATrip(tongue string) {
	d := v.d
	d.Key("Tab", "Return") // the first tool
	d.Settle()
	d.Type("Barcelona") // its first field has the focus
	v.picture("arguments")
	d.Key("ctrl+Return")
	v.questions(1)
	v.picture("form")

	d.Key("Tab")
	d.Type("李小龙")
	d.Key("Tab")
	d.Type("lin@travel")
	d.Key("Tab", "Tab", "Tab")
	d.Type("2027-06-15")
	d.Key("ctrl+Return") // the e-mail address is not complete: nothing is sent, and it has the focus
	v.picture("form-error")
	if n := len(v.server.answers()); n != 0 {
		v.t.Fatal("a form with an error was sent")
	}
	d.Type(".example")
	v.picture("form-filled")
	d.Key("ctrl+Return")
	v.same(v.answered(1), `{"traveller":{"action":"accept","content":{"name":"李小龙","email":"lin@travel.example","departure":"2027-06-15","bags":1}}}`)

	v.questions(1)
	d.Key("Tab", "Down") // seat
	v.picture("choice")
	d.Key("Down", "Return")
	d.Key("Tab", "Tab", "Down", "Return") // past the meal to the fare
	d.Key("Tab", "space")                 // the first of the extras
	v.picture("second-form")
	d.Key("ctrl+Return")
	v.same(v.answered(2), `{"seat":{"action":"accept","content":{"seat":"12C","meal":"standard","fare":"eco","extras":["Wi-Fi"],"languages":["`+tongue+`"],"newsletter":false}}}`)
	v.questions(0)
	v.picture("result")
}

// linkAnAccount runs the demo's tool that sends the person to a page.
func (v *tour) linkAnAccount() {
	d := v.d
	d.Key("ctrl+3") // the first server; its first tool gets the focus
	d.Settle()
	d.Key("Down", "Down", "Return")
	d.Settle()
	d.Key("ctrl+Return")
	v.questions(1)
	v.picture("page")
	d.Key("Tab", "Tab", "Tab", "Tab") // Copy link, Cancel, Decline, Open
	d.Key("Return")
	d.Settle()
	if opened := d.Browser.Opened(); len(opened) != 0 {
		v.t.Fatalf("Enter opened %q", opened)
	}
	d.Key("space")
	opened := d.Browser.Wait(1)
	if len(opened[0]) != 1 || !strings.HasPrefix(opened[0][0], "http://127.0.0.1:") || !strings.Contains(opened[0][0], "/connect/") {
		v.t.Fatalf("the browser was started with %q", opened)
	}
	v.same(v.answered(3), `{"connect":{"action":"accept"}}`)
	v.questions(0)
	v.picture("waiting")

	pressLink(v.t, opened[0][0])
	d.Key("Tab", "Tab", "Tab", "Tab", "space") // Copy link, Open again, Cancel request, Continue
	v.same(v.answered(4), `{"connect":{"action":"accept"}}`)
	v.picture("linked")
	if again := d.Browser.Opened(); !slices.EqualFunc(again, opened, slices.Equal[[]string]) {
		v.t.Errorf("continuing opened %q", again)
	}
}

// lookAround visits the other pages.
func (v *tour) lookAround() {
	for _, p := range []struct{ key, name string }{
		{"ctrl+1", "questions"}, {"ctrl+2", "requests"}, {"ctrl+n", "add-server"}, {"ctrl+comma", "settings"},
	} {
		before := v.d.Settle()
		v.d.Key(p.key)
		v.d.WaitChange(before)
		v.picture(p.name)
	}
}
