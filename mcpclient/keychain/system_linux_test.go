package keychain

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"parley/assets/i18n"
)

// These tests use the real Secret Service: a dbus-daemon and a
// gnome-keyring-daemon of their own, in a home folder of their own. godbus keeps
// one connection a process, so each use of the keychain runs in a child: this
// test program again, which obeys lines on its standard input.

// childVariable makes this program the child; its value is the time limit.
// vaultVariable is the path of its encrypted file, if it has a place for one.
const (
	childVariable = "PARLEY_TEST_KEYCHAIN_TIMEOUT"
	vaultVariable = "PARLEY_TEST_KEYCHAIN_VAULT"
)

func TestMain(m *testing.M) {
	if limit := os.Getenv(childVariable); limit != "" {
		obey(limit)
		return
	}
	os.Exit(m.Run())
}

// answer is what the child says of one order.
type answer struct {
	Mode   Mode
	Reason Reason // -1 for none
	Text   string // everything that could show: error, state and sentences
	Value  []byte // of get: the value, for the parent to compare
}

// obey does what the lines of standard input say: check, retry, resume, drop SERVER,
// get SERVER NAME, delete SERVER NAME, set SERVER NAME SIZE; and of the encrypted
// file: make, unlock, lock, unmake.
func obey(limit string) {
	timeout, err := time.ParseDuration(limit)
	if err != nil {
		panic(err)
	}
	k := Open(Options{Timeout: timeout, Vault: os.Getenv(vaultVariable)})
	if k.vault != nil {
		k.vault.cost = cheap
	}
	out := json.NewEncoder(os.Stdout)
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		order := append(strings.Fields(in.Text()), "", "", "")
		key := Key{Server: order[1], Name: order[2]}
		var a answer
		var err error
		switch order[0] {
		case "check":
			k.Check(ctx)
		case "retry":
			err = k.Retry(ctx)
		case "resume":
			err = k.Resume(ctx)
		case "make":
			err = k.CreateVault(ctx, opening)
		case "unlock":
			err = k.UnlockVault(ctx, opening)
		case "lock":
			k.LockVault()
		case "unmake":
			err = k.RemoveVault(ctx)
		case "drop":
			err = k.DeleteAll(ctx, order[1])
		case "delete":
			err = k.Delete(ctx, key)
		case "get":
			var v Secret
			v, err = k.Get(ctx, key)
			a.Value = []byte(v.Reveal())
		case "set":
			n, atoiErr := strconv.Atoi(order[3])
			if atoiErr != nil {
				panic(atoiErr)
			}
			err = k.Set(ctx, key, NewSecret(long(canary, n)))
		}
		s := k.State()
		a.Mode, a.Reason = s.Mode, reason(err)
		english := i18n.New("en")
		a.Text = fmt.Sprintf("%v|%+v|%v|%+v|%s|%s", err, err, s, s, english.Text(Sentence(err)), english.Text(s.Sentence()))
		if err := out.Encode(a); err != nil {
			panic(err)
		}
	}
}

// child is the running program of a child.
type child struct {
	t   *testing.T
	in  io.WriteCloser
	out *json.Decoder
}

// newChild starts a child with an environment that holds env and nothing of a
// desktop. It ends with the test.
func newChild(t *testing.T, timeout time.Duration, env ...string) *child {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), childVariable + "=" + timeout.String()}, env...)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("the child ended with %v", err)
		}
	})
	return &child{t: t, in: in, out: json.NewDecoder(out)}
}

// order gives an order and returns the answer, in which no secret may show.
func (c *child) order(format string, args ...any) answer {
	c.t.Helper()
	fmt.Fprintf(c.in, format+"\n", args...)
	var a answer
	if err := c.out.Decode(&a); err != nil {
		c.t.Fatalf("the child did not answer %q: %v", fmt.Sprintf(format, args...), err)
	}
	if strings.Contains(a.Text, canary) {
		c.t.Errorf("a secret shows: %s", a.Text)
	}
	return a
}

