// Package wire holds the messages of JSON-RPC 2.0 as MCP uses them, kept as
// raw JSON, and the contract between a connection and the transport below it.
//
// A message is decoded only as far as routing needs: id, method, and the raw
// params, result or error. What a server sent stays json.RawMessage until the
// one reader that understands it, so that property order, integers above 2^53
// and unknown members survive.
package wire

import (
	"encoding/json"
)

// ID is the id of a request: a JSON number or string, compared by its exact
// text. The zero ID means there is none.
type ID struct{ raw string }

// Message is one JSON-RPC message. Which fields are set says what it is; see
// Kind.
type Message struct {
	ID     ID
	Method string
	Params json.RawMessage // nil: the member was absent
	Result json.RawMessage // nil: the member was absent
	Error  *Error
}

// Error is the error object of a JSON-RPC response.
type Error struct {
	Code    int             `json:"code"`
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
