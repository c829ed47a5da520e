package signintest

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"log"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/mcpclient"
	"parley/mcpclient/auth"
	"parley/mcpclient/auth/authtest"
	"parley/mcpclient/cli"
	"parley/mcpclient/config"
	"parley/mcpclient/wire"
)

// The canaries that this test makes; those of signing in are made by the
// authorization server and the app, and written down by authtest.
const (
	theHeader      = "canary/header+1?=a b"
	theVariable    = "canary/variable+2?=a b"
	theSecret      = "canary/client+3?=a b"
	theToken       = "canary/token+4?=ab"
	theFlagHeader  = "canary/flag+5?=a b"
	theFileHeader  = "canary/file+6?=a b"
	theNote        = "canary/note+7?=a b"
	thePin         = "canary/pin+8?=a b"
	theDefault     = "canary/default+9?=a b"
	theWrongAnswer = "canary/wrong+10?=a b"
)

// guises are the ways in which a value may stand in a text: as it is, escaped in
// JSON or a URL, in hexadecimal, and in base64 at any place of a longer value.
func guises(value string) []string {
	quoted, err := json.Marshal(value)
	if err != nil {
		panic(err) // text always can
	}
	small, large := "", ""
	for _, b := range []byte(value) {
		small += fmt.Sprintf("%%%02x", b)
		large += fmt.Sprintf("%%%02X", b)
	}
	out := []string{
		value, strings.Trim(string(quoted), `"`), url.QueryEscape(value), strings.ToLower(url.QueryEscape(value)),
		url.PathEscape(value), small, large, hex.EncodeToString([]byte(value)),
	}
	for _, encoding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		for before := range 3 {
			text := encoding.EncodeToString(append(make([]byte, before), value...))
			// The letters at either end mix with what stands beside the value.
			out = append(out, text[(before*8+5)/6:len(text)-1])
		}
	}
	return out
}

func TestTheSearchFindsAValueInEveryGuise(t *testing.T) {
	for name, text := range map[string]string{
		"as it is":            "x" + theHeader + "x",
		"in JSON":             `{"a":"` + theHeader + `"}`,
		"in a query":          "?a=" + url.QueryEscape(theHeader) + "&",
		"in a path":           "/" + url.PathEscape(theHeader) + "/",
		"in hexadecimal":      hex.EncodeToString([]byte("ab" + theHeader + "c")),
		"in basic, at 1":      base64.StdEncoding.EncodeToString([]byte("a" + theHeader)),
		"in basic, at 2":      base64.StdEncoding.EncodeToString([]byte("ab" + theHeader + "c")),
		"in basic, at 3":      base64.StdEncoding.EncodeToString([]byte("a: " + theHeader + "cd")),
		"in base64 of a URL":  base64.URLEncoding.EncodeToString([]byte(theHeader + "cde")),
		"in lower-case query": "?a=" + strings.ToLower(url.QueryEscape(theHeader)),
	} {
		if !holds(text, theHeader) {
			t.Errorf("%s: not found in %s", name, text)
		}
	}
	if holds("canary/header+1 and nothing more", theHeader) {
		t.Error("something else is taken for it")
	}
}

func holds(text, value string) bool {
	return slices.ContainsFunc(guises(value), func(guise string) bool { return strings.Contains(text, guise) })
}

// attic is everything that was said or written, and by what.
type attic struct {
	mu   sync.Mutex
	said []saying
}

type saying struct {
	by, text string
	// answers tells that it may hold what was typed: a line of "parley call"
	// that its caller asked for, or an answer on its way to be sent.
	answers bool
}

func (a *attic) put(by string, what any) {
	text := fmt.Sprintf("%v\n%+v\n%#v", what, what, what)
	if raw, err := json.Marshal(what); err == nil {
		text += "\n" + string(raw)
	}
	a.add(saying{by: by, text: text})
}

