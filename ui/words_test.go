package ui

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"parley/forms"
	"parley/mcpclient"
	"parley/mcpclient/config"
)

func TestOrdersToATerminalAreTakenOutOfLines(t *testing.T) {
	for in, want := range map[string]string{
		"\x1b[31mError:\x1b[0m no module":           "Error: no module",
		"\x1b[2K\x1b[1;1Hready":                     "ready",
		"\x1b]0;title\x07ready":                     "ready",
		"\x1b]8;;https://a.example\x1b\\docs\x1b[m": "docs",
		"\u009b1mbold":                              "bold",
		"a\x1b[31":                                  "a\x1b[31", // does not end
		"bell\x07 and \x1b alone":                   "bell\x07 and \x1b alone",
	} {
		if got := withoutTerminal(in); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}

func TestWhatIsSentEmptyIsListedAsEmpty(t *testing.T) {
	r := newRig(t, rigOptions{})
	form := forms.Parse([]byte(`{"type":"object","properties":{"city":{"type":"string"},"country":{"type":"string"},"note":{"type":"string"}},"required":["city","country"]}`),
		forms.Options{Purpose: forms.Arguments})
	f := &fill{}
	must(t, f.begin(form, nil))
	f.draft.SetText("/city", "Rome")
	sent := textOf(r.s.filled(r.s.env(), f, true, nil))
	if !strings.Contains(sent, "Rome") || strings.Count(sent, "(empty)") != 1 {
		t.Errorf("sent was\n%s", sent)
	}
	if kept := textOf(r.s.filled(r.s.env(), f, false, nil)); strings.Contains(kept, "(empty)") {
		t.Errorf("not sent was\n%s", kept)
	}
}

func TestAddingBeginsInTheFieldThatIsPastedInto(t *testing.T) {
	r := newRig(t, rigOptions{})
	for _, kind := range []mcpclient.TransportKind{mcpclient.HTTP, mcpclient.Stdio} {
		r.s.adding = serverSheet{draft: config.Draft{Kind: kind}}
		r.s.choose(route{section: sectionAdd})
		r.typing("x")
		if got := r.s.adding.draft.URL + r.s.adding.draft.Program; got != "x" {
			t.Errorf("typed at once gives %q", got)
		}
	}
}

func TestTypingGoesOnWhereRememberedTextEnds(t *testing.T) {
	r := newRig(t, rigOptions{})
	r.s.adding = serverSheet{draft: config.Draft{URL: "https://a.example/"}}
	r.s.choose(route{section: sectionAdd})
	r.typing("mcp")
	if got := r.s.adding.draft.URL; got != "https://a.example/mcp" {
		t.Errorf("the address is %q", got)
	}
}

func TestTheSidebarScrollsToWhereThePersonIs(t *testing.T) {
	r := newRig(t, rigOptions{tools: map[string]tool{"a": nothing}})
	r.connected()
	for range 12 {
		r.s.desk.servers = append(r.s.desk.servers, &serverState{Server: testServer})
	}
	r.s.side.update(r.s)
	r.s.win.Resize(fyne.NewSize(600, 360))
	r.s.choose(route{section: sectionAdd})
	if r.s.side.reveal.Offset() == 0 {
		t.Error("the row that adds a server is out of sight")
	}
}
