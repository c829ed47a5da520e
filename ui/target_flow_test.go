//go:build unix && !darwin

package ui

import (
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"fyne.io/fyne/v2"

	"parley/consent"
	"parley/ui/kit"
)

// target is the web server a link leads to: it keeps every request of any method
// and path.
type target struct {
	*httptest.Server
	mu  sync.Mutex
	got []string
	// arrived has room for what a test waits for.
	arrived chan struct{}
}

// pageSecret stands on the page, and in the cookie that the browser shows it.
const pageSecret = "third-party-canary"

func newTarget(t *testing.T) *target {
	g := &target{arrived: make(chan struct{}, 100)}
	g.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.got = append(g.got, fmt.Sprintf("%s %s by %s with %s", r.Method, r.RequestURI, r.UserAgent(), r.Header.Get("Cookie")))
		fmt.Fprintln(w, pageSecret)
		g.arrived <- struct{}{}
	}))
	t.Cleanup(g.Close)
	return g
}

func (g *target) requests() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.got)
}

// fakeBrowser puts an xdg-open alone into PATH that fetches the page once, as a
// browser would, with the person's cookie, and writes its arguments to the file.
func fakeBrowser(t *testing.T) (record string) {
	t.Helper()
	dir := t.TempDir()
	record = filepath.Join(t.TempDir(), "argv")
	script := "#!/bin/sh\n" + `printf '%s\0' "$@" > '` + record + "'\n" + `PARLEY_FETCH="$1" exec '` + os.Args[0] + "' -test.run '^TestFakeBrowser$'\n"
	must(t, os.WriteFile(filepath.Join(dir, "xdg-open"), []byte(script), 0o755))
	t.Setenv("PATH", dir)
	return record
}

// TestFakeBrowser is the program behind the fake xdg-open.
func TestFakeBrowser(t *testing.T) {
	url := os.Getenv("PARLEY_FETCH")
	if url == "" {
		t.Skip("this is a part of the tests that open links")
	}
	req, err := http.NewRequest(http.MethodGet, url, nil)
	must(t, err)
	req.Header.Set("User-Agent", "browser")
	req.AddCookie(&http.Cookie{Name: "session", Value: pageSecret})
	resp, err := http.DefaultClient.Do(req)
	must(t, err)
	defer resp.Body.Close()
	page, err := io.ReadAll(resp.Body)
	must(t, err)
	if !strings.Contains(string(page), pageSecret) {
		t.Errorf("the page reads %q", page)
	}
}

const browserRequest = "GET /authorize?state=9f2c41 by browser with session=" + pageSecret

// TestC19_C20_C26_OnlyTheBrowserReachesTheTarget counts all that reaches the page
// of a link: nothing before consent, whatever is pressed and however long it is
// looked at; exactly the browser's one request after. What the browser gets and
// gives there comes nowhere near the server that asked, the window, or the disk.
func TestC19_C20_C26_OnlyTheBrowserReachesTheTarget(t *testing.T) {
	page := newTarget(t)
	link := page.URL + "/authorize?state=9f2c41"
	record := fakeBrowser(t)
	r := newRig(t, rigOptions{tools: askLink(link), http: true, browser: consent.Browser()})
	r.run("link")
	sh := r.question()
	r.press("Copy link")
	r.s.redraw()
	r.s.choose(route{section: sectionQuestions})
	r.s.choose(route{section: sectionQuestion, id: sh.q.ID})
	r.pass(10 * deafTime)
	if got := page.requests(); len(got) != 0 {
		t.Fatalf("before consent the target got %q", got)
	}
	r.press("Open 127.0.0.1")
	r.answered(sh)
	r.ended()
	<-page.arrived // a browser may take its time
	if got := page.requests(); !slices.Equal(got, []string{browserRequest}) {
		t.Errorf("after consent the target got %q", got)
	}
	if argv, err := os.ReadFile(record); err != nil || string(argv) != link+"\x00" {
		t.Errorf("xdg-open got %q, %v; shown was %q", argv, err, link)
	}
	for _, m := range r.server.requests("tools/call") {
		if strings.Contains(string(m.Params), pageSecret) {
			t.Errorf("the server got the page's secret: %s", m.Params)
		}
	}
	r.s.choose(route{section: sectionRequests})
	if strings.Contains(r.text(), pageSecret) {
		t.Error("the window shows the page's secret")
	}
	noFileHolds(t, r.store.Dir(), pageSecret, "9f2c41", "authorize")
}

// TestC12_C19_NoAnswerButOpenReachesTheTarget: nor do the pages of links that are
// declined, cancelled, or refused, nor icons, websites and links in a result.
func TestC12_C19_NoAnswerButOpenReachesTheTarget(t *testing.T) {
	page := newTarget(t)
	fakeBrowser(t)
	icons := `"icons":[{"src":"` + page.URL + `/icon.png","mimeType":"image/png"}]`
	tools := askLink(page.URL + "/authorize")
	tools["danger"] = asking(`{"k":` + urlRequest("Sign in", strings.Replace(page.URL, "127.0.0.1", "accounts.google.com.localhost", 1)) + `}`)
	tools["block"] = asking(`{"k":` + urlRequest("Sign in", strings.Replace(page.URL, "127.0.0.1", "0x7f.1", 1)) + `}`)
	tools["result"] = func(*memoryServer, []rawMember) json.RawMessage {
		return json.RawMessage(`{"resultType":"complete",` + icons + `,"content":[{"type":"text","text":"See ` + page.URL + `/in-text"},
			{"type":"resource_link","uri":"` + page.URL + `/resource","name":"r",` + icons + `},
			{"type":"image","data":"AAAA","mimeType":"image/png","uri":"` + page.URL + `/image"}]}`)
	}
	r := newRig(t, rigOptions{tools: tools, http: true, browser: consent.Browser(),
		says: `"websiteUrl":"` + page.URL + `/website",` + icons})
	r.connected()
	r.s.choose(route{section: sectionServer, id: r.s.desk.servers[0].ID})
	for _, name := range []string{"link", "danger", "block"} {
		for _, words := range []string{"Decline", "Cancel"} {
			r.run(name)
			sh := r.question()
			r.press(words)
			r.answered(sh)
			r.ended()
		}
	}
	r.run("result")
	r.ended()
	r.wait(func() bool { return r.button("Open link…") != nil })
	r.press("Open link…")
	r.wait(func() bool { return r.s.at.section == sectionLink })
	r.pass(deafTime)
	r.press("Copy link")
	r.press("Back")
	r.queue.Drain()
	if got := page.requests(); len(got) != 0 {
		t.Errorf("without consent the target got %q", got)
	}
}

