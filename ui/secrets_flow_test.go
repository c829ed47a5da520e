package ui

import (
	"context"
	"maps"
	"os"
	"strings"
	"sync"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"parley/mcpclient"
	"parley/mcpclient/keychain"
	"parley/ui/kit"
)

// fakePlace is the place of secrets as a keychain.Keychain is, without any disk
// or keychain. Its state is what the test says until a deed changes it.
type fakePlace struct {
	mu         sync.Mutex
	st         keychain.State
	passphrase string
	fail       error // of the next deed
	did        []string
	gate       chan struct{} // if not nil, deeds wait for it
	watcher    func()
	held       map[string]int  // secrets in the file, by server
	found      *keychain.State // what a look finds; nil: what is known
	unkept     []string        // servers
	asked      []string        // servers
	come       *keychain.State // what Resume leads to; nil: nothing
}

func (f *fakePlace) Resume(context.Context) error {
	err := f.note("resume")
	st := f.State()
	if f.come != nil {
		st = *f.come
	}
	f.be(st) // also to let a test see that it was called
	if err == nil && st.Why != nil {
		return st.Why
	}
	return err
}

func (f *fakePlace) Unkept() []string { return f.unkept }
func (f *fakePlace) Asked() []string  { return f.asked }

func (f *fakePlace) State() keychain.State {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.st
}

func (f *fakePlace) Watch(w func()) func() {
	f.watcher = w
	return func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.watcher = func() {}
	}
}

// be changes the state and says so.
func (f *fakePlace) be(st keychain.State) {
	f.mu.Lock()
	f.st = st
	watcher := f.watcher
	f.mu.Unlock()
	watcher()
}

func (f *fakePlace) note(what string) error {
	if f.gate != nil {
		<-f.gate
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.did = append(f.did, what)
	err := f.fail
	f.fail = nil
	return err
}

func (f *fakePlace) deeds() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return strings.Join(f.did, " ")
}

func (f *fakePlace) Check(context.Context) keychain.State {
	if f.found != nil {
		f.be(*f.found)
	}
	return f.State()
}

func (f *fakePlace) Retry(context.Context) error { return f.note("retry") }

func (f *fakePlace) CreateVault(_ context.Context, p keychain.Secret) error {
	if err := f.note("create"); err != nil {
		return err
	}
	f.passphrase = p.Reveal()
	f.be(keychain.State{Mode: keychain.Vault})
	return nil
}

func (f *fakePlace) UnlockVault(_ context.Context, p keychain.Secret) error {
	if err := f.note("unlock"); err != nil {
		return err
	}
	if p.Reveal() != f.passphrase {
		return keychain.ErrPassphrase
	}
	f.be(keychain.State{Mode: keychain.Vault})
	return nil
}

func (f *fakePlace) ChangePassphrase(_ context.Context, old, p keychain.Secret) error {
	if err := f.note("change"); err != nil {
		return err
	}
	if old.Reveal() != f.passphrase {
		return keychain.ErrPassphrase
	}
	f.passphrase = p.Reveal()
	f.be(keychain.State{Mode: keychain.Vault})
	return nil
}

func (f *fakePlace) Servers(context.Context) (map[string]int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return maps.Clone(f.held), nil
}

func (f *fakePlace) LockVault() {
	_ = f.note("lock")
	f.be(lockedFile)
}

func (f *fakePlace) RemoveVault(context.Context) error {
	if err := f.note("remove"); err != nil {
		return err
	}
	f.be(keychain.State{Mode: keychain.Available, VaultPossible: true})
	return nil
}

// The states of the tests.
var (
	lockedFile = keychain.State{Mode: keychain.VaultLocked, Why: &keychain.Unavailable{Reason: keychain.FileLocked}}
	noKeychain = keychain.State{Mode: keychain.SessionOnly, Why: &keychain.Unavailable{Reason: keychain.Absent}, VaultPossible: true}
)

const goodPassphrase = "four plain horses walk"

// settings goes to the settings page by the keyboard.
func (r *rig) settings() {
	r.t.Helper()
	r.shortcut(&desktop.CustomShortcut{KeyName: fyne.KeyComma, Modifier: fyne.KeyModifierShortcutDefault})
	r.queue.Drain()
}

// idle waits until nothing is done about the place of secrets.
func (r *rig) idle() {
	r.t.Helper()
	r.wait(func() bool { return !r.s.secrets.busy })
	r.queue.Drain()
}

