package auth

import (
	"net"
	"net/url"
	"strings"
	"testing"
	"time"

	"parley/mcpclient"
	"parley/mcpclient/auth/authtest"
)

func TestASetupIsWhatWasEntered(t *testing.T) {
	before := mcpclient.SignIn{Path: "/old", ClientID: "old", Port: 1}
	typed := Setup{ClientID: " app \n", Secret: "s3", Issuer: " https://login.example/tenant ", Port: " 8085 ", Host: "localhost", Path: " back/here ", ClientMetadata: " https://corp.example/parley.json"}
	want := mcpclient.SignIn{Path: "/back/here", ClientID: "app", Issuer: "https://login.example/tenant", Port: 8085, Host: "localhost", ClientMetadata: "https://corp.example/parley.json"}
	got, fault := typed.Apply(mcpclient.Server{SignIn: before})
	if fault != nil || got != want {
		t.Errorf("entered is %+v, %v; want %+v", got, fault, want)
	}
	if again, fault := SetupOf(want).Apply(mcpclient.Server{SignIn: want}); fault != nil || again != want {
		t.Errorf("what is set up reads back as %+v, %v", again, fault)
	}
	if none, fault := (Setup{}).Apply(mcpclient.Server{}); fault != nil || none != (mcpclient.SignIn{}) {
		t.Errorf("nothing entered is %+v, %v", none, fault)
	}
}

func TestAFaultOfASetupNamesItsField(t *testing.T) {
	for name, c := range map[string]struct {
		typed Setup
		field string
	}{
		"a secret of nobody":              {Setup{Secret: "s"}, SetupClientID},
		"a service without an id":         {Setup{Service: true}, SetupClientID},
		"a secret of two lines":           {Setup{ClientID: "a", Secret: "b\nc"}, SetupSecret},
		"an issuer that is no address":    {Setup{Issuer: "login"}, SetupIssuer},
		"an issuer without encryption":    {Setup{Issuer: "http://login.example"}, SetupIssuer},
		"an issuer with a query":          {Setup{Issuer: "https://login.example/?a=b"}, SetupIssuer},
		"an issuer with a password":       {Setup{Issuer: "https://a:b@login.example/"}, SetupIssuer},
		"an issuer by another scheme":     {Setup{Issuer: "ftp://login.example", Intranet: true}, SetupIssuer},
		"a port that is no number":        {Setup{Port: "x"}, SetupPort},
		"port 0":                          {Setup{Port: "0"}, SetupPort},
		"a port past the last":            {Setup{Port: "65536"}, SetupPort},
		"a port before the first":         {Setup{Port: "-1"}, SetupPort},
		"a path with a query":             {Setup{Path: "/back?a=b"}, SetupPath},
		"a path with a fragment":          {Setup{Path: "/back#a"}, SetupPath},
		"a path with a space":             {Setup{Path: "/my back"}, SetupPath},
		"a path with an escape":           {Setup{Path: "/%62ack"}, SetupPath},
		"a path that a browser resolves":  {Setup{Path: "/a/../back"}, SetupPath},
		"a path beyond ASCII":             {Setup{Path: "/zurück"}, SetupPath},
		"a path with a backslash":         {Setup{Path: `/a\b`}, SetupPath},
		"a whole address":                 {Setup{Path: "http://127.0.0.1/ca ll"}, SetupPath},
		"a secret of nobody knows whom":   {Setup{ClientID: "a", Secret: "s"}, SetupIssuer},
		"a service of nobody knows whom":  {Setup{ClientID: "a", Service: true}, SetupIssuer},
		"a document without encryption":   {Setup{ClientMetadata: "http://a.example/c.json"}, SetupMetadata},
		"a document without a path":       {Setup{ClientMetadata: "https://a.example/"}, SetupMetadata},
		"a document without a host":       {Setup{ClientMetadata: "https:///c.json"}, SetupMetadata},
		"a document with a fragment":      {Setup{ClientMetadata: "https://a.example/c.json#a"}, SetupMetadata},
		"a document with a password":      {Setup{ClientMetadata: "https://a:b@a.example/c.json"}, SetupMetadata},
		"a document by a path with dots":  {Setup{ClientMetadata: "https://a.example/b/../c.json"}, SetupMetadata},
		"a document with a space":         {Setup{ClientMetadata: "https://a.example/c .json"}, SetupMetadata},
		"the id is not there, issuer too": {Setup{Secret: "s", Issuer: "x"}, SetupClientID},
		"an id that is too long":          {Setup{ClientID: strings.Repeat("é", longestSetup+1)}, SetupClientID},
		"a secret that is too long":       {Setup{Secret: strings.Repeat("s", longestSetup+1)}, SetupSecret},
		"an issuer that is too long":      {Setup{Issuer: "https://a.example/" + strings.Repeat("s", longestSetup)}, SetupIssuer},
		"a document that is too long":     {Setup{ClientMetadata: "https://a.example/" + strings.Repeat("s", longestSetup)}, SetupMetadata},
		"a path that is too long":         {Setup{Path: strings.Repeat("s", longestSetup+1)}, SetupPath},
	} {
		got, fault := c.typed.Apply(mcpclient.Server{SignIn: mcpclient.SignIn{ClientID: "kept"}})
		if fault == nil || fault.Field != c.field || fault.Sentence().IsZero() || got.ClientID != "kept" {
			t.Errorf("%s: %+v, %+v", name, got, fault)
		}
	}
}

