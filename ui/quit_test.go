package ui

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"parley/mcpclient"
	"parley/mcpclient/keychain"
	"parley/ui/kit"
)

const lostWhenQuit = "What you entered on 1 page was not sent. It is lost when Parley quits."

// closing is a window whose person typed into a question and then closed it
// once.
func closing(t *testing.T) (r *rig, sh *sheet) {
	t.Helper()
	r = newRig(t, rigOptions{tools: askForm("Who?", nameForm)})
	r.run("ask")
	sh = r.question()
	r.tab()
	r.typing("Lin")
	r.close()
	if r.closed || !strings.Contains(r.windowText(), lostWhenQuit) {
		t.Fatalf("closed %v, and the window reads:\n%s", r.closed, r.windowText())
	}
	return r, sh
}

// close closes the window as its frame does.
func (r *rig) close() {
	r.s.askedToClose()
	r.queue.Drain()
}

// windowText is all text in the window.
func (r *rig) windowText() string { return textOf(r.s.win.Content()) }

// pressAnywhere presses a button of the window, on the page or not.
func (r *rig) pressAnywhere(words string) {
	r.t.Helper()
	for _, o := range objectsOf(r.s.win.Content()) {
		if b, ok := o.(*kit.Button); ok && b.Text() == words {
			b.Press()
			r.queue.Drain()
			return
		}
	}
	r.t.Fatalf("no button %q in the window", words)
}

func TestQuit_WhatWasEnteredIsNotLostUnasked(t *testing.T) {
	t.Run("the question stays and nothing is covered", func(t *testing.T) {
		r, sh := closing(t)
		if !sh.open() || r.button("Submit") == nil || len(r.s.win.Canvas().Overlays().List()) != 0 {
			t.Error("asking before quitting touches the question")
		}
		b, ok := r.s.win.Canvas().Focused().(*kit.Button)
		if !ok || b.Text() != "Keep" {
			t.Errorf("the keyboard is at %v; want the button that loses nothing", r.s.win.Canvas().Focused())
		}
	})
	for name, keep := range map[string]func(*rig){
		"Keep": func(r *rig) { r.pressAnywhere("Keep") },
		"Esc":  func(r *rig) { r.key(fyne.KeyEscape) },
	} {
		t.Run(name+" goes on in the field", func(t *testing.T) {
			r, sh := closing(t)
			keep(r)
			r.typing("da")
			if r.closed || !sh.open() || sh.draft.Text("/name") != "Linda" || strings.Contains(r.windowText(), lostWhenQuit) {
				t.Errorf("closed %v, open %v, the field holds %q", r.closed, sh.open(), sh.draft.Text("/name"))
			}
			r.close()
			if r.closed {
				t.Error("the next closing does not ask again")
			}
		})
	}
	for name, quit := range map[string]func(*rig){
		"Quit":           func(r *rig) { r.pressAnywhere("Quit") },
		"a second close": (*rig).close,
	} {
		t.Run(name+" quits", func(t *testing.T) {
			r, _ := closing(t)
			if quit(r); !r.closed {
				t.Error("the window stays")
			}
		})
	}
	t.Run("the bar goes when the question ends", func(t *testing.T) {
		r, sh := closing(t)
		r.server.die(errNoBrowser)
		r.wait(func() bool { return sh.q.State == mcpclient.ElicitationDead })
		r.queue.Drain()
		if strings.Contains(r.windowText(), "is lost when Parley quits") {
			t.Error("the bar speaks of a question that is over")
		}
		if r.close(); !r.closed {
			t.Error("nothing can be lost, and the window stays")
		}
	})
}

func TestQuit_WithNothingEnteredTheWindowClosesAtOnce(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm)})
	r.run("ask")
	r.question()
	if r.close(); !r.closed {
		t.Errorf("the window stays and reads:\n%s", r.windowText())
	}
}

func TestQuit_WhatIsFilledInToRunAToolIsNotLostUnasked(t *testing.T) {
	r, _, _ := atTool(t, "Lin")
	r.close()
	if r.closed || !strings.Contains(r.windowText(), lostWhenQuit) {
		t.Fatalf("closed %v, and the window reads:\n%s", r.closed, r.windowText())
	}
	r.pressAnywhere("Keep")
	r.ctrlEnter()
	r.runs++
	r.wait(func() bool { return r.s.at.section == sectionRequest })
	if r.close(); !r.closed {
		t.Errorf("what was sent is not lost, and the window stays:\n%s", r.windowText())
	}
}

