package ui

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"parley/assets/i18n"
	"parley/mcpclient"
	"parley/mcpclient/auth"
	"parley/mcpclient/keychain"
	"parley/ui/kit"
)

// askingToSignIn is a window in which a server asks for a sign-in; nothing is decided.
func askingToSignIn(t *testing.T, agree func(auth.SignIn) (auth.SignIn, error), change func(*auth.SignIn)) (*rig, *fakeAccounts, *signInSheet) {
	t.Helper()
	f := &fakeAccounts{agree: agree}
	r := newRig(t, rigOptions{tools: map[string]tool{"a": nothing}, http: true, accounts: f})
	v := r.connected()
	return r, f, f.ask(r, signInOf(v, "one", change))
}

// opening is an agreement to another address than the endpoint.
func opening(address string) func(auth.SignIn) (auth.SignIn, error) {
	return func(d auth.SignIn) (auth.SignIn, error) {
		d.State, d.URL = auth.InBrowser, address
		return d, nil
	}
}

func TestSignIn_EnterNeverOpens_AndTheButtonsAreDeafAtFirst(t *testing.T) {
	r, f, sh := askingToSignIn(t, exact, nil)
	if f := r.s.win.Canvas().Focused(); f != nil {
		t.Errorf("the page took the keyboard: %T", f)
	}
	r.s.win.Canvas().Focus(r.button(r.signInButton(sh)))
	r.key(fyne.KeyReturn)
	if sh.stage != stageAsking || sh.State != auth.NeedsConsent {
		t.Error("Enter opens")
	}
	r.s.show(r.s.at) // drawn anew
	r.press(r.signInButton(sh))
	r.key(fyne.KeyEscape)
	if sh.stage != stageAsking || len(f.dropped) > 0 {
		t.Error("the page takes an answer at once")
	}
	r.pass(deafTime)
	r.press(r.signInButton(sh))
	r.wait(func() bool { return sh.opened })
	if got := r.opener.urls(); len(got) != 1 || got[0] != sh.URL {
		t.Errorf("opened %q", got)
	}
}

func TestSignIn_DangerNeedsTheTick(t *testing.T) {
	r, _, sh := askingToSignIn(t, exact, func(d *auth.SignIn) { d.Endpoint = "https://accounts.google.com.evil.example/auth" })
	r.press(r.signInButton(sh))
	if sh.stage != stageAsking || sh.State != auth.NeedsConsent {
		t.Fatal("a dangerous page is agreed to without the tick")
	}
	for _, o := range objectsOf(r.s.page.object()) {
		if c, ok := o.(*kit.Check); ok {
			r.s.win.Canvas().Focus(c)
			r.key(fyne.KeySpace)
		}
	}
	r.pass(deafTime)
	r.press(r.signInButton(sh))
	r.wait(func() bool { return sh.opened })
	if sh.renewed || !strings.HasPrefix(r.opener.urls()[0], sh.Endpoint+"?") {
		t.Errorf("the same danger is asked about again, or opened is %q", r.opener.urls())
	}
}

func TestSignIn_ABlockedAddressHasNoWayToIt(t *testing.T) {
	r, f, sh := askingToSignIn(t, exact, func(d *auth.SignIn) { d.Endpoint = "javascript:alert(1)" })
	for _, words := range []string{r.signInButton(sh), "Copy link"} {
		if r.button(words) != nil {
			t.Errorf("there is a button %q", words)
		}
	}
	r.key(fyne.KeyEscape)
	r.wait(func() bool { return sh.State == auth.Declined })
	if len(f.dropped) != 1 || len(r.opener.urls()) != 0 {
		t.Errorf("dropped %q, opened %q", f.dropped, r.opener.urls())
	}
}

