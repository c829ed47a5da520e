// Package bench measures Parley's client against the client of the official Go
// SDK, and sees that many calls leave nothing behind. It has no code but tests.
//
// # What is measured
//
// One server, in a process of its own, is asked the same by both clients: a
// tool that answers at once (Call), a tool that first asks a form of four
// fields (Round), and a list of 2,000 tools with schemas such as servers have,
// in 20 pages and in one (List). It is spoken to over stdio and over Streamable
// HTTP, with replies as JSON and as event streams, in 2026-07-28 and in
// 2025-11-25. The server knows both eras by heart and does no more than find
// out what it was asked, so that what is compared is the clients: the test
// binary, started once more, see server_test.go.
//
// Each benchmark has three parts. "parley" and "gosdk" are ordinary ones, good
// for a profile. "ratio" is the comparison: both clients take turns, a batch
// each, each batch after a collection of garbage; time and allocations are
// those of this process, by wall clock and by the counters of the runtime. A
// ratio is the median of the ratios of the pairs of batches, so that a machine
// that is slow for a while is slow for both. Below 1 Parley needs less. The
// columns ns/op, B/op and allocs/op of "ratio" are Parley's medians, those
// named gosdk- the SDK's. When all is done the ratios are printed as one table.
//
// # What each side does
//
// Both sides are given the same and have to come to the same, which is checked
// after every operation:
//
//   - A call: Parley makes it a Call with an id of its own, records every
//     change of it in the journal (in memory), tells a watcher, and is done when
//     the watcher has got the call that has ended, as the command line does. The
//     result is then read with ViewResult, as the page of a call does, and the
//     call is forgotten, as when that page is closed. The SDK returns from
//     CallTool with the result decoded.
//   - A round: Parley opens the question, the watcher makes a form of its schema,
//     fills it in, checks it and answers with the exact content (package forms).
//     The SDK checks the schema, calls the ElicitationHandler, which returns a
//     map, and checks the content against the schema.
//   - A list: Parley returns the raw entries, which ParseTools then reads as the
//     page of a server does. The SDK decodes every tool, its schema into maps.
//
// A progress token goes with every call of Parley and with none of the SDK's.
// Neither side logs or taps.
package bench