// reach tabs to the button with these words and presses Space.
func (r *rig) reach(words string) {
	r.t.Helper()
	for range 30 {
		if b, ok := r.s.win.Canvas().Focused().(*kit.Button); ok && b.Text() == words {
			r.key(fyne.KeySpace)
			return
		}
		r.tab()
	}
	r.t.Fatalf("Tab does not lead to %q:\n%s", words, r.text())
}

func (r *rig) wantText(parts ...string) {
	r.t.Helper()
	for _, part := range parts {
		if !strings.Contains(r.text(), part) {
			r.t.Errorf("the page lacks %q:\n%s", part, r.text())
		}
	}
}

func TestSecrets_TheSettingsSayWhereTheyAreKept(t *testing.T) {
	broken := keychain.State{Mode: keychain.SessionOnly, Why: &keychain.Unavailable{Reason: keychain.FileBroken}, VaultPossible: true}
	failed := keychain.State{Mode: keychain.SessionOnly, Why: &keychain.Unavailable{Reason: keychain.FileFailed}}
	for _, c := range []struct {
		name          string
		st            keychain.State
		says, buttons []string
	}{
		{"untried", keychain.State{VaultPossible: true}, []string{"go into this computer’s keychain"}, []string{"Use an encrypted file instead…"}},
		{"keychain", keychain.State{Mode: keychain.Available, VaultPossible: true}, []string{"are kept in this computer’s keychain"}, []string{"Use an encrypted file instead…"}},
		{"nothing", noKeychain, []string{"Only until you quit Parley", "There is no keychain"}, []string{"Try again", "Keep them in an encrypted file…"}},
		{"unlocked", keychain.State{Mode: keychain.Vault}, []string{"secrets.age"}, []string{"Lock", "Change passphrase…", "Stop using the file…"}},
		{"locked", lockedFile, []string{"encrypted file, which is locked", "secrets.age"}, []string{"Unlock…", "Change passphrase…", "Stop using the file…"}},
		{"damaged", broken, []string{"is damaged"}, []string{"Try again", "Keep them in an encrypted file…"}},
		{"out of reach", failed, []string{"could not be used"}, []string{"Try again", "Stop using the file…"}},
	} {
		place := &fakePlace{}
		r := newRig(t, rigOptions{place: place})
		r.settings()
		place.be(c.st) // which the page follows
		r.queue.Drain()
		r.wantText(append(c.says, "Where secrets are kept")...)
		var got []string
		for _, b := range r.s.page.(*settingsPage).secrets.buttons {
			got = append(got, b.Text())
		}
		if strings.Join(got, "|") != strings.Join(c.buttons, "|") {
			t.Errorf("%s: the buttons are %q, want %q", c.name, got, c.buttons)
		}
	}
}

func TestSecrets_AFileIsMadeByTheKeyboardAlone(t *testing.T) {
	place := &fakePlace{st: noKeychain}
	r := newRig(t, rigOptions{place: place})
	r.settings()
	r.reach("Keep them in an encrypted file…")
	r.wantText("Nobody can recover a forgotten passphrase", "Four or five unrelated words")

	r.typing("password1")
	r.wantText("Too easy to guess so far.")
	r.ctrlEnter()
	r.wantText("This passphrase is too easy to guess.")
	r.typing(" " + goodPassphrase)
	r.wantText("Hard to guess.")
	r.ctrlEnter()
	r.wantText("This is not the same passphrase.")
	if place.deeds() != "" {
		t.Fatalf("it did %s", place.deeds())
	}
	r.typing("password1 " + goodPassphrase)
	r.ctrlEnter()
	r.idle()
	r.wantText("The file is made", "secrets.age")
	if place.deeds() != "create" || place.passphrase != "password1 "+goodPassphrase {
		t.Errorf("it did %s, with another passphrase perhaps", place.deeds())
	}
	r.forgotten()
	if b, ok := r.s.win.Canvas().Focused().(*kit.Button); !ok || b.Text() != "Lock" {
		t.Errorf("the keyboard is at %v", r.s.win.Canvas().Focused())
	}

	r.reach("Lock")
	r.idle()
	r.reach("Unlock…")
	r.typing("wrong")
	r.key(fyne.KeyReturn) // in the only field there is
	r.idle()
	r.wantText("This is not the passphrase of the encrypted file.")
	r.forgotten()
	r.typing("password1 " + goodPassphrase)
	r.key(fyne.KeyReturn)
	r.idle()
	r.wantText("The file is unlocked.")

	r.reach("Change passphrase…")
	r.typing("password1 " + goodPassphrase)
	r.tab()
	r.typing("seven green lamps hum")
	r.tab()
	r.typing("seven green lamps hum")
	r.ctrlEnter()
	r.idle()
	r.wantText("The passphrase is changed.")
	if place.passphrase != "seven green lamps hum" {
		t.Error("it is another one")
	}
	r.forgotten()

	r.reach("Stop using the file…")
	r.wantText("goes into the keychain")
	r.ctrlEnter() // deletes nothing
	r.key(fyne.KeyEscape)
	r.reach("Stop using the file…")
	r.reach("Delete the file")
	r.idle()
	r.wantText("are kept in this computer’s keychain", "The encrypted file is deleted.")
	if got := place.deeds(); got != "create lock unlock unlock change remove" {
		t.Errorf("it did %s", got)
	}
}

