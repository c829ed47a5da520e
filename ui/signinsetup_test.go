package ui

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"parley/mcpclient/auth"
	"parley/ui/kit"
)

// settingUp is a window at the settings of signing in to its server, with the
// keyboard on a field of them.
func settingUp(t testing.TB, field string) (*rig, *serverState) {
	t.Helper()
	r := newRig(t, rigOptions{tools: map[string]tool{"a": nothing}, http: true, accounts: &fakeAccounts{}})
	v := r.connected()
	r.s.toSetup(v, field)
	return r, v
}

// TestSetup_TheAddressToRegisterIsShownWholeAndCopied as it stands with what is
// entered, and none while that makes no address.
func TestSetup_TheAddressToRegisterIsShownWholeAndCopied(t *testing.T) {
	r, v := settingUp(t, auth.SetupPath)
	says := func(address string, ports bool) {
		t.Helper()
		if said := r.text(); !strings.Contains(said, address) || strings.Contains(said, "Each sign-in uses another port") != ports {
			t.Errorf("the page does not say %s:\n%s", address, said)
		}
		r.press("Copy the address")
		if got := r.app.Clipboard().Content(); got != address {
			t.Errorf("copied is %q, want %q", got, address)
		}
		r.pass(copiedFor)
	}
	says("http://127.0.0.1/callback", true)
	r.typing("oauth/done")
	says("http://127.0.0.1/oauth/done", true)
	r.s.toSetup(v, auth.SetupPort)
	r.typing("8085")
	says("http://127.0.0.1:8085/oauth/done", false)
	r.typing("x")
	if b := r.button("Copy the address"); !b.Disabled() || strings.Contains(r.text(), "http://127.0.0.1") {
		t.Errorf("an address that is none is shown or copied:\n%s", r.text())
	}
	r.key(fyne.KeyBackspace)
	r.ctrlEnter()
	r.wait(func() bool { return r.s.at.section == sectionServer })
	if kept := r.store.Servers()[0].SignIn; kept.Path != "/oauth/done" || kept.Port != 8085 || auth.Redirect(kept) != "http://127.0.0.1:8085/oauth/done" {
		t.Errorf("kept is %+v", kept)
	}
	r.s.toSetup(v, auth.SetupPath)
	r.typing("?a")
	r.ctrlEnter()
	if !strings.Contains(r.text(), "A path begins with “/”") || r.store.Servers()[0].SignIn.Path != "/oauth/done" {
		t.Errorf("the page reads\n%s", r.text())
	}
}

// TestSetup_NothingTypedIsLost: by quitting, another page, a change of language, or
// Esc; and once it is dropped or stored, nothing is counted.
func TestSetup_NothingTypedIsLost(t *testing.T) {
	r, v := settingUp(t, auth.SetupIssuer)
	if r.s.entered() != 0 {
		t.Error("a page that was only looked at counts")
	}
	r.typing("https://login.example")
	r.s.settings.Language = "zh-Hans"
	r.s.apply()
	r.s.choose(route{section: sectionQuestions})
	if r.close(); r.closed || r.s.quit.unsaved != 1 {
		t.Fatalf("closed %v, %d pages are counted", r.closed, r.s.quit.unsaved)
	}
	r.s.keepOpen()
	r.s.toSetup(v, auth.SetupIssuer)
	if got := r.s.setups[v.ID].Issuer; got != "https://login.example" {
		t.Errorf("the issuer is %q", got)
	}
	r.key(fyne.KeyEscape)
	if !strings.Contains(r.text(), "要放弃你所做的更改吗？") || r.s.at.section != sectionSetup {
		t.Fatalf("Esc does not ask:\n%s", r.text())
	}
	r.key(fyne.KeyEscape)
	if r.s.at.section != sectionSetup || r.s.entered() != 1 {
		t.Fatal("Esc discards")
	}
	r.key(fyne.KeyEscape)
	r.press("放弃")
	if r.s.at.section != sectionServer || r.s.entered() != 0 || v.SignIn.Issuer != "" {
		t.Errorf("at %v, %d pages are counted", r.s.at, r.s.entered())
	}
	r.s.toSetup(v, auth.SetupIssuer)
	r.key(fyne.KeyEscape)
	if r.s.at.section != sectionServer {
		t.Error("nothing was entered, and Esc asks")
	}
	r.s.toSetup(v, auth.SetupIssuer)
	r.typing("https://login.example")
	r.ctrlEnter()
	r.wait(func() bool { return r.s.at.section == sectionServer })
	if r.s.entered() != 0 {
		t.Error("what is stored counts")
	}
}

