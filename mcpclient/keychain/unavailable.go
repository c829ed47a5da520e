package keychain

import (
	"errors"
	"fmt"

	"parley/assets/i18n"
)

// Reason is why there is no keychain to use.
type Reason int

// The reasons.
const (
	Failed     Reason = iota // it reported an error of another kind
	Absent                   // no program of this session offers to keep secrets
	NoKeyring                // there is one, but it has no keyring to put them in
	Locked                   // it is locked and was not unlocked
	Denied                   // the person or the system refused access
	Disabled                 // the system keeps no secrets in this session
	NoAnswer                 // it did not answer in time
	FileLocked               // the encrypted file is locked: UnlockVault
	FileGone                 // the encrypted file was removed
	FileBroken               // the encrypted file was damaged, and kept aside
	FileFailed               // the encrypted file could not be read or written
)

var reasonNames = [...]string{
	Failed: "failed", Absent: "absent", NoKeyring: "no keyring", Locked: "locked",
	Denied: "denied", Disabled: "disabled", NoAnswer: "no answer",
	FileLocked: "file locked", FileGone: "file gone", FileBroken: "file damaged", FileFailed: "file failed",
}

// String names the reason for logs.
func (r Reason) String() string {
	if r < 0 || int(r) >= len(reasonNames) {
		return fmt.Sprintf("Reason(%d)", int(r))
	}
	return reasonNames[r]
}

// Deed is what the keychain was wanted for.
type Deed int

// The deeds.
const (
	Using Deed = iota // nothing in particular: the state
	Saving
	Reading
	Removing
)

var deedNames = [...]string{Using: "using", Saving: "saving to", Reading: "reading from", Removing: "removing from"}

// Unavailable is the error of a keychain or an encrypted file that cannot be
// used, until Keychain.Retry or Keychain.UnlockVault. It carries nothing of any
// secret.
type Unavailable struct {
	Reason Reason
	Deed   Deed
	// Held tells, of a failed Keychain.DeleteAll, that this run has seen or put
	// secrets of the server in the keychain: they are surely still there.
	// Without it nothing is known of any.
	Held bool
	// cause is the class, name or number of the fault, and of FileBroken the
	// name of the file kept aside; never a text given by the keychain.
	cause string
}

// Error names deed, reason and cause, for logs.
func (u *Unavailable) Error() string {
	return fmt.Sprintf("%s %s: %s (%s)", deedNames[u.Deed], u.place(), u.Reason, u.cause)
}

func (u *Unavailable) place() string {
	if u.Reason >= FileLocked {
		return "the encrypted file"
	}
	return "the keychain"
}

// during is u as the error of a deed.
func (u *Unavailable) during(d Deed) *Unavailable {
	c := *u
	c.Deed = d
	return &c
}

// fault is an error of a backend, classified.
type fault struct {
	reason Reason
	cause  string
}

func (f *fault) Error() string { return f.reason.String() + " (" + f.cause + ")" }

// Sentence says where secrets go instead of the keychain, why, and what can be
// done. It is no sentence (the zero Message) unless the mode is SessionOnly.
func (s State) Sentence() i18n.Message {
	if s.Why == nil {
		return i18n.Message{}
	}
	return s.Why.sentence()
}

// sentence says what is missing, what that means for the deed, and what can be
// done.
func (u *Unavailable) sentence() i18n.Message {
	id := "keychain.unavailable"
	if u.Reason == FileLocked {
		id = lockedFile
	}
	return i18n.M(id, "Why", u.Fault(), "Then", u.then(), "Remedy", u.remedy())
}

// lockedFile names the sentence of what only Keychain.UnlockVault mends.
const lockedFile = "keychain.locked_file"

// IsLockedFile reports whether m, or the Reason it gives, is that the encrypted
// file is locked.
func IsLockedFile(m i18n.Message) bool {
	reason, _ := m.Data["Reason"].(i18n.Message)
	return m.ID == lockedFile || reason.ID == lockedFile
}

