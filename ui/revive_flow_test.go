package ui

import (
	"errors"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"parley/assets/i18n"
	"parley/mcpclient"
	"parley/ui/kit"
)

// told gives the window an event as the client would.
func (r *rig) told(e mcpclient.Event) {
	e.At = r.clock.Now()
	r.s.bridge.put(e)
	r.queue.Drain()
}

// atServer opens the page of the first server once it is connected.
func (r *rig) atServer() *serverState {
	r.t.Helper()
	v := r.connected()
	r.s.choose(route{section: sectionServer, id: v.ID})
	return v
}

// reads fails unless the page has all these words.
func (r *rig) reads(words ...string) {
	r.t.Helper()
	text := r.text()
	for _, w := range words {
		if !strings.Contains(text, w) {
			r.t.Errorf("the page lacks %q:\n%s", w, text)
		}
	}
}

// focusOn puts the keyboard on the button with these words.
func (r *rig) focusOn(words string) {
	r.t.Helper()
	b := r.button(words)
	if b == nil {
		r.t.Fatalf("no button %q on the page", words)
	}
	r.s.win.Canvas().Focus(b)
}

func TestReconnecting_CountsDownAndIsTriedByThePersonAtOnce(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm), revive: true})
	v := r.atServer()
	r.server.die(errors.New("killed"))
	r.wait(func() bool { return v.status.State == mcpclient.Reconnecting })
	r.reads("The connection to the server was lost.", "Trying again in 1 second (attempt 1 of 5).")
	if got := r.s.side.said[v.ID]; got.state != "connection lost, trying again" {
		t.Errorf("the sidebar says %q", got)
	}
	if v.offer == nil {
		t.Error("what the server offered is forgotten")
	}
	r.pass(time.Second)
	r.reads("Trying again… (attempt 1 of 5)")
	r.focusOn("Try now")
	r.key(fyne.KeyReturn)
	r.connected()
	r.reads("Connected  •  MCP 2026-07-28  •  standard input and output", "Book a trip",
		"The connection to the server was lost. Parley started it again.", "2 remarks of Parley")
	if got := r.s.side.said[v.ID]; got.state != "on this computer" {
		t.Errorf("the sidebar says %q", got)
	}
}

// TestUnreached_NothingClaimsThatTheServerIsThere: over HTTP a server that went
// away leaves its connection standing. Page and sidebar say what is the matter,
// once, and take it back when something gets through.
func TestUnreached_NothingClaimsThatTheServerIsThere(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm)})
	v := r.atServer()
	info := v.status.Info
	r.told(mcpclient.Event{ServerID: v.ID, Connection: &mcpclient.Status{State: mcpclient.Connected, Info: info,
		Failure: &mcpclient.Failure{Kind: mcpclient.FailLost, Text: i18n.M("client.transport.network.refused", "Host", "h.example")}}})
	r.reads("Nothing answers at h.example", "That is so since ", "Book a trip", "1 remark of Parley")
	if text := r.text(); strings.Contains(text, "Connected") || r.button("Try now") == nil {
		t.Errorf("the page claims a connection, or offers no try:\n%s", text)
	}
	if got := r.s.side.said[v.ID]; got.state != "does not answer" || r.s.dotOf(v) != kit.DotTrouble {
		t.Errorf("the sidebar says %q with dot %v", got, r.s.dotOf(v))
	}
	// What it offers is not asked for meanwhile, unless the person wishes it.
	asked := len(r.server.requests("tools/list"))
	r.told(mcpclient.Event{ServerID: v.ID, ListChanged: true})
	r.pass(listPause)
	if n := len(r.server.requests("tools/list")); n != asked {
		t.Errorf("a server that is not reached was asked %d times", n-asked)
	}
	r.told(mcpclient.Event{ServerID: v.ID, Connection: &mcpclient.Status{State: mcpclient.Connected, Info: info}})
	r.reads("Connected  •", "2 remarks of Parley")
	if text := r.text(); strings.Contains(text, "That is so since") || r.s.dotOf(v) != kit.DotOn {
		t.Errorf("the trouble stays:\n%s", text)
	}
	r.wait(func() bool { return len(r.server.requests("tools/list")) > asked })
}

