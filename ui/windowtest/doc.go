// Package windowtest drives the real app as a person would: in a window on a
// display, with nothing but a keyboard.
//
// A [Display] is a virtual X server of the test's own with a small window
// manager, a private session bus and a browser that only records what it was
// asked to open. An [App] is a program started there with an empty home. All
// of it belongs to the test: it is started by it and stopped by it, by process
// id, and nothing outside of it is touched.
//
// The app gives no signs made for tests, so a test sees what a person sees: the
// titles of windows, pictures of the screen, and the browser's record. A test
// never waits for a time but for an event with a limit: [Display.WaitWindow],
// [Display.Settle] (the picture stands still), [Display.WaitChange] (the
// picture is another one than before, and stands still), [Browser.Wait]. A wait
// that reaches its limit fails the test and keeps a last picture.
//
// The tests that use it carry the build tag "window" and run with
// "make window"; "make tour" plays one of them slowly. Their settings come from
// the environment, as make sets them:
//
//	PARLEY_BINARY   the program to test; required
//	PARLEY_SHOTS    the folder for pictures; a temporary one where it is unset
//	PARLEY_PACE     a Go duration to pause after each picture and each key, so
//	                that a person can follow; none where it is unset
//
// It works on Linux, with the programs that ".ci/deps window" installs.
package windowtest
