package ui

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"parley/mcpclient"
)

// TestShots_Links draws the consent page of every level, what follows consent,
// and a browser that does not start.
func TestShots_Links(t *testing.T) {
	links := map[string]string{
		"ok":      "https://connect.travel.example/authorize?client_id=7291&scope=events&state=9f2c41",
		"info":    "https://connect.calendar.example/authorize?client_id=7291&scope=events&state=9f2c41",
		"caution": "http://calendar.example/authorize?client_id=7291",
		"danger":  "https://accounts.google.com.evil.example/o/oauth2/v2/auth?client_id=7291&redirect_uri=https%3A%2F%2Fmcp.travel.example%2Fcb&scope=calendar.events&state=9f2c41",
		"block":   "javascript:alert(document.cookie)",
		"idn":     "https://münchen.de/rathaus",
	}
	tools := map[string]tool{}
	for name, link := range links {
		tools[name] = asking(`{"k":` + urlRequest("Please sign in so that we can add the trip to your calendar.", link) + `}`)
	}
	tools["waits"] = patient(goodLink, 1000)
	shots(t, rigOptions{tools: tools, http: true}, func(s *shooter) {
		r := s.r
		for _, name := range []string{"ok", "info", "caution", "danger", "block", "idn"} {
			r.run(name)
			r.question()
			s.shot("20-link-" + name)
			if name == "danger" {
				r.s.sheets[r.s.at.id].link.known = true
				r.s.show(r.s.at)
				r.pass(deafTime)
				r.opener.failWith(errNoBrowser)
				r.press(r.s.t("ui.link.open", "Site", "evil.example"))
				r.wait(func() bool { return r.s.sheets[r.s.at.id].stage == stageFailed })
				s.shot("21-link-failed")
				r.pass(deafTime)
				r.opener.failWith(nil)
			}
			r.pass(deafTime)
			r.press(r.s.t("ui.answer.decline"))
			r.ended()
		}
		r.run("waits")
		sh := r.question()
		r.press(r.s.t("ui.link.open", "Site", "calendar.example"))
		r.wait(func() bool { return sh.waiting() && r.s.desk.calls[r.runs-1].State == mcpclient.CallBrowser })
		s.shot("22-waiting")
		r.press(r.s.t("ui.link.copy"))
		s.shot("22-copied")
		r.close()
		s.shot("22-quit-while-away")
	})
}

// TestShots_Opening draws the page of a link while the browser is being started.
func TestShots_Opening(t *testing.T) {
	shots(t, rigOptions{tools: askLink(goodLink), http: true, browser: openerFunc(func(ctx context.Context, _ string) error {
		<-ctx.Done() // it is being started until the window closes
		return ctx.Err()
	})}, func(s *shooter) {
		r := s.r
		r.run("link")
		r.question()
		r.press(r.s.t("ui.link.open", "Site", "calendar.example"))
		if r.button(r.s.t("ui.link.opening")) == nil {
			t.Errorf("the page reads:\n%s", r.text())
		}
		s.shot("26-opening")
	})
}

// TestShots_TwoPages draws a request that needs two pages: the first opened, both
// opened, one of them done, and what the person's no makes of it.
func TestShots_TwoPages(t *testing.T) {
	shots(t, rigOptions{tools: map[string]tool{"link": twoPages}, http: true, legacy: true}, func(s *shooter) {
		r := s.r
		open := r.s.t("ui.link.open", "Site", "calendar.example")
		r.run("link")
		first := r.question()
		r.press(open)
		r.answered(first)
		second := r.sheetOf("Grant")
		r.at(first)
		s.shot("27-first-of-two")
		r.at(second)
		r.press(open)
		r.answered(second)
		call := r.s.desk.call(first.q.CallID)
		r.wait(func() bool { return call.State == mcpclient.CallBrowser })
		r.server.say(`{"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"1"}}`)
		r.wait(func() bool { return first.q.Complete })
		r.at(first)
		s.shot("27-one-done")
		r.s.choose(route{section: sectionRequest, id: call.ID})
		s.shot("27-request")
		r.s.cancelCall(call.ID)
		r.ended()
		r.run("link")
		r.question()
		r.press(r.s.t("ui.answer.decline"))
		r.ended()
		r.wait(func() bool { p, ok := r.s.page.(*requestPage); return ok && p.ended })
		s.shot("27-declined")
	})
}