// TestSetup_WhatIsSavedWhileConnectedIsSaidToCountFromTheNextSignInOn: a port or path
// changes nothing that can be seen. What was only looked at is not said to be saved.
func TestSetup_WhatIsSavedWhileConnectedIsSaidToCountFromTheNextSignInOn(t *testing.T) {
	const want = "Saved. The next sign-in to “Travel desk” uses these settings."
	for field, typed := range map[string]string{auth.SetupPort: "808", auth.SetupPath: "/back", auth.SetupMetadata: "https://corp.example/parley.json"} {
		r, v := settingUp(t, field)
		saved := func(text, want string, to section) {
			t.Helper()
			r.s.toSetup(v, field)
			r.typing(text)
			r.ctrlEnter()
			r.wait(func() bool { return r.s.at.section == to })
			if got := strings.TrimSpace(textOf(r.s.note.box)); got != want {
				t.Errorf("%s: said is %q, want %q", field, got, want)
			}
		}
		saved(typed, want, sectionServer)
		saved("", "", sectionServer) // it was only looked at
		r.s.choose(route{section: sectionEdit, id: v.ID})
		saved("7", want, sectionEdit)
		r.s.choose(route{section: sectionServer, id: v.ID})
		if textOf(r.s.note.box) != "" {
			t.Error("it is still said on another page")
		}
	}
}

// TestSetup_ADocumentThatDescribesTheAppIsEntered, and an address that can be none is
// said at its field.
func TestSetup_ADocumentThatDescribesTheAppIsEntered(t *testing.T) {
	r, _ := settingUp(t, auth.SetupMetadata)
	r.typing("https://corp.example")
	r.ctrlEnter()
	if !strings.Contains(r.text(), "This cannot be the address of a client metadata document") || r.s.at.section != sectionSetup {
		t.Errorf("the page reads\n%s", r.text())
	}
	r.typing("/parley.json")
	r.ctrlEnter()
	r.wait(func() bool { return r.s.at.section == sectionServer })
	if kept := r.store.Servers()[0].SignIn; kept.ClientMetadata != "https://corp.example/parley.json" {
		t.Errorf("kept is %+v", kept)
	}
}

// TestSetup_LeadsBackToThePageItWasOpenedFrom, where what was typed still stands;
// saving that loses nothing of it.
func TestSetup_LeadsBackToThePageItWasOpenedFrom(t *testing.T) {
	r, v := settingUp(t, auth.SetupIssuer)
	edit := route{section: sectionEdit, id: v.ID}
	r.s.choose(edit)
	r.s.edits[v.ID].draft.Name = "Typed"
	r.press(r.s.t("ui.setup.open"))
	r.key(fyne.KeyEscape)
	if r.s.at != edit || r.s.edits[v.ID].draft.Name != "Typed" {
		t.Fatalf("Esc leads to %v", r.s.at)
	}
	r.s.choose(edit)
	r.press(r.s.t("ui.setup.open"))
	r.typing("known") // the client id
	r.ctrlEnter()
	r.wait(func() bool { return r.s.at == edit })
	if v.SignIn.ClientID != "known" || r.s.edits[v.ID].draft.Name != "Typed" {
		t.Fatalf("stored is %+v, typed was %q", v.SignIn, r.s.edits[v.ID].draft.Name)
	}
	r.ctrlEnter()
	r.wait(func() bool { return r.s.at.section == sectionServer && v.Name == "Typed" })
	if stored := r.store.Servers()[0].SignIn; v.SignIn.ClientID != "known" || stored.ClientID != "known" {
		t.Errorf("saving the other page leaves %+v, stored %+v", v.SignIn, stored)
	}
	r.s.toSetup(v, auth.SetupIssuer)
	r.key(fyne.KeyEscape)
	if r.s.at != (route{section: sectionServer, id: v.ID}) {
		t.Errorf("opened from the server's page, Esc leads to %v", r.s.at)
	}
}

