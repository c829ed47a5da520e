package ui

import (
	"testing"

	"fyne.io/fyne/v2"

	"parley/mcpclient/auth"
	"parley/ui/kit"
)

const evilSignIn = "https://accounts.google.com.evil.example/auth"

// onButton reports whether the keyboard is on the button with these words.
func (r *rig) onButton(words string) bool {
	b, ok := r.s.win.Canvas().Focused().(*kit.Button)
	return ok && b == r.button(words)
}

// typesOn presses Return again and again, as somebody does who means another page.
func (r *rig) typesOn() {
	for range 10 {
		r.pass(deafTime / 2)
		r.key(fyne.KeyReturn)
	}
}

// TestC24_DangerousSignInHasTheKeyboardOnCancel as a question has, wherever it came
// from and whatever is drawn anew; and a Return too many does nothing there.
func TestC24_DangerousSignInHasTheKeyboardOnCancel(t *testing.T) {
	r, f, sh := askingToSignIn(t, exact, func(d *auth.SignIn) { d.Endpoint = evilSignIn })
	if !r.onButton("Cancel") {
		t.Fatalf("the keyboard is on %T", r.s.win.Canvas().Focused())
	}
	r.s.show(r.s.at)
	r.typesOn()
	if sh.dropped || sh.State != auth.NeedsConsent {
		t.Fatal("a Return meant for something else answered")
	}
	r.s.page.(*signInPage).drawFoot()
	if !r.onButton("Cancel") {
		t.Error("drawing the buttons anew takes the keyboard from Cancel")
	}
	if r.s.redraw(); !r.onButton("Cancel") {
		t.Error("drawing the page anew takes the keyboard from Cancel")
	}
	r.pass(deafTime)
	r.key(fyne.KeyReturn)
	r.wait(func() bool { return sh.State == auth.Declined })
	if len(f.dropped) != 1 || len(r.opener.urls()) != 0 {
		t.Errorf("dropped %q, opened %q", f.dropped, r.opener.urls())
	}
}

// TestSignIn_ButtonsThatDecideWaitForAPause: clicking on where another button was
// neither cancels nor puts off nor opens.
func TestSignIn_ButtonsThatDecideWaitForAPause(t *testing.T) {
	for _, words := range []string{"Cancel", "Decide later", "Sign in at travel.example"} {
		r, f, sh := askingToSignIn(t, exact, nil)
		r.s.show(r.s.at)
		for range 10 {
			r.pass(deafTime / 2)
			r.press(words)
		}
		if sh.dropped || len(f.dropped) > 0 || sh.State != auth.NeedsConsent || r.s.at.section != sectionSignIn {
			t.Errorf("%s: a click too many decided", words)
		}
	}
	r, _, sh := askingToSignIn(t, exact, nil)
	r.opener.failWith(errNoBrowser)
	r.press(r.signInButton(sh))
	r.wait(func() bool { return sh.stage == stageFailed })
	for range 10 {
		r.pass(deafTime / 2)
		r.press("Try again")
	}
	if sh.stage != stageFailed || len(r.opener.urls()) != 1 {
		t.Errorf("a click too many opened %q", r.opener.urls())
	}
}

// TestC24_ASignInThatTurnsOutDangerousHasTheKeyboardOnCancel: the page of the first
// consent is on the screen, with the keyboard on the button that agreed to it.
func TestC24_ASignInThatTurnsOutDangerousHasTheKeyboardOnCancel(t *testing.T) {
	r, _, sh := askingToSignIn(t, opening(evilSignIn+"?state=1"), nil)
	r.s.win.Canvas().Focus(r.button(r.signInButton(sh)))
	r.key(fyne.KeySpace)
	r.wait(func() bool { return sh.renewed })
	r.queue.Drain()
	if !r.onButton("Cancel") {
		t.Fatalf("the keyboard is on %T", r.s.win.Canvas().Focused())
	}
	r.typesOn()
	if sh.dropped || sh.State.Settled() || len(r.opener.urls()) != 0 {
		t.Error("a Return meant for the first consent answered the second")
	}
}

// TestSignIn_TheSameLevelWithAnotherWarningIsAskedAboutOnceMore: what was ticked was
// another danger.
func TestSignIn_TheSameLevelWithAnotherWarningIsAskedAboutOnceMore(t *testing.T) {
	for name, c := range map[string]struct {
		endpoint, address string
		asked             bool
	}{
		"a warning that was not shown": {"https://login.travel.example/authorize", "http://login.travel.example/authorize?state=1", true},
		"another port":                 {"https://login.travel.example/authorize", "https://login.travel.example:8443/authorize?state=1", true},
		"the warning that was shown":   {"http://login.travel.example/authorize", "http://login.travel.example/authorize?state=1", false},
	} {
		r, _, sh := askingToSignIn(t, opening(c.address), func(d *auth.SignIn) { d.Endpoint = c.endpoint })
		r.press(r.signInButton(sh))
		r.wait(func() bool { return sh.renewed || sh.opened })
		if sh.renewed != c.asked || len(r.opener.urls()) > 0 == c.asked {
			t.Errorf("%s: asked once more: %v, opened %q", name, sh.renewed, r.opener.urls())
		}
	}
}

// TestC24_ADangerousLinkElsewhereHasTheKeyboardOnBack, as that of a question has it on
// Cancel.
func TestC24_ADangerousLinkElsewhereHasTheKeyboardOnBack(t *testing.T) {
	r := resultRig(t, `{"type":"resource_link","uri":"`+evilLink+`","name":"A link"}`, "")
	r.lookAt(0)
	if !r.onButton("Back") {
		t.Fatalf("the keyboard is on %T", r.s.win.Canvas().Focused())
	}
	r.s.show(r.s.at)
	r.typesOn()
	if r.s.at.section != sectionLink {
		t.Error("a Return meant for something else left the page")
	}
}
