package ui

import (
	"context"
	"errors"
	"slices"
	"time"

	"parley/assets/i18n"
	"parley/mcpclient"
	"parley/mcpclient/keychain"
	"parley/ui/kit"
)

// Secrets is the place of all secrets: a keychain.Keychain, whose errors and
// states these are. All but State and Watch may take long and are called in the
// background.
type Secrets interface {
	// State is what is known now, at once.
	State() keychain.State
	// Watch calls f whenever State changed, on any goroutine, until stop.
	Watch(f func()) (stop func())
	// Check finds out what can be found out without asking the person.
	Check(ctx context.Context) keychain.State
	// Retry asks again what could not be reached.
	Retry(ctx context.Context) error
	// Resume is Retry where that asks the person nothing; Unkept are the servers, by
	// their IDs, of which something is kept for this run only, at once.
	Resume(ctx context.Context) error
	Unkept() []string
	// Asked are the servers that wait for the system's keychain, which may have a
	// window open for the person, at once.
	Asked() []string
	CreateVault(ctx context.Context, passphrase keychain.Secret) error
	UnlockVault(ctx context.Context, passphrase keychain.Secret) error
	ChangePassphrase(ctx context.Context, old, passphrase keychain.Secret) error
	LockVault()
	RemoveVault(ctx context.Context) error
	// Servers counts the secrets of each server that the file holds.
	Servers(ctx context.Context) (map[string]int, error)
}

// secretsDeed is what the person is doing about the place of secrets.
type secretsDeed int

const (
	deedNone secretsDeed = iota
	deedCreate
	deedUnlock
	deedChange
	deedRemove
	deedStrays
)

// grave reports whether d deletes, so that only its own button does it.
func (d secretsDeed) grave() bool { return d == deedRemove || d == deedStrays }

// secretsSheet is what the person does about the place of secrets. What was
// typed is emptied when it is used and when the page is left.
type secretsSheet struct {
	deed secretsDeed
	busy bool
	// The passphrase that is, the one that is to be, and that once more; and what
	// is wrong with each.
	old, wanted, again                string
	oldFault, wantedFault, againFault i18n.Message
	strays                            straySheet
	said                              remark // what came of it
	// back is the page the person came from to unlock the file; nil for none.
	back *route
	// readable tells that the place could be read when its state was last told.
	readable bool
	// noticed tells that the notice was shown in this run, notice that it is.
	noticed, notice bool
}

// forget empties what was typed.
func (t *secretsSheet) forget() {
	t.old, t.wanted, t.again = "", "", ""
	t.oldFault, t.wantedFault, t.againFault = i18n.Message{}, i18n.Message{}, i18n.Message{}
}

// begin opens the form for a deed.
func (t *secretsSheet) begin(d secretsDeed) {
	t.forget()
	t.deed, t.said, t.back = d, remark{}, nil
}

// retype takes what is typed into one of the fields. What was wrong with it
// before is not said of what stands there now, nor that the two differ.
func (t *secretsSheet) retype(into *string, text string) {
	*into = text
	switch into {
	case &t.old:
		t.oldFault = i18n.Message{}
	case &t.wanted:
		t.wantedFault, t.againFault = i18n.Message{}, i18n.Message{}
	case &t.again:
		t.againFault = i18n.Message{}
	}
}

// check says what is wrong with what was typed; it reports whether nothing is.
func (t *secretsSheet) check() bool {
	t.oldFault, t.wantedFault, t.againFault = i18n.Message{}, i18n.Message{}, i18n.Message{}
	if (t.deed == deedUnlock || t.deed == deedChange) && t.old == "" {
		t.oldFault = i18n.M("ui.secrets.empty")
	}
	if t.deed == deedCreate || t.deed == deedChange {
		switch {
		case keychain.Judge(keychain.NewSecret(t.wanted)) == keychain.Weak:
			t.wantedFault = keychain.Sentence(keychain.ErrWeak)
		case t.wanted != t.again:
			t.againFault = i18n.M("ui.secrets.differ")
		}
	}
	return t.oldFault.IsZero() && t.wantedFault.IsZero() && t.againFault.IsZero()
}

// doSecrets does what the person decided, in the background, and says what came
// of it. A wrong passphrase leaves the form open.
func (s *shell) doSecrets() {
	t := &s.secrets
	if t.busy || t.deed == deedNone {
		return
	}
	if !t.check() {
		s.touchSecrets()
		s.secretsFault()
		return
	}
	old, wanted := keychain.NewSecret(t.old), keychain.NewSecret(t.wanted)
	deed, back := t.deed, t.back
	var do func(context.Context) error
	var done string
	switch deed {
	case deedCreate:
		do, done = func(ctx context.Context) error { return s.o.Secrets.CreateVault(ctx, wanted) }, "ui.secrets.created"
	case deedUnlock:
		do, done = func(ctx context.Context) error { return s.o.Secrets.UnlockVault(ctx, old) }, "ui.secrets.unlocked"
	case deedChange:
		do, done = func(ctx context.Context) error { return s.o.Secrets.ChangePassphrase(ctx, old, wanted) }, "ui.secrets.changed"
	case deedRemove:
		do, done = s.o.Secrets.RemoveVault, "ui.secrets.removed"
	case deedStrays:
		do, done = s.removeStrays(), "ui.strays.removed"
	}
	s.runSecrets(do, func(err error) {
		if errors.Is(err, keychain.ErrPassphrase) {
			t.begin(deed)
			t.back, t.oldFault = back, keychain.Sentence(err)
			s.touchSecrets()
			if s.win.Canvas().Focused() == nil {
				s.secretsFault()
			}
			return
		}
		s.saySecrets(err, done)
		if err == nil && s.o.Secrets.State().Mode == keychain.Vault {
			s.connectReadable()
			if back != nil && s.at.section == sectionSettings {
				s.show(*back)
			}
		}
	})
}

