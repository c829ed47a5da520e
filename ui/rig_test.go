package ui

import (
	"context"
	"errors"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"parley/consent"
	"parley/mcpclient"
	"parley/mcpclient/auth"
	"parley/mcpclient/config"
	"parley/mcpclient/demo"
	"parley/mcpclient/stdio"
	"parley/mcpclient/wire"
	"parley/ui/kit"
	"parley/ui/kit/kittest"
)

// rig is the whole window on Fyne's test driver, with the real client behind
// it. Work for Fyne's thread waits in a queue that the test empties, and time
// stands still until the test moves it.
type rig struct {
	t      testing.TB
	app    fyne.App
	s      *shell
	queue  *kittest.Queue
	clock  *testClock
	opener *recordingOpener
	client *mcpclient.Client
	store  *config.Store
	server *memoryServer
	// secrets is the keychain.
	secrets *memorySecrets
	// demoEnded gets the end of the demo server; nil if none was started.
	demoEnded chan error
	// endOnce ends the app.
	endOnce sync.Once
	heardMu sync.Mutex
	heard   []auth.Event // from package auth
	end     func()
	// runs counts the calls that run started.
	runs int
	// closed tells that the window was.
	closed bool
}

// rigOptions say what stands behind the window.
type rigOptions struct {
	settings config.Settings
	tools    map[string]tool   // of a server in memory
	legacy   bool              // that server is of 2025-11-25
	as       *mcpclient.Server // what that server is set up as; nil for testServer
	http     bool              // that server counts as one at an address
	revive   bool              // connections that end are made again
	mute     bool              // that server answers nothing
	demo     bool              // the real demo server over loopback
	fails    string            // a method that server answers with a JSON-RPC error
	secrets  *memorySecrets    // the keychain; nil: no tokens can be entered
	place    *fakePlace        // where secrets are kept; nil: the window is not told
	file     string            // the text of a file of servers given on the command line
	says     string            // more of what that server says of itself, as JSON members
	browser  consent.Opener    // what opens links; nil: one that only remembers
	dir      string            // the folder of the config; "": one of its own
	listed   *mcpclient.Server // a server that is in the list and is really reached
	accounts *fakeAccounts     // who is signed in; nil: as secrets has it
	// dial makes the transports of the servers that lie in dir, and tells the window
	// when it has something to be waited for; nil: the real ones.
	dial func(v mcpclient.Server, tell func()) (wire.Transport, error)
	// lookUp finds the files of programs; nil: inUsrBin.
	lookUp func(context.Context, mcpclient.Server, config.Typed) (stdio.File, error)
}

// inUsrBin finds every program in /usr/bin.
func inUsrBin(_ context.Context, v mcpclient.Server, _ config.Typed) (stdio.File, error) {
	return stdio.File{Path: path.Join("/usr/bin", v.Command), Named: !strings.Contains(v.Command, "/")}, nil
}

// testServer is the server in memory as the person set it up.
var testServer = mcpclient.Server{Name: "Travel desk", Kind: mcpclient.Stdio, Command: "travel", Args: []string{"--stdio", "a b"}}

// testApp is the one app of all tests: a new one would read the fonts anew.
var testApp = sync.OnceValue(test.NewApp)

