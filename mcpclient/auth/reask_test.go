package auth

import (
	"context"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"parley/mcpclient"
	"parley/mcpclient/auth/authtest"
)

// TestSettingsThatAreSavedHoldAtOnce, wherever a sign-in is: it ends, its port is free,
// nothing of it is kept, and what waits is asked for anew with the settings of now.
func TestSettingsThatAreSavedHoldAtOnce(t *testing.T) {
	for name, c := range map[string]struct {
		gets     func(r *rig) (there <-chan struct{})
		state    State
		replaced Replaced
	}{
		"asked for consent": {gets: func(*rig) <-chan struct{} { return nil }, state: NeedsConsent, replaced: ReplacedQuestion},
		"preparing": {gets: func(r *rig) <-chan struct{} {
			hangs := r.hangs("register")
			go r.a.Agree(r.t.Context(), r.a.SignIns()[0].ID)
			return hangs
		}, state: Preparing, replaced: ReplacedBrowser},
		"in the browser": {gets: func(r *rig) <-chan struct{} {
			if _, err := r.a.Agree(r.t.Context(), r.a.SignIns()[0].ID); err != nil {
				r.t.Fatal(err)
			}
			return nil
		}, state: InBrowser, replaced: ReplacedBrowser},
		"exchanging": {gets: func(r *rig) <-chan struct{} {
			hangs := r.hangs("token")
			s, err := r.a.Agree(r.t.Context(), r.a.SignIns()[0].ID)
			if err != nil {
				r.t.Fatal(err)
			}
			visit(r.t, s.URL)
			return hangs
		}, state: Exchanging, replaced: ReplacedBrowser},
	} {
		t.Run(name, func(t *testing.T) {
			o := grants
			o.AnyPort = true
			o.Clients = []authtest.Client{{ID: "known", Redirects: []string{"http://127.0.0.1/callback"}}}
			r := newRig(t, o, authtest.ResourceOptions{})
			r.server.SignIn.Port = freePort(t)
			done, more := r.started(), r.started()
			first := r.state(NeedsConsent)
			for len(first.Calls) < 2 { // both have the settings of now
				first = r.state(NeedsConsent)
			}
			if there := c.gets(r); there != nil {
				<-there
			}
			if open := r.a.SignIns(); len(open) != 1 || open[0].State != c.state {
				t.Fatalf("the sign-ins are %+v, want one that is %s", open, c.state)
			}
			before := r.server
			r.server.SignIn = mcpclient.SignIn{ClientID: "known", Issuer: r.as.Issuer(), Port: freePort(t)}
			if err := r.a.SetUp(t.Context(), before, r.server, ""); err != nil {
				t.Fatal(err)
			}
			l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(before.SignIn.Port)))
			if err != nil {
				t.Fatalf("the port is not free: %v", err)
			}
			l.Close()
			if told := r.state(Failed); told.ID != first.ID || told.Text.ID != "auth.signin.changed" {
				t.Errorf("told %+v", told)
			}
			again := r.state(NeedsConsent)
			if again.ID == first.ID || again.Replaced != c.replaced {
				t.Errorf("asked anew is %+v", again)
			}
			if _, err := r.a.Agree(t.Context(), first.ID); err != ErrNoSignIn {
				t.Errorf("the old one is agreed to: %v", err)
			}
			if again, err = r.a.Agree(t.Context(), again.ID); err != nil {
				t.Fatal(err)
			}
			visit(t, again.URL)
			for _, request := range []<-chan error{done, more} {
				if err := <-request; err != nil {
					t.Errorf("a request that waited ends with %v", err)
				}
			}
			authorized := r.as.Log().Requests(r.as.Endpoint("authorize"))
			if id := authorized[len(authorized)-1].Query.Get("client_id"); id != "known" {
				t.Errorf("signed in as the client %q", id)
			}
			if who, err := r.a.Who(t.Context(), r.server); err != nil || !who.SignedIn() {
				t.Errorf("signed in as %+v, %v", who, err)
			}
		})
	}
}