// forgotten fails if a passphrase is still held.
func (r *rig) forgotten() {
	r.t.Helper()
	if t := r.s.secrets; t.old+t.wanted+t.again != "" {
		r.t.Error("a passphrase is still held")
	}
	for _, row := range []*kit.FieldRow{r.s.page.(*settingsPage).secrets.old, r.s.page.(*settingsPage).secrets.wanted} {
		if row != nil && row.Control().(*kit.LongEntry).Text() != "" {
			r.t.Error("a passphrase still stands in its field")
		}
	}
}

func TestSecrets_WhatWasEnteredIsForgottenByEscAndByLeaving(t *testing.T) {
	r := newRig(t, rigOptions{place: &fakePlace{st: noKeychain}})
	r.settings()
	for _, leave := range []func(){
		func() { r.key(fyne.KeyEscape) },
		func() { r.s.choose(route{section: sectionAdd}); r.settings() },
	} {
		r.press("Keep them in an encrypted file…")
		r.s.page.(*settingsPage).secrets.focusForm()
		r.typing(goodPassphrase)
		leave()
		r.queue.Drain()
		if r.s.secrets.deed != deedNone {
			t.Error("the form is still open")
		}
		r.forgotten()
		r.wantText("Only until you quit Parley")
	}
}

// TestSecrets_B89_ADeedThatTakesLongHoldsNothingUp: scrypt, a disk and a lock are
// waited for in the background, and no second deed begins meanwhile.
func TestSecrets_B89_ADeedThatTakesLongHoldsNothingUp(t *testing.T) {
	place := &fakePlace{st: lockedFile, passphrase: goodPassphrase, gate: make(chan struct{})}
	r := newRig(t, rigOptions{place: place})
	r.settings()
	r.press("Unlock…")
	r.s.page.(*settingsPage).secrets.focusForm()
	r.typing(goodPassphrase)
	r.ctrlEnter()
	r.wantText("One moment.")
	r.forgotten()
	r.ctrlEnter()
	r.key(fyne.KeyEscape)
	r.s.choose(route{section: sectionAdd})
	r.settings()
	r.wantText("One moment.")
	close(place.gate)
	r.idle()
	r.wantText("The file is unlocked.")
	if got := place.deeds(); got != "unlock" {
		t.Errorf("it did %s", got)
	}
}

func TestSecrets_ADeedThatFailsIsSaidOnce(t *testing.T) {
	place := &fakePlace{st: noKeychain, fail: &keychain.Unavailable{Reason: keychain.FileFailed, Deed: keychain.Saving}}
	r := newRig(t, rigOptions{place: place})
	r.settings()
	r.press("Try again")
	r.idle()
	if n := strings.Count(r.text(), "There is no keychain"); n != 1 {
		t.Errorf("it is said %d times:\n%s", n, r.text())
	}
	place.be(keychain.State{VaultPossible: true})
	r.queue.Drain()
	place.fail = keychain.ErrVaultExists
	r.press("Use an encrypted file instead…")
	r.s.page.(*settingsPage).secrets.focusForm()
	r.typing(goodPassphrase)
	r.tab()
	r.typing(goodPassphrase)
	r.ctrlEnter()
	r.idle()
	r.wantText("There is an encrypted file already.")
}

