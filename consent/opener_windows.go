package consent

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

// systemOpener calls the URL handler through rundll32, by its full path. Its
// command line has no shell characters that matter: the link holds no space, no
// double quote and no backslash.
func systemOpener(url string) []string {
	program := "rundll32.exe"
	if root := os.Getenv("SystemRoot"); root != "" {
		program = filepath.Join(root, "System32", program)
	}
	return []string{program, "url.dll,FileProtocolHandler", url}
}

// detach keeps Ctrl+C in the app's console away from the browser and shows no
// window for rundll32.
func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{HideWindow: true, CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// errorFile is nil: rundll32 writes nothing.
func errorFile() *os.File { return nil }