// retrySecrets asks a place that could not be reached once more.
func (s *shell) retrySecrets() {
	s.runSecrets(s.o.Secrets.Retry, func(err error) {
		s.saySecrets(err, "ui.secrets.retried")
		if err == nil {
			s.connectReadable()
		}
	})
}

// lockSecrets locks the encrypted file.
func (s *shell) lockSecrets() {
	s.runSecrets(func(context.Context) error {
		s.o.Secrets.LockVault()
		return nil
	}, func(error) {})
}

// runSecrets does something about the place of secrets in the background; what
// was typed is forgotten here, and ended is called with what came of it.
func (s *shell) runSecrets(do func(context.Context) error, ended func(error)) {
	t := &s.secrets
	if t.busy {
		return
	}
	t.begin(deedNone)
	t.busy = true
	s.touchSecrets()
	s.work.apart(func(ctx context.Context) {
		err := do(ctx)
		s.do.Do(func() {
			t.busy = false
			ended(err)
			s.lookForStrays()
			s.touchSecrets()
		})
	})
}

// saySecrets says what came of a deed. What the state says anyway is not said
// twice.
func (s *shell) saySecrets(err error, done string) {
	t := &s.secrets
	t.said = remark{text: i18n.M(done)}
	if err == nil {
		return
	}
	t.said = remark{text: secretTrouble(err), level: kit.Danger}
	if _, out := errors.AsType[*keychain.Unavailable](err); out && s.o.Secrets.State().Why != nil {
		t.said = remark{}
	}
}

// connectReadable connects to the servers whose secrets could not be read, now that
// they can, and asks those that are connected what they offer. What is typed on their
// pages stays.
func (s *shell) connectReadable() {
	s.connectSome(func(v *serverState) bool {
		f := failureNow(v)
		wanted := wantsKeychain(f) || wantsUnlock(f)
		if wanted && v.token.retry {
			v.token = tokenSheet{}
		}
		if wanted && isConnected(v.status) {
			s.relist(v)
			return false
		}
		return wanted && !v.toReview()
	})
}

// wantsUnlock reports whether f came about since the encrypted file is locked.
func wantsUnlock(f *mcpclient.Failure) bool {
	if f == nil {
		return false
	}
	return keychain.IsLockedFile(f.Text)
}

// toUnlock leads to the place where the file is unlocked, and back to this page
// once it is.
func (s *shell) toUnlock() {
	back := s.at
	s.dropSecretsNotice()
	s.show(route{section: sectionSettings})
	if s.o.Secrets.State().Mode != keychain.VaultLocked || s.secrets.busy {
		return // the page says how it stands
	}
	s.secrets.begin(deedUnlock)
	if back.section != sectionSettings {
		s.secrets.back = &back
	}
	s.touchSecrets()
	s.page.(*settingsPage).secrets.focusForm()
}

// watchSecrets keeps the window true to the place of secrets.
func (s *shell) watchSecrets() (stop func()) {
	if s.o.Secrets == nil {
		return func() {}
	}
	return s.o.Secrets.Watch(func() { s.do.Do(s.secretsChanged) })
}

// secretsChanged draws what shows where secrets are kept, and gives notice once
// in a run when something that was entered will be gone after it.
func (s *shell) secretsChanged() {
	if s.closing {
		return
	}
	t, st := &s.secrets, s.o.Secrets.State()
	switch passing := st.Waiting > 0 && (st.Mode == keychain.SessionOnly || st.Mode == keychain.VaultLocked); {
	case passing && !t.noticed:
		t.noticed = true
		// On the page itself, or while something is done about it, it is said.
		t.notice = s.at.section != sectionSettings && !t.busy
	case !passing:
		t.notice = false
	}
	s.drawSecretsNotice()
	s.placeChanged()
	s.touchSecrets()
	s.renewQuitBar()
	s.learnUnread()
	s.takeAsked()
	if s.resuming == nil && s.passing() {
		s.resuming = s.every(resumePause, s.resume)
	}
}

// takeAsked shows which servers wait for the system's keychain.
func (s *shell) takeAsked() {
	now := s.o.Secrets.Asked()
	if slices.Equal(now, s.asking) {
		return
	}
	var ch changes
	for _, id := range slices.Concat(now, s.asking) {
		mark(&ch.servers, id)
	}
	s.asking = now
	s.tell(&ch)
}

// resumePause is how often a place of secrets that does not take any is looked at,
// while something waits for it.
const resumePause = 10 * time.Second

// passing reports whether something is lost when the app is quit that its place may yet
// take.
func (s *shell) passing() bool {
	if s.o.Secrets == nil {
		return false
	}
	st := s.o.Secrets.State()
	return st.Waiting > 0 && st.Why != nil && !st.Why.Nowhere()
}

// resume has what waits stored if its place has come to answer, and tells when to look
// the next time.
func (s *shell) resume() time.Duration {
	if !s.passing() {
		s.resuming = nil
		return 0
	}
	s.work.apart(func(ctx context.Context) {
		_ = s.o.Secrets.Resume(ctx) // how it stands is told as the state
	})
	return resumePause
}

// secretsFault gives the keyboard to the first field at fault, if the person is
// at the page.
func (s *shell) secretsFault() {
	if p, ok := s.page.(*settingsPage); ok && p.secrets != nil {
		p.secrets.focusFault()
	}
}

// touchSecrets draws the part of the settings page anew if that is shown.
func (s *shell) touchSecrets() {
	if p, ok := s.page.(*settingsPage); ok && p.secrets != nil {
		p.secrets.update()
	}
}