func TestSignIn_AnExactAddressThatIsGraverIsAskedAboutOnceMore(t *testing.T) {
	for name, c := range map[string]struct {
		address string
		opens   bool
	}{
		"another site":  {"https://login.other.example/authorize?state=1", true},
		"danger":        {"https://accounts.google.com.evil.example/auth?state=1", false},
		"not opened":    {"https://a:b@login.travel.example/authorize?state=1", false},
		"no web page":   {"file:///etc/passwd", false},
		"the same site": {"https://login.travel.example/authorize?state=1", true},
	} {
		t.Run(name, func(t *testing.T) {
			r, _, sh := askingToSignIn(t, opening(c.address), nil)
			r.press(r.signInButton(sh))
			if name == "the same site" {
				r.wait(func() bool { return sh.opened })
				return
			}
			r.wait(func() bool { return sh.renewed })
			r.pass(deafTime)
			if len(r.opener.urls()) != 0 || r.s.asked("") != 1 || !strings.Contains(r.text(), "not what you agreed to") {
				t.Fatalf("opened %q, %d questions; the page reads\n%s", r.opener.urls(), r.s.asked(""), r.text())
			}
			if b := r.button(r.signInButton(sh)); c.opens {
				b.Press()
				r.wait(func() bool { return sh.opened })
			} else if b != nil && b.Press() {
				t.Error("it can be opened")
			}
		})
	}
}

func TestSignIn_ComesUpOnlyForWhoWaitsForItsServer(t *testing.T) {
	f := &fakeAccounts{}
	r := newRig(t, rigOptions{tools: map[string]tool{"a": nothing}, http: true, accounts: f})
	v := r.connected()
	var told int
	r.s.notify = func(n *fyne.Notification) { told++ }
	for name, at := range map[string]route{"adding": {section: sectionAdd}, "settings": {section: sectionSettings}, "a tool": {section: sectionTool, id: v.ID, name: "a"}} {
		r.s.show(at)
		f.tell(signInOf(v, name, nil))
		r.wait(func() bool { sh := r.s.signIn(name); return sh != nil && sh.link != nil })
		r.queue.Drain()
		if r.s.at != at || r.s.asked(v.ID) != 1 {
			t.Errorf("%s: the window is at %v and counts %d", name, r.s.at, r.s.asked(v.ID))
		}
		f.tell(signInOf(v, name, func(d *auth.SignIn) { d.State = auth.Failed }))
		r.wait(func() bool { return r.s.signIn(name) == nil })
	}
	if told != 0 {
		t.Errorf("%d notifications while the window is looked at", told)
	}
	r.s.focused = false
	f.tell(signInOf(v, "away", nil))
	r.wait(func() bool { return told == 1 })
	v.token.open = true
	r.s.show(route{section: sectionServer, id: v.ID})
	f.tell(signInOf(v, "typing", nil))
	r.wait(func() bool { sh := r.s.signIn("typing"); return sh != nil && sh.link != nil })
	if r.s.at.section != sectionServer {
		t.Error("a token that is being typed is covered")
	}
}

func TestSignIn_DecidedLaterItWaitsInTheList(t *testing.T) {
	r, f, sh := askingToSignIn(t, exact, nil)
	r.press("Decide later")
	if r.s.at.section != sectionServer || len(f.dropped) != 0 || !strings.Contains(r.text(), "wants you to sign in before it goes on") {
		t.Errorf("the page reads\n%s", r.text())
	}
	r.s.show(route{section: sectionQuestions})
	if !strings.Contains(textOf(r.s.page.object()), "Sign in at login.travel.example") && len(r.s.questionRows()) != 1 {
		t.Errorf("listed are %v", r.s.questionRows())
	}
	r.s.goToQuestions()
	if r.s.at != (route{section: sectionSignIn, id: sh.ID}) {
		t.Errorf("Ctrl+1 leads to %v", r.s.at)
	}
}

