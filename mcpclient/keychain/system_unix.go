//go:build !windows && !darwin

package keychain

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/godbus/dbus/v5"
)

// Names of the Secret Service API (freedesktop.org, draft 0.2).
const (
	secretsName       = "org.freedesktop.secrets"
	secretsPath       = "/org/freedesktop/secrets"
	serviceInterface  = "org.freedesktop.Secret.Service"
	collectionLocked  = "org.freedesktop.Secret.Collection.Locked"
	loginCollection   = secretsPath + "/collection/login"
	busInterface      = "org.freedesktop.DBus"
	noObject          = dbus.ObjectPath("/")
	errorAccessDenied = "org.freedesktop.DBus.Error.AccessDenied"
)

// errNoBus: there is no session bus.
var errNoBus = errors.New("no session bus")

// look asks the session bus for a Secret Service, and that for the collection
// go-keyring will use: "login", else the default one. It prompts nobody.
func (s system) look() (sight, error) {
	// Without an address godbus would run dbus-launch. A bus started that way
	// has nobody on it, and nobody would ever end it.
	if !HasSessionBus() {
		return unclear, &fault{Absent, errNoBus.Error()}
	}
	bus, err := dbus.SessionBus()
	if err != nil {
		return unclear, &fault{Absent, "session bus: " + cause(err)}
	}
	var running bool
	if err := bus.BusObject().Call(busInterface+".NameHasOwner", 0, secretsName).Store(&running); err != nil {
		return unclear, &fault{Absent, "session bus: " + cause(err)}
	}
	if !running {
		var startable []string
		if err := bus.BusObject().Call(busInterface+".ListActivatableNames", 0).Store(&startable); err != nil {
			return unclear, &fault{Absent, "session bus: " + cause(err)}
		}
		if !slices.Contains(startable, secretsName) {
			return unclear, &fault{Absent, "no Secret Service"}
		}
	}
	return collection(bus)
}

// collection looks at the collection that go-keyring will use. Asking for it
// starts a service that is not running yet.
func collection(bus *dbus.Conn) (sight, error) {
	service := bus.Object(secretsName, secretsPath)
	all, err := service.GetProperty(serviceInterface + ".Collections")
	if err != nil {
		return unclear, unreached(err, Absent, "Secret Service")
	}
	path := dbus.ObjectPath(loginCollection)
	if paths, _ := all.Value().([]dbus.ObjectPath); !slices.Contains(paths, path) {
		if err := service.Call(serviceInterface+".ReadAlias", 0, "default").Store(&path); err != nil {
			return unclear, unreached(err, Failed, "Secret Service")
		}
	}
	if path == noObject {
		return unclear, &fault{NoKeyring, "no default collection"}
	}
	v, err := bus.Object(secretsName, path).GetProperty(collectionLocked)
	if err != nil {
		return unclear, unreached(err, NoKeyring, "default collection")
	}
	if isLocked, _ := v.Value().(bool); isLocked {
		return locked, nil
	}
	return unlocked, nil
}

// unreached is what it means that a question was answered with an error: that the
// bus does not let it through, whoever it goes to, or else r.
func unreached(err error, r Reason, whom string) error {
	if denied(err) {
		r = Denied
	}
	return &fault{r, whom + ": " + cause(err)}
}

// denied reports whether the session bus or the service refuses this program, as
// they do to one in a sandbox.
func denied(err error) bool {
	e, ok := errors.AsType[dbus.Error](err)
	return ok && e.Name == errorAccessDenied
}

// HasSessionBus reports whether godbus will find a session bus without starting one:
// in the environment, or where systemd and Ubuntu 16.04 put its address.
func HasSessionBus() bool {
	if a := os.Getenv("DBUS_SESSION_BUS_ADDRESS"); a != "" && a != "autolaunch:" {
		return true
	}
	dir := filepath.Join("/run/user", strconv.Itoa(os.Getuid()))
	for _, name := range []string{"bus", "dbus-session"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			return true
		}
	}
	return false
}

// itemLimit is not the Secret Service's, which has none. GNOME Keyring writes its
// whole file anew with each item, a tenth of a second each time, so tokens should
// fit into one; what is far longer makes it slow and is split.
func (s system) itemLimit() int { return 64 << 10 }

// classify looks again after a failed call, since go-keyring gives the same
// error for a window that was closed, a prompt that could not be shown and a
// keyring that does not exist.
func (s system) classify(err error) error {
	if denied(err) {
		return &fault{Denied, errorAccessDenied}
	}
	seen, lookErr := s.look()
	if lookErr != nil {
		return lookErr
	}
	if seen == locked {
		return &fault{Locked, "not unlocked"}
	}
	return &fault{Failed, cause(err)}
}

// cause names an error without repeating text that came from another program.
func cause(err error) string {
	var e dbus.Error
	if errors.As(err, &e) {
		return e.Name
	}
	return fmt.Sprintf("%T", err)
}
