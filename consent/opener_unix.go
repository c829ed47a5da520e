//go:build unix

package consent

import (
	"os"
	"os/exec"
	"syscall"
)

// detach gives the program a session of its own, so that neither a signal to the
// app's process group nor the end of its terminal reaches the browser.
func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
}

// errorFile is where the program writes standard error: a file without a name.
// A pipe would break under a browser that still runs when the app has ended.
// It is nil if there is no room for one; then nothing is kept.
func errorFile() *os.File {
	f, err := os.CreateTemp("", "parley-open-")
	if err != nil {
		return nil
	}
	if os.Remove(f.Name()) != nil {
		f.Close()
		return nil
	}
	return f
}