func TestSignIn_WordsOfStrangersAreDrawnSafely(t *testing.T) {
	r, _, _ := askingToSignIn(t, exact, func(d *auth.SignIn) {
		d.Scopes = []string{"read\nAll is well", "\u202eevil", "\x1b[31mred"}
		d.Why, d.Issuer = auth.Moved, "https://x\u202e.example\nParley says: yes"
	})
	said := r.text()
	for _, bad := range []string{"\u202e", "\x1b", "\nAll is well", "\nParley says"} {
		if strings.Contains(said, bad) {
			t.Errorf("%q is drawn as it came:\n%s", bad, said)
		}
	}
}

func TestFailuresOfSigningInNameTheButtonThatHelps(t *testing.T) {
	f := &fakeAccounts{}
	r := newRig(t, rigOptions{tools: map[string]tool{"a": nothing}, http: true, accounts: f})
	v := r.connected()
	for id, want := range map[string]string{
		"auth.token.needed": "Access token…", "auth.token.refused": "Access token…", "auth.signin.cancelled": "Sign in",
		"auth.signin.refused": "Sign in", "auth.signin.address.private": "Allow my own network…", "auth.token.intranet": "Allow my own network…",
		"auth.signin.noclient": "Enter a client ID…", "auth.signin.moved": "Enter a client ID…", "auth.signin.nosecret": "Enter the client secret…",
		"auth.signin.port": "Change the port…", "auth.signin.timeout": "Sign in", "auth.signin.unreachable": "Sign in", "auth.signin.mixup": "Sign in",
		"auth.token.unread": "Sign in", "auth.token.unread.forbidden": "Access token…",
	} {
		r.lose(v, i18n.M(id, "Reason", keychain.Sentence(keychain.ErrNotFound)))
		if r.button(want) == nil {
			t.Errorf("%s: there is no button %q", id, want)
		}
	}
	for _, id := range []string{"auth.signin.pkce", "core.fail.closed"} {
		r.lose(v, i18n.M(id))
		if r.button("Sign in") != nil || r.button("Connect again") == nil {
			t.Errorf("%s: signing in is said to help", id)
		}
	}
}

func TestSetup_TheExceptionForAnOwnNetworkIsTheirDeed_AndStored(t *testing.T) {
	f := &fakeAccounts{}
	r := newRig(t, rigOptions{tools: map[string]tool{"a": nothing}, http: true, accounts: f})
	v := r.connected()
	r.lose(v, i18n.M("auth.signin.address.private", "Host", "login.corp.example"))
	r.press("Allow my own network…")
	if r.s.at.section != sectionSetup || v.SignIn.Intranet {
		t.Fatalf("the window is at %v", r.s.at)
	}
	check, ok := r.s.win.Canvas().Focused().(*kit.Check)
	if !ok || check.Checked() || !strings.Contains(r.text(), "Tick this only if") {
		t.Fatalf("the page reads\n%s", r.text())
	}
	r.key(fyne.KeySpace)
	r.ctrlEnter()
	r.wait(func() bool { return r.s.at.section == sectionServer })
	if !v.SignIn.Intranet || !r.store.Servers()[0].SignIn.Intranet || f.again != 1 {
		t.Errorf("kept is %+v, tried again %d times", r.store.Servers()[0].SignIn, f.again)
	}
}

func TestSetup_TheSecretGoesToTheKeychainAndIsForgottenHere(t *testing.T) {
	f := &fakeAccounts{}
	r := newRig(t, rigOptions{tools: map[string]tool{"a": nothing}, http: true, accounts: f})
	v := r.connected()
	r.s.toSetup(v, auth.SetupSecret)
	r.typing(canary)
	r.ctrlEnter()
	if !strings.Contains(r.text(), "Enter the client ID that this secret belongs to") || r.s.setups[v.ID] == nil {
		t.Errorf("the page reads\n%s", r.text())
	}
	r.typing("parley-app")
	r.ctrlEnter()
	if !strings.Contains(r.text(), "Parley sends the secret to no other") || f.secret != "" {
		t.Errorf("the page reads\n%s", r.text())
	}
	r.typing("https://login.example")
	r.ctrlEnter()
	r.wait(func() bool { return r.s.at.section == sectionServer })
	if f.secret != canary || r.store.Servers()[0].SignIn.ClientID != "parley-app" || r.s.setups[v.ID] != nil {
		t.Errorf("kept is %+v", r.store.Servers()[0].SignIn)
	}
	r.noTrace()
	if f.again != 0 {
		t.Error("a connection that stands is made anew")
	}
}

