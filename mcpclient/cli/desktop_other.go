//go:build windows || darwin

package cli

// prepareDesktop has nothing to do: these systems come with what a window needs.
func prepareDesktop() {}
