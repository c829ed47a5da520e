// Package demo is the built-in demo server: an MCP server a new person meets
// first, and a model of how a careful server asks.
//
// It is reached over HTTP like any other server and serves both eras at one
// address, /mcp. A request whose MCP-Protocol-Version header names 2026-07-28
// or later is answered without a session: a tool that needs something returns
// an InputRequiredResult and is called again with inputResponses and
// requestState. Everything else (2025-11-25, 2025-06-18, 2025-03-26) gets a
// session, and its questions are pushed as elicitation/create while the call
// waits. A tool is written once, as a [script] that is run again with each
// round's answers; the two ways of asking live in rounds.go.
//
// The rules it keeps, by their number in the elicitation page of MCP 2026-07-28:
//
//   - No form asks for a secret, and no text in a form is a link (S1, S16).
//     What a person does elsewhere is a URL question (S2).
//   - A mode the client did not declare is never sent. A modern client gets
//     the error -32021 with the missing capability, a legacy one a sentence (S3).
//   - Accept, decline and cancel each lead somewhere else (S5): decline gets
//     an alternative, cancel says that nothing happened and how to go on.
//   - Whatever comes back is checked against what was asked. A fault is named
//     and the question put again, filled with what was right (S19).
//   - requestState is encrypted and authenticated, bound to the method, the
//     tool, its arguments and a time limit. What fails is refused (S22). An
//     answer that comes without the state of its question is no answer, so
//     nothing can be confirmed that was never asked.
//   - A URL holds one random id and nothing else, and opening it does nothing:
//     linking takes a press of a button, guarded against cross-site requests
//     (S14, S15). A public address must be https (S17).
//
// The open door knows no users, so what is bound is the call, not the person
// (S6, S7, S13, S20 and S21 need a sign-in in front).
//
// Requests are refused whose Host could be the work of DNS rebinding or whose
// Origin is another site (MCP 2026-07-28, Streamable HTTP, security warning).
//
// The protocol itself is the official Go SDK's server side, which is used here
// and in tests only.
package demo