func TestToken_RemovingIsOfferedOnlyWhereOneIsKept_AndItsPlaceIsTold(t *testing.T) {
	place := &fakePlace{}
	f := &fakeAccounts{}
	r := newRig(t, rigOptions{tools: map[string]tool{"a": nothing}, http: true, accounts: f, place: place})
	v := r.connected()
	for mode, want := range map[keychain.Mode]string{keychain.Available: "this computer’s keychain", keychain.Vault: "Sent to this address only, and kept in your encrypted file.",
		keychain.VaultLocked: "in your encrypted file once you unlock it", keychain.SessionOnly: "until you quit Parley"} {
		place.mu.Lock()
		place.st = keychain.State{Mode: mode}
		place.mu.Unlock()
		r.s.show(route{section: sectionServer, id: v.ID})
		r.press("Access token…")
		if !strings.Contains(r.text(), want) || r.button("Remove the stored token") != nil {
			t.Errorf("%v: the page reads\n%s", mode, r.text())
		}
		r.key(fyne.KeyEscape)
	}
	f.news.Tell(auth.Event{ServerID: v.ID, Account: &auth.Account{Entered: true}})
	r.wait(func() bool { return v.account.Entered })
	r.press("Access token…")
	if r.button("Remove the stored token") == nil || !strings.Contains(r.text(), "An access token that you entered") {
		t.Errorf("the page reads\n%s", r.text())
	}
}

func TestAccount_SaysWhoWhereAndForHowLong(t *testing.T) {
	r := newRig(t, rigOptions{})
	now := r.clock.Now()
	for want, a := range map[string]auth.Account{
		"": {},
		"An access token that you entered says who you are.": {Entered: true},
		"An access token that you entered says who you are. A sign-in at login.example as “Ann” is kept too, and is not used while the token is.": {Entered: true, Issuer: "i", Host: "login.example", User: "Ann", Since: now},
		"Parley signs in by itself at login.example, as an app.":       {Service: true, Issuer: "i", Host: "login.example"},
		"Signed in since 12:00, renewed automatically.":                {Issuer: "i", Host: "login.example", User: "Ann", Since: now, Renews: true},
		"Signed in since 12:00, until 12:00.":                          {Issuer: "i", Host: "login.example", Since: now, Expires: now},
		"Signed in since 12:00, but this has expired.":                 {Issuer: "i", Host: "login.example", Since: now, Expires: now.Add(-1)},
		"Signed in since 12:00, for as long as the server accepts it.": {Issuer: "i", Host: "login.example", Since: now},
	} {
		sheet := accountSheet{Account: a}
		want = strings.ReplaceAll(want, "12:00", atTime(now, now))
		if m := sheet.sentence(r.s); want == "" && !m.IsZero() || want != "" && r.s.say(m) != want {
			t.Errorf("%+v is said as %q, want %q", a, r.s.say(m), want)
		}
	}
}

