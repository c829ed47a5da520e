//go:build unix && !linux

package stdio

import "syscall"

// followParent does nothing: only Linux knows a parent death signal. A program
// sees the end of its input when Parley is gone.
func followParent(*syscall.SysProcAttr) {}