// want gives an order whose answer must have the mode and reason.
func (c *child) want(m Mode, r Reason, format string, args ...any) answer {
	c.t.Helper()
	a := c.order(format, args...)
	if a.Mode != m || a.Reason != r {
		c.t.Errorf("%q: mode %v, reason %v; want %v, %v\n%s", fmt.Sprintf(format, args...), a.Mode, a.Reason, m, r, a.Text)
	}
	return a
}

// none is the Reason of success.
const none Reason = -1

func TestSecretService_B90_KeepsAndRemovesValuesOfAnySize(t *testing.T) {
	d := newDesktop(t)
	d.startKeyring(true)
	sizes := []int{10, 2560, 2561, 5500, 49_000, 100_000}
	first := newChild(t, time.Minute, d.env()...)
	first.want(Available, none, "check")
	for _, n := range sizes {
		first.want(Available, none, "set server size-%d %d", n, n)
	}
	first.want(Available, none, "set server replaced 120000")
	first.want(Available, none, "set server replaced 90000")
	first.want(Available, none, "set server deleted 50000")
	first.want(Available, none, "delete server deleted")
	first.want(Available, none, "set other token 3000")

	second := newChild(t, time.Minute, d.env()...)
	for _, n := range sizes {
		if a := second.want(Available, none, "get server size-%d", n); string(a.Value) != long(canary, n) {
			t.Errorf("%d bytes came back as %d others", n, len(a.Value))
		}
	}
	if a := second.order("get server replaced"); string(a.Value) != long(canary, 90_000) {
		t.Errorf("a replaced value came back as %d bytes", len(a.Value))
	}
	if a := second.order("get server deleted"); len(a.Value) != 0 || !strings.Contains(a.Text, ErrNotFound.Error()) {
		t.Errorf("a deleted value: %d bytes, %s", len(a.Value), a.Text)
	}
	second.want(Available, none, "drop server")
	if left := d.items("server"); left != 0 {
		t.Errorf("%d items of a removed server are left", left)
	}
	if d.items("other") == 0 {
		t.Error("the items of another server are gone")
	}
	if a := newChild(t, time.Minute, d.env()...).want(Available, none, "get other token"); string(a.Value) != long(canary, 3000) {
		t.Errorf("another server's value came back as %d bytes", len(a.Value))
	}
	d.mustNotHold(canary, base64.StdEncoding.EncodeToString([]byte(canary))[:12])
}

func TestSecretService_B89_ALockedOneThatCannotAskIsSaidAndNotAskedAgain(t *testing.T) {
	d := newDesktop(t)
	d.startKeyring(true)
	newChild(t, time.Minute, d.env()...).want(Available, none, "set server token 5000")
	d.lock()
	c := newChild(t, time.Minute, d.env()...)
	c.want(Untried, none, "check") // a look asks nobody for a password
	a := c.want(SessionOnly, Locked, "get server token")
	if !strings.Contains(a.Text, "The keychain is locked and was not unlocked.") {
		t.Errorf("it says: %s", a.Text)
	}
	c.want(SessionOnly, Locked, "set server token 30")
	if a := c.want(SessionOnly, none, "get server token"); string(a.Value) != long(canary, 30) {
		t.Errorf("the value of this run came back as %d bytes", len(a.Value))
	}
	c.want(SessionOnly, Locked, "retry")
}

// TestSecretService_WhatCouldNotBeStoredIsOnceItIsUnlocked, without a window; while it
// is locked nobody is asked.
func TestSecretService_WhatCouldNotBeStoredIsOnceItIsUnlocked(t *testing.T) {
	d := newDesktop(t)
	d.startKeyring(true)
	c := newChild(t, time.Minute, d.env()...)
	c.want(Available, none, "set server token 5000")
	asked := d.closer()
	d.lock()
	c.want(SessionOnly, Locked, "set server token 30")
	shown := len(asked)
	c.want(SessionOnly, Locked, "resume")
	d.unlock()
	c.want(Available, none, "resume")
	if n := len(asked) - shown; n != 0 || shown == 0 {
		t.Errorf("%d windows were shown before it, %d by it", shown, n)
	}
	next := newChild(t, time.Minute, d.env()...)
	if a := next.want(Available, none, "get server token"); string(a.Value) != long(canary, 30) {
		t.Errorf("the next run finds %d bytes", len(a.Value))
	}
}

