//go:build linux && window

package windowtest

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"parley/mcpclient/auth/authtest"
)

// signInPlace is an MCP server that wants to know who is there, and the authorization
// server it trusts.
type signInPlace struct {
	as  *authtest.Server
	mcp *authtest.Resource
}

// newSignInPlace serves one until the test ends.
func newSignInPlace(t *testing.T) *signInPlace {
	t.Helper()
	p := &signInPlace{}
	start := func(build func(origin string) http.Handler) {
		running, err := authtest.Start(build)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := running.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	start(func(origin string) http.Handler {
		p.as = authtest.New(origin, authtest.Options{Login: authtest.Grant, Scopes: []string{"openid", "read"}}, nil)
		return p.as
	})
	start(func(origin string) http.Handler {
		p.mcp = authtest.NewResource(origin, p.as, authtest.ResourceOptions{Challenge: "openid read"})
		return p.mcp
	})
	return p
}

// asked is how often a path of the authorization server was asked.
func (p *signInPlace) asked(path string) int { return len(p.as.Log().Requests(path)) }

// authorized reports whether the MCP server has answered a request with the method
// for somebody who is signed in.
func (p *signInPlace) authorized(method string) bool {
	return slices.ContainsFunc(p.as.Log().Requests("/mcp"), func(r authtest.Request) bool {
		return r.Status == http.StatusOK && r.Header.Get("Authorization") != "" && strings.Contains(string(r.Body), `"`+method+`"`)
	})
}

// TestSignIn signs in in the real window, by the keyboard alone: a server asks who is
// there, its sign-in page is consented to, the browser comes back, and a tool says
// for whom it works. The browser is a stand-in that keeps the address it is given; the
// test then goes there, as a browser does, and is led back to the app.
func TestSignIn(t *testing.T) {
	for _, c := range []struct {
		name string
		env  []string
	}{
		{"signin-english-light", []string{"LANG=en_US.UTF-8", "FYNE_THEME=light"}},
		{"signin-chinese-dark", []string{"LANG=zh_CN.UTF-8", "LANGUAGE=zh_CN", "FYNE_THEME=dark"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newSignInPlace(t)
			d := StartDisplay(t)
			home := homeWith(t, map[string]any{"Notes": map[string]any{"type": "http", "url": p.mcp.URL()}})
			v := &tour{t: t, d: d, name: c.name}
			v.app = d.StartParley(Options{Env: c.env, Home: home})
			v.window = d.WaitWindow("Parley")
			v.questions(1)
			d.Key("ctrl+1") // the one question is the sign-in
			d.Settle()
			v.picture("asked")
			if n := p.asked("/authorize") + p.asked("/register"); n != 0 {
				t.Fatalf("before anybody agreed the server was asked %d times for more than metadata", n)
			}
			d.Key("Tab", "Tab", "Tab") // Cancel, Decide later, Sign in
			d.Key("Return", "KP_Enter", "ctrl+Return")
			d.Settle()
			if opened := d.Browser.Opened(); len(opened) != 0 {
				t.Fatalf("Enter opened %q", opened)
			}
			d.Key("space")
			opened := d.Browser.Wait(1)
			address := opened[0]
			if len(address) != 1 || !strings.HasPrefix(address[0], p.as.Issuer()+"/authorize?") || !strings.Contains(address[0], "code_challenge_method=S256") {
				t.Fatalf("the browser was started with %q", opened)
			}
			v.questions(0)
			v.picture("waiting")
			d.Key("space", "space") // no button that was there before acts
			d.Settle()
			if again := d.Browser.Opened(); !slices.EqualFunc(again, opened, slices.Equal[[]string]) {
				t.Fatalf("the browser was started again: %q", again)
			}
			resp, err := http.Get(address[0]) // as the browser does, back to the app
			if err != nil {
				t.Fatal(err)
			}
			resp.Body.Close()
			if resp.StatusCode != http.StatusOK || !strings.HasPrefix(resp.Request.URL.Host, "127.0.0.1:") || resp.Request.URL.Path != "/callback" {
				t.Fatalf("the browser ends at %s with %s", resp.Request.URL.Redacted(), resp.Status)
			}
			d.waitFor("the token to be asked for", func() bool { return p.asked("/token") == 1 })
			d.waitFor("the app to use it", func() bool { return p.authorized("tools/list") })
			d.Settle()
			v.picture("signed-in")
			d.Key("ctrl+3", "Return") // its only tool
			d.Settle()
			d.Key("ctrl+Return")
			d.waitFor("the tool to be run", func() bool { return p.authorized("tools/call") })
			d.Settle()
			v.picture("run")
			if n := p.asked("/authorize"); n != 1 {
				t.Errorf("the sign-in page was asked for %d times", n)
			}
			said := v.app.Output()
			for _, secret := range p.as.Log().Secrets() {
				if strings.Contains(said, secret.Value) {
					t.Errorf("the app printed the %s", secret.Kind)
				}
			}
			d.Key("alt+F4")
			if code := v.app.Wait(); code != 0 {
				t.Errorf("closing the window ended the app with code %d:\n%s", code, v.app.Output())
			}
		})
	}
}
