package ui

import (
	"fmt"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"

	"parley/assets/i18n"
	"parley/consent"
	"parley/mcpclient"
	"parley/mcpclient/config"
	"parley/ui/kit"
)

// shell is the window: the sidebar, the page that is shown, and all state the
// pages are drawn from. It lives on Fyne's thread.
type shell struct {
	surroundings
	o      Options
	app    fyne.App
	win    fyne.Window
	client *mcpclient.Client
	work   *work
	bridge *bridge
	stop   func() // ends the watching of client and secrets
	// unwatch ends the watching of the list.
	unwatch func()

	desk      desk
	demo      demoRun
	settings  config.Settings
	filed     config.Settings           // as they were last seen in the file
	sheets    map[string]*sheet         // by question
	argument  map[route]*argSheet       // forms of tools and prompts
	runs      map[string]*run           // by call: what "Run again" needs
	signIns   []*signInSheet            // oldest first
	setups    map[string]*setupSheet    // by server: what is entered about signing in
	outside   *outsideLink              // the newest link outside of a question; nil for none
	adding    serverSheet               // the page that adds a server
	edits     map[string]*serverSheet   // by server: what is changed of it
	importing importSheet               // servers of elsewhere that are offered
	export    exportSheet               // where the list is saved to
	origins   map[string][]consent.Part // by origin: its parts, site marked
	sites     map[string][]string       // by openedBy: sites opened before
	trouble   map[string]string         // by server: what could not be stored, in words
	known     map[string]bool           // the servers taken out of the list whose accounts were learnt
	secrets   secretsSheet              // what is done about the place of secrets
	asking    []string                  // the servers that wait for the system's keychain
	resuming  func()                    // ends the looking whether that place answers; nil while nothing waits for it
	saidKept  string                    // what the pages say of where secrets are kept
	parting   i18n.Message              // what is left to say of a server just removed
	gone      *serverState              // a server that is not in the list any more while its page is shown; nil for none
	dialing   dialing                   // which servers are connected to at the start

	side   *sidebar
	holder *fyne.Container // what is shown
	main   *fyne.Container // the holder, below a question of the app's own
	quit   quitBar
	note   oneNote
	// problems says what is wrong with the file of the list.
	problems problemBar
	copied   *copied // nil while no button says that it has copied
	// unkept is the notice that something is kept for this run only, drawn in
	// the language unkeptLoc.
	unkept    *fyne.Container
	unkeptLoc *i18n.Localizer
	at        route
	page      page
	// pageEnv is that of the page: its popup closes when the page goes.
	pageEnv   *kit.Env
	showing   func() // ends the wait of keepInView
	following following
	// focused tells that the window has the keyboard.
	focused bool
	closing bool
	// notify raises a notification; it only ever gets fixed words of our own,
	// since Fyne puts them into a PowerShell string on Windows.
	notify func(*fyne.Notification)
}

func newShell(a fyne.App, o Options, do kit.Dispatcher, c clock) *shell {
	s := &shell{
		showing: func() {},
		o:       o, app: a, client: o.Client,
		sheets:   map[string]*sheet{},
		argument: map[route]*argSheet{},
		runs:     map[string]*run{},
		edits:    map[string]*serverSheet{},
		origins:  map[string][]consent.Part{},
		sites:    map[string][]string{},
		trouble:  map[string]string{},
		known:    map[string]bool{},
		setups:   map[string]*setupSheet{},
		focused:  true,
		notify:   a.SendNotification,
	}
	s.do, s.clock = do, c
	s.work = newWork(do)
	s.bridge = newBridge(do, c, s.take)
	s.settings = o.Store.Settings()
	s.filed = s.settings
	s.loc = localizer(s.settings.Language, o.Languages)
	for _, v := range o.Store.Servers() {
		s.desk.servers = append(s.desk.servers, &serverState{Server: v, leave: o.Store.Leave(v)})
		s.sites[openedBy(v)] = o.Store.Opened(v)
	}
	wear(a, s.settings.Theme)
	s.win = a.NewWindow("Parley")
	s.win.SetMaster()
	s.win.Resize(firstSize)
	s.holder = container.NewStack()
	s.quit.box = kit.Column(0)
	s.unkept, s.note.box, s.problems.box = kit.Column(0), kit.Column(0), kit.Column(0)
	s.main = newPanes(kit.Column(0, s.quit.box, s.problems.box, s.unkept, s.note.box), s.holder, nil)
	s.win.SetCloseIntercept(s.askedToClose)
	s.win.SetOnDropped(s.dropped)
	s.keys()
	a.Lifecycle().SetOnEnteredForeground(func() {
		s.focused = true
		if s.resuming != nil { // the person may come from unlocking the keychain
			s.resume()
		}
	})
	a.Lifecycle().SetOnExitedForeground(func() { s.focused = false })
	return s
}