func (a *attic) add(s saying) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.said = append(a.said, s)
}

// event keeps an event without the answer itself, which the window has to have.
func (a *attic) event(e mcpclient.Event) {
	if e.Elicitation != nil {
		q := *e.Elicitation
		q.Schema, q.Draft = nil, nil // the default of the server, and what was typed
		if q.Answer != nil {
			q.Answer = &mcpclient.Answer{Action: q.Answer.Action}
		}
		e.Elicitation = &q
	}
	if e.Call != nil {
		c := *e.Call
		c.Result = nil // the server's, which says the answers back
		e.Call = &c
	}
	a.put("an event", e)
}

// search wants no secret anywhere, and what was typed only where it belongs.
func (a *attic) search(t *testing.T, secrets, typed map[string]string) {
	t.Helper()
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, s := range a.said {
		for name, value := range secrets {
			if holds(s.text, value) {
				t.Errorf("%s holds %s: %.300s", s.by, name, s.text)
			}
		}
		for name, value := range typed {
			if !s.answers && holds(s.text, value) {
				t.Errorf("%s holds %s: %.300s", s.by, name, s.text)
			}
		}
	}
}

// files keeps all files below folder.
func (a *attic) files(t *testing.T, folder string) {
	t.Helper()
	n := 0
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		a.add(saying{by: "the file " + filepath.Base(path), text: path + "\n" + string(raw)})
		n++
		return err
	})
	if err != nil || n == 0 {
		t.Errorf("%d files were found: %v", n, err)
	}
}

// TestNoSecretIsWrittenOrSaidAnywhere signs in, uses and loses every kind of
// secret there is, in the app and by "parley call", and then looks for each of
// them in all that was written or said: files, traffic as the log page has it,
// events, errors, and what the command prints. What was typed is found in the
// lines elicitation, answer and result of the command alone.
func TestNoSecretIsWrittenOrSaidAnywhere(t *testing.T) {
	home := t.TempDir()
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "TMPDIR"} {
		t.Setenv(name, home)
	}
	var all attic
	var logged bytes.Buffer
	log.SetOutput(&logged)
	defer log.SetOutput(os.Stderr)

	c := newCage(t, &all, filepath.Join(home, "parley"))
	c.window(t)
	c.faults(t)
	c.commands(t)

	secrets := map[string]string{
		"a header": theHeader, "a variable": theVariable, "the client secret": theSecret, "the token that was entered": theToken,
		"a header of a flag": theFlagHeader, "a header of a file": theFileHeader,
		"an answer that was not taken": theWrongAnswer,
	}
	kinds := map[string]int{}
	for _, s := range c.as.Log().Secrets() {
		kinds[s.Kind]++
		if s.Kind != "state" { // that is in the address that is opened
			secrets[fmt.Sprintf("%s %d", s.Kind, kinds[s.Kind])] = s.Value
		}
	}
	for _, kind := range []string{"code", "verifier", "access token", "refresh token", "id token", "client secret"} {
		if kinds[kind] == 0 {
			t.Errorf("there was no %s, so nothing is known of one", kind)
		}
	}
	if !slices.ContainsFunc(c.as.Log().Requests("/token"), func(r authtest.Request) bool { return proof(r) == authtest.Basic }) {
		t.Error("the client secret was never sent, so nothing is known of it")
	}
	all.add(saying{by: "the log", text: logged.String()})
	namedInTheDocs(t, c.vault.Keys())
	all.put("the names in the keychain", c.vault.Keys())
	all.files(t, home)
	all.search(t, secrets, map[string]string{"a note that was typed": theNote, "a PIN that was typed": thePin, "a default": theDefault})
}

// cage is a world with a config folder that lists three servers: one that is
// signed in to and wants a header, one that wants a token, and a program that
// wants a variable.
type cage struct {
	*world
	all    *attic
	dir    string
	store  *config.Store
	values config.Values
	listed []mcpclient.Server
}