func TestSignIn_NeverCoversAFormThatIsBeingFilledIn(t *testing.T) {
	f := &fakeAccounts{agree: exact}
	r := newRig(t, rigOptions{tools: map[string]tool{"book": asking(`{"k":` + formRequest("Who?", nameForm) + `}`)}, http: true, accounts: f})
	v := r.connected()
	r.run("book")
	sh := r.question()
	r.tab()
	r.typing("李小龙")
	f.tell(signInOf(v, "one", func(d *auth.SignIn) { d.Why = auth.StepUp }))
	r.wait(func() bool { return r.s.asked("") == 2 })
	if r.s.at != (route{section: sectionQuestion, id: sh.q.ID}) {
		t.Fatalf("the form was left for %v", r.s.at)
	}
	r.typing("!")
	r.s.choose(route{section: sectionQuestions})
	if rows := r.s.questionRows(); len(rows) != 2 || rows[0].id != "one" {
		t.Errorf("listed are %+v", rows)
	}
	signIn := r.s.signIn("one")
	r.s.toSignIn(signIn)
	r.pass(deafTime)
	r.press(r.signInButton(signIn))
	r.wait(func() bool { return signIn.opened })
	f.tell(signInOf(v, "one", func(d *auth.SignIn) { d.State = auth.Done }))
	r.wait(func() bool { return r.s.at.section == sectionQuestions })
	r.s.choose(route{section: sectionQuestion, id: sh.q.ID})
	r.pass(deafTime)
	r.ctrlEnter()
	if got := string(r.answered(sh).Content); !strings.Contains(got, "李小龙!") {
		t.Errorf("sent is %s", got)
	}
}

func TestSignIn_AnotherLanguageLosesNothing(t *testing.T) {
	r, _, sh := askingToSignIn(t, exact, func(d *auth.SignIn) { d.Endpoint = "https://accounts.google.com.evil.example/auth" })
	sh.link.known = true
	r.s.loc = i18n.New("zh-Hans")
	r.s.redraw()
	r.pass(deafTime)
	if r.s.signIn("one") != sh || !strings.Contains(r.text(), "想先知道你是谁") {
		t.Errorf("the page reads\n%s", r.text())
	}
	r.press(r.signInButton(sh))
	r.wait(func() bool { return sh.opened })
	if got := r.s.o.News.Localizer().Tag(); got != "zh-Hans" {
		t.Errorf("the page that the browser ends on speaks %s", got)
	}
}

func TestSignIn_GoesByTheKeyboardAlone(t *testing.T) {
	r, f, sh := askingToSignIn(t, exact, nil)
	var order []string
	for range 3 {
		r.tab()
		b, ok := r.s.win.Canvas().Focused().(*kit.Button)
		if !ok {
			t.Fatalf("Tab leads to %T", r.s.win.Canvas().Focused())
		}
		order = append(order, b.Text())
	}
	if want := []string{"Cancel", "Decide later", r.signInButton(sh)}; !slices.Equal(order, want) {
		t.Fatalf("Tab goes through %q, want %q", order, want)
	}
	r.key(fyne.KeySpace)
	r.wait(func() bool { return sh.opened })
	r.pass(deafTime)
	f.tell(signInOf(r.s.desk.servers[0], "one", func(d *auth.SignIn) {
		d.State, d.Text = auth.Failed, i18n.M("auth.signin.timeout", "Host", "login.travel.example")
	}))
	r.wait(func() bool { return sh.State == auth.Failed })
	r.pass(deafTime)
	r.key(fyne.KeyEscape)
	if r.s.at.section != sectionServer {
		t.Errorf("Esc leads to %v", r.s.at)
	}
}