// begin draws the window and starts what runs behind it.
func (s *shell) begin() {
	unwatch, unwatchSecrets, unwatchSignIns := s.client.Watch(s.bridge.put), s.watchSecrets(), s.watchSignIns()
	s.stop = func() {
		unwatch()
		unwatchSecrets()
		unwatchSignIns()
	}
	listed := make([]mcpclient.Server, len(s.desk.servers))
	for i, v := range s.desk.servers {
		listed[i] = v.Server
	}
	s.learnOrigins(listed...)
	s.draw()
	s.saidKept = s.kept().ID
	s.findPlace()
	s.findExposed(listed)
	switch {
	case s.o.File != "":
		s.readFile(s.o.File)
		s.show(route{section: sectionImport})
	case len(s.o.Store.Problems()) > 0:
		s.show(route{section: sectionSettings}) // which tells them
	case len(s.desk.servers) > 0:
		s.show(route{section: sectionServer, id: s.desk.servers[0].ID})
	default:
		s.show(route{section: sectionQuestions})
	}
	s.startDemo()
	s.unwatch = s.watchList()
	s.connectAll()
}

// end stops everything begin started.
func (s *shell) end() {
	if s.page != nil {
		s.page.leave()
	}
	s.closing = true
	s.dropCopied()
	s.stop()
	s.unwatch()
	if s.resuming != nil {
		s.resuming()
	}
	s.bridge.stop()
	for _, v := range s.desk.servers {
		v.listing.endPause()
	}
	s.work.close()
}

// draw makes the window anew, in the language of now.
func (s *shell) draw() {
	s.side = newSidebar(s)
	s.win.SetContent(container.New(split{}, s.main, s.side.object, kit.Line()))
	s.win.SetPadded(false)
	s.retitle()
}

// redraw draws everything anew: the language changed.
func (s *shell) redraw() {
	if s.page != nil {
		s.page.leave()
	}
	s.draw()
	s.drawSecretsNotice()
	if s.o.News != nil {
		s.o.News.speak(s.loc)
	}
	s.place(s.at)
	if s.quit.asks() {
		s.askToQuit(s.lost())
	}
}

// show goes to a page; the keyboard focus goes nowhere, so that Tab begins at
// the page's first control and no key pressed for something else acts there. The
// exception is a dangerous link, see place.
func (s *shell) show(r route) {
	if s.page != nil {
		s.page.leave()
	}
	if v := s.desk.server(s.at.id); v != nil && s.at.section == sectionServer && r != s.at {
		s.settleLeft(v)
	}
	s.place(r)
}

// choose is show by the person's own choice: the page may take the keyboard.
func (s *shell) choose(r route) {
	s.show(r)
	if f := s.page.first(); f != nil {
		s.win.Canvas().Focus(f)
		s.keepInView()
	}
}

// keepInView keeps what has the keyboard in view after what stands above it has
// changed.
func (s *shell) keepInView() {
	c := s.win.Canvas()
	if o, ok := c.Focused().(fyne.CanvasObject); ok {
		s.inView(o, func() bool { return c.Focused() == o.(fyne.Focusable) })
	}
}

// bringIntoView scrolls to a part of the page that has just come up.
func (s *shell) bringIntoView(o fyne.CanvasObject) { s.inView(o, func() bool { return true }) }

// inView scrolls to o: now, and again with the next frame if it is still wanted,
// since Fyne knows the place of what is new only then.
func (s *shell) inView(o fyne.CanvasObject, wanted func() bool) {
	env := s.pageEnv
	if env == nil || env.Reveal == nil {
		return
	}
	env.Reveal.Relayout()
	env.Reveal.IntoView(o)
	s.showing()
	s.showing = s.clock.After(frameTime, func() {
		s.do.Do(func() {
			if s.pageEnv == env && wanted() {
				env.Reveal.IntoView(o)
			}
		})
	})
}

// place draws the page of r.
func (s *shell) place(r route) {
	if s.pageEnv != nil {
		s.pageEnv.ClosePopup()
	}
	s.win.Canvas().Unfocus()
	s.showing()
	s.quit.before = nil
	s.at = r
	if s.gone != nil && (!r.ofServer() || r.id != s.gone.ID || s.desk.server(r.id) != nil) {
		s.gone = nil
	}
	s.page = s.make(r)
	s.holder.Objects = []fyne.CanvasObject{s.page.object()}
	s.holder.Refresh()
	s.side.mark(r.side())
	s.pruneSignIns()
	s.drawNote()
	s.drawProblems()
	// A dangerous link has the keyboard on Cancel, whoever brought it up; what is
	// typed on there does nothing, since that button is firm.
	switch p := s.page.(type) {
	case *linkPage, *signInPage, *outsidePage:
		if f := p.first(); f != nil {
			s.win.Canvas().Focus(f)
		}
	}
	s.dialFirst(r)
}

