package auth

import (
	"testing"

	"parley/mcpclient"
)

func TestASetupIsWhatWasEntered(t *testing.T) {
	before := mcpclient.SignIn{Path: "/back", ClientID: "old", Port: 1}
	typed := Setup{ClientID: " app \n", Secret: "s3", Issuer: " https://login.example/tenant ", Port: " 8085 ", Host: "localhost"}
	want := mcpclient.SignIn{Path: "/back", ClientID: "app", Issuer: "https://login.example/tenant", Port: 8085, Host: "localhost"}
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