// TestAnIssuerThatIsEnteredIsOneThatSigningInMayReach, by the rules for what metadata
// name: on this computer it does for a server there, by http too; what the tick for an
// own network lets through is refused by its name.
func TestAnIssuerThatIsEnteredIsOneThatSigningInMayReach(t *testing.T) {
	const here, away = "http://127.0.0.1:7701/mcp", "https://mcp.example/mcp"
	const near, plain, none = "auth.setup.issuer.private", "auth.setup.issuer.plain", "auth.setup.issuer"
	for _, c := range []struct{ server, issuer, without, with string }{
		{here, "http://127.0.0.1:7801", "", ""},
		{here, "http://localhost:7801/tenant", "", ""},
		{here, "http://[::1]:7801", "", ""},
		{here, "https://127.0.0.1:7801", "", ""},
		{here, "https://login.example", "", ""},
		{here, "http://login.example", plain, ""},
		{here, "http://192.168.7.7", near, ""},
		{away, "http://127.0.0.1:7801", near, ""},
		{away, "https://localhost", near, ""},
		{away, "https://10.0.0.1", near, ""},
		{away, "http://login.corp", plain, ""},
		{away, "http://8.8.8.8", plain, none},
		{away, "http://169.254.169.254", "auth.signin.address.reserved", "auth.signin.address.reserved"},
		{away, "https://login.example/?", none, none},
		{away, "https://login.example/a b", none, none},
		{away, "ftp://login.example", none, none},
		{"not an address", "https://login.example", "", ""},
		{"not an address", "http://127.0.0.1", near, ""},
	} {
		for _, intranet := range []bool{false, true} {
			want := c.without
			if intranet {
				want = c.with
			}
			typed := Setup{ClientID: "app", Secret: "s", Issuer: c.issuer, Intranet: intranet}
			_, fault := typed.Apply(mcpclient.Server{Kind: mcpclient.HTTP, URL: c.server})
			switch {
			case fault == nil && want != "", fault != nil && (fault.Field != SetupIssuer || fault.Sentence().ID != want):
				t.Errorf("%s for %s, own network %v: %v, want %q", c.issuer, c.server, intranet, fault, want)
			case want == near || want == plain:
				if !strings.Contains(fault.Error(), "tick “Allow signing in at addresses of my own network") {
					t.Errorf("%s: the tick is not named: %s", c.issuer, fault.Error())
				}
			}
		}
	}
}

