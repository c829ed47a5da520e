package ui

import (
	"fmt"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"parley/mcpclient"
	"parley/mcpclient/config"
)

const alikeSays = "Its name looks like that of another of your servers, “Travel desk”."

// TestAlike_IsPointedOutBesideEveryBanner: of a server, of a request and of a
// question, and no more once the other one is gone.
func TestAlike_IsPointedOutBesideEveryBanner(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm)})
	v := r.connected()
	says := func(what string, want bool) {
		t.Helper()
		// The name with a Cyrillic "е" is the one that imitates.
		text := strings.ReplaceAll(r.text(), "Trav\u0435l", "Travel")
		if strings.Contains(text, alikeSays) != want {
			t.Errorf("%s: pointed out: %v; want %v:\n%s", what, !want, want, text)
		}
	}
	r.s.show(r.s.at)
	says("alone", false)
	r.s.desk.servers = append(r.s.desk.servers, &serverState{leave: config.HasLeave,
		Server: mcpclient.Server{ID: "twin", Name: "Trav\u0435l  Desk", Kind: mcpclient.HTTP, URL: "https://evil.example/mcp"}})
	r.s.show(route{section: sectionServer, id: "twin"})
	says("the server that came later", true)
	r.s.show(route{section: sectionServer, id: v.ID})
	if !strings.Contains(r.text(), "Its name looks like that of another of your servers") {
		t.Errorf("the server that was there first: nothing is pointed out:\n%s", r.text())
	}
	r.run("ask")
	r.question()
	if !strings.Contains(r.text(), "Its name looks like that of another of your servers") {
		t.Errorf("a question: nothing is pointed out:\n%s", r.text())
	}
	r.press("Decline")
	r.ended()
	r.wait(func() bool { return r.s.at.section == sectionRequest })
	if !strings.Contains(r.text(), "Its name looks like that of another of your servers") {
		t.Errorf("a request: nothing is pointed out:\n%s", r.text())
	}
	r.s.desk.removeServer("twin")
	r.s.show(route{section: sectionServer, id: v.ID})
	says("alone again", false)
}

// TestAlike_IsPointedOutBeforeAdding, while the name is typed or follows from
// the address.
func TestAlike_IsPointedOutBeforeAdding(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm)})
	r.connected()
	r.shortcut(&desktop.CustomShortcut{KeyName: fyne.KeyN, Modifier: fyne.KeyModifierShortcutDefault})
	r.s.win.Canvas().FocusPrevious() // from the address to the name
	r.typing("Trave1-desk")
	r.judged()
	if !strings.Contains(r.text(), alikeSays) {
		t.Errorf("nothing is pointed out:\n%s", r.text())
	}
	r.typing("s")
	r.judged()
	if strings.Contains(r.text(), "looks like") {
		t.Errorf("it is pointed out for another name:\n%s", r.text())
	}
	r.s.adding = serverSheet{}
	r.s.desk.servers[0].Name = "mcp.example"
	r.s.choose(route{section: sectionAdd})
	r.typing("https://MCP.example/mcp")
	r.judged()
	if !strings.Contains(r.text(), "“mcp.example”") {
		t.Errorf("nothing is pointed out for the name that an address gives:\n%s", r.text())
	}
}

// BenchmarkAlike measures what a banner costs beside a thousand servers.
func BenchmarkAlike(b *testing.B) {
	s := &shell{}
	for i := range 1000 {
		s.desk.servers = append(s.desk.servers, &serverState{Server: mcpclient.Server{ID: fmt.Sprint(i), Name: fmt.Sprintf("Travel desk №%d", i)}})
	}
	for b.Loop() {
		s.alike("Another name", "")
	}
}
