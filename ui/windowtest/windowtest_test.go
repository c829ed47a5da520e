//go:build linux && window

package windowtest

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// The display is itself tested with xev, a program that says which keys reach it.
func TestDisplay_TypedTextReachesTheWindowInFocus(t *testing.T) {
	d := StartDisplay(t)
	empty := d.Settle()
	xev := d.Start("/usr/bin/xev", Options{Args: []string{"-name", "Keys (all of them)", "-event", "keyboard"}})
	d.WaitWindow("Keys (all of them)")
	if same(d.WaitChange(empty), empty) {
		t.Fatal("WaitChange returned the picture it should wait to leave")
	}
	d.Type("é日")
	d.Key("Tab")
	d.waitFor("the keys", func() bool { return strings.Contains(xev.Output(), "keysym 0xff09, Tab") })
	for _, key := range []string{`) "é"`, `) "日"`} {
		if !strings.Contains(xev.Output(), key) {
			t.Errorf("the window never saw the text %s in\n%s", key, xev.Output())
		}
	}
	if xev.Stop(); xev.Running() {
		t.Error("the program is still running after Stop")
	}
}

func TestBrowser_KeepsItsArgumentsByteForByte(t *testing.T) {
	d := StartDisplay(t)
	want := [][]string{{"https://example.com/a b?q='$(id)'&x=\n%20"}, {"", "two"}, {}}
	for i, args := range want {
		cmd := d.command("sh", append([]string{"-c", `exec xdg-open "$@"`, "sh"}, args...)...)
		if i == 1 {
			d.Browser.FailWith(3)
		}
		err := cmd.Run()
		if failed := i > 0; failed != (err != nil) {
			t.Errorf("call %d: ended with %v", i, err)
		}
		if exit, ok := err.(*exec.ExitError); ok && exit.ExitCode() != 3 {
			t.Errorf("call %d: exit code %d, want 3", i, exit.ExitCode())
		}
	}
	if got := d.Browser.Wait(len(want)); !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("recorded %q, want %q", got, want)
	}
}
