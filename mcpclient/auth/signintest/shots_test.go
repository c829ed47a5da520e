//go:build browser

package signintest

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"parley/assets/i18n"
	"parley/mcpclient/auth"
	"parley/mcpclient/auth/authtest"
)

// TestBrowserShots takes pictures of the pages that a person sees in the browser,
// in both languages, light and dark, into the folder named by PARLEY_SHOTS.
func TestBrowserShots(t *testing.T) {
	folder := os.Getenv("PARLEY_SHOTS")
	if folder == "" {
		t.Skip("PARLEY_SHOTS names no folder for pictures")
	}
	for theme, scheme := range map[string]string{"light": "1", "dark": "0"} {
		b := startChromium(t, chromedp.WindowSize(1024, 640), chromedp.Flag("blink-settings", "preferredColorScheme="+scheme))
		for _, language := range []string{"en", "zh-Hans"} {
			take := func(name string) {
				t.Helper()
				ctx, cancel := context.WithTimeout(b.tab, patience)
				defer cancel()
				picture, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
				if err == nil {
					err = os.WriteFile(filepath.Join(folder, "browser-"+name+"-"+theme+"-"+language+".png"), picture, 0o600)
				}
				if err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
			pages(t, b, language, take)
		}
	}
}

// pages shows each page there is in b and lets take have a picture of it.
func pages(t *testing.T, b *chromium, language string, take func(name string)) {
	for _, c := range []struct {
		name, button string
		o            authtest.Options
		twice        bool
	}{
		{name: "signed-in", button: "accept", o: authtest.Options{Scopes: []string{"files:read", "files:write"}}, twice: true},
		{name: "declined", button: "decline", o: authtest.Options{Reason: "The <b>owner</b> has closed this server for today."}},
		{name: "problem", button: "accept", o: authtest.Options{Iss: authtest.Wrong}},
		{name: "stranger", button: "accept", o: authtest.Options{State: authtest.Wrong}},
	} {
		c.o.Language = language
		w := newWorld(t, c.o, authtest.ResourceOptions{Challenge: "files:read files:write"})
		held := make(chan struct{})
		w.as.Set(func(o *authtest.Options) {
			o.Intercept = func(_ http.ResponseWriter, r *http.Request) bool {
				if r.URL.Path == "/token" {
					<-held
				}
				return false
			}
		})
		if c.o.Scopes == nil {
			w.mcp.Set(func(o *authtest.ResourceOptions) { o.Challenge = "" })
		}
		a := w.run(func(o *auth.Options) { o.Localizer = func() *i18n.Localizer { return i18n.New(language) } })
		attempt := a.connect()
		s := a.agrees()
		b.open(t, s.URL)
		if c.twice {
			take("sign-in")
		}
		p := b.press(t, c.button)
		take(c.name)
		if c.twice {
			b.open(t, p.address)
			take("again")
		}
		close(held)
		if c.name == "stranger" {
			if err := a.accounts.Cancel(s.ID); err != nil {
				t.Error(err)
			}
		}
		attempt.wait()
		a.end()
	}
}