// TestTheAddressToRegisterIsTheOneThatIsListenedTo, to the letter where the port is
// fixed, and without it else.
func TestTheAddressToRegisterIsTheOneThatIsListenedTo(t *testing.T) {
	for _, typed := range []Setup{{}, {Host: "localhost"}, {Path: "/a//b;c=d"}, {Path: "back", Port: "fixed"}, {Host: "localhost", Path: "/", Port: "fixed"}} {
		d, err := openDoor(mcpclient.SignIn{Host: typed.Host}, 0)
		if err != nil {
			t.Fatal(err)
		}
		_, port, err := net.SplitHostPort(d.host)
		d.close()
		if err != nil {
			t.Fatal(err)
		}
		fixed := typed.Port != ""
		if fixed {
			typed.Port = port
		}
		setup, fault := typed.Apply(mcpclient.Server{})
		if fault != nil {
			t.Fatal(fault)
		}
		told, ok := typed.Redirect()
		if told != Redirect(setup) || !ok {
			t.Errorf("%+v: told is %q before it is stored and %q after", typed, told, Redirect(setup))
		}
		if d, err = openDoor(setup, setup.Port); err != nil {
			t.Fatal(err)
		}
		d.close()
		want := d.redirect
		if !fixed {
			u, err := url.Parse(want)
			if err != nil {
				t.Fatal(err)
			}
			want = "http://" + u.Hostname() + u.EscapedPath()
		}
		if told != want {
			t.Errorf("%+v: to register is %q, listened to is %q", typed, told, d.redirect)
		}
	}
	if told := Redirect(mcpclient.SignIn{Host: "::1"}); told != "http://[::1]/callback" {
		t.Errorf("of IPv6 it is %q", told)
	}
	for _, typed := range []Setup{{Port: "x"}, {Path: "a b"}} {
		if told, ok := typed.Redirect(); ok || told != "" {
			t.Errorf("%+v: to register is %q", typed, told)
		}
	}
}

// What a person changed in the setup holds at once: nobody is signed in any more in
// the way that they gave up, and a change that is undone costs nothing.
func TestASessionThatDoesNotFitTheSetupIsNotUsed(t *testing.T) {
	k := &clock{}
	o := grants
	o.Now = k.now
	o.Clients = []authtest.Client{{ID: "robot", Secret: "pw"}}
	r := newRig(t, o, authtest.ResourceOptions{})
	for _, run := range []string{"in the same run", "after a restart"} {
		r.restart(Options{Now: k.now})
		service := mcpclient.SignIn{ClientID: "robot", Issuer: r.as.Issuer(), Service: true}
		r.server.SignIn = service
		if err := r.a.KeepClientSecret(t.Context(), r.server, "pw"); err != nil {
			t.Fatal(err)
		}
		if err := r.request(t.Context()); err != nil {
			t.Fatal(err)
		}
		if run == "after a restart" {
			r.restart(Options{Now: k.now})
		}
		before := len(r.as.Log().Requests(r.as.Endpoint("token")))
		r.server.SignIn = mcpclient.SignIn{}
		if who, err := r.a.Who(t.Context(), r.server); err != nil || who.SignedIn() {
			t.Errorf("%s: the app in its own name is given up, and is there: %+v, %v", run, who, err)
		}
		k.pass(2 * time.Hour)
		done := r.started()
		s, err := r.asks(done)
		if err != nil || s.Why != First {
			t.Errorf("%s: why %q, %v", run, s.Why, err)
		}
		if n := len(r.as.Log().Requests(r.as.Endpoint("token"))) - before; n != 0 {
			t.Errorf("%s: the app goes on in its own name", run)
		}
		if err := r.a.Cancel(s.ID); err != nil {
			t.Fatal(err)
		}
		<-done
		r.server.SignIn = service
		if who, err := r.a.Who(t.Context(), r.server); err != nil || !who.Service {
			t.Errorf("%s: undone: %+v, %v", run, who, err)
		}
	}
	if _, err := r.a.SignOut(t.Context(), r.server); err != nil {
		t.Fatal(err)
	}
	for _, key := range r.vault.Keys() {
		if strings.HasPrefix(key.Name, "oauth session") {
			t.Errorf("signed out, %q stays", key.Name)
		}
	}
}

