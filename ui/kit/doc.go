// Package kit holds the widgets Parley's pages are made of. They know nothing
// of MCP: a page hands them texts, options and callbacks, and hears of changes.
//
// # Text
//
// Text from servers reaches a widget only as a [safetext.Text], so that a place
// that forgot to make it safe does not compile; the app's own sentences, already
// in the person's language, are plain strings. [Text] breaks lines by the
// Unicode line breaking algorithm (UAX #14), so that Chinese wraps between
// characters, never before a comma, and a word longer than the line is cut. It
// measures single characters once and adds them up, so that time grows with
// the length and no more; Fyne's Label froze for seconds on one long line. What
// is longer than a page goes into [LongText], which draws only the rows in view.
//
// # Size
//
// The height of wrapped text depends on its width, which Fyne's MinSize cannot
// say. The layouts of this package ([Column], [Row], [FormGrid] …) ask a child
// for the height it needs at a width (HeightFor) and so are right at once; a
// child that does not know is asked for its MinSize.
//
// # Controls
//
// A control reports what the person did through OnChanged and never what the
// program did. Choices are numbers, the index of the option: labels come from
// servers and may be equal or empty. Every control works by keyboard alone; Tab
// goes from control to control and scrolls the next one into view ([Reveal]),
// Enter never submits a form, Escape closes what is open before the page hears
// of it. At most one popup is open in a window, and it never holds a question.
//
// # Threads
//
// As everywhere in Fyne, widgets are touched on the event thread only; a
// [Dispatcher] takes work there.
package kit