// TestSetup_WhatIsTooLongIsSaidAndNotSaved, whatever field it was pasted into: it stands
// there until it is mended, and what stood there before comes back by undoing it.
func TestSetup_WhatIsTooLongIsSaidAndNotSaved(t *testing.T) {
	for field, said := range map[string]string{
		auth.SetupClientID: "The client ID has 10,000 characters. Parley takes 2,000 at most.",
		auth.SetupSecret:   "The client secret has 10,000 characters. Parley takes 2,000 at most.",
		auth.SetupIssuer:   "The address has 10,000 characters. Parley takes 2,000 at most.",
		auth.SetupMetadata: "The address has 10,000 characters. Parley takes 2,000 at most.",
		auth.SetupPath:     "The path has 10,000 characters. Parley takes 2,000 at most.",
	} {
		r, _ := settingUp(t, field)
		before := r.store.Servers()[0].SignIn
		r.typing("before")
		r.shortcut(&fyne.ShortcutSelectAll{})
		r.paste(strings.Repeat("x", 10_000))
		row := r.s.page.(*setupPage).rows[field]
		if row.Error() != said {
			t.Errorf("%s: said is %q", field, row.Error())
		}
		r.s.page.(*setupPage).focusOn(auth.SetupPort)
		r.typing("x")
		r.ctrlEnter()
		r.queue.Drain()
		p := r.s.page.(*setupPage)
		if r.s.at.section != sectionSetup || r.store.Servers()[0].SignIn != before || r.s.win.Canvas().Focused() != p.focus[field] || p.rows[field].Error() != said {
			t.Errorf("%s: after Save the page is %v, at fault is %q", field, r.s.at.section, p.rows[field].Error())
		}
		r.shortcut(&fyne.ShortcutUndo{})
		if got := p.rows[field].Error(); got != "" || p.rows[field].Control().(*kit.LongEntry).Text() != "before" {
			t.Errorf("%s: undone, the page says %q", field, got)
		}
	}
}

// TestSetup_WhatIsWrongIsInSightBelowWhatWasEntered, in the lowest window too: at once,
// and when Save leads there.
func TestSetup_WhatIsWrongIsInSightBelowWhatWasEntered(t *testing.T) {
	r, _ := settingUp(t, auth.SetupClientID)
	r.s.win.Resize(fyne.NewSize(600, 360))
	r.paste(strings.Repeat("x", 10_000))
	r.inSight("Parley takes 2,000 at most")
	r.s.page.(*setupPage).focusOn(auth.SetupPath)
	r.ctrlEnter()
	r.inSight("Parley takes 2,000 at most")
}

// TestSetup_APasteIsUndone with Ctrl+Z, whatever its length.
func TestSetup_APasteIsUndone(t *testing.T) {
	r, v := settingUp(t, auth.SetupClientID)
	r.typing("before")
	r.shortcut(&fyne.ShortcutSelectAll{})
	r.paste(strings.Repeat("x", 1<<20))
	r.shortcut(&fyne.ShortcutUndo{})
	if got := r.s.setups[v.ID].ClientID; got != "before" || strings.Contains(r.text(), "Parley takes") {
		t.Errorf("%d characters stand there, and the page reads\n%s", len(got), r.text())
	}
}

func BenchmarkSetup_Typing(b *testing.B) {
	r, _ := settingUp(b, auth.SetupClientID)
	for b.Loop() {
		r.s.win.Canvas().Focused().(*kit.TextEntry).SetTextQuietly(strings.Repeat("a", 2000))
		r.typing(strings.Repeat("x", 100))
	}
}
