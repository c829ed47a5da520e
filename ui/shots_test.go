package ui

import (
	"encoding/json"
	"image"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"parley/assets/i18n"
	"parley/forms"
	"parley/mcpclient"
	"parley/mcpclient/config"
	"parley/mcpclient/keychain"
	"parley/mcpclient/wire"
)

// shooter writes pictures of a window into a folder.
type shooter struct {
	r   *rig
	dir string
	tag string
}

// shot writes one picture of the window as it stands.
func (s *shooter) shot(name string) {
	s.r.t.Helper()
	s.r.queue.Drain()
	if s.dir == "" {
		return // painting takes long, and nobody would look
	}
	f, err := os.Create(filepath.Join(s.dir, name+s.tag+".png"))
	must(s.r.t, err)
	must(s.r.t, png.Encode(f, s.capture()))
	must(s.r.t, f.Close())
}

// capture paints the window. The painter of Fyne's tests cuts what scrolls at the
// nearest scroller only, so that the text of a field that has scrolled under the
// banner or the buttons lies over them; the window's own painter does not. Those
// two are painted once more, without what lies between them.
func (s *shooter) capture() image.Image {
	c := s.r.s.win.Canvas()
	whole := c.Capture()
	page, ok := s.r.s.page.object().(*fyne.Container)
	if !ok {
		return whole
	}
	if _, ok := page.Layout.(panes); !ok {
		return whole
	}
	middle := page.Objects[1]
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(middle)
	top, bottom := int(at.Y*c.Scale()), int((at.Y+middle.Size().Height)*c.Scale())
	middle.Hide()
	around := c.Capture()
	middle.Show()
	out := image.NewNRGBA(whole.Bounds())
	draw.Draw(out, out.Bounds(), around, image.Point{}, draw.Src)
	inside := image.Rect(0, top, out.Bounds().Dx(), bottom)
	draw.Draw(out, inside, whole, inside.Min, draw.Src)
	return out
}

// shots calls scene with a window for both languages, light and dark. The
// pictures go to the folder PARLEY_SHOTS names, if it does.
func shots(t *testing.T, o rigOptions, scene func(s *shooter)) {
	dir := os.Getenv("PARLEY_SHOTS")
	if dir != "" {
		must(t, os.MkdirAll(dir, 0o755))
	}
	for _, language := range []string{"en", "zh-Hans"} {
		for _, theme := range []config.Theme{config.ThemeLight, config.ThemeDark} {
			t.Run(language+" "+string(theme), func(t *testing.T) {
				o.settings = config.Settings{Language: language, Theme: theme}
				r := newRig(t, o)
				r.connected()
				r.s.win.Resize(firstSize)
				scene(&shooter{r: r, dir: dir, tag: "-" + string(theme) + "-" + language})
			})
		}
	}
}

