package mcpclient

import (
	"encoding/json"
	"time"

	"parley/assets/i18n"
)

// Starter says who started a call.
type Starter string

// The starters there are today. Another program that uses Parley as its desk
// will be a third.
const (
	ByWindow      Starter = "window"
	ByCommandLine Starter = "command line"
)

// CallKind is what a call asks the server for.
type CallKind string

// The three requests that may need input from a person.
const (
	CallTool     CallKind = "tool"     // tools/call
	CallPrompt   CallKind = "prompt"   // prompts/get
	CallResource CallKind = "resource" // resources/read
)

// CallRequest is what a person wants of a server.
type CallRequest struct {
	Kind CallKind
	// Name is the tool's or prompt's name, or the resource's URI.
	Name string
	// Title is how the starter calls it when speaking to the person; "" for Name.
	// It comes from the server where it came from a list.
	Title string
	// Arguments is a JSON object sent as it is; nil sends none. A prompt's
	// values are strings. Ignored for resources.
	Arguments json.RawMessage
	By        Starter
	// Fresh asks the server also where the result of an earlier call may still
	// be used.
	Fresh bool
	// Polling lets the call repeat rounds that ask nothing new by itself, with
	// pauses; without it a page already opened waits for Client.Continue.
	Polling bool
	// Quiet bounds the total time spent on rounds that ask nothing new;
	// 0 is no bound.
	Quiet time.Duration
}

// CallState is where a call stands.
type CallState string

// The states of a call. The last three are its ends.
const (
	CallRunning   CallState = "running"   // the server works
	CallAsking    CallState = "asking"    // questions of it are open
	CallBrowser   CallState = "browser"   // waits for the person in the browser
	CallPausing   CallState = "pausing"   // the server asked for nothing; retried soon
	CallDone      CallState = "done"      // Result is there
	CallFailed    CallState = "failed"    // Failure says why
	CallCancelled CallState = "cancelled" // by the person
)

// Ended reports whether s is an end.
func (s CallState) Ended() bool {
	return s == CallDone || s == CallFailed || s == CallCancelled
}

// Call is one tools/call, prompts/get or resources/read with all its rounds.
// It is plain data: a snapshot, changed only through the Client.
type Call struct {
	ID       string
	ServerID string
	Identity Identity
	CallRequest
	Started time.Time
	Ended   time.Time // zero while it runs
	State   CallState
	Round   int // from 1; grows with every retry
	Asked   int // questions asked so far
	// Progress is the newest progress the server reported; nil for none.
	Progress *Progress
	// Result is the raw result of a call that is CallDone.
	Result json.RawMessage
	// Kept is when Result came, where it was kept from an earlier call; zero
	// where the server was asked.
	Kept time.Time
	// IsError tells that the tool itself reports failure in Result.
	IsError bool
	// Failure is why a CallFailed call has no result.
	Failure *Failure
}

// DisplayTitle is Title, else Name. Server text: make it safe before showing.
func (c Call) DisplayTitle() string {
	if c.Title != "" {
		return c.Title
	}
	return c.Name
}

// Progress is one notifications/progress. Numbers are kept as the server wrote
// them.
type Progress struct {
	Progress json.Number
	Total    json.Number // "" if the server does not know
	Message  string
}

// Log is one notifications/message of a server.
type Log struct {
	Level  string
	Logger string
	Data   json.RawMessage
}

// FailureKind says what kind of end a failure is.
type FailureKind string

// The kinds of failure.
const (
	FailRPC       FailureKind = "rpc"       // the server answered with a JSON-RPC error
	FailInvalid   FailureKind = "invalid"   // the server's reply is not valid
	FailLost      FailureKind = "lost"      // not connected, or the connection was lost
	FailTimeout   FailureKind = "timeout"   // the server was silent for too long
	FailCancelled FailureKind = "cancelled" // the person cancelled
)

// Failure is why something a person wanted did not come about. It is an error.
type Failure struct {
	Kind FailureKind
	// Text is the sentence for the person.
	Text i18n.Message
	// Code, Message and Data are the server's JSON-RPC error, for FailRPC; Code is
	// 0 for none. Message is the server's own text, also what came with an HTTP
	// status of a server's fault.
	Code    int
	Message string
	Data    json.RawMessage
	// Declined tells that it ended by the person's own no: they did not open a
	// page that the server needs.
	Declined bool
}

var english = i18n.New("en")

// Error gives the sentence in English.
func (f *Failure) Error() string { return english.Text(f.Text) }