func newCage(t *testing.T, all *attic, dir string) *cage {
	t.Helper()
	w := newWorld(t, authtest.Options{
		Login: authtest.Grant, AnyPort: true, Scopes: []string{"openid", "more"},
		Clients: []authtest.Client{{ID: "app", Secret: theSecret, Redirects: []string{"http://127.0.0.1/callback"}}},
	}, authtest.ResourceOptions{Challenge: "openid", Behind: asking("X-Api-Key", theHeader)})
	entered := asking("Authorization", "Bearer "+theToken)
	token := start(t, func(string) http.Handler {
		return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Authorization") != "Bearer "+theToken {
				rw.WriteHeader(http.StatusUnauthorized)
				return
			}
			entered.ServeHTTP(rw, r)
		})
	})
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	store, err := config.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	c := &cage{world: w, all: all, dir: dir, store: store, values: config.NewValues(&w.vault)}
	for _, s := range []mcpclient.Server{
		{Name: "Notes", Kind: mcpclient.HTTP, URL: w.mcp.URL(), SecretHeaders: []string{"X-Api-Key"}, SignIn: mcpclient.SignIn{ClientID: "app", Issuer: w.as.Issuer()}},
		{Name: "Token", Kind: mcpclient.HTTP, URL: token + "/mcp"},
		{Name: "Program", Kind: mcpclient.Stdio, Command: program, Env: map[string]string{programVariable: "1"}, SecretEnv: []string{secretVariable}},
	} {
		signIn := s.SignIn
		s, err := store.Add(s)
		if err != nil {
			t.Fatal(err)
		}
		s.SignIn = signIn // whether or not the list keeps it
		typed := config.Typed{Env: map[string]string{secretVariable: theVariable}, Headers: map[string]string{"X-Api-Key": theHeader}}
		if err := c.values.Keep(t.Context(), mcpclient.Server{}, s, typed); err != nil {
			t.Fatal(err)
		}
		all.put("what was typed for a server", typed)
		c.listed = append(c.listed, s)
	}
	if err := store.Allow(c.listed[2], ""); err != nil {
		t.Fatal(err)
	}
	return c
}

// accounts are those of one run. They end with the test.
func (c *cage) accounts(t *testing.T, set func(*auth.Options)) *auth.Accounts {
	t.Helper()
	o := auth.Options{Secrets: &c.vault, Now: c.clock, Changed: func(e auth.Event) { c.all.put("a change of an account", e) }}
	set(&o)
	a := auth.New(o)
	t.Cleanup(a.Close)
	return a
}