// TestShots_Demo draws what a person meets who tries the demo server.
func TestShots_Demo(t *testing.T) {
	shots(t, rigOptions{demo: true}, func(s *shooter) {
		r := s.r
		s.shot("01-server")
		r.s.choose(route{section: sectionTool, id: demoID, name: "book_trip"})
		r.wait(func() bool { p, ok := r.s.page.(*runPage); return ok && p.ready() })
		r.typing("Barcelona")
		s.shot("02-tool")
		r.ctrlEnter()
		sh := r.question()
		r.pass(12 * time.Second)
		s.shot("03-question")
		p := r.s.page.(*formPage)
		r.s.win.Canvas().Focus(p.form.byPath["/email"].control.FocusTarget())
		r.typing("lin@travel")
		r.ctrlEnter()
		s.shot("04-errors")
		fillDraft(sh.draft, map[forms.Path]string{"/name": "李小龙", "/email": "lin@travel.example", "/departure": "2026-06-15",
			"/pickup": "2026-06-14 09:30", "/budget": "1200.50"})
		r.s.show(r.s.at)
		r.pass(deafTime)
		r.s.page.(*formPage).preview.toggle.Press()
		s.shot("05-preview")
		r.key(fyne.KeyEscape)
		s.shot("06-leave")
		r.key(fyne.KeyEscape)
		r.pass(deafTime)
		r.ctrlEnter()
		r.answered(sh)
		r.wait(func() bool { return r.s.at.section == sectionQuestion && r.s.at.id != sh.q.ID })
		r.pass(deafTime)
		s.shot("07-second-round")
		second := r.s.sheets[r.s.at.id]
		second.draft.Pick("/seat", 1)
		second.draft.Pick("/fare", 1)
		r.ctrlEnter()
		r.wait(func() bool {
			p, ok := r.s.page.(*requestPage)
			return ok && p.result != nil && len(r.s.desk.calls) == 1 && !strings.Contains(r.text(), r.s.t("ui.result.preparing"))
		})
		r.queue.Drain()
		s.shot("08-result")
		r.s.choose(route{section: sectionRequests})
		s.shot("09-requests")
		r.s.choose(route{section: sectionQuestions})
		s.shot("10-no-questions")
		r.s.choose(route{section: sectionSettings})
		s.shot("11-settings")
		r.s.choose(route{section: sectionAdd})
		s.shot("12-add-address")
		r.s.adding = serverSheet{draft: config.Draft{Kind: mcpclient.Stdio, Name: "My files", Program: "npx", Arguments: "-y\n@modelcontextprotocol/server-filesystem\n/home/lin/Documents"}}
		r.s.choose(route{section: sectionAdd})
		s.shot("13-add-command")
		r.ctrlEnter()
		r.wait(func() bool { return r.s.at.section == sectionAllow })
		s.shot("14-allow")
		r.s.choose(route{section: sectionServer, id: r.s.at.id})
		s.shot("15-not-started")
	})
}

func fillDraft(d *forms.Draft, texts map[forms.Path]string) {
	for p, text := range texts {
		d.SetText(p, text)
	}
}

// TestShots_Trouble draws what goes wrong: several questions, secrets, a server
// that gives up, an error.
func TestShots_Trouble(t *testing.T) {
	tools := map[string]tool{
		"two": asking(`{"a":` + formRequest("Please confirm your booking details for Barcelona.", `{"type":"object","properties":{"city":{"type":"string","title":"City"}}}`) +
			`,"b":` + formRequest("Which seat?", `{"type":"object","properties":{"seat":{"type":"string","title":"Seat","enum":["12A","12C"]}}}`) + `}`),
		"secret": asking(`{"a":` + formRequest("Sign in to your mail account.", `{"type":"object","properties":{"user":{"type":"string","title":"User name"},"password":{"type":"string","title":"Password"}},"required":["password"]}`) + `}`),
		"fails": func(s *memoryServer, _ []rawMember) json.RawMessage {
			s.say(`{"jsonrpc":"2.0","id":` + s.id() + `,"error":{"code":-32000,"message":"No seats left on this flight.","data":{"flight":"PY 204"}}}`)
			return nil
		},
	}
	shots(t, rigOptions{tools: tools, http: true}, func(s *shooter) {
		r := s.r
		r.run("two")
		r.question()
		s.shot("30-one-of-two")
		r.s.choose(route{section: sectionQuestions})
		s.shot("31-questions")
		for range 2 {
			r.s.choose(route{section: sectionQuestion, id: r.s.desk.open("")[0].ID})
			r.pass(deafTime)
			r.press(r.s.t("ui.answer.decline"))
			r.wait(func() bool { return r.s.at.section != sectionQuestion })
		}
		r.ended()
		r.run("secret")
		sh := r.question()
		sh.draft.SetText("/user", "lin")
		sh.draft.SetText("/password", "hunter2")
		r.s.show(r.s.at)
		s.shot("32-secret")
		r.pass(deafTime)
		r.ctrlEnter()
		s.shot("33-second-yes")
		r.pass(deafTime)
		r.server.die(errNoBrowser)
		r.wait(func() bool { return sh.q.State == mcpclient.ElicitationDead })
		s.shot("34-dead")
		r.wait(func() bool { return r.s.desk.servers[0].status.State == mcpclient.Lost })
		r.s.choose(route{section: sectionServer, id: r.s.desk.servers[0].ID})
		s.shot("35-lost")
		r.press(r.s.t("ui.server.retry"))
		r.connected()
		r.run("fails")
		r.ended()
		r.wait(func() bool { p, ok := r.s.page.(*requestPage); return ok && p.ended })
		s.shot("36-error")
	})
}