// Fault says what is the matter with the place, and nothing of what that means.
func (u *Unavailable) Fault() i18n.Message {
	switch u.Reason {
	case Absent:
		return i18n.M("keychain.why.absent")
	case NoKeyring:
		return i18n.M("keychain.why.no_keyring")
	case Locked:
		return i18n.M("keychain.why.locked")
	case Denied:
		return i18n.M("keychain.why.denied")
	case Disabled:
		return i18n.M("keychain.why.disabled")
	case NoAnswer:
		return i18n.M("keychain.why.no_answer")
	case FileLocked:
		return i18n.M("keychain.why.file_locked")
	case FileGone:
		return i18n.M("keychain.why.file_gone")
	case FileBroken:
		return i18n.M("keychain.why.file_broken", "File", u.cause)
	case FileFailed:
		return i18n.M("keychain.why.file_failed", "Cause", u.cause)
	}
	return i18n.M("keychain.why.failed", "Cause", u.cause)
}

func (u *Unavailable) then() i18n.Message {
	locked := u.Reason == FileLocked
	switch {
	case locked && u.Deed == Saving:
		return i18n.M("keychain.then.locked_saving")
	case locked && u.Deed == Reading:
		return i18n.M("keychain.then.locked_reading")
	case locked && u.Deed == Removing:
		return i18n.M("keychain.then.locked_removing")
	case locked:
		return i18n.M("keychain.then.locked_using")
	}
	switch u.Deed {
	case Saving:
		return i18n.M("keychain.then.saving")
	case Reading:
		return i18n.M("keychain.then.reading")
	case Removing:
		if u.Nowhere() {
			return i18n.M("keychain.then.nowhere_removing")
		}
		return i18n.M("keychain.then.removing")
	}
	return i18n.M("keychain.then.using")
}

// Nowhere reports whether there is no place now that could hold a secret; that of
// an earlier run may.
func (u *Unavailable) Nowhere() bool {
	switch u.Reason {
	case Absent, NoKeyring, Disabled, FileGone, FileBroken:
		return true
	}
	return false
}

func (u *Unavailable) remedy() i18n.Message {
	switch u.Reason {
	case Absent:
		return i18n.M("keychain.remedy.absent")
	case NoKeyring:
		return i18n.M("keychain.remedy.no_keyring")
	case Locked:
		return i18n.M("keychain.remedy.locked")
	case Denied:
		return i18n.M("keychain.remedy.denied")
	case Disabled:
		return i18n.M("keychain.remedy.disabled")
	case NoAnswer:
		return i18n.M("keychain.remedy.no_answer")
	case FileLocked:
		return i18n.M("keychain.remedy.file_locked")
	case FileGone, FileBroken:
		return i18n.M("keychain.remedy.file_lost")
	}
	return i18n.M("keychain.remedy.failed")
}

// Sentence is err, an error of a Keychain, as a sentence for people; no sentence
// for nil.
func Sentence(err error) i18n.Message {
	var u *Unavailable
	switch {
	case err == nil:
		return i18n.Message{}
	case errors.As(err, &u):
		return u.sentence()
	case errors.Is(err, ErrNotFound):
		return i18n.M("keychain.not_found")
	case errors.Is(err, ErrDamaged):
		return i18n.M("keychain.damaged")
	case errors.Is(err, ErrTooLarge):
		return i18n.M("keychain.too_large")
	case errors.Is(err, ErrKey):
		return i18n.M("keychain.key")
	case errors.Is(err, ErrPassphrase):
		return i18n.M("keychain.vault.passphrase")
	case errors.Is(err, ErrWeak):
		return i18n.M("keychain.vault.weak")
	case errors.Is(err, ErrVaultExists):
		return i18n.M("keychain.vault.exists")
	case errors.Is(err, ErrNoVault):
		return i18n.M("keychain.vault.none")
	}
	// What is left is a context that ended.
	return i18n.M("keychain.interrupted")
}