// make draws the page of r; what is gone leads back to a list.
func (s *shell) make(r route) page {
	if s.gone != nil {
		return newGonePage(s, s.gone, r)
	}
	switch r.section {
	case sectionQuestion:
		if sh := s.sheets[r.id]; sh != nil {
			if sh.q.Mode == mcpclient.ModeURL {
				return newLinkPage(s, sh)
			}
			return newFormPage(s, sh)
		}
	case sectionSignIn:
		if sh := s.signIn(r.id); sh != nil && sh.link != nil {
			return newSignInPage(s, sh)
		}
	case sectionRequests:
		return newRequestsPage(s)
	case sectionRequest:
		if c := s.desk.call(r.id); c != nil {
			return newRequestPage(s, c)
		}
		s.at = route{section: sectionRequests}
		return newRequestsPage(s)
	case sectionServer:
		if v := s.desk.server(r.id); v != nil {
			return newServerPage(s, v)
		}
	case sectionTool, sectionPrompt, sectionResource:
		if v := s.desk.server(r.id); v != nil {
			return newRunPage(s, v, r)
		}
	case sectionLink:
		if s.outside != nil {
			return newOutsidePage(s, s.outside)
		}
	case sectionAllow:
		if v := s.desk.server(r.id); v != nil {
			return newAllowPage(s, v)
		}
	case sectionEdit:
		if v := s.desk.server(r.id); v != nil && !v.demo {
			return newEditPage(s, v)
		}
	case sectionSetup:
		if v := s.desk.server(r.id); v != nil {
			return newSetupPage(s, v)
		}
	case sectionAdd:
		return newAddPage(s)
	case sectionImport:
		return newImportPage(s)
	case sectionExport:
		return newExportPage(s)
	case sectionSettings:
		return newSettingsPage(s)
	}
	s.at = route{section: sectionQuestions}
	return newQuestionsPage(s)
}

// env is what the controls of one page share.
func (s *shell) env() *kit.Env {
	s.pageEnv = s.newEnv()
	return s.pageEnv
}

// newEnv is what the controls of a part of the window know of it.
func (s *shell) newEnv() *kit.Env {
	return &kit.Env{
		Loc:        s.loc,
		OnEscape:   s.escape,
		OnShortcut: s.shortcut,
		OnKey:      s.scroll,
		Now:        s.clock.Now,
		Do:         s.do,
	}
}

// keys makes the window's keys work while no text entry has the focus.
func (s *shell) keys() {
	c := s.win.Canvas()
	c.SetOnTypedKey(func(k *fyne.KeyEvent) {
		if k.Name == fyne.KeyEscape {
			s.escape()
			return
		}
		s.scroll(k)
	})
	use := func(sc fyne.Shortcut) { s.shortcut(sc) }
	c.AddShortcut(kit.SubmitShortcut(), use)
	c.AddShortcut(kit.SubmitWith(fyne.KeyEnter), use)
	for k := range goKeys {
		c.AddShortcut(&desktop.CustomShortcut{KeyName: k, Modifier: fyne.KeyModifierShortcutDefault}, use)
	}
	for _, k := range []fyne.KeyName{fyne.KeyN, fyne.KeyComma} {
		c.AddShortcut(&desktop.CustomShortcut{KeyName: k, Modifier: fyne.KeyModifierShortcutDefault}, use)
	}
	for k := range moveKeys {
		c.AddShortcut(&desktop.CustomShortcut{KeyName: k, Modifier: fyne.KeyModifierAlt}, use)
	}
}

// scroll scrolls the page by a key that no control has a use for.
func (s *shell) scroll(k *fyne.KeyEvent) { s.pageEnv.Scroll(k) }

// goKeys are the digits that go to the items of the sidebar.
var goKeys = map[fyne.KeyName]int{
	fyne.Key1: 0, fyne.Key2: 1, fyne.Key3: 2, fyne.Key4: 3, fyne.Key5: 4,
	fyne.Key6: 5, fyne.Key7: 6, fyne.Key8: 7, fyne.Key9: 8,
}