// What was set aside is given back once another sign-in lies in its place, and not
// while the change may be undone. Where both are the same client's, that could end the
// new one, too.
func TestASessionThatANewSignInReplacesIsRevoked(t *testing.T) {
	for name, c := range map[string]struct {
		restarted, same bool
	}{
		"in the same run": {},
		"after a restart": {restarted: true},
		"the same client": {same: true},
	} {
		t.Run(name, func(t *testing.T) {
			o := grants
			o.AnyPort = true
			o.Clients = []authtest.Client{{ID: "known", Redirects: []string{"http://127.0.0.1/callback"}}}
			r := newRig(t, o, authtest.ResourceOptions{})
			r.signedIn()
			id := "known"
			if c.same {
				authorized := r.as.Log().Requests(r.as.Endpoint("authorize"))
				id = authorized[0].Query.Get("client_id")
			}
			tokens := func() (valid int) {
				for _, secret := range r.as.Log().Secrets() {
					if _, does := r.as.Token(secret.Value); does {
						valid++
					}
				}
				return valid
			}
			had := tokens()
			if c.restarted {
				r.restart(Options{})
				if err := r.request(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			r.server.SignIn = mcpclient.SignIn{ClientID: id, Issuer: r.as.Issuer()}
			if who, err := r.a.Who(t.Context(), r.server); err != nil || who.SignedIn() || tokens() != had {
				t.Fatalf("changed: %+v, %v, %d of %d tokens do", who, err, tokens(), had)
			}
			r.signedIn()
			r.a.work.Wait()
			want := had
			if c.same {
				want = 2 * had
			}
			if got := tokens(); had == 0 || got != want {
				t.Errorf("of twice %d tokens %d do, want %d", had, got, want)
			}
			if err := r.request(t.Context()); err != nil {
				t.Errorf("the new sign-in: %v", err)
			}
		})
	}
}

func TestWhichSessionFitsASetup(t *testing.T) {
	const issuer = "https://as.example"
	own := session{Issuer: issuer, Client: client{ID: "registered"}}
	given := session{Issuer: issuer, Client: client{ID: "given", Given: true}}
	service := session{Issuer: issuer, Client: client{ID: "given", Given: true}, Service: true}
	for name, c := range map[string]struct {
		kept  session
		setup mcpclient.SignIn
		fits  bool
	}{
		"nobody":                     {session{}, mcpclient.SignIn{ClientID: "x", Service: true}, true},
		"nothing entered":            {own, mcpclient.SignIn{Port: 80, Path: "/x", Intranet: true}, true},
		"the issuer":                 {own, mcpclient.SignIn{Issuer: issuer + "/"}, true},
		"another issuer":             {own, mcpclient.SignIn{Issuer: "https://other.example"}, false},
		"a client id now":            {own, mcpclient.SignIn{ClientID: "registered"}, false},
		"the client id":              {given, mcpclient.SignIn{ClientID: "given"}, true},
		"another client id":          {given, mcpclient.SignIn{ClientID: "other"}, false},
		"no client id any more":      {given, mcpclient.SignIn{}, false},
		"the app itself":             {service, mcpclient.SignIn{ClientID: "given", Service: true}, true},
		"the app itself no more":     {service, mcpclient.SignIn{ClientID: "given"}, false},
		"the app itself from now on": {given, mcpclient.SignIn{ClientID: "given", Service: true}, false},
	} {
		if got := c.kept.fits(c.setup); got != c.fits {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// A secret that is removed does not go on in what it was used for.
func TestARemovedClientSecretIsNotUsedAnyMore(t *testing.T) {
	k := &clock{}
	o := grants
	o.Now = k.now
	o.Clients = []authtest.Client{{ID: "robot", Secret: "pw"}}
	r := newRig(t, o, authtest.ResourceOptions{})
	r.restart(Options{Now: k.now})
	r.server.SignIn = mcpclient.SignIn{ClientID: "robot", Service: true, Issuer: r.as.Issuer()}
	if err := r.a.KeepClientSecret(t.Context(), r.server, "pw"); err != nil {
		t.Fatal(err)
	}
	if err := r.request(t.Context()); err != nil {
		t.Fatal(err)
	}
	r.restart(Options{Now: k.now})
	if err := r.a.KeepClientSecret(t.Context(), r.server, ""); err != nil {
		t.Fatal(err)
	}
	k.pass(2 * time.Hour)
	before := len(r.as.Log().Requests(r.as.Endpoint("token")))
	if err := r.request(t.Context()); sentenceOf(t, err) != "auth.signin.nosecret" {
		t.Errorf("without it: %v", err)
	}
	if n := len(r.as.Log().Requests(r.as.Endpoint("token"))) - before; n != 0 {
		t.Errorf("it was used %d times", n)
	}
	for _, key := range r.vault.Keys() {
		if strings.HasPrefix(key.Name, "oauth secret") || strings.HasPrefix(key.Name, "oauth session") {
			t.Errorf("%q stays", key.Name)
		}
	}
}
