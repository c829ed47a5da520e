package keychain

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/godbus/dbus/v5"
)

// desktop is a session bus in a home folder of its own.
type desktop struct {
	t       *testing.T
	home    string
	address string
	bus     *dbus.Conn
}

// env is the environment of programs on the desktop.
func (d *desktop) env() []string {
	return []string{"HOME=" + d.home, "XDG_RUNTIME_DIR=" + d.home, "XDG_DATA_HOME=" + d.home, "DBUS_SESSION_BUS_ADDRESS=" + d.address}
}

// busConfig allows everything but what %[2]s says, and can start nothing.
const busConfig = `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:path=%[1]s</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/>%[2]s</policy>
</busconfig>`

// need skips the test where a program is missing.
func need(t *testing.T, program, pkg string) string {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		t.Skipf("%s is not installed; on Debian it is in the package %s", program, pkg)
	}
	return path
}

// start runs a program until the test ends, and stops it by its process ID.
func start(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := cmd.Process.Kill(); err != nil {
			t.Errorf("stopping %s: %v", cmd.Path, err)
		}
		_ = cmd.Wait() // "signal: killed"
	})
}

// newDesktop starts a session bus.
func newDesktop(t *testing.T) *desktop {
	t.Helper()
	return newStrictDesktop(t, "")
}

// newStrictDesktop starts a session bus with rules of its own.
func newStrictDesktop(t *testing.T, rules string) *desktop {
	t.Helper()
	program := need(t, "dbus-daemon", "dbus")
	home, err := os.MkdirTemp("", "pk") // short: the address of a socket has at most 107 bytes
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(home) })
	config := filepath.Join(home, "bus.conf")
	if err := os.WriteFile(config, fmt.Appendf(nil, busConfig, filepath.Join(home, "bus"), rules), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "--config-file="+config, "--nofork", "--print-address")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	start(t, cmd)
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("the session bus names no address: %v", err)
	}
	d := &desktop{t: t, home: home, address: strings.TrimSpace(address)}
	if d.bus, err = dbus.Connect(d.address); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.bus.Close() })
	return d
}

// password unlocks the keyring of a desktop.
const password = "keyring password"

// startKeyring starts gnome-keyring-daemon; where login is set, with an unlocked
// login keyring, as it is after signing in.
func (d *desktop) startKeyring(login bool) {
	d.t.Helper()
	args := []string{"--foreground", "--components=secrets", "--control-directory=" + d.home}
	if login {
		args = append(args, "--unlock")
	}
	cmd := exec.Command(need(d.t, "gnome-keyring-daemon", "gnome-keyring"), args...)
	cmd.Env = append(d.env(), "PATH="+os.Getenv("PATH"))
	cmd.Stdin = strings.NewReader(password)
	owners := make(chan *dbus.Signal, 16)
	d.bus.Signal(owners)
	defer d.bus.RemoveSignal(owners)
	if err := d.bus.AddMatchSignal(dbus.WithMatchInterface(busInterface), dbus.WithMatchMember("NameOwnerChanged"), dbus.WithMatchArg(0, secretsName)); err != nil {
		d.t.Fatal(err)
	}
	start(d.t, cmd)
	for s := range owners {
		if s.Name == busInterface+".NameOwnerChanged" && s.Body[2] != "" {
			return
		}
	}
}

// lock locks the login keyring, as a desktop does after a while.
func (d *desktop) lock() {
	d.t.Helper()
	var done []dbus.ObjectPath
	var prompt dbus.ObjectPath
	err := d.bus.Object(secretsName, secretsPath).Call(serviceInterface+".Lock", 0, []dbus.ObjectPath{loginCollection}).Store(&done, &prompt)
	if err != nil || !slices.Contains(done, loginCollection) {
		d.t.Fatalf("the keyring could not be locked: %v, %v", done, err)
	}
}

// unlock unlocks the login keyring as its owner does, with GNOME Keyring's own call for
// that, since the one of the specification shows a window.
func (d *desktop) unlock() {
	d.t.Helper()
	service := d.bus.Object(secretsName, secretsPath)
	var output dbus.Variant
	var session dbus.ObjectPath
	if err := service.Call(serviceInterface+".OpenSession", 0, "plain", dbus.MakeVariant("")).Store(&output, &session); err != nil {
		d.t.Fatal(err)
	}
	secret := struct {
		Session           dbus.ObjectPath
		Parameters, Value []byte
		Type              string
	}{session, []byte{}, []byte(password), "text/plain"}
	const call = "org.gnome.keyring.InternalUnsupportedGuiltRiddenInterface.UnlockWithMasterPassword"
	if err := service.Call(call, 0, dbus.ObjectPath(loginCollection), secret).Err; err != nil {
		d.t.Fatalf("the keyring could not be unlocked: %v", err)
	}
}