// TestShots_TypedBefore draws a question that is filled in from a request that
// failed.
func TestShots_TypedBefore(t *testing.T) {
	schema := pinForm
	shots(t, rigOptions{http: true, tools: map[string]tool{"ask": failing(&schema)}}, func(s *shooter) {
		r := s.r
		r.fails("ask")
		r.run("ask")
		r.question()
		s.shot("38-typed-before")
	})
}

// TestShots_DoubleScale draws the two question pages on a screen of twice the
// density.
func TestShots_DoubleScale(t *testing.T) {
	tools := map[string]tool{
		"form": asking(`{"k":` + formRequest("Everything, please", everyKind) + `}`),
		"link": asking(`{"k":` + urlRequest("Please sign in.", evilLink) + `}`),
	}
	shots(t, rigOptions{tools: tools, http: true}, func(s *shooter) {
		r := s.r
		r.s.win.Canvas().(interface{ SetScale(float32) }).SetScale(2)
		for _, name := range []string{"form", "link"} {
			r.run(name)
			r.question()
			s.shot("40-double-" + name)
			r.press(r.s.t("ui.answer.decline"))
			r.ended()
		}
	})
}

// TestShots_Servers draws the servers of a file, and the ways to sign in.
func TestShots_Servers(t *testing.T) {
	secrets := &memorySecrets{}
	shots(t, rigOptions{demo: true, file: importFile, secrets: secrets}, func(s *shooter) {
		r := s.r
		r.wait(func() bool { return !r.s.importing.reading })
		r.s.win.Resize(fyne.NewSize(firstSize.Width, 2*firstSize.Height))
		s.shot("50-import")
		r.s.win.Resize(firstSize)
		address := r.guarded()
		secrets.Back()
		r.s.adding = serverSheet{draft: config.Draft{Name: "Demo.", URL: address}}
		r.s.choose(route{section: sectionAdd})
		s.shot("51-add")
		r.ctrlEnter()
		r.wait(func() bool { return len(r.s.desk.servers) == 2 && r.s.desk.servers[0].status.State == mcpclient.Lost })
		r.queue.Drain()
		s.shot("52-sign-in")
		r.press(r.s.t("ui.token.open"))
		r.typing(canary)
		s.shot("53-token")
		secrets.Away(keychain.Locked)
		r.ctrlEnter()
		r.wait(func() bool { return r.s.desk.servers[0].offer != nil })
		s.shot("54-this-run-only")
		r.press(r.s.t("ui.server.remove"))
		r.press(r.s.t("ui.server.remove_yes"))
		r.wait(func() bool { return !r.s.desk.servers[0].removing })
		s.shot("55-secrets-stay")
	})
}