func TestSecrets_NoticeComesOnceAndLeadsToTheSettings(t *testing.T) {
	place := &fakePlace{}
	r := newRig(t, rigOptions{place: place})
	notice := func() string { return textOf(r.s.unkept) }
	place.be(noKeychain) // nothing is kept yet: no need to speak of it
	r.queue.Drain()
	if notice() != "" {
		t.Errorf("it says %q", notice())
	}
	waiting := noKeychain
	waiting.Waiting = 1
	focused := r.s.win.Canvas().Focused()
	place.be(waiting)
	r.queue.Drain()
	if !strings.Contains(notice(), "kept only until you quit Parley") || r.s.win.Canvas().Focused() != focused {
		t.Errorf("it says %q", notice())
	}
	for _, o := range objectsOf(r.s.unkept) {
		if b, ok := o.(*kit.Button); ok && b.Text() == "Where secrets are kept…" {
			b.Press()
		}
	}
	r.queue.Drain()
	if r.s.at.section != sectionSettings || notice() != "" {
		t.Errorf("at %v it says %q", r.s.at, notice())
	}
	r.s.choose(route{section: sectionAdd})
	waiting.Waiting = 2
	place.be(waiting)
	r.queue.Drain()
	if notice() != "" {
		t.Errorf("it comes again: %q", notice())
	}
}

func TestSecrets_NoticeGoesWhenAllIsKept(t *testing.T) {
	place := &fakePlace{}
	r := newRig(t, rigOptions{place: place})
	waiting := noKeychain
	waiting.Waiting = 1
	place.be(waiting)
	r.queue.Drain()
	place.be(keychain.State{Mode: keychain.Available})
	r.queue.Drain()
	if got := textOf(r.s.unkept); got != "" {
		t.Errorf("it still says %q", got)
	}
}

// TestSecrets_AServerWhoseSecretIsLockedAwayLeadsToUnlockingAndIsConnectedAfter.
func TestSecrets_AServerWhoseSecretIsLockedAwayLeadsToUnlockingAndIsConnectedAfter(t *testing.T) {
	place := &fakePlace{st: lockedFile, passphrase: goodPassphrase}
	r := newRig(t, rigOptions{tools: map[string]tool{"a": nothing}, place: place})
	v := r.atServer()
	r.s.disconnect(v)
	r.wait(func() bool { return v.status.State == mcpclient.Closed })
	locked := &mcpclient.Failure{Kind: mcpclient.FailLost, Text: keychain.Sentence(lockedFile.Why)}
	r.told(mcpclient.Event{ServerID: v.ID, Connection: &mcpclient.Status{State: mcpclient.Lost, Failure: locked}})
	r.queue.Drain()
	if r.button("Try again") != nil {
		t.Error("trying again is offered, which mends nothing")
	}
	r.reach("Unlock…")
	r.typing(goodPassphrase)
	r.key(fyne.KeyReturn)
	r.idle()
	if r.s.at != (route{section: sectionServer, id: v.ID}) {
		t.Errorf("it ends at %v", r.s.at)
	}
	r.wait(func() bool { return v.status.State == mcpclient.Connected })
}

// where names what has the keyboard: a field's label, or a button's words.
func (r *rig) where() string {
	f := r.s.win.Canvas().Focused()
	if b, ok := f.(*kit.Button); ok {
		return b.Text()
	}
	for _, o := range objectsOf(r.s.page.object()) {
		if row, ok := o.(*kit.FieldRow); ok && row.Control() != nil && row.Control().FocusTarget() == f {
			label, _, _ := strings.Cut(textOf(row), "\n")
			return label
		}
	}
	return ""
}

// error is what the field with this label is said to have wrong.
func (r *rig) error(label string) string {
	r.t.Helper()
	for _, o := range objectsOf(r.s.page.object()) {
		if row, ok := o.(*kit.FieldRow); ok && strings.HasPrefix(textOf(row), label+"\n") {
			return row.Error()
		}
	}
	r.t.Fatalf("there is no field %q:\n%s", label, r.text())
	return ""
}

// TestSecrets_AFormHasTheKeyboardHoweverItIsOpened, so that what is typed lands in
// it and nowhere else.
func TestSecrets_AFormHasTheKeyboardHoweverItIsOpened(t *testing.T) {
	for button, c := range map[string]struct {
		st   keychain.State
		want string
	}{
		"Keep them in an encrypted file…": {noKeychain, "Passphrase"},
		"Use an encrypted file instead…":  {keychain.State{Mode: keychain.Available, VaultPossible: true}, "Passphrase"},
		"Unlock…":                         {lockedFile, "Passphrase"},
		"Change passphrase…":              {keychain.State{Mode: keychain.Vault}, "Current passphrase"},
		"Stop using the file…":            {keychain.State{Mode: keychain.Vault}, "Keep the file"},
	} {
		r := newRig(t, rigOptions{place: &fakePlace{st: c.st}})
		r.settings()
		r.click(button)
		if got := r.where(); got != c.want {
			t.Errorf("after a click on %q the keyboard is at %q, want %q", button, got, c.want)
		}
	}
}

