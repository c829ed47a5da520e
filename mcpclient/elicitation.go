package mcpclient

import (
	"encoding/json"
	"time"

	"parley/assets/i18n"
)

// Mode is how a question is asked (spec: client elicitation, "mode").
type Mode string

// The two modes of the specification.
const (
	ModeForm Mode = "form"
	ModeURL  Mode = "url"
)

// Action is one of the three answers there are (spec: "Response Actions").
type Action string

// Accept is an explicit yes, Decline an explicit no, Cancel a dismissal
// without either.
const (
	Accept  Action = "accept"
	Decline Action = "decline"
	Cancel  Action = "cancel"
)

// Answer is what goes back to the server for one question.
type Answer struct {
	Action Action
	// Content is the exact JSON object of an accepted form, at least "{}".
	// It is nil for every other answer.
	Content json.RawMessage
}

// Via is the road a question came by; where its answer goes follows from it.
type Via string

// The three roads.
const (
	ViaRound    Via = "round"    // an inputRequests entry (2026-07-28)
	ViaPush     Via = "push"     // a pushed elicitation/create (2025-06-18, 2025-11-25)
	ViaRequired Via = "required" // an entry of a -32042 error (2025-11-25)
)

// ElicitationState is where a question stands.
type ElicitationState string

// The states of a question. Only an open one can be answered.
const (
	ElicitationOpen     ElicitationState = "open"
	ElicitationAnswered ElicitationState = "answered"
	ElicitationDead     ElicitationState = "dead" // the server gave up, or the call ended; End says so
)

// size is about how much a question holds, in bytes.
func (e Elicitation) size() int {
	return len(e.Message) + len(e.Schema) + len(e.URL) + len(e.Key) + len(e.RemoteID)
}

// Elicitation is one question of a server. It is plain data: a snapshot,
// changed only through the Client.
type Elicitation struct {
	ID       string
	ServerID string
	Identity Identity
	// CallID is the call it belongs to; "" if it was pushed outside a call or
	// the server does not say for which of several.
	CallID string
	// CallTitle and CallStarted tell why the person is asked. CallTitle is
	// server text.
	CallTitle   string
	CallStarted time.Time

	// N counts the questions of its call, or of its connection, from 1.
	N int
	// Key is the inputRequests key, else the JSON-RPC id or the
	// elicitationId as text.
	Key  string
	Mode Mode
	Via  Via
	// RemoteID is the server's elicitationId (2025-11-25); "" if it has none.
	RemoteID string
	// Round is the call's round it came in; Index of Of is its place among
	// the questions of the round, from 1.
	Round, Index, Of int

	// Message, Schema and URL are the server's, untouched.
	Message string
	Schema  json.RawMessage // requestedSchema; nil if absent
	URL     string

	State ElicitationState
	Asked time.Time
	// Answer is what was answered; nil before.
	Answer *Answer
	// Complete tells that the server said the page of an accepted URL is done
	// (notifications/elicitation/complete).
	Complete bool
	// Draft is what the person has entered so far, as forms.Draft saves it.
	Draft json.RawMessage
	// End says why a dead question died.
	End i18n.Message
}