// TestShots_Connection draws a connection that is lost, made again and given up,
// and what a server says on the side.
func TestShots_Connection(t *testing.T) {
	tools := map[string]tool{"a": nothing, "b": nothing, "c": nothing}
	shots(t, rigOptions{tools: tools, legacy: true}, func(s *shooter) {
		r := s.r
		v := r.atServer()
		info := *v.status.Info
		info.Plain = true
		connected := &mcpclient.Status{State: mcpclient.Connected, Info: &info}
		r.told(mcpclient.Event{ServerID: v.ID, Connection: connected})
		s.shot("60-connected-plain")
		for _, n := range []mcpclient.Notice{
			{Kind: wire.NoticeStderr, Detail: "starting travel desk 2.1"},
			{Kind: wire.NoticeStray, Text: i18n.M("core.notice.stray"), Detail: "Listening on 3000", Count: 1},
			{Kind: wire.NoticeStray, Text: i18n.M("core.notice.stray"), Detail: "GET /health 200", Count: 41},
			{Kind: wire.NoticeStderr, Detail: "ENOSPC: no space left on device, write '/var/lib/travel/queue.db'"},
		} {
			r.told(mcpclient.Event{ServerID: v.ID, Notice: &n})
		}
		r.told(mcpclient.Event{ServerID: v.ID, Log: &mcpclient.Log{Level: "warning", Logger: "db", Data: json.RawMessage(`"write failed"`)}})
		s.shot("61-said")
		r.told(mcpclient.Event{ServerID: v.ID, Connection: &mcpclient.Status{State: mcpclient.Reconnecting,
			Failure: &mcpclient.Failure{Kind: mcpclient.FailLost, Text: i18n.M("core.fail.session")}}})
		s.shot("62-new-session")
		ended := &mcpclient.Failure{Kind: mcpclient.FailLost, Text: i18n.M("client.transport.exit.code", "Program", "travel", "Code", 1)}
		r.told(mcpclient.Event{ServerID: v.ID, Connection: &mcpclient.Status{State: mcpclient.Reconnecting, Failure: ended,
			Attempt: 3, Attempts: 5, Next: r.clock.Now().Add(4 * time.Second)}})
		s.shot("63-reconnecting")
		r.told(mcpclient.Event{ServerID: v.ID, Connection: &mcpclient.Status{State: mcpclient.Lost, Failure: ended, Attempts: 5}})
		s.shot("64-gave-up")
		r.told(mcpclient.Event{ServerID: v.ID, Connection: connected})
		c := r.callOf(v, mcpclient.Call{State: mcpclient.CallPausing, Round: 1})
		r.atCall(c)
		c.Round = 5
		r.told(mcpclient.Event{CallID: c.ID, Call: &c})
		r.pass(time.Minute)
		s.shot("65-still-working")
		c.State, c.Failure = mcpclient.CallFailed, &mcpclient.Failure{Kind: mcpclient.FailLost, Text: i18n.M("core.fail.unrepeated")}
		r.told(mcpclient.Event{CallID: c.ID, Call: &c})
		s.shot("66-unrepeated")
		c.State, c.Failure, c.Kept = mcpclient.CallDone, nil, r.clock.Now().Add(-time.Minute)
		c.Result = json.RawMessage(`{"content":[{"type":"text","text":"Three seats are left."}]}`)
		r.told(mcpclient.Event{CallID: c.ID, Call: &c})
		r.wait(func() bool { return strings.Contains(r.text(), "Three seats") })
		s.shot("67-kept")
	})
}

// TestShots_ChangedTool draws a form that the server changes while it is filled
// in, and one whose server is lost.
func TestShots_ChangedTool(t *testing.T) {
	shots(t, rigOptions{tools: map[string]tool{"a": nothing}, legacy: true}, func(s *shooter) {
		r := s.r
		v := r.s.desk.servers[0]
		r.server.mu.Lock()
		r.server.schema = nameForm
		r.server.mu.Unlock()
		r.s.relist(v)
		r.relisted(v, 2)
		r.s.choose(route{section: sectionTool, id: v.ID, name: "a"})
		r.wait(func() bool { p, ok := r.s.page.(*runPage); return ok && p.ready() })
		r.typing("李小龙")
		r.refresh(v, func() { r.server.schema = otherForm })
		s.shot("70-changed")
		r.press(r.s.t("ui.run.use_new"))
		r.wait(func() bool { p := r.s.page.(*runPage); return p.ready() && p.sheet().before != nil })
		s.shot("71-new-form")
		r.server.die(errNoBrowser)
		r.wait(func() bool { return v.status.State == mcpclient.Lost })
		s.shot("72-not-connected")
	})
}
