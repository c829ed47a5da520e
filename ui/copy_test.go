package ui

import (
	"encoding/json"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"parley/mcpclient"
	"parley/mcpclient/auth"
	"parley/ui/kit"
)

// copying are the ways to all buttons of the app that copy: the words of each,
// and what it copies.
var copying = map[string]struct {
	words, copies string
	at            func(t *testing.T) *rig
}{
	"a link that is asked about": {"Copy link", goodLink, func(t *testing.T) *rig { r, _ := linkRig(t, goodLink); return r }},
	"a page that is waited for":  {"Copy link", goodLink, func(t *testing.T) *rig { r, _ := waitingRig(t, 9); return r }},
	"a page of a request": {"Copy link", goodLink, func(t *testing.T) *rig {
		r, sh := waitingRig(t, 9)
		r.s.choose(route{section: sectionRequest, id: sh.q.CallID})
		return r
	}},
	"a link outside of a question": {"Copy link", "https://svc.example/a", func(t *testing.T) *rig {
		r := withResult(t, "See https://svc.example/a")
		r.lookAt(0)
		return r
	}},
	"a result": {"Copy result", "It is done.", func(t *testing.T) *rig { return withResult(t, "It is done.") }},
	"what was entered": {"Copy what you entered", "Full name: Lin\n", func(t *testing.T) *rig {
		r := newRig(t, rigOptions{tools: askForm("Who?", nameForm)})
		r.run("ask")
		sh := r.question()
		r.tab()
		r.typing("Lin")
		r.server.die(errNoBrowser)
		r.wait(func() bool { return sh.q.State == mcpclient.ElicitationDead })
		return r
	}},
	"a program": {"Copy the command", "travel\n--stdio\na b", func(t *testing.T) *rig {
		r := newRig(t, rigOptions{tools: map[string]tool{"a": nothing}})
		r.s.choose(route{section: sectionAllow, id: r.connected().ID})
		return r
	}},
	"the list of servers": {"Copy", `"travel"`, func(t *testing.T) *rig {
		r := newRig(t, rigOptions{tools: map[string]tool{"a": nothing}})
		r.s.choose(route{section: sectionAdd})
		r.press("Export…")
		r.wait(func() bool { return r.s.export.text != "" })
		return r
	}},
	"the address to register": {"Copy the address", "http://127.0.0.1/callback", func(t *testing.T) *rig {
		r, _ := settingUp(t, auth.SetupPath)
		return r
	}},
	"what a server says on the side": {"Copy all", "db", func(t *testing.T) *rig {
		r := newRig(t, rigOptions{tools: map[string]tool{"a": nothing}})
		v := r.atServer()
		r.told(mcpclient.Event{ServerID: v.ID, Log: &mcpclient.Log{Level: "warning", Logger: "db", Data: json.RawMessage(`"slow"`)}})
		r.s.page.(*serverPage).side.open()
		return r
	}},
}

// withResult is a window at a result that is a text.
func withResult(t *testing.T, text string) *rig {
	t.Helper()
	r := newRig(t, rigOptions{tools: map[string]tool{"run": func(*memoryServer, []rawMember) json.RawMessage {
		return json.RawMessage(`{"resultType":"complete","content":[{"type":"text","text":"` + text + `"}]}`)
	}}, http: true})
	r.run("run")
	r.wait(func() bool { return r.button("Copy result") != nil })
	return r
}

// TestCopy_EveryButtonSaysThatItHas for two seconds, pressed by the keyboard
// too, which stays on it; it becomes no narrower meanwhile.
func TestCopy_EveryButtonSaysThatItHas(t *testing.T) {
	for name, c := range copying {
		t.Run(name, func(t *testing.T) {
			r := c.at(t)
			r.queue.Drain()
			r.pass(deafTime)
			b := r.button(c.words)
			if b == nil {
				t.Fatalf("no button %q:\n%s", c.words, r.text())
			}
			width := b.MinSize().Width
			r.s.win.Canvas().Focus(b)
			r.key(fyne.KeyReturn)
			if got := r.app.Clipboard().Content(); !strings.Contains(got, c.copies) {
				t.Errorf("copied %q, want %q", got, c.copies)
			}
			if b.Text() != "Copied" || r.button("Copied") != b || r.s.win.Canvas().Focused() != fyne.Focusable(b) {
				t.Fatalf("the button says %q; the keyboard is on %T", b.Text(), r.s.win.Canvas().Focused())
			}
			if got := b.MinSize().Width; got < width {
				t.Errorf("the button is %v wide and was %v: what stands beside it moves", got, width)
			}
			r.pass(copiedFor - 1)
			if b.Text() != "Copied" {
				t.Error("it says so for less than two seconds")
			}
			r.key(fyne.KeySpace) // which copies again, and begins the time anew
			r.pass(copiedFor - 1)
			if b.Text() != "Copied" {
				t.Error("copying again is not said")
			}
			r.pass(1)
			if b.Text() != c.words || b.MinSize().Width != width {
				t.Errorf("after two seconds the button says %q, %v wide", b.Text(), b.MinSize().Width)
			}
		})
	}
}

// TestCopy_OnlyTheLastOneSaysThatItHas, since the clipboard holds one thing.
func TestCopy_OnlyTheLastOneSaysThatItHas(t *testing.T) {
	r := newRig(t, rigOptions{tools: map[string]tool{"a": nothing}})
	one, two := r.s.copyButton(kit.ButtonOptions{Text: "One"}, func() string { return "1" }), r.s.copyButton(kit.ButtonOptions{Text: "Two"}, func() string { return "2" })
	one.Press()
	r.pass(copiedFor / 2)
	two.Press()
	if one.Text() != "One" || two.Text() != "Copied" || r.app.Clipboard().Content() != "2" {
		t.Errorf("they say %q and %q; copied is %q", one.Text(), two.Text(), r.app.Clipboard().Content())
	}
	r.pass(copiedFor / 2)
	if two.Text() != "Copied" {
		t.Error("the time of the first one ended that of the second")
	}
}