// newRig opens the window; it is closed with the test.
func newRig(t testing.TB, o rigOptions) *rig {
	t.Helper()
	r := &rig{t: t, app: testApp(), queue: &kittest.Queue{}, opener: &recordingOpener{},
		clock: &testClock{now: time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)}}
	var err error
	if o.dir == "" {
		o.dir = t.TempDir()
	}
	if r.store, err = config.Open(o.dir); err != nil {
		t.Fatal(err)
	}
	if o.settings.Language == "" {
		o.settings.Language = "en"
	}
	must(t, r.store.SetSettings(o.settings))
	client := mcpclient.Options{Name: "Parley", Version: "1", Now: r.clock.Now, Agree: r.store.Agree, Revive: o.revive}
	if o.dial != nil {
		client.Dial = func(v mcpclient.Server, _ mcpclient.DialOptions) (wire.Transport, error) {
			return o.dial(v, func() { r.queue.Do(func() {}) })
		}
	}
	if o.tools != nil {
		r.server = &memoryServer{tools: o.tools, legacy: o.legacy, fails: o.fails, mute: o.mute, says: o.says,
			heard: func() { r.queue.Do(func() {}) }} // so that a test may wait for it
		client.Dial = func(mcpclient.Server, mcpclient.DialOptions) (wire.Transport, error) { return r.server.dial(), nil }
		v := testServer
		if o.http {
			v = mcpclient.Server{Name: "Travel desk", Kind: mcpclient.HTTP, URL: "https://mcp.travel.example/mcp"}
		}
		if o.as != nil {
			v = *o.as
		}
		stored, err := r.store.Add(v)
		must(t, err)
		must(t, r.store.Allow(stored, ""))
	}
	if o.listed != nil && len(r.store.Servers()) == 0 {
		_, err := r.store.Add(*o.listed)
		must(t, err)
	}
	var accounts *auth.Accounts
	news := &SignInNews{}
	if o.secrets != nil {
		accounts = auth.New(auth.Options{Secrets: o.secrets, Changed: r.hear(news), Localizer: news.Localizer, Now: r.clock.Now})
		client.Authorizer = accounts.Authorizer
	}
	client.Fill = func(ctx context.Context, v mcpclient.Server) (mcpclient.Server, error) {
		return config.NewValues(r.secrets).Fill(ctx, v)
	}
	if r.client, err = mcpclient.New(client); err != nil {
		t.Fatal(err)
	}
	if r.secrets = o.secrets; r.secrets == nil {
		r.secrets = &memorySecrets{}
	}
	values := config.NewValues(r.secrets)
	ui := Options{Client: r.client, Store: r.store, Opener: r.opener, Version: "1.0.0", Values: values, LookUp: o.lookUp}
	if ui.LookUp == nil {
		ui.LookUp = inUsrBin
	}
	ui.Try = func(ctx context.Context, v mcpclient.Server, typed config.Typed, token, file string) (mcpclient.Trial, error) {
		try := client
		try.Agree = func(v mcpclient.Server, found string) error { return stdio.CheckFile(v.Command, file, found) }
		try.Fill = func(ctx context.Context, v mcpclient.Server) (mcpclient.Server, error) {
			return values.FillWith(ctx, v, typed)
		}
		if accounts != nil {
			try.Authorizer = accounts.Trial
		}
		if v.ID == "" {
			try.Authorizer = auth.Entered(token)
		}
		return mcpclient.Try(ctx, try, v)
	}
	if o.browser != nil {
		ui.Opener = o.browser
	}
	if o.secrets != nil {
		ui.Tokens, ui.Accounts, ui.News = testTokens{accounts, o.secrets}, accounts, news
	}
	if o.accounts != nil {
		o.accounts.news = news
		ui.Tokens, ui.Accounts, ui.News = o.accounts, o.accounts, news
	}
	if o.place != nil {
		ui.Secrets, ui.VaultPath = o.place, "/home/ann/.config/parley/secrets.age"
	}
	if o.file != "" {
		ui.File = filepath.Join(t.TempDir(), "mcp.json")
		must(t, os.WriteFile(ui.File, []byte(o.file), 0o600))
	}
	if o.demo {
		ui.Demo = r.startDemo
	}
	r.s = newShell(r.app, ui, r.queue, r.clock)
	r.s.win.SetOnClosed(func() { r.closed = true })
	r.s.begin()
	r.s.win.Show()
	r.end = func() {
		r.s.end()
		if !r.closed {
			r.s.win.Close()
		}
		if accounts != nil {
			accounts.Close()
		}
		if r.demoEnded != nil {
			must(t, <-r.demoEnded)
		}
		must(t, r.client.Close(context.Background()))
	}
	t.Cleanup(r.quit)
	return r
}