func TestQuit_AnAnswerThatWaitsForItsRoundIsNotLostUnasked(t *testing.T) {
	r := newRig(t, rigOptions{tools: map[string]tool{"ask": func(_ *memoryServer, params []rawMember) json.RawMessage {
		ask := `{"method":"elicitation/create","params":{"message":"Who?","requestedSchema":` + nameForm + `}}`
		return json.RawMessage(`{"resultType":"input_required","inputRequests":{"a":` + ask + `,"b":` + ask + `}}`)
	}}})
	r.run("ask")
	sh := r.question()
	r.tab()
	r.typing("Lin")
	r.pass(time.Second)
	r.ctrlEnter()
	r.wait(func() bool { return sh.q.State == mcpclient.ElicitationAnswered })
	r.close()
	if r.closed || !strings.Contains(r.windowText(), lostWhenQuit) {
		t.Fatalf("closed %v, and the window reads:\n%s", r.closed, r.windowText())
	}
}

const givenUpWhenQuit = "1 page waits for you in the browser. The request or sign-in it was opened for is given up when Parley quits."

// TestQuit_APageThatWaitsInTheBrowserIsNotGivenUpUnasked, be it a request's or
// that of a sign-in; and once that has ended, nothing is asked.
func TestQuit_APageThatWaitsInTheBrowserIsNotGivenUpUnasked(t *testing.T) {
	t.Run("a request", func(t *testing.T) {
		r, sh := waitingRig(t, 9)
		r.close()
		if r.closed || !strings.Contains(r.windowText(), givenUpWhenQuit) || strings.Contains(r.windowText(), "What you entered") {
			t.Fatalf("closed %v, and the window reads:\n%s", r.closed, r.windowText())
		}
		if b, ok := r.s.win.Canvas().Focused().(*kit.Button); !ok || b.Text() != "Keep" {
			t.Errorf("the keyboard is at %v; want the button that gives nothing up", r.s.win.Canvas().Focused())
		}
		r.key(fyne.KeyEscape)
		if r.closed || strings.Contains(r.windowText(), givenUpWhenQuit) || !r.s.away(sh) {
			t.Errorf("after Keep: closed %v, and the window reads:\n%s", r.closed, r.windowText())
		}
		r.close()
		r.s.cancelCall(sh.q.CallID)
		r.ended()
		r.queue.Drain()
		if strings.Contains(r.windowText(), givenUpWhenQuit) {
			t.Error("the bar speaks of a request that is over")
		}
		if r.close(); !r.closed {
			t.Errorf("nothing can be given up, and the window stays:\n%s", r.windowText())
		}
	})
	t.Run("a page the server calls done", func(t *testing.T) {
		r, sh := waitingRig(t, 9)
		q := sh.q
		q.Complete = true
		r.told(mcpclient.Event{ServerID: q.ServerID, CallID: q.CallID, Elicitation: &q})
		if r.close(); !r.closed {
			t.Errorf("the window stays for a page that needs nobody:\n%s", r.windowText())
		}
	})
	t.Run("a sign-in", func(t *testing.T) {
		r, _, sh := askingToSignIn(t, exact, nil)
		if r.s.pagesAway() != 0 {
			t.Error("a sign-in that was not agreed to counts")
		}
		r.press(r.signInButton(sh))
		r.wait(func() bool { return sh.opened })
		r.close()
		if r.closed || !strings.Contains(r.windowText(), givenUpWhenQuit) {
			t.Errorf("closed %v, and the window reads:\n%s", r.closed, r.windowText())
		}
		r.pressAnywhere("Quit")
		if !r.closed {
			t.Error("the window stays")
		}
	})
	t.Run("beside something entered", func(t *testing.T) {
		r := newRig(t, rigOptions{tools: map[string]tool{"link": asking(`{"a":` + urlRequest("Sign in", goodLink) + `,"b":` + formRequest("Who?", nameForm) + `}`)}, http: true})
		r.run("link")
		r.question()
		page, form := r.sheetOf("Sign in"), r.sheetOf("Who?")
		r.at(page)
		r.press("Open calendar.example")
		r.answered(page)
		r.at(form)
		r.typing("Lin")
		r.close()
		for _, want := range []string{lostWhenQuit, givenUpWhenQuit} {
			if !strings.Contains(r.windowText(), want) {
				t.Errorf("the window does not say %q:\n%s", want, r.windowText())
			}
		}
	})
}

// locked is a keychain that did not take something.
var locked = keychain.State{Mode: keychain.SessionOnly, Why: &keychain.Unavailable{Reason: keychain.Locked}, Waiting: 2}

// unkeptAt is a window whose keychain did not take something of its server.
func unkeptAt(t *testing.T, st keychain.State) (*rig, *fakePlace) {
	t.Helper()
	place := &fakePlace{st: keychain.State{Mode: keychain.Available}, passphrase: goodPassphrase}
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm), place: place})
	place.unkept = []string{r.connected().ID, "of a server that was removed"}
	place.be(st)
	r.queue.Drain()
	return r, place
}

