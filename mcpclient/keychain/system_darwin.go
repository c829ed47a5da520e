package keychain

import (
	"errors"
	"fmt"
	"os/exec"
	"strconv"
)

// exitReasons are exit codes of /usr/bin/security: the low byte of the OSStatus
// of Security.framework (SecBase.h) that stopped it.
var exitReasons = map[int]Reason{
	128: Denied,    // userCanceledErr, -128
	51:  Denied,    // errSecAuthFailed, -25293
	36:  Locked,    // errSecInteractionNotAllowed, -25308
	37:  NoKeyring, // errSecNoDefaultKeychain, -25307
	50:  NoKeyring, // errSecNoSuchKeychain, -25294
	53:  Disabled,  // errSecNotAvailable, -25291
}

// look can tell nothing: every question to the keychain may ask the person.
func (s system) look() (sight, error) { return unclear, nil }

func (s system) itemLimit() int { return smallItem }

// classify reads the exit code of the security command.
func (s system) classify(err error) error {
	var e *exec.ExitError
	switch {
	case errors.As(err, &e):
		return &fault{exitReasons[e.ExitCode()], "security: exit code " + strconv.Itoa(e.ExitCode())}
	case errors.Is(err, exec.ErrNotFound):
		return &fault{Absent, "no security command"}
	}
	return &fault{Failed, fmt.Sprintf("%T", err)}
}