// TestReconnecting_TheCountdownCostsNothingElsewhere: no timer is left when the
// page goes, or when the state does.
func TestReconnecting_TheCountdownCostsNothingElsewhere(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm)})
	v := r.atServer()
	r.pass(frameTime) // in which the page finds its place
	idle := r.clock.waiting()
	lost := &mcpclient.Status{State: mcpclient.Reconnecting, Attempt: 3, Attempts: 5, Next: r.clock.Now().Add(4 * time.Second),
		Failure: &mcpclient.Failure{Kind: mcpclient.FailLost, Text: i18n.M("core.fail.lost")}}
	r.told(mcpclient.Event{ServerID: v.ID, Connection: lost})
	for left := 4; left > 1; left-- {
		r.reads(i18n.New("en").Text(i18n.N("ui.server.next", left, "Attempt", 3, "Attempts", 5)))
		r.pass(time.Second)
	}
	if got := r.clock.waiting(); got != idle+1 {
		t.Errorf("%d timers run while it counts down; want one", got-idle)
	}
	r.s.choose(route{section: sectionSettings})
	r.pass(frameTime)
	if got := r.clock.waiting(); got != idle {
		t.Errorf("%d timers run on another page", got-idle)
	}
}

func TestReconnecting_StopTryingIsTheEnd(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm), revive: true})
	v := r.atServer()
	r.server.die(errors.New("killed"))
	r.wait(func() bool { return v.status.State == mcpclient.Reconnecting })
	r.press("Stop trying")
	r.wait(func() bool { return v.status.State == mcpclient.Closed })
	r.reads("Not connected.")
	if r.button("Connect") == nil || r.button("Try now") != nil {
		t.Error("the page does not offer to connect")
	}
}

func TestLost_AfterTooManyAttemptsSaysSoAndOffersToConnectAgain(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm)})
	v := r.atServer()
	r.told(mcpclient.Event{ServerID: v.ID, Notice: &mcpclient.Notice{Text: i18n.M("core.notice.stderr"), Kind: "stderr", Detail: "disk full"}})
	r.told(mcpclient.Event{ServerID: v.ID, Connection: &mcpclient.Status{State: mcpclient.Lost, Attempts: 5,
		Failure: &mcpclient.Failure{Kind: mcpclient.FailLost, Text: i18n.M("core.fail.lost")}}})
	r.reads("The connection to the server was lost.", "The last it wrote: disk full\n", "Parley has started it 5 more times and has stopped trying.")
	if r.button("Connect again") == nil {
		t.Error("the page does not offer to connect again")
	}
	if got := r.s.side.said[v.ID]; got.state != "not connected" {
		t.Errorf("the sidebar says %q", got)
	}
}

// TestConnecting_IsSaidWhereItIsWaitedFor: on the server's page, in the sidebar,
// and on the page of a tool, where what is entered meanwhile stays.
func TestConnecting_IsSaidWhereItIsWaitedFor(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm)})
	v := r.atServer()
	r.lacks("Connecting…")
	r.told(mcpclient.Event{ServerID: v.ID, Connection: &mcpclient.Status{State: mcpclient.Connecting}})
	r.reads("Connecting…")
	if r.button("Stop connecting") == nil {
		t.Error("it cannot be stopped")
	}
	if got := r.s.side.said[v.ID]; got.state != "connecting…" {
		t.Errorf("the sidebar says %q", got)
	}
	r.s.choose(route{section: sectionTool, id: v.ID, name: "ask"})
	r.reads("What you enter stays here. Parley is connecting.")
	r.told(mcpclient.Event{ServerID: v.ID, Connection: &mcpclient.Status{State: mcpclient.Lost, Failure: &mcpclient.Failure{Kind: mcpclient.FailLost, Text: i18n.M("core.fail.lost")}}})
	r.lacks("Parley is connecting.")
}

func TestConnecting_CanBeGivenUp(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm), mute: true})
	v := r.s.desk.servers[0]
	r.s.choose(route{section: sectionServer, id: v.ID})
	r.wait(func() bool { return len(r.server.requests("server/discover")) == 1 })
	r.press("Stop connecting")
	r.wait(func() bool { return v.status.State == mcpclient.Closed })
	r.queue.Drain()
	r.reads("Not connected.")
}

// TestNewSession_KeepsWhatIsOnTheScreen: the server has forgotten the session,
// and a new one is begun at once.
func TestNewSession_KeepsWhatIsOnTheScreen(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm), legacy: true})
	v := r.atServer()
	r.told(mcpclient.Event{ServerID: v.ID, Connection: &mcpclient.Status{State: mcpclient.Reconnecting,
		Failure: &mcpclient.Failure{Kind: mcpclient.FailLost, Text: i18n.M("core.fail.session")}}})
	r.reads("The server has forgotten this session", "Book a trip")
	if r.button("Try now") != nil || r.button("Disconnect") == nil {
		t.Error("a new session is treated as a connection to be made again")
	}
	info := r.client.Connection(v.ID).Info()
	r.told(mcpclient.Event{ServerID: v.ID, Connection: &mcpclient.Status{State: mcpclient.Connected, Info: &info}})
	r.reads("Connected  •  MCP 2025-11-25, an earlier revision", "Book a trip")
	r.pass(listPause)
	r.wait(func() bool { return len(r.server.requests("tools/list")) == 2 && !v.listing.busy })
}

