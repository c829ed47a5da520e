package wire

import (
	"errors"
	"fmt"

	"parley/assets/i18n"
)

// ErrClosed is what Send returns once a transport was closed or has ended.
var ErrClosed = errors.New("the connection is closed")

// Explained is an error with a sentence for people. Its Error text is for logs.
type Explained interface {
	error
	Sentence() i18n.Message
}

// Sentence returns the sentence for people of the first error in err's tree
// that has one, the zero Message if none has.
func Sentence(err error) i18n.Message {
	if errors.Is(err, ErrClosed) {
		return i18n.M("client.transport.closed")
	}
	var e Explained
	if errors.As(err, &e) {
		return e.Sentence()
	}
	return i18n.Message{}
}

// Reason says why bytes are no message.
type Reason string

// The reasons of a DecodeError.
const (
	ReasonNotJSON    Reason = "not_json"
	ReasonNested     Reason = "nested"
	ReasonNotObject  Reason = "not_object"
	ReasonNoVersion  Reason = "no_version"
	ReasonBadID      Reason = "bad_id"
	ReasonBadMethod  Reason = "bad_method"
	ReasonAmbiguous  Reason = "ambiguous"
	ReasonNothing    Reason = "nothing"
	ReasonBadError   Reason = "bad_error"
	ReasonBatchEmpty Reason = "batch_empty"
	ReasonBatchLong  Reason = "batch_long"
)

var reasons = map[Reason]string{
	ReasonNotJSON:    "not JSON",
	ReasonNested:     fmt.Sprintf("nested more than %d deep", maxDepth),
	ReasonNotObject:  "JSON, but not an object",
	ReasonNoVersion:  `not marked "jsonrpc":"2.0"`,
	ReasonBadID:      "the id is neither a number nor a string",
	ReasonBadMethod:  "the method is not a name",
	ReasonAmbiguous:  "more than one of method, result and error",
	ReasonNothing:    "neither method, result nor error",
	ReasonBadError:   "the error has neither a code nor a message",
	ReasonBatchEmpty: "an empty batch",
	ReasonBatchLong:  fmt.Sprintf("a batch of more than %d messages", MaxBatch),
}

// Unread reports whether the bytes could not even be read as JSON.
func (r Reason) Unread() bool { return r == ReasonNotJSON || r == ReasonNested }

// DecodeError says that what a server sent is no message. It repeats nothing
// of what was sent.
type DecodeError struct {
	Reason Reason
	// ID is the request that this was meant to answer, as far as that can be
	// seen; mostly the zero ID.
	ID ID
}

func (e *DecodeError) Error() string { return "not a JSON-RPC message: " + reasons[e.Reason] }

// Sentence names the fault in words.
func (e *DecodeError) Sentence() i18n.Message {
	return i18n.M("client.transport.not_a_message", "Reason", e.Why())
}

// Why is the fault as a part of a sentence.
func (e *DecodeError) Why() i18n.Message {
	return i18n.M("client.transport.decode." + string(e.Reason))
}

// TooLargeError says that a message was over the size limit and was dropped.
type TooLargeError struct {
	Limit int64 // bytes
}

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("the message is larger than %d bytes", e.Limit)
}

// Sentence names the limit in mebibytes.
func (e *TooLargeError) Sentence() i18n.Message {
	return i18n.M("client.transport.too_large", "Limit", e.mebibytes())
}

// Detail is the text of a notice about what was skipped, where no request failed
// for it.
func (e *TooLargeError) Detail() string {
	return "It was larger than " + e.mebibytes() + " MiB, the size limit."
}

func (e *TooLargeError) mebibytes() string { return fmt.Sprintf("%.4g", float64(e.Limit)/(1<<20)) }

// BacklogError says that Send took no more, since the server does not read
// what was sent before.
type BacklogError struct{}

func (e *BacklogError) Error() string { return "the server does not take what it is sent" }

// Sentence says so to a person.
func (e *BacklogError) Sentence() i18n.Message { return i18n.M("client.transport.backlog") }
