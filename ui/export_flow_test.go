package ui

import (
	"errors"
	"strings"
	"testing"

	"parley/mcpclient"
	"parley/mcpclient/auth"
)

// TestExport_SaysWhatBecomesOfTokensAndSignIns: a token has its place in the file,
// and of what cannot be in it the page says so.
func TestExport_SaysWhatBecomesOfTokensAndSignIns(t *testing.T) {
	const place, alone, unread = `"Authorization": "Bearer ${env:LINEAR_TOKEN}"`, "the other app signs in by itself (linear).", "Parley could not read what is stored for linear."
	for what, c := range map[string]struct {
		who  auth.Account
		err  error
		want string
	}{
		"nothing":     {},
		"a token":     {who: auth.Account{Entered: true}, want: place},
		"a sign-in":   {who: auth.Account{Issuer: "https://login.example", Host: "login.example"}, want: alone},
		"locked away": {err: errors.New("locked"), want: unread},
	} {
		t.Run(what, func(t *testing.T) {
			r := newRig(t, rigOptions{accounts: &fakeAccounts{who: c.who, unread: c.err}})
			_, err := r.store.Add(mcpclient.Server{Name: "linear", Kind: mcpclient.HTTP, URL: "https://mcp.linear.example/mcp"})
			must(t, err)
			r.s.takeList(r.s.readList())
			r.s.choose(route{section: sectionExport})
			r.wait(func() bool { return r.s.export.text != "" })
			r.queue.Drain()
			text := r.text() + r.s.export.text
			for _, said := range []string{place, alone, unread} {
				if strings.Contains(text, said) != (said == c.want) {
					t.Errorf("of %q the page says otherwise:\n%s", said, text)
				}
			}
		})
	}
}
