package cli

import (
	"encoding/json"

	"parley/consent"
	"parley/mcpclient"
)

// The lines that `parley call` prints, their keys in this order.

type connectedLine struct {
	Event    string          `json:"event"`
	Identity identityPart    `json:"identity"`
	Server   json.RawMessage `json:"server,omitempty"`
	Protocol string          `json:"protocol,omitempty"`
	Era      mcpclient.Era   `json:"era,omitempty"`
}

// identityPart is who the server is as far as the app knows. Encrypted always
// has a value.
type identityPart struct {
	Name      string                  `json:"name,omitempty"`
	Transport mcpclient.TransportKind `json:"transport"`
	Origin    string                  `json:"origin,omitempty"`
	Command   []string                `json:"command,omitempty"`
	Encrypted bool                    `json:"encrypted"`
	User      string                  `json:"user,omitempty"`
}

type listLine struct {
	Event     string            `json:"event"`
	Tools     []json.RawMessage `json:"tools"`
	Prompts   []json.RawMessage `json:"prompts"`
	Resources []json.RawMessage `json:"resources"`
	Templates []json.RawMessage `json:"templates"`
}

// elicitationLine is a question. Fields belong to forms, URL to pages; a page
// has no problems, and says so. Keys are written so that two different ones
// never look the same, lone surrogates among them.
type elicitationLine struct {
	Event    string          `json:"event"`
	N        int             `json:"n"`
	Key      json.RawMessage `json:"key"`
	Mode     mcpclient.Mode  `json:"mode"`
	Round    int             `json:"round"`
	Message  string          `json:"message"`
	Fields   json.RawMessage `json:"fields,omitempty"`
	URL      *consent.Line   `json:"url,omitempty"`
	Problems []string        `json:"problems"`
}

type invalidLine struct {
	Event  string          `json:"event"`
	Key    json.RawMessage `json:"key"`
	Errors []fieldPart     `json:"errors"`
}

// fieldPart is what is wrong with one field; the field "" is the whole
// question.
type fieldPart struct {
	Field   string `json:"field"`
	Message string `json:"message"`
}

type answerLine struct {
	Event   string           `json:"event"`
	Key     json.RawMessage  `json:"key"`
	Action  mcpclient.Action `json:"action"`
	Content json.RawMessage  `json:"content,omitempty"`
}

type stateLine struct {
	Event string `json:"event"`
	State string `json:"state"`
	Text  string `json:"text"`
}

type progressLine struct {
	Event    string      `json:"event"`
	Progress json.Number `json:"progress,omitempty"`
	Total    json.Number `json:"total,omitempty"`
	Message  string      `json:"message,omitempty"`
}

type logLine struct {
	Event  string          `json:"event"`
	Level  string          `json:"level,omitempty"`
	Logger string          `json:"logger,omitempty"`
	Data   json.RawMessage `json:"data,omitempty"`
}

type resultLine struct {
	Event  string          `json:"event"`
	Result json.RawMessage `json:"result"`
}

// errorLine is the end without a result. Code 0 is no JSON-RPC error.
type errorLine struct {
	Event   string          `json:"event"`
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

// listeningLine is the one line of `parley demo`.
type listeningLine struct {
	Event string `json:"event"`
	URL   string `json:"url"`
}