// TestSettingsThatStayAsTheyAreEndNothing; a new secret does, and so does one that is
// removed.
func TestSettingsThatStayAsTheyAreEndNothing(t *testing.T) {
	o := grants
	o.AnyPort = true
	r := newRig(t, o, authtest.ResourceOptions{})
	r.server.SignIn = mcpclient.SignIn{ClientID: "app", Issuer: r.as.Issuer()}
	r.started()
	first := r.state(NeedsConsent)
	if err := r.a.SetUp(t.Context(), r.server, r.server, ""); err != nil {
		t.Fatal(err)
	}
	if open := r.a.SignIns(); len(open) != 1 || open[0].ID != first.ID {
		t.Fatalf("nothing was changed, and the sign-ins are %+v", open)
	}
	other := r.server
	other.ID = "another"
	if err := r.a.SetUp(t.Context(), other, mcpclient.Server{ID: "another", URL: other.URL, Kind: other.Kind}, ""); err != nil {
		t.Fatal(err)
	}
	if open := r.a.SignIns(); len(open) != 1 || open[0].ID != first.ID {
		t.Fatalf("another server was changed, and the sign-ins are %+v", open)
	}
	if err := r.a.SetUp(t.Context(), r.server, r.server, "s3cret"); err != nil {
		t.Fatal(err)
	}
	second := r.state(NeedsConsent)
	if err := r.a.KeepClientSecret(t.Context(), r.server, ""); err != nil {
		t.Fatal(err)
	}
	if third := r.state(NeedsConsent); third.ID == second.ID || third.Replaced != ReplacedQuestion {
		t.Errorf("without the secret it is asked for by %+v", third)
	}
}

// TestWhatIsFoundOutWithTheOldSettingsIsOfNoUse: they are saved while the server's
// authorization server is looked for, and nobody is asked by the old ones.
func TestWhatIsFoundOutWithTheOldSettingsIsOfNoUse(t *testing.T) {
	for name, old := range map[string]mcpclient.SignIn{
		"which would ask":    {},
		"which would refuse": {Issuer: "https://wrong.example"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, grants, authtest.ResourceOptions{})
			r.server.SignIn = old
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			looks, goesOn := make(chan struct{}), make(chan struct{})
			var once atomic.Bool
			r.as.Set(func(o *authtest.Options) {
				o.Intercept = func(_ http.ResponseWriter, q *http.Request) bool {
					if strings.HasPrefix(q.URL.Path, "/.well-known/oauth-authorization-server") && once.CompareAndSwap(false, true) {
						close(looks)
						<-goesOn
					}
					return false
				}
			})
			done := make(chan error, 1)
			go func() { done <- r.request(ctx) }()
			<-looks
			before := r.server
			r.server.SignIn = mcpclient.SignIn{Port: freePort(t)}
			if err := r.a.SetUp(t.Context(), before, r.server, ""); err != nil {
				t.Fatal(err)
			}
			close(goesOn)
			s, err := r.asks(done)
			if err != nil {
				t.Fatal(err)
			}
			if s, err = r.a.Agree(t.Context(), s.ID); err != nil || s.Redirect != Redirect(r.server.SignIn) {
				t.Errorf("it comes back to %s, %v", s.Redirect, err)
			}
		})
	}
}

// TestWhatWasAnsweredOtherwiseIsNotAskedAnewLater: settings by which nobody has to be
// asked answer what waits, and a sign-in that comes later stands for none.
func TestWhatWasAnsweredOtherwiseIsNotAskedAnewLater(t *testing.T) {
	o := grants
	o.AnyPort = true
	o.Clients = []authtest.Client{{ID: "robot", Secret: "s3cret", Redirects: []string{"http://127.0.0.1/callback"}}}
	r := newRig(t, o, authtest.ResourceOptions{})
	waits := r.started()
	r.state(NeedsConsent)
	person, robot := r.server, r.server
	robot.SignIn = mcpclient.SignIn{ClientID: "robot", Issuer: r.as.Issuer(), Service: true}
	if err := r.a.SetUp(t.Context(), person, robot, "s3cret"); err != nil {
		t.Fatal(err)
	}
	if err := <-waits; err != nil {
		t.Fatalf("what waited: %v", err)
	}
	if err := r.a.SetUp(t.Context(), robot, person, ""); err != nil {
		t.Fatal(err)
	}
	r.started()
	if s := r.state(NeedsConsent); s.Replaced != "" {
		t.Errorf("it stands for %q", s.Replaced)
	}
}
