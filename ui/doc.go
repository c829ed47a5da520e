// Package ui draws Parley: one window with the questions servers ask, the
// requests a person made, the servers themselves and the settings.
//
// It decides nothing that matters to a server. What a form may hold and what
// is sent is decided by forms, what a link is and whether it may be opened by
// consent, where an answer goes by mcpclient. What is left are the manners of
// a careful desk, and they are kept here in plain Go that needs no window:
//
//   - A question is a page of one inbox, never an overlay: nothing covers,
//     closes or takes the keyboard from it (field case B49). The only overlays
//     are popups of a control, one at a time.
//   - The banner of a question is drawn by the app from what the app itself
//     knows (specification, client elicitation, "Security Considerations").
//     All words of servers pass through safetext and stand in one framed area.
//   - Leaving a page answers nothing. Esc cancels an untouched question and
//     asks first once something was typed; Enter never opens a page in the
//     browser; the buttons of a question are deaf for half a second after it
//     came or changed; after an answer the focus is on the list.
//   - A sign-in is a page of the same inbox, with the same manners. The address of
//     the sign-in page is judged before the person agrees, and the exact one
//     again before the browser gets it: what is graver is asked about once more
//     (signins.go). Who is signed in where is told by the app, tokens never are.
//   - An access token is typed into a masked entry and goes from there into the
//     keychain: it is never read back, drawn or written, and the entry is emptied
//     once it is kept or given up (token.go).
//   - Servers of a file, of pasted text or of a command line are looked at before
//     they are added, and adding one starts and reaches nothing (import.go). A
//     program is started only after its command was shown whole, with the file
//     that its name leads to, and allowed, also when it is only tried
//     (allowpage.go, programfile.go, trial.go).
//   - A value of a header or an environment variable is a secret until the person
//     says otherwise: it goes into the keychain like a token (valuerows.go).
//   - What is edited in the list outside of Parley is taken in; a connection goes
//     on as it was made, and its page says so (sync.go).
//   - What is on the screen stays until there is something better: what a server
//     offered while it is asked anew or connected to again (offer.go), a form
//     that the server has changed meanwhile (runpage.go).
//   - A server may talk as fast as it likes: what it says on the side is counted,
//     bounded and drawn a few times a second (bridge.go, sidelog.go).
//   - Nothing is sent a second time by itself. A request whose fate nobody knows
//     is sent again by the person's click alone (requestpage.go).
//   - What else a person typed outlives everything: a change of language, another
//     page, a server that gave up. It lives in sheets (sheet.go), and a page
//     is only ever a drawing of one.
//
// # Threads
//
// Widgets and all state of this package belong to Fyne's thread. Everything
// from elsewhere comes through one Dispatcher: events of the client (bridge.go)
// and the ends of background work (work.go). On Fyne's thread nothing is read,
// written, parsed or waited for: schemas are parsed, links assessed, answers
// handed to the client by background work.
package ui
