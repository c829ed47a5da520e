// Package wire holds the messages of JSON-RPC 2.0 as MCP uses them, kept as
// raw JSON, and the contract between a connection and the transport below it.
//
// A message is decoded only as far as routing needs: id, method, and the raw
// params, result or error. What a server sent stays json.RawMessage until the
// one reader that understands it, so that property order, integers above 2^53
// and unknown members survive.
//
// # What counts as a message
//
// JSON-RPC 2.0 is the measure; the following is read more kindly, because
// servers in the field send it and nothing is in doubt:
//
//   - "method", "error" or "id" that is null counts as absent. (A null "result"
//     is kept: it is an answer, though not one that MCP knows.)
//   - A reply without "jsonrpc", or with another value there, counts if it has
//     an id. A method does not: a line of a JSON log often has a "method".
//   - An error object without a proper code, or one that is only a string, is
//     kept with Code 0, so that the server's own words reach the person.
//   - The id 1.0 is the id 1, and a string id is compared by its characters,
//     not by its escapes.
//   - A byte order mark and white space around a message are skipped.
//
// Everything else is a [DecodeError] that names what is wrong.
package wire

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// DefaultMaxMessage is the size limit of one received message, in bytes, that
// transports use unless told otherwise.
const DefaultMaxMessage = 64 << 20

// Message is one JSON-RPC message. Which fields are set says what it is; see
// Kind.
type Message struct {
	ID     ID
	Method string
	Params json.RawMessage // nil: the member was absent
	Result json.RawMessage // nil: the member was absent
	Error  *Error
}

// Kind says what a Message is.
type Kind int

// The kinds of Message.
const (
	None         Kind = iota // not a message
	Request                  // has a method and an id
	Notification             // has a method and no id
	Response                 // has a result or an error; its id may be zero, then it answers nothing we know of
)

// Kind says what m is, by the fields that are set.
func (m Message) Kind() Kind {
	switch {
	case m.Method != "" && !m.ID.IsZero():
		return Request
	case m.Method != "":
		return Notification
	case m.Result != nil || m.Error != nil:
		return Response
	default:
		return None
	}
}

// Error is the error object of a JSON-RPC response.
type Error struct {
	Code    int             `json:"code"` // 0 when the server gave none that is an integer
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

// Error codes of JSON-RPC and of MCP 2025-11-25 and 2026-07-28.
const (
	CodeParse                  = -32700
	CodeInvalidRequest         = -32600
	CodeMethodNotFound         = -32601
	CodeInvalidParams          = -32602
	CodeInternal               = -32603
	CodeHeaderMismatch         = -32020
	CodeMissingCapability      = -32021
	CodeUnsupportedVersion     = -32022
	CodeURLElicitationRequired = -32042
)

// maxErrorText bounds, in bytes, how much of a server's words an error repeats.
const maxErrorText = 400

// Error names the code and repeats the server's words quoted and bounded, for
// logs. Whoever shows the message to a person takes Message itself through
// package safetext.
func (e *Error) Error() string {
	return fmt.Sprintf("the server answered with error %d: %q", e.Code, Clip(e.Message, maxErrorText))
}

// Clip returns at most limit bytes of s as valid UTF-8, with "…" where it was
// cut. The mark counts towards the limit.
func Clip(s string, limit int) string {
	const mark = "…"
	long := len(s) > limit
	if long {
		s = s[:limit]
	}
	s = strings.ToValidUTF8(s, "\uFFFD")
	if !long && len(s) <= limit {
		return s
	}
	cut := min(len(s), max(limit-len(mark), 0))
	for cut > 0 && cut < len(s) && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + mark
}