// TestPlain_SaysWhatIsLostAsLongAsItIs connected.
func TestPlain_SaysWhatIsLost(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm)})
	v := r.atServer()
	info := *v.status.Info
	info.Plain = true
	r.told(mcpclient.Event{ServerID: v.ID, Connection: &mcpclient.Status{State: mcpclient.Connected, Info: &info}})
	r.reads("it cannot ask you to open a page")
}

// TestServerPage_GivesTheKeyboardBackToAButtonThatComesBack, as "Connect again"
// does after an attempt that failed.
func TestServerPage_GivesTheKeyboardBackToAButtonThatComesBack(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm)})
	v := r.atServer()
	lost := &mcpclient.Status{State: mcpclient.Lost, Failure: &mcpclient.Failure{Kind: mcpclient.FailLost, Text: i18n.M("core.fail.lost")}}
	r.told(mcpclient.Event{ServerID: v.ID, Connection: lost})
	r.focusOn("Connect again")
	r.told(mcpclient.Event{ServerID: v.ID, Connection: &mcpclient.Status{State: mcpclient.Connecting}})
	if f := r.s.win.Canvas().Focused(); f != nil {
		t.Errorf("while it connects the keyboard is on %T", f)
	}
	r.told(mcpclient.Event{ServerID: v.ID, Connection: lost})
	if b, ok := r.s.win.Canvas().Focused().(*kit.Button); !ok || b.Text() != "Connect again" {
		t.Errorf("the keyboard is on %T", r.s.win.Canvas().Focused())
	}
}

// TestLastWords_AreThoseOfTheEnd: only what a program wrote since it was started
// last can say why it ended.
func TestLastWords_AreThoseOfTheEnd(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm)})
	v := r.atServer()
	writes := func(line string) {
		r.told(mcpclient.Event{ServerID: v.ID, Notice: &mcpclient.Notice{Text: i18n.M("core.notice.stderr"), Kind: "stderr", Detail: line}})
	}
	ends := func(kind mcpclient.FailureKind) {
		r.told(mcpclient.Event{ServerID: v.ID, Connection: &mcpclient.Status{State: mcpclient.Lost,
			Failure: &mcpclient.Failure{Kind: kind, Text: i18n.M("core.fail.lost")}}})
	}
	writes("ModuleNotFoundError: no module")
	writes("  ")
	ends(mcpclient.FailLost)
	r.reads("The last it wrote: ModuleNotFoundError: no module")
	r.pass(time.Second)
	r.told(mcpclient.Event{ServerID: v.ID, Connection: &mcpclient.Status{State: mcpclient.Connecting}})
	r.pass(time.Second)
	ends(mcpclient.FailLost)
	if words := v.lastWords(); words != "" {
		t.Errorf("the last words are %q, of the start before", words)
	}
	writes("now")
	ends(mcpclient.FailInvalid)
	if words := v.lastWords(); words != "" {
		t.Errorf("the last words are %q, of a program that did not end", words)
	}
}

// TestLog_StandsStillWhileItIsRead: new lines run on below only at the end.
func TestLog_StandsStillWhileItIsRead(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm)})
	v := r.atServer()
	says := func(n int) {
		for range n {
			r.told(mcpclient.Event{ServerID: v.ID, Notice: &mcpclient.Notice{Text: i18n.M("core.notice.stderr"), Kind: "stderr", Detail: "a line"}})
		}
	}
	says(60)
	p := r.s.page.(*serverPage)
	p.side.open()
	r.queue.Drain()
	p.side.lines.TypedKey(&fyne.KeyEvent{Name: fyne.KeyPageUp})
	drawn := p.side.drawn
	says(5)
	if p.side.drawn != drawn {
		t.Error("the lines that somebody reads are drawn anew")
	}
	p.side.lines.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd})
	r.queue.Drain()
	if p.side.drawn != v.said.changes {
		t.Errorf("back at the end %d of %d changes are in view", p.side.drawn, v.said.changes)
	}
}
