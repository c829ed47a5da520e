package cli

import (
	"strings"
	"testing"
	"time"
)

// The field cases of old programs (group F) as the command line shows them.

// B56: a program that exits when it is asked for server/discover is started
// again, and its tool asks and answers like every other.
func TestB56_AProgramThatExitsOnDiscoverIsStartedAgain(t *testing.T) {
	push := `> {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"m"}}` + "\n"
	took(t, 0, func(t *testing.T) {
		r := callScript(t.Context(), t, "era exits\n"+called+push+"< response\n"+done, noBrowser(t), "--tool", "t", "--answer", "accept")
		r.want(0, "connected ask1 accept result")
		if !strings.Contains(r.stdout, `"protocol":"2025-11-25","era":"legacy"}`) {
			t.Errorf("connected as\n%s", r.stdout)
		}
		if strings.Contains(r.wire, "server/discover") {
			t.Errorf("the program that stays got:\n%s", r.wire)
		}
	})
}

// B57: a program that says nothing to server/discover is asked to initialize
// after half of --timeout, at most five seconds.
func TestB57_AProgramThatIgnoresDiscoverIsAskedToInitialize(t *testing.T) {
	for timeout, waits := range map[string]time.Duration{
		"60s": 5 * time.Second,
		"10s": 5 * time.Second,
		"4s":  2 * time.Second,
		"1s":  500 * time.Millisecond,
	} {
		t.Run(timeout, func(t *testing.T) {
			took(t, waits, func(t *testing.T) {
				r := callScript(t.Context(), t, "era silent\n"+called+done, noBrowser(t), "--tool", "t", "--timeout", timeout)
				r.want(0, "connected result")
				if !strings.Contains(r.stdout, `"era":"legacy"}`) {
					t.Errorf("connected as\n%s", r.stdout)
				}
			})
		})
	}
}

// B57: with the revision pinned nothing is waited for.
func TestB57_APinnedRevisionIsNotProbed(t *testing.T) {
	took(t, 0, func(t *testing.T) {
		callScript(t.Context(), t, "era silent\n"+called+done, noBrowser(t), "--tool", "t", "--protocol", "2025-11-25").
			want(0, "connected result")
	})
}