// TestSignIn_SaysWhatOfThePersonsWaitsForIt as it changes, in the order in which it
// began to wait.
func TestSignIn_SaysWhatOfThePersonsWaitsForIt(t *testing.T) {
	r, f, sh := askingToSignIn(t, exact, nil)
	v := r.s.desk.servers[0]
	call := &callState{Call: mcpclient.Call{ID: "c", ServerID: v.ID, Round: 2, Started: r.clock.Now(),
		CallRequest: mcpclient.CallRequest{Name: "book", Title: "Book a\ntrip"}}}
	r.s.desk.calls = append(r.s.desk.calls, call)
	was := v.status.State
	for _, c := range []struct {
		state mcpclient.ConnectionState
		calls []string
		want  string
	}{
		{mcpclient.Connecting, []string{""}, "Needed to connect to the server"},
		{was, []string{""}, "Needed to ask the server what it offers"},
		{was, []string{"c"}, "You started Book a⏎trip just now  •  round 2"},
		{was, []string{"c", ""}, "You started Book a⏎trip just now  •  round 2  •  1 more request waits for this"},
		{was, []string{"", "c", "unknown"}, "You started Book a⏎trip just now  •  round 2  •  2 more requests wait for this"},
		{was, nil, "Nothing waits for this any more; you can still finish it"},
	} {
		v.status.State = c.state
		f.tell(signInOf(v, sh.ID, func(d *auth.SignIn) { d.Calls = c.calls }))
		r.wait(func() bool { return slices.Equal(sh.Calls, c.calls) })
		r.queue.Drain()
		if got := r.s.page.(*signInPage).waits.String(); got != c.want {
			t.Errorf("%q: the page says %q, want %q", c.calls, got, c.want)
		}
		if c.calls != nil && !strings.Contains(r.text(), c.want) {
			t.Errorf("it is not on the page:\n%s", r.text())
		}
	}
	r.press(r.signInButton(sh))
	r.wait(func() bool { return sh.opened })
	if !strings.Contains(r.text(), "Nothing waits for this any more") {
		t.Errorf("in the browser the page reads\n%s", r.text())
	}
	call.State = mcpclient.CallRunning
	r.s.show(route{section: sectionRequest, id: call.ID})
	if r.button("Look at it…") != nil {
		t.Error("the page of a request leads to a sign-in that it does not wait for")
	}
	d := sh.SignIn
	d.Calls = []string{"", call.ID}
	f.tell(d)
	r.wait(func() bool { return r.button("Look at it…") != nil })
}

// TestSignIn_ThatTheKeychainDoesNotTakeIsSaidAfterwards, when its page has gone.
func TestSignIn_ThatTheKeychainDoesNotTakeIsSaidAfterwards(t *testing.T) {
	r, f, sh := askingToSignIn(t, exact, nil)
	v := r.s.desk.servers[0]
	r.press(r.signInButton(sh))
	r.wait(func() bool { return sh.opened })
	f.tell(signInOf(v, "one", func(d *auth.SignIn) { d.State = auth.Done }))
	r.wait(func() bool { return r.s.signIn("one") == nil })
	remark := keychain.Sentence(keychain.ErrTooLarge)
	if note := textOf(r.s.note.box); note != "" {
		t.Fatalf("what the banner says is said twice: %s", note)
	}
	f.tell(signInOf(v, "one", func(d *auth.SignIn) { d.State, d.Text = auth.Done, remark }))
	r.wait(func() bool { return strings.Contains(textOf(r.s.note.box), r.s.say(remark)) })
}

// TestSignIn_SaysWhoElseTakesPartBeforeTheYes, in words that nobody mistakes for the
// server's.
func TestSignIn_SaysWhoElseTakesPartBeforeTheYes(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*auth.SignIn)
		says   string
	}{
		"who gets the access": {func(d *auth.SignIn) { d.TokenHost, d.IssuerHost = "evil.example", "other.example" },
			"You sign in at login.travel.example, and the access that you give there is handed to evil.example."},
		"who was named": {func(d *auth.SignIn) { d.IssuerHost = "other\u202e.example" },
			"The server names other⟨U+202E⟩.example for signing in, and that sends you to login.travel.example."},
	} {
		t.Run(name, func(t *testing.T) {
			r, _, sh := askingToSignIn(t, exact, c.change)
			if text := r.text(); !strings.Contains(text, c.says) {
				t.Errorf("the page reads\n%s\nand not %s", text, c.says)
			}
			r.press(r.signInButton(sh))
			r.wait(func() bool { return sh.opened })
		})
	}
	r, _, _ := askingToSignIn(t, exact, nil)
	if text := r.text(); strings.Contains(text, "belong together") {
		t.Errorf("of one site the page reads\n%s", text)
	}
}