// idnLinks are a link of every class of finding about international names.
var idnLinks = []struct{ class, url string }{
	{"idn", "https://login.münchen.de/anmelden?next=%2Frathaus"},
	{"idn-disguised-letters", "https://ⓖithub.com/login/oauth"},
	{"idn-mixed-scripts", "https://раураӏ-login.com/signin"},
	{"idn-mixed-scripts-caution", "https://shopไทย.com/"},
	{"idn-all-lookalikes", "https://ѕсоре.com/authorize"},
	{"idn-lookalike-name", "https://xn--80ak6aa92e.com/account"},
	{"idn-code-imitates", "https://xn--google.com/"},
	{"idn-fake-punctuation", "https://example.com∕login.evil.example/"},
	{"idn-fake-digits", "https://16კ.com/"},
	{"idn-stacked-marks", "https://pi\u0307xel.com/"},
	{"idn-rare-script", "https://ⵣⵣⵣ.com/"},
	{"idn-symbols", "https://☃.net/"},
	{"idn-joiner", "https://श्\u200Dर.com/"},
	{"idn-unusual-letters", "https://ĸaffee.com/"},
}

// TestShots_InternationalLinks draws the consent page of every class of finding
// about international names.
func TestShots_InternationalLinks(t *testing.T) {
	tools := map[string]tool{}
	for _, l := range idnLinks {
		tools[l.class] = asking(`{"k":` + urlRequest("Please sign in to go on.", l.url) + `}`)
	}
	shots(t, rigOptions{tools: tools, http: true}, func(s *shooter) {
		r := s.r
		for _, l := range idnLinks {
			r.run(l.class)
			sh := r.question()
			if !sh.link.Has(strings.TrimSuffix(l.class, "-caution")) {
				t.Errorf("%s: %+v", l.class, sh.link.Findings)
			}
			s.shot("23-" + l.class)
			r.press(r.s.t("ui.answer.decline"))
			r.ended()
		}
	})
}

// TestShots_LongLinks draws what does not fit: a long link, many warnings, a
// refused link of hidden characters, and the smallest window.
func TestShots_LongLinks(t *testing.T) {
	several := "http://accounts.google.com.evil.example/setup.exe?x=" + strings.Repeat("a", 2100)
	tools := askLink(several)
	tools["hidden"] = asking(`{"k":` + urlRequest("Please sign in.", "https://exa\u202Emple.com/\u200B pay \"now\"") + `}`)
	tools["local"] = asking(`{"k":` + urlRequest("Please sign in.", "http://localhost:8080/callback?code=1") + `}`)
	shots(t, rigOptions{tools: tools, http: true}, func(s *shooter) {
		r := s.r
		for _, name := range []string{"link", "hidden", "local"} {
			r.s.win.Resize(fyne.NewSize(leastWidth, leastHeight))
			r.run(name)
			r.question()
			s.shot("24-" + name + "-least")
			r.s.win.Resize(firstSize)
			s.shot("24-" + name)
			r.pass(deafTime)
			r.press(r.s.t("ui.answer.decline"))
			r.ended()
		}
	})
}

// TestShots_LinksElsewhere draws the links of a result and of a server, and the
// page of one.
func TestShots_LinksElsewhere(t *testing.T) {
	content := `{"resultType":"complete","content":[{"type":"text","text":"Your trip is booked. Details: ` + goodLink + ` and terms: https://travel.example/terms."},
		{"type":"resource_link","uri":"https://files.travel.example/itinerary.pdf","name":"Itinerary"}]}`
	tools := map[string]tool{"run": func(*memoryServer, []rawMember) json.RawMessage { return json.RawMessage(content) }}
	shots(t, rigOptions{tools: tools, http: true, says: `"websiteUrl":"https://www.travel.example/about"`}, func(s *shooter) {
		r := s.r
		look := r.s.t("ui.outside.look")
		r.run("run")
		r.ended()
		r.wait(func() bool { return len(r.buttons(look)) > 0 })
		s.shot("25-result")
		r.press(look)
		r.wait(func() bool { return r.s.at.section == sectionLink })
		r.pass(deafTime)
		s.shot("25-elsewhere")
		r.press(r.s.t("ui.link.open", "Site", "calendar.example"))
		r.wait(func() bool { return r.s.outside.opened })
		s.shot("25-elsewhere-opened")
		r.s.choose(route{section: sectionServer, id: r.s.desk.servers[0].ID})
		s.shot("25-website")
	})
}
