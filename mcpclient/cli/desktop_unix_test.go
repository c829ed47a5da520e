//go:build !windows && !darwin

package cli

import (
	"os"
	"path/filepath"
	"testing"

	"parley/mcpclient/keychain"
)

func TestABareSystemIsPreparedForAWindow(t *testing.T) {
	cache := filepath.Join(t.TempDir(), "home", "cache")
	t.Setenv("XDG_CACHE_HOME", cache)
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/some/bus")
	prepareDesktop()
	if _, err := os.Stat(cache); err != nil {
		t.Errorf("the cache folder: %v", err)
	}
	if got := os.Getenv("DBUS_SESSION_BUS_ADDRESS"); got != "unix:path=/some/bus" {
		t.Errorf("the address of a bus became %q", got)
	}
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "")
	if keychain.HasSessionBus() {
		t.Skip("this computer has a session bus at its usual place")
	}
	prepareDesktop()
	if got := os.Getenv("DBUS_SESSION_BUS_ADDRESS"); got != noBus {
		t.Errorf("without a bus the address is %q, so that one would be started", got)
	}
}
