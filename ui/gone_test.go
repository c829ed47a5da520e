package ui

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"parley/mcpclient/config"
	"parley/ui/kit"
)

// without takes the first server out of the list, as an edit outside does, and
// returns the list as it was.
func (r *rig) without() listed {
	was := r.s.readList()
	now := was
	now.servers = slices.Clone(was.servers)[1:]
	r.s.takeList(now)
	r.queue.Drain()
	return was
}

const goneWords = "This server is not in your list any more."

// TestGone_ThePageSaysSoAndKeepsWhatWasEntered, and is back when the server is.
func TestGone_ThePageSaysSoAndKeepsWhatWasEntered(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm)})
	v := r.connected()
	p := r.editing()
	at := r.s.at
	r.typing(" 2")
	p.form.sh.draft.Env = append(p.form.sh.draft.Env, config.DraftValue{Name: "API_KEY", Value: canary, Secret: true})
	was := r.without()
	text := r.text()
	for _, want := range []string{goneWords, "Travel desk 2\n", "travel\n", "--stdio\na b\n", "API_KEY\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q:\n%s", want, text)
		}
	}
	if r.s.at != at || r.s.lost().unsaved != 1 || strings.Contains(text, canary) {
		t.Fatalf("at %v, %v entered:\n%s", r.s.at, r.s.entered(), text)
	}
	copied := r.buttons("Copy")
	copied[0].Press()
	if got := r.app.Clipboard().Content(); got != "Travel desk 2" {
		t.Errorf("copied %q", got)
	}
	copied[len(copied)-1].Press()
	if got := r.app.Clipboard().Content(); got != canary {
		t.Error("a secret cannot be copied")
	}
	r.s.settings.Language = "zh-Hans"
	r.s.apply()
	if !strings.Contains(r.text(), "此服务器已不在你的列表中。") {
		t.Errorf("in the other language the page reads:\n%s", r.text())
	}
	r.s.takeList(was)
	back, ok := r.s.page.(*editPage)
	if !ok || r.s.at != at || back.form.sh.draft.Name != "Travel desk 2" || r.s.gone != nil {
		t.Fatalf("it is not back: %T, %v", r.s.page, r.s.at)
	}
	if again := r.s.desk.server(v.ID); again.tried {
		t.Error("it was connected to by itself")
	}
}

// TestGone_AServerThatIsBackShowsTheSignInItHas, though it is not connected to yet; the
// keychain, which may ask the person, is not read for one that is new in the list.
func TestGone_AServerThatIsBackShowsTheSignInItHas(t *testing.T) {
	f := &fakeAccounts{}
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm), http: true, accounts: f})
	f.who = signedInAs(r)
	v := r.atServer()
	r.wait(func() bool { return v.account.SignedIn() })
	was := r.without()
	f.who.User = "ann@travel.example" // who signed in by another program meanwhile
	stranger := was.servers[0]
	stranger.ID, stranger.Name = "new", "New"
	was.servers = append(was.servers, stranger)
	r.s.takeList(was)
	back := r.s.desk.server(v.ID)
	r.wait(func() bool { return back.account.SignedIn() })
	r.reads("signed in at login.travel.example as “ann@travel.example”", "Signed in since", "Sign out…", "Not connected.")
	if f.asked != 2 {
		t.Errorf("the keychain was asked %d times", f.asked)
	}
}

// TestGone_NothingThereReachesTheServer: of its page no button is left.
func TestGone_NothingThereReachesTheServer(t *testing.T) {
	for name, at := range map[string]section{"server": sectionServer, "allow": sectionAllow, "edit": sectionEdit, "tool": sectionTool, "set-up": sectionSetup} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, rigOptions{tools: askForm("Who?", nameForm)})
			v := r.connected()
			v.token.text = canary
			r.s.choose(route{section: at, id: v.ID, name: "trip"})
			r.without()
			var words []string
			for _, o := range objectsOf(r.s.page.object()) {
				if b, ok := o.(*kit.Button); ok {
					words = append(words, b.Text())
				}
			}
			slices.Sort(words)
			words = slices.Compact(words)
			for _, w := range words {
				if w != "Close" && w != "Copy" && w != "Add it again…" {
					t.Errorf("the page has the button %q", w)
				}
			}
			if !strings.Contains(r.text(), goneWords) || strings.Contains(r.text(), canary) {
				t.Errorf("the page reads:\n%s", r.text())
			}
			r.ctrlEnter()
			r.key(fyne.KeyEscape)
			if r.s.at.section != sectionQuestions || r.s.gone != nil || r.s.entered() != 0 {
				t.Errorf("Esc leads to %v; %v stays entered", r.s.at, r.s.entered())
			}
		})
	}
}

// TestGone_WhatWasFilledInToRunSomethingStays.
func TestGone_WhatWasFilledInToRunSomethingStays(t *testing.T) {
	r, p := argumentPage(t, `{"type":"object","properties":{"city":{"type":"string"}}}`)
	r.s.win.Canvas().Focus(p.first())
	r.typing("Lisbon")
	r.without()
	if text := r.text(); !strings.Contains(text, goneWords) || !strings.Contains(text, "Lisbon") || r.s.lost().unsent != 1 {
		t.Errorf("%v; the page reads:\n%s", r.s.entered(), text)
	}
	r.s.choose(route{section: sectionRequests})
	if r.s.entered() != 0 {
		t.Error("the window asks about what nobody can get to any more")
	}
}

// TestGone_TheServerCanBeAddedAgainWithAllThatStoodThere.
func TestGone_TheServerCanBeAddedAgainWithAllThatStoodThere(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm)})
	r.connected()
	must(t, r.store.Remove(r.s.desk.servers[0].ID))
	r.s.takeList(r.s.readList())
	if r.s.at.section != sectionServer {
		t.Fatalf("at %v", r.s.at)
	}
	r.press("Add it again…")
	if d := r.s.adding.draft; r.s.at.section != sectionAdd || d.Program != "travel" || d.Arguments != "--stdio\na b" || d.Before().ID != "" {
		t.Fatalf("at %v: %+v", r.s.at, d)
	}
	r.ctrlEnter()
	r.wait(func() bool { return r.s.at.section == sectionAllow })
	if list := r.store.Servers(); len(list) != 1 || list[0].Name != "Travel desk" || r.store.Allowed(list[0]) {
		t.Errorf("listed: %+v", list)
	}
}

// TestOutside_ALinkThatIsLookedAtStays when its server goes.
func TestOutside_ALinkThatIsLookedAtStays(t *testing.T) {
	r := resultRig(t, `{"type":"text","text":"Sign in first: `+goodLink+`."}`, "")
	r.lookAt(0)
	r.without()
	if r.s.at.section != sectionLink || !strings.Contains(r.text(), "calendar.example") {
		t.Errorf("at %v:\n%s", r.s.at, r.text())
	}
}
