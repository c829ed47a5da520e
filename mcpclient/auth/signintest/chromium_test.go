//go:build browser

package signintest

import (
	"context"
	"os/exec"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// patience is how long a page may take, on a machine that has other work.
const patience = time.Minute

// chromium is Debian's browser without a window, with an empty home, one tab.
type chromium struct {
	browser context.Context
	tab     context.Context
	end     context.CancelFunc
}

// chromiumProgram finds the browser, or says how to get it.
func chromiumProgram(t *testing.T) string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if program, err := exec.LookPath(name); err == nil {
			return program
		}
	}
	t.Fatal("There is no Chromium on this computer, so signing in cannot be tried in a real browser. " +
		"On Debian, .ci/deps browser installs it.")
	return ""
}

func newChromium(t *testing.T) browser { return startChromium(t) }

func startChromium(t *testing.T, more ...chromedp.ExecAllocatorOption) *chromium {
	t.Helper()
	options := append(slices.Concat(chromedp.DefaultExecAllocatorOptions[:], more),
		chromedp.ExecPath(chromiumProgram(t)),
		chromedp.UserDataDir(t.TempDir()),
		chromedp.NoSandbox, // nothing but our own pages is loaded, and tests may run as root
		chromedp.WSURLReadTimeout(patience),
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("no-proxy-server", true),
		chromedp.Env("LANG=en_US.UTF-8"),
	)
	running, stop := chromedp.NewExecAllocator(context.Background(), options...)
	c := &chromium{}
	var quit context.CancelFunc
	c.browser, quit = chromedp.NewContext(running)
	if err := chromedp.Do(c.browser); err != nil {
		stop()
		t.Fatalf("Chromium does not start: %v", err)
	}
	t.Cleanup(func() {
		if c.end != nil {
			c.end()
		}
		// The browser is asked to quit first, so that it lets go of its files.
		if err := chromedp.Cancel(c.browser); err != nil {
			t.Errorf("Chromium does not quit: %v", err)
		}
		quit()
		stop()
	})
	return c
}

// read is what a page says of itself, in the words of page.
const read = `({
	state: document.readyState,
	address: location.href,
	lang: document.documentElement.lang,
	title: document.title,
	text: document.body.innerText,
	source: document.documentElement.outerHTML,
})`

// load does what leads to another page, in the tab or a new one, and returns the
// page once it stopped loading.
func (c *chromium) load(t *testing.T, how chromedp.Action[chromedp.Void]) page {
	t.Helper()
	if c.tab == nil {
		c.tab, c.end = chromedp.NewContext(c.browser)
		// A tab ends with the context of its first action, so that has no limit.
		if err := chromedp.Do(c.tab); err != nil {
			t.Fatalf("a new tab: %v", err)
		}
	}
	ctx, cancel := context.WithTimeout(c.tab, patience)
	defer cancel()
	answer, err := chromedp.RunResponse(ctx, how)
	if err != nil {
		t.Fatalf("the page does not load: %v", err)
	}
	seen, err := chromedp.Run(ctx, chromedp.Evaluate[struct{ State, Address, Lang, Title, Text, Source string }](read))
	if err != nil {
		t.Fatalf("the page cannot be read: %v", err)
	}
	if seen.State != "complete" {
		t.Errorf("the page %q is still loading (%s)", seen.Title, seen.State)
	}
	return page{
		address: seen.Address, lang: seen.Lang, title: seen.Title, text: seen.Text, source: seen.Source,
		status: int(answer.Status),
	}
}

func (c *chromium) open(t *testing.T, address string) page {
	t.Helper()
	return c.load(t, chromedp.Navigate(address))
}

func (c *chromium) press(t *testing.T, id string) page {
	t.Helper()
	return c.load(t, chromedp.Click("#"+id))
}

func (c *chromium) closeTab(t *testing.T) {
	t.Helper()
	if c.tab == nil {
		return
	}
	if err := chromedp.Cancel(c.tab); err != nil {
		t.Errorf("the tab does not close: %v", err)
	}
	c.end()
	c.tab, c.end = nil, nil
}

// TestBrowser plays the flows in a real browser. It needs the tag browser, which
// "make browser" and "make full" set.
func TestBrowser(t *testing.T) {
	for name, play := range map[string]func(*testing.T, func(*testing.T) browser){
		"a sign-in, and none after a restart":       signsIn,
		"B97 a no in the browser":                   declines,
		"B95 a closed tab, then cancel, then again": closesTheTab,
		"B97 a wrong state":                         bringsTheWrongState,
		"B97 a callback that comes twice":           comesBackTwice,
		"an expired access token":                   renews,
		"an expired refresh token":                  signsInAgain,
		"more scopes":                               stepsUp,
	} {
		t.Run(name, func(t *testing.T) { play(t, newChromium) })
	}
}
