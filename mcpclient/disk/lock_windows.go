package disk

import (
	"os"

	"golang.org/x/sys/windows"
)

// lock waits for the lock of an open file. Two openings of one file exclude each
// other, even within a process.
func lock(f *os.File) error {
	return windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK, 0, 1, 0, new(windows.Overlapped))
}