// noFileHolds looks for words in all files below dir.
func noFileHolds(t *testing.T, dir string, words ...string) {
	t.Helper()
	files := 0
	must(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files++
		text, err := os.ReadFile(path)
		for _, word := range words {
			if strings.Contains(string(text), word) {
				t.Errorf("%s holds %q", filepath.Base(path), word)
			}
		}
		return err
	}))
	if files == 0 {
		t.Error("there are no files to look into")
	}
}

// TestOnlyTheSiteIsKept of a link that was opened, with the server, across a
// restart; a later question says that it is known, and forgets it when the server
// is at another address.
func TestOnlyTheSiteIsKept(t *testing.T) {
	r, sh := linkRig(t, goodLink)
	if text := r.text(); !strings.Contains(text, "You have never opened it from here.") {
		t.Errorf("the first time the page reads:\n%s", text)
	}
	r.press("Open calendar.example")
	r.answered(sh)
	r.ended()
	r.run("link")
	r.question()
	if text := r.text(); !strings.Contains(text, "You have opened it from here before.") {
		t.Errorf("the second time the page reads:\n%s", text)
	}
	v := r.s.desk.servers[0].Server
	done := make(chan struct{})
	r.s.background(func() { close(done) }, nil)
	<-done // after what keeps the site
	if got := r.store.Opened(v); !slices.Equal(got, []string{"calendar.example"}) {
		t.Errorf("kept is %q", got)
	}
	noFileHolds(t, r.store.Dir(), "connect.calendar.example", "authorize", "client_id", "9f2c41")
	moved := r.s.desk.servers[0]
	was := moved.identity()
	by := r.s.asker(was, v.ID)
	moved.URL = "https://elsewhere.example/mcp"
	if again := r.s.asker(identityOf(moved.Server), v.ID); len(by.Opened) != 1 || len(again.Opened) != 0 {
		t.Errorf("opened before: %q, and at another address %q", by.Opened, again.Opened)
	}
}

// vectors are the links of the URL policy that may be opened.
func openVectors(t *testing.T) (urls []string) {
	t.Helper()
	file, err := os.ReadFile("../consent/testdata/url_vectors.jsonl")
	must(t, err)
	for line := range strings.Lines(string(file)) {
		var v struct{ URL, Expect string }
		must(t, json.Unmarshal([]byte(line), &v))
		if v.Expect != "block" {
			urls = append(urls, v.URL)
		}
	}
	return urls
}

// TestC21_TheBrowserGetsWhatThePageShows, byte for byte and as its only argument,
// for every link of the URL policy that may be opened.
func TestC21_TheBrowserGetsWhatThePageShows(t *testing.T) {
	urls := openVectors(t)
	if len(urls) < 150 {
		t.Fatalf("only %d links may be opened", len(urls))
	}
	dir := t.TempDir()
	record := filepath.Join(t.TempDir(), "argv")
	must(t, os.WriteFile(filepath.Join(dir, "xdg-open"), []byte("#!/bin/sh\n"+`printf '%s\0' "$@" > '`+record+"'\n"), 0o755))
	must(t, syscall.Mkfifo(record, 0o600))
	t.Setenv("PATH", dir)
	tools := map[string]tool{}
	for i, url := range urls {
		tools[fmt.Sprintf("t%03d", i)] = asking(`{"k":` + urlRequest("Please sign in.", url) + `}`)
	}
	r := newRig(t, rigOptions{tools: tools, http: true, browser: consent.Browser()})
	for i, url := range urls {
		r.run(fmt.Sprintf("t%03d", i))
		sh := r.question()
		shown := ""
		for _, o := range objectsOf(r.s.page.object()) {
			if v, ok := o.(*kit.URLView); ok {
				shown = v.String()
			}
		}
		for n := 0; r.button(r.s.t("ui.link.rest")) != nil && n < 20; n++ {
			r.press(r.s.t("ui.link.rest"))
			r.pass(deafTime)
		}
		if sh.link.Level == consent.Danger {
			r.tick()
		}
		written := make(chan string, 1)
		go func() {
			argv, _ := os.ReadFile(record) // until the program has written
			written <- string(argv)
		}()
		r.press("Open " + shortSite(sh.link.Button))
		r.answered(sh)
		if argv := <-written; argv != shown+"\x00" || shown != sh.link.Open {
			t.Errorf("%+q: shown is %q, xdg-open got %q", url, shown, argv)
		}
		r.ended()
	}
}

// tick sets the tick on the page.
func (r *rig) tick() {
	r.t.Helper()
	for _, o := range objectsOf(r.s.page.object()) {
		if c, ok := o.(*kit.Check); ok {
			c.Tapped(&fyne.PointEvent{})
			r.pass(deafTime)
			return
		}
	}
	r.t.Fatal("no tick on the page")
}
