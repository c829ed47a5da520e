//go:build unix && !linux

package stdio

import "syscall"

// followParent does nothing: only Linux knows a parent death signal.
func followParent(*syscall.SysProcAttr, syscall.Signal) {}