// shortcut carries out one of the window's own and reports whether it was one.
func (s *shell) shortcut(sc fyne.Shortcut) bool {
	if kit.IsSubmit(sc) {
		s.page.submit()
		return true
	}
	c, ok := sc.(*desktop.CustomShortcut)
	if ok && s.moves(c) {
		return true
	}
	if !ok || c.Modifier != fyne.KeyModifierShortcutDefault {
		return false
	}
	if i, ok := goKeys[c.KeyName]; ok {
		switch {
		case i == 0:
			s.goToQuestions()
		case i == 1:
			s.choose(route{section: sectionRequests})
		case i-2 < len(s.desk.servers):
			s.choose(route{section: sectionServer, id: s.desk.servers[i-2].ID})
		}
		return true
	}
	switch c.KeyName {
	case fyne.KeyN:
		s.choose(route{section: sectionAdd})
	case fyne.KeyComma:
		s.choose(route{section: sectionSettings})
	default:
		return false
	}
	return true
}

// goToQuestions shows the open question or sign-in if there is just one, else the
// list.
func (s *shell) goToQuestions() {
	if s.asked("") == 1 {
		if open := s.desk.open(""); len(open) == 1 && s.sheets[open[0].ID] != nil {
			s.choose(route{section: sectionQuestion, id: open[0].ID})
			return
		}
		for _, sh := range s.signIns {
			if sh.open() && sh.undecided() {
				s.toSignIn(sh)
				return
			}
		}
	}
	s.choose(route{section: sectionQuestions})
}

// take brings in what happened at the client.
func (s *shell) take(happened batch) {
	if s.closing {
		return
	}
	var ch changes
	for _, e := range happened.events {
		s.desk.apply(e, &ch)
	}
	s.desk.drop(happened.left, &ch)
	s.syncSheets(&ch)
	s.forgetQuestions(&ch)
	for id := range ch.servers {
		if v := s.desk.server(id); v != nil {
			s.list(v)
			s.learnAccount(v)
		}
	}
	s.tell(&ch)
	s.follow()
	s.renewDemo()
}

// tell redraws what the changes touch.
func (s *shell) tell(ch *changes) {
	s.side.update(s)
	s.retitle()
	s.renewQuitBar()
	s.drawProblems()
	s.renewNote()
	if s.page != nil {
		s.page.update(ch)
	}
}

// touchServer redraws what shows a server.
func (s *shell) touchServer(id string) {
	var ch changes
	mark(&ch.servers, id)
	s.tell(&ch)
}

// retitle counts the open questions in the window's title.
func (s *shell) retitle() {
	title := "Parley"
	if n := s.asked(""); n > 0 {
		title = fmt.Sprintf("(%d) Parley", n)
	}
	if s.win.Title() != title {
		s.win.SetTitle(title)
	}
}

// arrived decides what happens on the screen when a question is ready: it
// comes up by itself only for a person who is looking at the request it
// belongs to; everybody else sees the count and, away from the window, gets a
// notification. It never takes the keyboard.
func (s *shell) arrived(sh *sheet) {
	if !s.focused {
		s.notify(&fyne.Notification{Title: "Parley", Content: s.t("ui.notify.question")})
	}
	if !sh.open() || !s.looksAt(sh.q) {
		return
	}
	s.show(route{section: sectionQuestion, id: sh.q.ID})
}

// looksAt reports whether the person waits for q on the page they are at.
func (s *shell) looksAt(q mcpclient.Elicitation) bool {
	switch s.at.section {
	case sectionRequest:
		return q.CallID != "" && s.at.id == q.CallID
	case sectionQuestions:
		return s.asked("") == 1
	case sectionQuestion:
		at := s.sheets[s.at.id]
		return at != nil && at.waiting() && at.q.CallID != "" && at.q.CallID == q.CallID
	}
	return false
}

// afterAnswer goes on after a question was answered: to the list while others
// are open, with the focus there, else to the request it belongs to.
func (s *shell) afterAnswer(q mcpclient.Elicitation) {
	if s.asked("") > 0 || q.CallID == "" || s.desk.call(q.CallID) == nil {
		s.choose(route{section: sectionQuestions})
		return
	}
	s.show(route{section: sectionRequest, id: q.CallID})
}

// every calls f after the pauses it returns, on Fyne's thread, until it
// returns 0 or stop is called.
func (v *surroundings) every(first time.Duration, f func() time.Duration) (stop func()) {
	ended := false
	cancel := func() {}
	var arm func(time.Duration)
	arm = func(d time.Duration) {
		cancel = v.clock.After(d, func() {
			v.do.Do(func() {
				if ended {
					return
				}
				if next := f(); next > 0 && !ended {
					arm(next)
				}
			})
		})
	}
	arm(first)
	return func() {
		ended = true
		cancel()
	}
}

// background is work for the client or the list that must keep its order. What went
// wrong with the file of the list on the way is said.
func (s *shell) background(f func(), then func()) {
	s.work.queued(&s.work.orders, func() {
		f()
		s.do.Do(func() {
			if then != nil {
				then()
			}
			s.drawProblems()
		})
	})
}
