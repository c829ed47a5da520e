package mcpclient

import (
	"time"

	"parley/assets/i18n"
	"parley/mcpclient/wire"
)

// Event is one thing that happened. Exactly one field beside ServerID, CallID
// and At is set. Observers get events in the order they happened.
type Event struct {
	At       time.Time
	ServerID string
	CallID   string // "" if it concerns no call

	Call        *Call        // a call began, changed or ended
	Elicitation *Elicitation // a question opened, changed, was answered or died
	Connection  *Status      // a connection changed
	State       *StateNote   // what a call is waiting for, in words
	Progress    *Progress
	Log         *Log
	Notice      *Notice
	ListChanged bool   // the server's lists have changed
	Forgotten   string // a question that is no longer kept, by its id
}

// StateNote tells a person what a call is doing between its questions.
type StateNote struct {
	State string // waiting, retrying, reconnecting or browser
	Text  i18n.Message
}

// Notice is something odd that a server did and that ended nothing.
type Notice struct {
	Text i18n.Message
	// Detail is the bytes in question, untrusted and bounded.
	Detail string
	Kind   wire.NoticeKind // "" for what the client noticed itself
	// Count is how many oddities of the kind this one stands for; 0 is one.
	// They are counted, not told one by one, when they come too fast.
	Count int
}

// ConnectionState is where a connection stands.
type ConnectionState string

// The states of a connection.
const (
	Connecting ConnectionState = "connecting"
	Connected  ConnectionState = "connected"
	// Reconnecting: it ended by itself, or the server has forgotten the session,
	// and is made again without being asked to; Status.Failure says why.
	Reconnecting ConnectionState = "reconnecting"
	Closed       ConnectionState = "closed" // by the person
	Lost         ConnectionState = "lost"   // by itself; Status.Failure says why
)

// Status is the state of one server's connection.
type Status struct {
	State ConnectionState
	Info  *Info // once connected
	// Failure is why it was lost or could not be made; of one that is
	// Connected, why nothing gets through at present (see Connection.Unreached).
	Failure *Failure
	// Attempt is the next attempt to make it again, of at most Attempts, and
	// Next is when. All are zero where a new session is begun at once.
	Attempt, Attempts int
	Next              time.Time
	// Queued tells that the attempt is due and waits for others, see MaxAtOnce.
	Queued bool
}
