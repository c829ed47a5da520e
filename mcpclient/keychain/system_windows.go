package keychain

import (
	"errors"
	"fmt"
	"strconv"
	"syscall"
)

// Error codes of the credential functions (wincred.h, winerror.h).
const (
	errorAccessDenied       syscall.Errno = 5
	errorNotFound           syscall.Errno = 1168
	errorNoSuchLogonSession syscall.Errno = 1312 // also: storing was switched off by policy
	errorCancelled          syscall.Errno = 1223
)

// look can tell nothing; the Credential Manager never asks the person, so the
// first use tells at once.
func (s system) look() (sight, error) { return unclear, nil }

func (s system) itemLimit() int { return smallItem }

// classify reads the error code of the system.
func (s system) classify(err error) error {
	var code syscall.Errno
	if !errors.As(err, &code) {
		return &fault{Failed, fmt.Sprintf("%T", err)}
	}
	cause := "error " + strconv.Itoa(int(code))
	switch code {
	case errorNotFound: // of listing where there is no credential at all
		return errNoItem
	case errorAccessDenied, errorCancelled:
		return &fault{Denied, cause}
	case errorNoSuchLogonSession:
		return &fault{Disabled, cause}
	}
	return &fault{Failed, cause}
}
