package keychain

import "fmt"

// Mode says where secrets go.
type Mode int

// The modes.
const (
	Untried     Mode = iota // nothing has been asked yet, or only a use can tell
	Available               // into the keychain
	SessionOnly             // into memory, until the program ends
	Vault                   // into the encrypted file, which is unlocked
	VaultLocked             // into memory, and into the encrypted file once it is unlocked
)

var modeNames = [...]string{
	Untried: "untried", Available: "available", SessionOnly: "session only", Vault: "vault", VaultLocked: "vault locked",
}

// String names the mode for logs.
func (m Mode) String() string {
	if m < 0 || int(m) >= len(modeNames) {
		return fmt.Sprintf("Mode(%d)", int(m))
	}
	return modeNames[m]
}

// State is what is known of the place of secrets.
type State struct {
	Mode Mode
	// Why secrets go into memory; nil unless Mode is SessionOnly or VaultLocked.
	Why *Unavailable
	// Waiting is how many secrets are kept for this run only.
	Waiting int
	// VaultPossible tells that there is a place for an encrypted file, and none
	// in use.
	VaultPossible bool
}

// String says only what a Keychain is: what it holds is nobody's to print.
func (k *Keychain) String() string { return "[keychain]" }

// GoString is String, for %#v.
func (k *Keychain) GoString() string { return k.String() }

// State returns what is known now. It asks and waits for nothing.
func (k *Keychain) State() State {
	k.mu.Lock()
	defer k.mu.Unlock()
	var s State
	for _, e := range k.known {
		if e.unsent && e.err == nil {
			s.Waiting++
		}
	}
	now := k.workerLocked().now
	switch {
	case k.inFile && k.vault.opened() == nil && (now.why == nil || now.why.Reason == FileLocked):
		s.Mode, s.Why = VaultLocked, &Unavailable{Reason: FileLocked, cause: "no key"}
	case now.why != nil:
		s.Mode, s.Why = SessionOnly, now.why
	case k.inFile:
		s.Mode = Vault
	case now.open:
		s.Mode = Available
	}
	s.VaultPossible = k.vault != nil && (!k.inFile || s.Why.lost())
	return s
}

// lost reports whether what was used is no more: the file is gone, or kept aside
// because it was damaged.
func (u *Unavailable) lost() bool {
	return u != nil && (u.Reason == FileGone || u.Reason == FileBroken)
}