func TestSecretService_B89_AWindowThatNobodyAnswersIsSaidAfterTheLimit(t *testing.T) {
	d := newDesktop(t)
	d.startKeyring(true)
	newChild(t, time.Minute, d.env()...).want(Available, none, "set server token 5000")
	window := prompter{make(chan struct{}, 8)}
	d.prompter(window)
	d.lock()
	c := newChild(t, time.Second, d.env()...)
	c.want(SessionOnly, Locked, "get server token")
	select {
	case <-window.asked:
	default:
		t.Error("no window was shown: this test tells nothing")
	}
	for i := range 5 {
		c.want(SessionOnly, Locked, "get server-%d token", i)
	}
	c.want(SessionOnly, Locked, "set server token 30")
	if n := len(window.asked); n != 0 {
		t.Errorf("%d more windows were shown", n)
	}
}

func TestSecretService_B89_B92_AWindowThatIsClosedIsARefusalAndNotShownAgain(t *testing.T) {
	d := newDesktop(t)
	d.startKeyring(true)
	newChild(t, time.Minute, d.env()...).want(Available, none, "set server token 5000")
	asked := d.closer()
	d.lock()
	c := newChild(t, time.Minute, d.env()...)
	c.want(SessionOnly, Locked, "get server token")
	if len(asked) != 1 {
		t.Fatalf("%d windows were shown", len(asked))
	}
	for i := range 5 { // five servers reconnect
		c.want(SessionOnly, Locked, "get server-%d token", i)
	}
	c.want(SessionOnly, Locked, "set server token 30")
	if n := len(asked); n != 1 {
		t.Errorf("%d windows were shown", n)
	}
	c.want(SessionOnly, Locked, "retry") // the person's own wish
	if n := len(asked); n != 2 {
		t.Errorf("trying again showed %d windows", n-1)
	}
}

func TestSecretService_B89_B92_ABusThatDeniesIsSaidAndNotAskedAgain(t *testing.T) {
	d := newStrictDesktop(t, `<deny send_destination="`+secretsName+`" send_interface="org.freedesktop.DBus.Properties"/>`)
	d.startKeyring(true)
	c := newChild(t, time.Minute, d.env()...)
	a := c.want(SessionOnly, Denied, "set server token 30")
	if !strings.Contains(a.Text, "Access to the keychain was refused.") {
		t.Errorf("it says: %s", a.Text)
	}
	c.want(SessionOnly, Denied, "get other token")
	if a := c.want(SessionOnly, none, "get server token"); string(a.Value) != long(canary, 30) {
		t.Errorf("the value of this run came back as %d bytes", len(a.Value))
	}
	c.want(SessionOnly, Denied, "retry")
}

// TestSecretService_B89_WithoutOneTheEncryptedFileKeepsWhatTheNextRunReads, and
// nothing of it shows on the disk.
func TestSecretService_B89_WithoutOneTheEncryptedFileKeepsWhatTheNextRunReads(t *testing.T) {
	d := newDesktop(t) // and nobody on it
	env := append(d.env(), vaultVariable+"="+filepath.Join(d.home, VaultName))
	c := newChild(t, time.Minute, env...)
	c.want(SessionOnly, Absent, "set server token 5500")
	c.want(Vault, none, "make")
	c.want(Vault, none, "set server later 2561")

	next := newChild(t, time.Minute, env...)
	next.want(VaultLocked, FileLocked, "get server token")
	next.want(Vault, none, "unlock")
	for name, n := range map[string]int{"token": 5500, "later": 2561} {
		if a := next.want(Vault, none, "get server %s", name); string(a.Value) != long(canary, n) {
			t.Errorf("%s came back as %d bytes", name, len(a.Value))
		}
	}
	next.want(VaultLocked, none, "lock")
	d.mustNotHold(canary, base64.StdEncoding.EncodeToString([]byte(canary))[:12], "server", "later")
}

