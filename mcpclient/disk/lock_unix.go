//go:build !windows

package disk

import (
	"errors"
	"os"
	"syscall"
)

// lock waits for the lock of an open file. Two openings of one file exclude each
// other, even within a process (flock, as opposed to POSIX record locks).
func lock(f *os.File) error {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX)
		if !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}