// client is a client whose events and traffic are kept, with the channel of the
// calls that end. It answers every question. It ends with the test.
func (c *cage) client(t *testing.T, accounts *auth.Accounts) (*mcpclient.Client, <-chan mcpclient.Call) {
	t.Helper()
	client, err := mcpclient.New(mcpclient.Options{
		Authorizer: accounts.Authorizer, Fill: c.values.Fill, Memory: c.store,
		Tap: func(mcpclient.Server) wire.Tap {
			return func(m wire.Traffic) {
				if !bytes.Contains(m.Message, []byte(`"requestedSchema"`)) { // the default in it is the server's own word
					c.all.put("the traffic", m)
				}
				c.all.add(saying{by: "the traffic", text: string(m.Message), answers: true})
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	ended, quit := make(chan mcpclient.Call), make(chan struct{})
	client.Watch(func(e mcpclient.Event) {
		c.all.event(e)
		switch {
		case e.Elicitation != nil && e.Elicitation.State == mcpclient.ElicitationOpen:
			content := fmt.Sprintf(`{"note":%q,"pin":%q}`, theNote, thePin)
			if err := client.Answer(e.Elicitation.ID, mcpclient.Answer{Action: mcpclient.Accept, Content: json.RawMessage(content)}); err != nil {
				t.Error(err)
			}
		case e.Call != nil && e.Call.State.Ended():
			select {
			case ended <- *e.Call:
			case <-quit:
			}
		}
	})
	t.Cleanup(func() {
		close(quit)
		ctx, cancel := context.WithTimeout(context.Background(), limit)
		defer cancel()
		if err := client.Close(ctx); err != nil {
			t.Errorf("closing: %v", err)
		}
	})
	return client, ended
}

// window uses all secrets as the app does.
func (c *cage) window(t *testing.T) {
	accounts := c.accounts(t, driven)
	if err := accounts.KeepClientSecret(t.Context(), c.listed[0], theSecret); err != nil {
		t.Fatal(err)
	}
	if err := accounts.Keep(t.Context(), c.listed[1], theToken); err != nil {
		t.Fatal(err)
	}
	client, ended := c.client(t, accounts)
	for _, s := range c.listed {
		conn, err := client.Connect(t.Context(), s)
		if err != nil {
			t.Fatalf("%s: %v", s.Name, err)
		}
		c.all.put("what is known of a connection", conn.Info())
		for tool, want := range map[string]string{"ask": theNote, "armed": "true"} {
			conn.Start(mcpclient.CallRequest{Kind: mcpclient.CallTool, Name: tool})
			if got := said(t, <-ended); !strings.Contains(got, want) {
				t.Errorf("%s: %s says %q, so its secrets did not reach it", s.Name, tool, got)
			}
		}
		who, err := accounts.Who(t.Context(), s)
		c.all.put("who is signed in", who)
		if err != nil {
			t.Error(err)
		}
	}
	c.echoes(t, client, ended)
	c.pass(2 * time.Hour)
	client.Connection(c.listed[0].ID).Start(mcpclient.CallRequest{Kind: mcpclient.CallTool, Name: "armed"})
	if got := said(t, <-ended); got != "true" {
		t.Errorf("after a renewal the tool says %q", got)
	}
}

// faults loses all secrets in many ways, and keeps what is said of it.
func (c *cage) faults(t *testing.T) {
	answering := func(path string, status int, body string) func() {
		return func() {
			c.as.Set(func(o *authtest.Options) { o.Intercept = intercepting(path, status, "application/json", body) })
		}
	}
	for name, spoil := range map[string]func(){
		"the tokens are withdrawn":     func() {},
		"the sign-in is refused":       func() { c.as.Set(func(o *authtest.Options) { o.Login = authtest.Deny }) },
		"another issuer answers":       func() { c.as.Set(func(o *authtest.Options) { o.Iss = authtest.Wrong }) },
		"the token endpoint fails":     answering("/token", http.StatusInternalServerError, `{}`),
		"the token endpoint refuses":   answering("/token", http.StatusBadRequest, `{"error":"invalid_grant"}`),
		"the client is not known":      answering("/token", http.StatusUnauthorized, `{"error":"invalid_client"}`),
		"the token is not taken":       answering("/token", http.StatusOK, `{"access_token":"x","token_type":"Bearer"}`),
		"the token endpoint says back": func() { c.as.Set(func(o *authtest.Options) { o.Intercept = sayingBack("/token") }) },
		"the answer is no JSON":        answering("/token", http.StatusOK, `<p>`),
		"the metadata are of somebody": func() { c.as.Set(func(o *authtest.Options) { o.Issuer = authtest.Wrong }) },
		"the header is not there": func() {
			if err := c.values.Keep(t.Context(), c.listed[0], mcpclient.Server{ID: c.listed[0].ID, Kind: mcpclient.HTTP, URL: c.listed[0].URL}, config.Typed{}); err != nil {
				t.Error(err)
			}
		},
		"the keychain fails": func() { c.vault.Fail(&os.PathError{Op: "open", Path: "keychain", Err: os.ErrPermission}) },
	} {
		t.Run(name, func(t *testing.T) {
			c.as.Withdraw(true)
			spoil()
			accounts := c.accounts(t, driven)
			client, ended := c.client(t, accounts)
			conn, err := client.Connect(t.Context(), c.listed[0])
			c.all.put("why there is no connection", err)
			if err == nil {
				conn.Start(mcpclient.CallRequest{Kind: mcpclient.CallTool, Name: "armed"})
				if call := <-ended; call.Failure != nil {
					c.all.put("why a call failed", *call.Failure)
				}
			}
			_, err = accounts.SignOut(t.Context(), c.listed[0])
			c.all.put("why signing out failed", err)
			c.vault.Fail(nil)
			c.as.Set(func(o *authtest.Options) {
				o.Login, o.Iss, o.Issuer, o.Intercept = authtest.Grant, authtest.Right, authtest.Right, nil
			})
		})
	}
	c.unfit(t)
	typed := config.Typed{Headers: map[string]string{"X-Api-Key": theHeader}}
	if err := c.values.Keep(t.Context(), mcpclient.Server{}, c.listed[0], typed); err != nil {
		t.Fatal(err)
	}
}

// unfit uses secrets that cannot be sent, where they cannot be, and keeps what is
// said of it.
func (c *cage) unfit(t *testing.T) {
	accounts := c.accounts(t, driven)
	client, _ := c.client(t, accounts)
	keep := func(s mcpclient.Server, header string) mcpclient.Server {
		typed := config.Typed{Headers: map[string]string{"X-Api-Key": header}, Env: map[string]string{secretVariable: theVariable}}
		if err := c.values.Keep(t.Context(), mcpclient.Server{}, s, typed); err != nil {
			t.Error(err)
		}
		return s
	}
	broken, gone, elsewhere := c.listed[0], c.listed[2], c.listed[0]
	gone.Command = filepath.Join(t.TempDir(), "no-such-program")
	elsewhere.URL = nobody(t)
	for what, s := range map[string]mcpclient.Server{
		"a header that cannot be sent": keep(broken, "a\n"+theHeader),
		"a program that is not there":  keep(gone, theHeader),
		"nobody at the address":        keep(elsewhere, theHeader),
	} {
		_, err := client.Connect(t.Context(), s)
		c.all.put(what, err)
		if err == nil {
			t.Errorf("%s: connected", what)
		}
	}
	for _, token := range []string{theToken + " x", theToken + "\nx", "名" + theToken} {
		err := accounts.Keep(t.Context(), c.listed[1], token)
		c.all.put("why a token is not kept", err)
		if err == nil {
			t.Error("it is kept")
		}
	}
	plain := c.listed[1]
	plain.URL = "http://mcp.example/mcp"
	c.all.put("why a token is not kept", accounts.Keep(t.Context(), plain, theToken))
}

// commands uses all secrets by "parley call", rightly and wrongly, and keeps
// what it prints.
func (c *cage) commands(t *testing.T) {
	accounts := c.accounts(t, driven)
	client, _ := c.client(t, accounts)
	if _, err := client.Connect(t.Context(), c.listed[0]); err != nil { // as the app: the command signs nobody in
		t.Fatal(err)
	}
	secretFile := filepath.Join(t.TempDir(), "header")
	if err := os.WriteFile(secretFile, []byte(theFileHeader), 0o600); err != nil {
		t.Fatal(err)
	}
	open := start(t, func(string) http.Handler { return asking("X-Flag", theFlagHeader) })
	typed, err := json.Marshal(map[string]string{"note": theNote, "pin": thePin})
	if err != nil {
		t.Fatal(err)
	}
	wrong, err := json.Marshal(map[string]string{"note": "x", "pin": theWrongAnswer})
	if err != nil {
		t.Fatal(err)
	}
	ask := []string{"--tool", "ask", "--answer", "accept!:" + string(typed)}
	for _, run := range []struct {
		name string
		code int
		args []string
	}{
		{"signed in", 0, append([]string{"--server", "Notes"}, ask...)},
		{"with a token", 0, append([]string{"--server", "Token"}, ask...)},
		{"with a variable", 0, append([]string{"--server", "Program"}, ask...)},
		{"declined", 0, []string{"--server", "Notes", "--tool", "ask", "--answer", "decline"}},
		{"a secret without the second yes", 6, []string{"--server", "Notes", "--tool", "ask", "--answer", "accept:" + string(wrong)}},
		{"a field that is not there", 6, []string{"--server", "Notes", "--tool", "ask", "--answer", `accept!:{"other":"` + theWrongAnswer + `"}`}},
		{"an answer that is none", 2, []string{"--server", "Notes", "--tool", "ask", "--answer", `accept:{"note":"` + theWrongAnswer}},
		{"an action that is none", 2, []string{"--server", "Notes", "--tool", "ask", "--answer", theWrongAnswer}},
		{"a list", 0, []string{"--server", "Notes", "--list"}},
		{"a tool that is not there", 0, []string{"--server", "Notes", "--tool", "other"}},
		{"a header", 0, append(append([]string{"--header", "X-Flag: " + theFlagHeader}, ask...), open)},
		{"a header of a file", 0, append(append([]string{"--header", "X-Flag: @" + secretFile}, ask...), open)},
		{"a header without a name", 2, append(append([]string{"--header", theFlagHeader}, ask...), open)},
		{"a header that cannot be sent", 2, append(append([]string{"--header", "X-Flag: a\n" + theFlagHeader}, ask...), open)},
		{"nobody there", 5, append(append([]string{"--header", "X-Flag: " + theFlagHeader}, ask...), nobody(t))},
		{"an echo to who is signed in", 4, []string{"--server", "Notes", "--tool", "echo-error"}},
		{"an echo of a token", 4, []string{"--server", "Token", "--tool", "echo-stream"}},
		{"an echo of a header", 4, []string{"--header", "X-Flag: " + theFlagHeader, "--tool", "echo-refusal", open}},
		{"an echo instead of a connection", 5, []string{"--header", "X-Flag: " + theFlagHeader, "--tool", "ask", open + "?echo=error"}},
		{"a page that echoes", 5, []string{"--header", "X-Flag: " + theFlagHeader, "--tool", "ask", open + "?echo=page"}},
		{"no token", 5, append(append([]string{"--header", "Authorization: Bearer " + theFlagHeader}, ask...), c.mcp.URL())},
	} {
		t.Run(run.name, func(t *testing.T) {
			var out, errs bytes.Buffer
			args := append([]string{"call", "--config", c.dir}, run.args...)
			code := cli.Main(t.Context(), args, strings.NewReader(""), &out, &errs, cli.Options{
				Listed: func(_ *config.Store, o mcpclient.Options) mcpclient.Options {
					unattended := c.accounts(t, func(o *auth.Options) { o.Unattended = true })
					o.Authorizer, o.Fill = unattended.Authorizer, c.values.Fill
					return o
				},
			})
			if code != run.code {
				t.Errorf("exit code %d, want %d: %s%s", code, run.code, out.String(), errs.String())
			}
			c.all.add(saying{by: "standard error of " + run.name, text: errs.String()})
			for line := range strings.Lines(out.String()) {
				var event struct{ Event string }
				if err := json.Unmarshal([]byte(line), &event); err != nil {
					t.Errorf("a line is no JSON: %s", line)
				}
				c.all.add(saying{
					by: "a line " + event.Event + " of " + run.name, text: line,
					answers: slices.Contains([]string{"elicitation", "answer", "result"}, event.Event),
				})
			}
		})
	}
}

// nobody is an address at which nobody listens.
func nobody(t *testing.T) string {
	t.Helper()
	return (&url.URL{Scheme: "http", Host: localhost(freeNow(t)), Path: "/mcp"}).String()
}