const unkeptWhenQuit = "The newest secrets and sign-ins of “Travel desk” could not be stored."

// TestQuit_WhatALockedKeychainDidNotTakeIsNotLostUnasked: a refresh token that was
// renewed is the only one there is. What can be stored without the person is, first.
func TestQuit_WhatALockedKeychainDidNotTakeIsNotLostUnasked(t *testing.T) {
	t.Run("still locked", func(t *testing.T) {
		r, place := unkeptAt(t, locked)
		r.close()
		r.wait(r.s.quit.asks)
		if text := r.windowText(); r.closed || !strings.Contains(text, unkeptWhenQuit+" The keychain is locked and was not unlocked. They are lost when Parley quits.") {
			t.Fatalf("closed %v, and the window reads:\n%s", r.closed, text)
		}
		r.pressAnywhere("Try again")
		r.wait(func() bool { return place.deeds() == "resume retry" && !r.s.secrets.busy })
		place.be(keychain.State{Mode: keychain.Available})
		r.queue.Drain()
		if strings.Contains(r.windowText(), unkeptWhenQuit) {
			t.Error("the bar speaks of what is stored")
		}
		if r.close(); !r.closed {
			t.Errorf("nothing is lost, and the window stays:\n%s", r.windowText())
		}
	})
	t.Run("unlocked meanwhile", func(t *testing.T) {
		r, place := unkeptAt(t, locked)
		place.come = &keychain.State{Mode: keychain.Available}
		r.close()
		r.wait(func() bool { return r.closed })
	})
	t.Run("one that is stuck holds up no second close", func(t *testing.T) {
		r, place := unkeptAt(t, locked)
		place.gate = make(chan struct{})
		defer close(place.gate)
		if r.close(); r.closed {
			t.Fatal("it closes at once")
		}
		if r.close(); !r.closed {
			t.Error("the window stays")
		}
	})
	t.Run("a locked file", func(t *testing.T) {
		r, place := unkeptAt(t, keychain.State{Mode: keychain.VaultLocked, Why: &keychain.Unavailable{Reason: keychain.FileLocked}, Waiting: 1})
		r.close()
		r.wait(r.s.quit.asks)
		r.pressAnywhere("Unlock…")
		r.typing(goodPassphrase)
		r.ctrlEnter()
		r.wait(func() bool { return place.State().Mode == keychain.Vault })
		r.queue.Drain()
		if r.s.quit.asks() || r.closed {
			t.Errorf("closed %v; the window reads\n%s", r.closed, r.windowText())
		}
	})
	for _, why := range []keychain.Reason{keychain.Absent, keychain.Disabled} {
		t.Run("nowhere to store it: "+why.String(), func(t *testing.T) {
			st := locked
			st.Why = &keychain.Unavailable{Reason: why}
			r, place := unkeptAt(t, st)
			if r.close(); !r.closed || place.deeds() != "" {
				t.Errorf("closed %v; %q; the window reads:\n%s", r.closed, place.deeds(), r.windowText())
			}
		})
	}
}

// TestSecrets_WhatALockedKeychainDidNotTakeIsStoredWhenItIsUnlocked: it is looked at as
// long as something waits, and no longer.
func TestSecrets_WhatALockedKeychainDidNotTakeIsStoredWhenItIsUnlocked(t *testing.T) {
	r, place := unkeptAt(t, keychain.State{Mode: keychain.Available})
	r.s.show(route{section: sectionSettings})
	r.pass(frameTime)
	idle := r.clock.waiting()
	place.be(locked)
	r.queue.Drain()
	r.s.show(route{section: sectionServer, id: r.s.desk.servers[0].ID})
	place.be(locked) // something else is not taken
	r.queue.Drain()
	for n := 1; n <= 2; n++ {
		r.pass(resumePause)
		r.wait(func() bool { return strings.Count(place.deeds(), "resume") == n })
	}
	v := r.s.desk.servers[0]
	r.lose(v, keychain.Sentence(&keychain.Unavailable{Reason: keychain.Locked, Deed: keychain.Reading}))
	place.come = &keychain.State{Mode: keychain.Available}
	r.pass(resumePause)
	r.wait(func() bool { return v.status.State == mcpclient.Connecting }) // to what lacked it, too
	r.s.show(route{section: sectionSettings})
	r.pass(resumePause)
	if got := r.clock.waiting(); got != idle || r.s.resuming != nil {
		t.Errorf("%d timers run while nothing waits", got-idle)
	}
}
