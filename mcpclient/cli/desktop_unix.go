//go:build !windows && !darwin

package cli

import (
	"os"

	"parley/mcpclient/keychain"
)

// noBus is a session bus address that is refused at once.
const noBus = "disabled:"

// prepareDesktop spares the window toolkit two complaints on a bare system: it
// wants the user's cache folder to be there, and it looks for a session bus,
// for which godbus would start a daemon that nobody ever ends.
func prepareDesktop() {
	if dir, err := os.UserCacheDir(); err == nil {
		// Without it the toolkit keeps nothing between runs, which is no fault.
		_ = os.MkdirAll(dir, 0o700)
	}
	if !keychain.HasSessionBus() {
		_ = os.Setenv("DBUS_SESSION_BUS_ADDRESS", noBus)
	}
}
