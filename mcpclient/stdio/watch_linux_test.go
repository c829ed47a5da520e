package stdio

import (
	"encoding/json"
	"testing"

	"golang.org/x/sys/unix"
)

// watch returns a channel that is closed when the process whose number is the
// only element of the JSON array list has ended. It need not be a child.
func watch(t *testing.T, list string) <-chan struct{} {
	t.Helper()
	var pids []int
	if err := json.Unmarshal([]byte(list), &pids); err != nil || len(pids) != 1 || pids[0] == 0 {
		t.Fatalf("%s names no process (%v)", list, err)
	}
	fd, err := unix.PidfdOpen(pids[0], 0)
	if err != nil {
		t.Fatalf("watching process %d: %v", pids[0], err)
	}
	return inBackground(func() {
		defer unix.Close(fd)
		for err := error(unix.EINTR); err == unix.EINTR; { // longer than any test waits
			_, err = unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, 60_000)
		}
	})
}