// hear passes on what package auth tells of, and keeps it.
func (r *rig) hear(news *SignInNews) func(auth.Event) {
	return func(e auth.Event) {
		r.heardMu.Lock()
		r.heard = append(r.heard, e)
		r.heardMu.Unlock()
		news.Tell(e)
	}
}

// quit ends the app before the test does.
func (r *rig) quit() { r.endOnce.Do(r.end) }

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// startDemo serves the demo server on loopback until ctx ends; the test waits
// for its end.
func (r *rig) startDemo(ctx context.Context, language string) (string, error) {
	url, ended := make(chan string, 1), make(chan error, 1)
	go func() {
		ended <- demo.Run(ctx, demo.Options{Language: language, Version: "1.0.0"}, func(u string) { url <- u })
	}()
	select {
	case u := <-url:
		r.demoEnded = ended
		return u, nil
	case err := <-ended:
		return "", err
	}
}

// wait runs the window until done; a test that waits for what never comes ends
// with its time-out.
func (r *rig) wait(done func() bool) { r.queue.Wait(done) }

// connected waits until the server's offer is on the screen.
func (r *rig) connected() *serverState {
	r.t.Helper()
	r.wait(func() bool {
		if len(r.s.desk.servers) == 0 {
			return false
		}
		v := r.s.desk.servers[0]
		return v.offer != nil && v.status.State == mcpclient.Connected
	})
	return r.s.desk.servers[0]
}

// run starts a tool from its page and waits for the request's page.
func (r *rig) run(name string) {
	r.t.Helper()
	v := r.connected()
	r.s.choose(route{section: sectionTool, id: v.ID, name: name})
	p, ok := r.s.page.(*runPage)
	if !ok {
		r.t.Fatalf("no page for the tool %s", name)
	}
	r.wait(p.ready)
	r.ctrlEnter()
	r.runs++
}

// question waits until a question has come up on the screen and is ready to be
// answered.
func (r *rig) question() *sheet {
	r.t.Helper()
	r.wait(func() bool { return r.s.at.section == sectionQuestion })
	r.pass(deafTime)
	return r.s.sheets[r.s.at.id]
}

// deafTime is the half second in which a new question takes no answer.
const deafTime = 500 * time.Millisecond

// pass lets time go by.
func (r *rig) pass(d time.Duration) {
	r.clock.advance(d)
	r.queue.Drain()
}

// key types a key where the keyboard is.
func (r *rig) key(name fyne.KeyName) {
	ev := &fyne.KeyEvent{Name: name}
	c := r.s.win.Canvas()
	if f := c.Focused(); f != nil {
		f.TypedKey(ev)
	} else if on := c.OnTypedKey(); on != nil {
		on(ev)
	}
	r.queue.Drain()
}

// tab moves the keyboard on, as the Tab key does.
func (r *rig) tab() {
	r.s.win.Canvas().FocusNext()
	r.queue.Drain()
}

// ctrlEnter types the shortcut that submits, as Fyne delivers it: to the
// focused widget if that takes shortcuts, else to the window.
func (r *rig) ctrlEnter() { r.shortcut(kit.SubmitShortcut()) }

func (r *rig) shortcut(sc fyne.Shortcut) {
	c := r.s.win.Canvas()
	if f, ok := c.Focused().(fyne.Shortcutable); ok {
		f.TypedShortcut(sc)
	} else {
		r.s.shortcut(sc)
	}
	r.queue.Drain()
}

// typing types text where the keyboard is.
func (r *rig) typing(text string) {
	r.t.Helper()
	if r.s.win.Canvas().Focused() == nil {
		r.t.Fatal("nothing has the keyboard")
	}
	for _, c := range text {
		kittest.Type(r.s.win.Canvas(), c)
	}
	r.queue.Drain()
}

// paste pastes text where the keyboard is.
func (r *rig) paste(text string) {
	r.app.Clipboard().SetContent(text)
	r.shortcut(&fyne.ShortcutPaste{Clipboard: r.app.Clipboard()})
}