// items is how many items of a server lie in the keyring.
func (d *desktop) items(server string) int {
	d.t.Helper()
	var found []dbus.ObjectPath
	err := d.bus.Object(secretsName, loginCollection).Call("org.freedesktop.Secret.Collection.SearchItems", 0,
		map[string]string{"service": serviceName("", server)}).Store(&found)
	if err != nil {
		d.t.Fatal(err)
	}
	return len(found)
}

// mustNotHold fails the test if a file in the home folder holds one of the texts.
func (d *desktop) mustNotHold(texts ...string) {
	d.t.Helper()
	files := 0
	err := filepath.WalkDir(d.home, func(path string, e os.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		files++
		raw, err := os.ReadFile(path)
		for _, text := range texts {
			if strings.Contains(string(raw), text) {
				d.t.Errorf("%s holds a secret in plain text", path)
			}
		}
		return err
	})
	if err != nil || files < 2 {
		d.t.Errorf("only %d files were searched (%v)", files, err)
	}
}

// prompter is a window that asks for a password and that nobody answers.
type prompter struct{ asked chan struct{} }

// BeginPrompting is called when a window is to be shown.
func (p prompter) BeginPrompting(dbus.ObjectPath) *dbus.Error {
	p.asked <- struct{}{}
	return nil
}

// prompter makes p the window that asks for passwords.
func (d *desktop) prompter(p any) {
	d.t.Helper()
	if err := d.bus.Export(p, "/org/gnome/keyring/Prompter", "org.gnome.keyring.internal.Prompter"); err != nil {
		d.t.Fatal(err)
	}
	if _, err := d.bus.RequestName("org.gnome.keyring.SystemPrompter", dbus.NameFlagDoNotQueue); err != nil {
		d.t.Fatal(err)
	}
}

// closer is a window that asks for passwords and that the person closes at once;
// each time counts in asked. It speaks GNOME Keyring's own protocol for such
// windows (gcr, org.gnome.keyring.internal.Prompter), whose answers have to
// follow in order, so it writes each message itself.
func (d *desktop) closer() (asked chan struct{}) {
	d.t.Helper()
	bus, err := dbus.Connect(d.address)
	if err != nil {
		d.t.Fatal(err)
	}
	if _, err := bus.RequestName("org.gnome.keyring.SystemPrompter", dbus.NameFlagDoNotQueue); err != nil {
		d.t.Fatal(err)
	}
	asked = make(chan struct{}, 8)
	all, done, ended := make(chan *dbus.Message, 64), make(chan struct{}), make(chan struct{})
	bus.Eavesdrop(all)
	go func() {
		defer close(ended)
		for {
			select {
			case m := <-all:
				if m != nil && m.Type == dbus.TypeMethodCall {
					closeWindow(bus, m, asked)
				}
			case <-done:
				return
			}
		}
	}()
	d.t.Cleanup(func() {
		close(done)
		<-ended
		bus.Close()
	})
	return asked
}

// closeWindow answers one call of the keyring to a window.
func closeWindow(bus *dbus.Conn, m *dbus.Message, asked chan<- struct{}) {
	keyring := m.Headers[dbus.FieldSender]
	bus.Send(&dbus.Message{Type: dbus.TypeMethodReply, Headers: map[dbus.HeaderField]dbus.Variant{
		dbus.FieldReplySerial: dbus.MakeVariant(m.Serial()), dbus.FieldDestination: keyring}}, nil)
	call := func(method string, body ...any) {
		bus.Send(&dbus.Message{Type: dbus.TypeMethodCall, Flags: dbus.FlagNoReplyExpected, Body: body, Headers: map[dbus.HeaderField]dbus.Variant{
			dbus.FieldDestination: keyring, dbus.FieldPath: dbus.MakeVariant(m.Body[0]),
			dbus.FieldInterface: dbus.MakeVariant("org.gnome.keyring.internal.Prompter.Callback"), dbus.FieldMember: dbus.MakeVariant(method),
			dbus.FieldSignature: dbus.MakeVariant(dbus.SignatureOf(body...))}}, nil)
	}
	switch m.Headers[dbus.FieldMember].Value() {
	case "BeginPrompting":
		asked <- struct{}{}
		call("PromptReady", "", map[string]dbus.Variant{}, "")
	case "PerformPrompt":
		call("PromptReady", "no", map[string]dbus.Variant{}, "") // its button to cancel
	case "StopPrompting":
		call("PromptDone")
	}
}
