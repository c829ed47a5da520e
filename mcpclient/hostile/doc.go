// Package hostile is the scripted hostile peer: a server that can be made to
// misbehave in a hundred ways, and the test that no way of misbehaving breaks
// the client. It holds tests alone.
//
// # What is played
//
// A behaviour is one way to misbehave: a name that states it, what the server
// does when the client comes to a certain point, and what must hold then. The
// tables lie in the files named after their subject (lines, replies, lists,
// rounds, pushes, hello, httpanswers, streams, programs, sizes). Apart from its
// one fault the server is a good one, so that it can be shown that the client
// still works with it.
//
// The bytes are made here, without any library that would refuse to make them,
// and the client is the real one: mcpclient.Client over the real transports, a
// program whose standard streams it holds, or a TCP listener that it reaches.
// Each behaviour is played at every place where it makes sense: over stdio,
// over Streamable HTTP with the reply in an event stream and as a JSON body, and
// over the HTTP+SSE of 2024-11-05; in the era of 2026-07-28 and in that of
// 2025-11-25. In an ordinary run the eras take turns from behaviour to behaviour;
// PARLEY_FULL=1 plays each in both.
//
// # What must hold
//
// For every behaviour at every place:
//
//   - What the person wanted comes to the end that the table says: done, or a
//     failure of that kind with that sentence. The sentence exists in every
//     language.
//   - Exactly the questions that the table says were asked.
//   - Afterwards an ordinary call works over the same connection; or the
//     connection is lost with a sentence, where the table says so.
//   - Nothing panics, and nothing hangs: each play ends by itself, long before
//     the limit that guards it.
//   - When the client was closed no goroutine that belongs to the play is
//     left, no question is open, no program runs on and no file is open.
//   - No credential appears in anything that the client tells, nor anywhere but
//     at the origin that it was meant for.
//   - For the behaviours that are about size, the heap in use never grows by
//     more than three times the size limit of a message, beside a fixed half
//     mebibyte and what waits for a watcher that does not look. Their server is
//     another process, they are played one at a time, and the collector is made
//     to run often.
package hostile