// answered waits until the open question has been answered.
func (r *rig) answered(sh *sheet) mcpclient.Answer {
	r.t.Helper()
	r.wait(func() bool {
		e, _ := r.client.Elicitation(sh.q.ID)
		return e.State == mcpclient.ElicitationAnswered && !sh.busy()
	})
	e, _ := r.client.Elicitation(sh.q.ID)
	return *e.Answer
}

// ended waits for the end of the newest call that was run and returns it.
func (r *rig) ended() mcpclient.Call {
	r.t.Helper()
	r.wait(func() bool { return len(r.s.desk.calls) == r.runs && r.s.desk.calls[r.runs-1].State.Ended() })
	return r.s.desk.calls[r.runs-1].Call
}

// press presses the button with these words on the page.
func (r *rig) press(words string) {
	r.t.Helper()
	b := r.button(words)
	if b == nil {
		r.t.Fatalf("no button %q on the page", words)
	}
	b.Press()
	r.queue.Drain()
}

// click presses the button with these words with the mouse, which takes the
// keyboard from what has it.
func (r *rig) click(words string) {
	r.t.Helper()
	r.s.win.Canvas().Unfocus()
	r.press(words)
}

// button finds the button with these words on the page, nil if there is none.
func (r *rig) button(words string) *kit.Button {
	for _, o := range objectsOf(r.s.page.object()) {
		if b, ok := o.(*kit.Button); ok && b.Text() == words {
			return b
		}
	}
	return nil
}

// objectsOf returns o and all that is drawn in it and visible.
func objectsOf(o fyne.CanvasObject) []fyne.CanvasObject {
	if o == nil || !o.Visible() {
		return nil
	}
	out := []fyne.CanvasObject{o}
	switch o := o.(type) {
	case *fyne.Container:
		for _, c := range o.Objects {
			out = append(out, objectsOf(c)...)
		}
	case fyne.Widget:
		for _, c := range test.WidgetRenderer(o).Objects() {
			out = append(out, objectsOf(c)...)
		}
	}
	return out
}

// text is all text that can be seen on the page.
func (r *rig) text() string { return textOf(r.s.page.object()) }

// textOf is all text that is drawn in o and visible.
func textOf(o fyne.CanvasObject) string {
	var b strings.Builder
	for _, o := range objectsOf(o) {
		switch o := o.(type) {
		case *kit.Text:
			b.WriteString(o.String())
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// testClock is time that stands still until a test moves it.
type testClock struct {
	mu     sync.Mutex
	now    time.Time
	timers []*testTimer
}

type testTimer struct {
	at time.Time
	f  func()
}

func (c *testClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *testClock) After(d time.Duration, f func()) func() {
	c.mu.Lock()
	defer c.mu.Unlock()
	tm := &testTimer{c.now.Add(d), f}
	c.timers = append(c.timers, tm)
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.timers = slices.DeleteFunc(c.timers, func(x *testTimer) bool { return x == tm })
	}
}

// waiting is how many timers run.
func (c *testClock) waiting() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.timers)
}

// advance moves time and runs what is due.
func (c *testClock) advance(d time.Duration) {
	c.mu.Lock()
	c.now = c.now.Add(d)
	var due []*testTimer
	c.timers = slices.DeleteFunc(c.timers, func(tm *testTimer) bool {
		if tm.at.After(c.now) {
			return false
		}
		due = append(due, tm)
		return true
	})
	c.mu.Unlock()
	for _, tm := range due {
		tm.f()
	}
}

// recordingOpener is a browser that only remembers, or fails.
type recordingOpener struct {
	mu     sync.Mutex
	opened []string
	fail   error
}

var errNoBrowser = errors.New("no browser here")

func (o *recordingOpener) Open(_ context.Context, url string) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.opened = append(o.opened, url)
	return o.fail
}

func (o *recordingOpener) urls() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.opened)
}

func (o *recordingOpener) failWith(err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.fail = err
}

var _ consent.Opener = (*recordingOpener)(nil)