func TestSecretService_AnEncryptedFileTakesOverAndGivesBack(t *testing.T) {
	d := newDesktop(t)
	d.startKeyring(true)
	env := append(d.env(), vaultVariable+"="+filepath.Join(d.home, VaultName))
	c := newChild(t, time.Minute, env...)
	c.want(Available, none, "set server token 100000")
	c.want(Vault, none, "make")
	if n := d.items("server"); n != 0 {
		t.Errorf("%d items are left in the keyring", n)
	}
	d.lock() // so that a question to the keyring would show
	next := newChild(t, time.Minute, env...)
	next.want(Vault, none, "unlock")
	if a := next.want(Vault, none, "get server token"); string(a.Value) != long(canary, 100_000) {
		t.Errorf("it came back as %d bytes", len(a.Value))
	}
}

func TestSecretService_WithoutAKeyringIsSaid(t *testing.T) {
	d := newDesktop(t)
	d.startKeyring(false)
	c := newChild(t, time.Minute, d.env()...)
	a := c.want(SessionOnly, none, "check")
	if !strings.Contains(a.Text, "no keyring to put secrets in") {
		t.Errorf("it says: %s", a.Text)
	}
	c.want(SessionOnly, NoKeyring, "set server token 30")
}

func TestSecretService_B89_ABusWithoutTheServiceIsSaid(t *testing.T) {
	d := newDesktop(t)
	c := newChild(t, time.Minute, d.env()...)
	a := c.want(SessionOnly, Absent, "set server token 5000")
	if !strings.Contains(a.Text, "There is no keychain") || !strings.Contains(a.Text, "not written to any file") {
		t.Errorf("it says: %s", a.Text)
	}
	if a := c.want(SessionOnly, none, "get server token"); string(a.Value) != long(canary, 5000) {
		t.Errorf("the value of this run came back as %d bytes", len(a.Value))
	}
	c.want(SessionOnly, Absent, "get server other")

	// A service that comes up later is found by Retry.
	d.startKeyring(true)
	c.want(SessionOnly, Absent, "get server other")
	c.want(Available, none, "retry")
	if a := newChild(t, time.Minute, d.env()...).want(Available, none, "get server token"); string(a.Value) != long(canary, 5000) {
		t.Errorf("the value kept for the run was handed over as %d bytes", len(a.Value))
	}
}

func TestSecretService_B89_WithoutABusNoneIsStarted(t *testing.T) {
	dir := t.TempDir()
	marker := filepath.Join(dir, "launched")
	// What godbus would run to start a bus that nobody ends.
	script := "#!/bin/sh\n: > '" + marker + "'\nexit 1\n"
	if err := os.WriteFile(filepath.Join(dir, "dbus-launch"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, address := range []string{"", "autolaunch:"} {
		if t.Setenv("DBUS_SESSION_BUS_ADDRESS", address); HasSessionBus() {
			t.Skip("this user has a session bus at its usual place, which godbus finds without the environment")
		}
		c := newChild(t, time.Minute, "DBUS_SESSION_BUS_ADDRESS="+address, "PATH="+dir)
		a := c.want(SessionOnly, none, "check")
		if !strings.Contains(a.Text, "There is no keychain") {
			t.Errorf("it says: %s", a.Text)
		}
		c.want(SessionOnly, Absent, "set server token 30")
		c.want(SessionOnly, Absent, "retry")
	}
	if _, err := os.Stat(marker); err == nil {
		t.Error("a session bus was started")
	}
}

func TestSecretService_B89_ABusThatIsDeadOrSilentIsSaid(t *testing.T) {
	dir, err := os.MkdirTemp("", "pk")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	dead := newChild(t, time.Minute, "DBUS_SESSION_BUS_ADDRESS=unix:path="+filepath.Join(dir, "none"))
	dead.want(SessionOnly, Absent, "get server token")

	socket := filepath.Join(dir, "silent")
	l, err := net.Listen("unix", socket) // accepts by its backlog, never answers
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	silent := newChild(t, time.Second, "DBUS_SESSION_BUS_ADDRESS=unix:path="+socket)
	silent.want(SessionOnly, NoAnswer, "set server token 30")
	silent.want(SessionOnly, NoAnswer, "get server other")
	silent.want(SessionOnly, NoAnswer, "retry")
}
