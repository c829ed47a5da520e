package config

import (
	"strings"
	"testing"

	"parley/mcpclient"
)

func TestWhatIsFixedAboutSigningInIsKept(t *testing.T) {
	s := open(t, withNote(`{}`))
	v := byName(t, s, "a")
	for _, want := range []mcpclient.SignIn{
		{ClientID: "x<y>", Issuer: "https://as.example", Port: 8080, Host: "localhost", Path: "/back"},
		{ClientMetadata: "https://corp.example/parley.json"}, {Intranet: true}, {ClientID: "robot", Service: true}, {Port: 65535}, {},
	} {
		v.SignIn = want
		if err := s.Update(v); err != nil {
			t.Fatal(err)
		}
		if got := byName(t, reopen(t, s.Dir()), "a").SignIn; got != want {
			t.Errorf("kept %+v, want %+v", got, want)
		}
	}
}

func TestWhatIsWrittenByHandAboutSigningInIsReadOrNamed(t *testing.T) {
	for note, want := range map[string]mcpclient.SignIn{
		`{"signIn":null}`: {},
		`{"signIn":{"clientId":"x","port":8080,"new":[1]}}`:        {ClientID: "x", Port: 8080},
		`{"signIn":{"intranet":true,"service":false,"host":null}}`: {Intranet: true},
	} {
		n := mustObject(t, note)
		got, ok := readSignIn(n)
		if !ok || got != want {
			t.Errorf("%s: %+v, %v", note, got, ok)
		}
		if writeSignIn(&n, got); string(n.encode()) != note {
			t.Errorf("%s is spelt anew: %s", note, n.encode())
		}
		got.ClientID = "y"
		if writeSignIn(&n, got); strings.Contains(note, "new") && !strings.Contains(string(n.encode()), `"new":[1]`) {
			t.Errorf("%s loses what others added: %s", note, n.encode())
		}
	}
	for _, bad := range []string{
		`{"signIn":7}`, `{"signIn":{"clientId":7}}`, `{"signIn":{"port":"8080"}}`, `{"signIn":{"port":65536}}`, `{"signIn":{"port":-1}}`,
		`{"signIn":{"host":"0.0.0.0"}}`, `{"signIn":{"intranet":"yes"}}`,
	} {
		if got, ok := readSignIn(mustObject(t, bad)); ok || got != (mcpclient.SignIn{}) {
			t.Errorf("%s is read as %+v", bad, got)
		}
	}
	problems := open(t, withNote(`{"signIn":{"port":"x"}}`)).Problems()
	if len(problems) != 1 || !strings.Contains(english.Text(problems[0]), "signIn") {
		t.Errorf("problems: %v", problems)
	}
}
