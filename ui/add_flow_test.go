package ui

import (
	"strings"
	"testing"

	"parley/mcpclient"
	"parley/mcpclient/config"
	"parley/ui/kit"
)

// TestCommand_StartsOnlyAfterItWasShownAndAllowed: neither adding it nor
// leaving the page starts anything.
func TestCommand_StartsOnlyAfterItWasShownAndAllowed(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm)})
	r.connected()
	dials := len(r.server.requests("server/discover"))
	r.s.adding = serverSheet{draft: config.Draft{Kind: mcpclient.Stdio, Name: "My files", Program: "npx", Arguments: "-y\nserver; rm -rf /", Folder: "/home/lin"}}
	r.s.choose(route{section: sectionAdd})
	r.ctrlEnter()
	r.wait(func() bool { return r.s.at.section == sectionAllow })
	text := r.text()
	for _, want := range []string{"npx\n", "1.  -y\n", "2.  server; rm -rf /\n", "/home/lin\n", "It runs with your rights", "No shell is used"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q:\n%s", want, text)
		}
	}
	r.press("Start this program")
	r.pass(deafTime)
	r.press("Not now")
	v := r.s.desk.server(r.s.at.id)
	if v == nil || v.allowed() || len(r.server.requests("server/discover")) != dials {
		t.Fatal("something was started without leave")
	}
	r.press("Review and start…")
	r.agree("Start this program")
	r.wait(func() bool { return v.status.State == mcpclient.Connected })
	if stored, _ := r.store.Server(v.ID); !r.store.Allowed(stored) {
		t.Error("the leave was not kept")
	}
}

func TestAddress_IsStoredAndReached(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm)})
	r.connected()
	r.s.choose(route{section: sectionAdd})
	for address, want := range map[string]string{
		"localhost:9741/mcp":          "must begin with https:// or http://",
		"127.0.0.1:9741":              "must begin with https:// or http://",
		"https://me:pw@calendar.test": "must not contain a user name or password",
		"https://calendar.test:0/":    "from 1 to 65535",
	} {
		r.s.adding.draft.URL = address
		r.ctrlEnter()
		if !strings.Contains(r.text(), want) {
			t.Errorf("the address %s is not named as wrong:\n%s", address, r.text())
		}
	}
	r.s.adding.draft.URL = "https://mcp.calendar.example/mcp"
	r.ctrlEnter()
	r.wait(func() bool { return len(r.s.desk.servers) == 2 && r.s.desk.servers[1].offer != nil })
	if got := r.store.Servers(); len(got) != 2 || got[1].URL != "https://mcp.calendar.example/mcp" || got[1].Name != "mcp.calendar.example" {
		t.Errorf("stored %+v", got)
	}
	t.Run("and removed after a second yes", func(t *testing.T) {
		r.s.choose(route{section: sectionServer, id: r.s.desk.servers[1].ID})
		r.press("Remove server")
		if len(r.store.Servers()) != 2 {
			t.Fatal("one press removed it")
		}
		r.press("Remove it")
		r.wait(func() bool { return len(r.s.desk.servers) == 1 })
		if len(r.store.Servers()) != 1 {
			t.Error("it is still stored")
		}
	})
}

func TestServerPage_SearchFindsByEveryWord(t *testing.T) {
	rows := []offerRow{{title: "Book a trip", detail: "Flights"}, {title: "Say hello", detail: "Greets"}, {title: "Trip report", detail: ""}}
	for wanted, want := range map[string]int{"": 3, "trip": 2, "TRIP book": 1, "flights": 1, "nothing": 0} {
		if got := matching(rows, wanted); len(got) != want {
			t.Errorf("search %q finds %d; want %d", wanted, len(got), want)
		}
	}
}

// TestServerPage_NothingStandsForNothing: a tool without a description has a
// title only.
func TestServerPage_NothingStandsForNothing(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm)})
	r.connected()
	if text := r.text(); !strings.Contains(text, "Book a trip") || strings.Contains(text, "—") {
		t.Errorf("the page reads:\n%s", text)
	}
}

// TestServerPage_TheServersErrorStandsApart: the app's sentence does not repeat
// what the server says; that stands in the server's area, made safe to show.
func TestServerPage_TheServersErrorStandsApart(t *testing.T) {
	for _, method := range []string{"initialize", "tools/list"} {
		t.Run(method, func(t *testing.T) {
			r := newRig(t, rigOptions{tools: askForm("Who?", nameForm), legacy: true, fails: method})
			v := r.s.desk.servers[0]
			r.wait(func() bool { return v.status.State == mcpclient.Lost || v.listing.failure != nil })
			r.queue.Drain()
			text := r.text()
			if n := strings.Count(text, "magic word."); n != 1 {
				t.Errorf("the server's words stand %d times on the page:\n%s", n, text)
			}
			area := strings.Index(text, "THE SERVER’S OWN WORDS (ERROR -32000)")
			if ours := strings.Index(text, "The server answered with the error -32000."); ours < 0 || area < ours || strings.Index(text, "magic") < area {
				t.Errorf("the server's words are not marked as such:\n%s", text)
			}
			if strings.Contains(text, "\u202e") {
				t.Errorf("a hidden character reached the screen: %q", text)
			}
		})
	}
}

// TestFirstRun_ShowsTheDemosTools, so that a new person can begin at once, and
// the keyboard goes from there to a result.
func TestFirstRun_ShowsTheDemosTools(t *testing.T) {
	r := newRig(t, rigOptions{demo: true})
	r.connected()
	if r.s.at != (route{section: sectionServer, id: demoID}) {
		t.Fatalf("the first page is %v", r.s.at)
	}
	for _, want := range []string{"Tools", "Book a trip", "Link an account"} {
		if !strings.Contains(r.text(), want) {
			t.Errorf("the page lacks %q:\n%s", want, r.text())
		}
	}
	r.tab()
	if item, ok := r.s.win.Canvas().Focused().(*kit.SideItem); !ok || item != r.s.page.first() {
		t.Errorf("Tab goes to %T; want the first tool", r.s.win.Canvas().Focused())
	}
}
