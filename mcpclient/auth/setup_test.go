package auth

import (
	"net"
	"net/url"
	"testing"

	"parley/mcpclient"
)

func TestASetupIsWhatWasEntered(t *testing.T) {
	before := mcpclient.SignIn{Path: "/old", ClientID: "old", Port: 1}
	typed := Setup{ClientID: " app \n", Secret: "s3", Issuer: " https://login.example/tenant ", Port: " 8085 ", Host: "localhost", Path: " back/here "}
	want := mcpclient.SignIn{Path: "/back/here", ClientID: "app", Issuer: "https://login.example/tenant", Port: 8085, Host: "localhost"}
	got, fault := typed.Apply(before)
	if fault != nil || got != want {
		t.Errorf("entered is %+v, %v; want %+v", got, fault, want)
	}
	if again, fault := SetupOf(want).Apply(want); fault != nil || again != want {
		t.Errorf("what is set up reads back as %+v, %v", again, fault)
	}
	if none, fault := (Setup{}).Apply(mcpclient.SignIn{}); fault != nil || none != (mcpclient.SignIn{}) {
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
		"the id is not there, issuer too": {Setup{Secret: "s", Issuer: "x"}, SetupClientID},
	} {
		got, fault := c.typed.Apply(mcpclient.SignIn{ClientID: "kept"})
		if fault == nil || fault.Field != c.field || fault.Sentence().IsZero() || got.ClientID != "kept" {
			t.Errorf("%s: %+v, %+v", name, got, fault)
		}
	}
	if _, fault := (Setup{Issuer: "http://login.corp", Intranet: true}).Apply(mcpclient.SignIn{}); fault != nil {
		t.Errorf("an issuer in the own network is refused: %v", fault)
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
		setup, fault := typed.Apply(mcpclient.SignIn{})
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
