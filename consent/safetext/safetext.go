// Package safetext makes text from strangers safe to show.
//
// Servers send text that reorders itself (U+202E), hides characters (zero
// width, controls) or is endless. [Make] is the one function that such text
// goes through, and every widget that shows server text takes its result type,
// so that a place that forgot it does not compile.
package safetext

// Text is text that is safe to show: every bidi, control, zero-width and
// unassigned character is spelled out visibly, tabs are spaces, line ends are
// "\n" only, and its length is bounded. The zero Text is empty.
type Text struct{ s string }

// String returns the safe text.
func (t Text) String() string { return t.s }

// IsZero reports whether t is empty.
func (t Text) IsZero() bool { return t.s == "" }