// TestSecrets_AfterAFaultTheKeyboardIsInTheFieldAtFault, whether the fault was
// found here or by the file.
func TestSecrets_AfterAFaultTheKeyboardIsInTheFieldAtFault(t *testing.T) {
	for _, c := range []struct {
		st                 keychain.State
		open, do           string
		old, wanted, again string
		where, says        string
	}{
		{lockedFile, "Unlock…", "Unlock", "", "", "", "Passphrase", "Enter the passphrase."},
		{lockedFile, "Unlock…", "Unlock", "wrong", "", "", "Passphrase", "not the passphrase"},
		{noKeychain, "Keep them in an encrypted file…", "Make the file", "", "password1", "", "Passphrase", "too easy to guess"},
		{noKeychain, "Keep them in an encrypted file…", "Make the file", "", goodPassphrase, "other", "Once more, to be sure", "not the same"},
		{keychain.State{Mode: keychain.Vault}, "Change passphrase…", "Change it", "x", "short", "short", "New passphrase", "too easy to guess"},
		{keychain.State{Mode: keychain.Vault}, "Change passphrase…", "Change it", "wrong", goodPassphrase, goodPassphrase, "Current passphrase", "not the passphrase"},
	} {
		r := newRig(t, rigOptions{place: &fakePlace{st: c.st, passphrase: "the right one"}})
		r.settings()
		r.click(c.open)
		for _, f := range []struct {
			row  *kit.FieldRow
			text string
		}{{r.part().old, c.old}, {r.part().wanted, c.wanted}, {r.part().again, c.again}} {
			if f.row != nil && f.text != "" {
				r.s.win.Canvas().Focus(f.row.Control().FocusTarget())
				r.typing(f.text)
			}
		}
		r.click(c.do)
		r.idle()
		if got := r.where(); got != c.where || !strings.Contains(r.error(c.where), c.says) {
			t.Errorf("%q: the keyboard is at %q, want %q, which has wrong: %q, want %q", c.do, got, c.where, r.error(c.where), c.says)
			continue
		}
		// What is typed over it is not what was wrong.
		r.typing("a")
		if said := r.error(c.where); said != "" {
			t.Errorf("%q: while it is typed anew it says %q", c.do, said)
		}
	}
}

// TestSecrets_ThatTwoDifferIsNotSaidWhileEitherIsTyped.
func TestSecrets_ThatTwoDifferIsNotSaidWhileEitherIsTyped(t *testing.T) {
	r := newRig(t, rigOptions{place: &fakePlace{st: noKeychain}})
	r.settings()
	r.click("Keep them in an encrypted file…")
	r.typing(goodPassphrase)
	r.ctrlEnter()
	if r.error("Once more, to be sure") == "" {
		t.Fatal("it is not said that they differ")
	}
	r.s.win.Canvas().Focus(r.part().wanted.Control().FocusTarget())
	r.typing("s")
	if said := r.error("Once more, to be sure"); said != "" {
		t.Errorf("it still says %q", said)
	}
	r.ctrlEnter()
	if r.error("Once more, to be sure") == "" {
		t.Error("it is not said again")
	}
}

// TestSecrets_AnEditOfTheListFromOutsideTakesNothingThatIsTyped.
func TestSecrets_AnEditOfTheListFromOutsideTakesNothingThatIsTyped(t *testing.T) {
	place := &fakePlace{st: lockedFile, passphrase: goodPassphrase}
	r := newRig(t, rigOptions{tools: map[string]tool{"a": nothing}, place: place})
	r.connected()
	r.settings()
	r.click("Unlock…")
	r.typing(goodPassphrase[:8])
	must(t, os.WriteFile(r.store.Path(), []byte(`{"mcpServers":{"x":{"command":"x"},"y":5}}`), 0o600))
	must(t, r.store.SetSettings(r.store.Settings())) // which reads the file
	r.s.takeList(r.s.readList())
	r.queue.Drain()
	r.wantText("“y”")
	r.typing(goodPassphrase[8:])
	r.ctrlEnter()
	r.idle()
	r.wantText("The file is unlocked.")
}

// part is what the settings page shows about secrets.
func (r *rig) part() *secretsPart { return r.s.page.(*settingsPage).secrets }
