package ui

import (
	"context"

	"parley/assets/i18n"
	"parley/mcpclient/keychain"
)

// kept says what becomes of a secret that is entered now, as the rest of a
// sentence: "kept in this computer’s keychain". Whatever names the place of
// secrets takes it from here.
func (s *shell) kept() i18n.Message {
	switch s.secretsMode() {
	case keychain.SessionOnly:
		return i18n.M("ui.kept.session")
	case keychain.Vault:
		return i18n.M("ui.kept.file")
	case keychain.VaultLocked:
		return i18n.M("ui.kept.locked")
	}
	return i18n.M("ui.kept.keychain")
}

// wayOutOfFile is the words for moving a secret out of a plain file to where secrets
// are kept, "" where it would be lost when Parley is quit; why says so then.
func (s *shell) wayOutOfFile() (move, why string) {
	switch s.secretsMode() {
	case keychain.SessionOnly:
		return "", "ui.exposed.session"
	case keychain.Vault:
		return "ui.exposed.move_file", ""
	case keychain.VaultLocked:
		return "", "ui.exposed.locked"
	}
	return "ui.exposed.move_keychain", ""
}

// secretsMode is where secrets go; a window that is not told takes it to be the
// keychain.
func (s *shell) secretsMode() keychain.Mode {
	if s.o.Secrets == nil {
		return keychain.Untried
	}
	return s.o.Secrets.State().Mode
}

// tokenHint says where an access token will be kept.
func (s *shell) tokenHint() string { return s.t("ui.token.hint", "Kept", s.kept()) }

// placed is a page that says where secrets are kept.
type placed interface {
	// sayKept says it anew; the keyboard stays where it is.
	sayKept()
}

// findPlace finds out where secrets will be kept, so that a page that says so is
// right before anything was asked of that place. It comes as a change.
func (s *shell) findPlace() {
	if s.o.Secrets == nil {
		return
	}
	s.work.apart(func(ctx context.Context) { s.o.Secrets.Check(ctx) })
}

// placeChanged corrects the page if secrets go elsewhere now.
func (s *shell) placeChanged() {
	now := s.kept().ID
	if s.saidKept == now {
		return
	}
	s.saidKept = now
	if p, ok := s.page.(placed); ok {
		p.sayKept()
	}
}
