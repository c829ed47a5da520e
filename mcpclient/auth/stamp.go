package auth

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"

	"parley/mcpclient/disk"
)

// A stamp is a file beside the locks of [Options.Locks] with a text that is made anew
// whenever a program changes a session of a server in the keychain. It holds no
// secret. Whoever finds the stamp that they have seen knows that no other program was
// there, and need not read the keychain, which some systems ask the person about at
// each read. Where there is none the keychain is read.

// lockName names files about the sign-ins of what is named by parts.
func (a *Accounts) lockName(parts string) string {
	name := sha256.Sum256([]byte(parts))
	return filepath.Join(a.o.Locks, "sign-in-"+hex.EncodeToString(name[:8]))
}

// stamp is that of a server now, "" if nobody knows.
func (a *Accounts) stamp(serverID string) string {
	if a.o.Locks == "" {
		return ""
	}
	raw, err := os.ReadFile(a.lockName(serverID) + ".stamp")
	if err != nil || len(raw) != len(newID()) {
		return ""
	}
	return string(raw)
}

// changing runs change, which changes sessions of a server in the keychain, and
// returns the stamp after it. There is one before it, too: a program that ends in
// between has not changed anything unseen. Who reads while it runs reads once more
// after it.
func (a *Accounts) changing(serverID string, change func() error) (stamp string, err error) {
	a.stampAnew(serverID)
	err = change()
	return a.stampAnew(serverID), err
}

func (a *Accounts) stampAnew(serverID string) string {
	if a.o.Locks == "" {
		return ""
	}
	path, stamp := a.lockName(serverID)+".stamp", newID()
	if disk.Replace(path, []byte(stamp)) != nil {
		_ = os.Remove(path) // none at all is better than one that others know
		return ""
	}
	return stamp
}
