package keychain

import (
	"strings"
	"testing"

	"parley/assets/i18n"
)

// TestUnavailable_WhatWasRemovedIsSaidByItsPlace: where there is none nothing can
// still be in it, a locked file loses it with unlocking, and all else may.
func TestUnavailable_WhatWasRemovedIsSaidByItsPlace(t *testing.T) {
	const (
		nowhere = "What you removed is forgotten."
		later   = "is deleted from it if you unlock it before you quit"
		perhaps = "may still be stored there"
	)
	english := i18n.New("en")
	for r, want := range map[Reason]string{
		Failed: perhaps, Locked: perhaps, Denied: perhaps, NoAnswer: perhaps, FileFailed: perhaps,
		Absent: nowhere, NoKeyring: nowhere, Disabled: nowhere, FileGone: nowhere, FileBroken: nowhere,
		FileLocked: later,
	} {
		u := &Unavailable{Reason: r, Deed: Removing}
		if got := english.Text(Sentence(u)); !strings.Contains(got, want) {
			t.Errorf("%v: %s", r, got)
		}
		if u.Nowhere() != (want == nowhere) {
			t.Errorf("%v: Nowhere is %v", r, u.Nowhere())
		}
	}
}
