package mcpclient

import (
	"encoding/json"
	"strings"

	"parley/assets/i18n"
	"parley/forms/rawjson"
	"parley/mcpclient/wire"
)

// ask is what a server asks, read from any of the three roads.
type ask struct {
	key      string
	literal  json.RawMessage // of an inputRequests entry: the key as the server spelt it
	mode     Mode
	message  string
	schema   json.RawMessage
	url      string
	remoteID string
}

// takes says why nobody can answer a on this connection, nil if somebody can: a
// server that refused to be told of the modes has forms alone (C6).
func (k *Connection) takes(a ask) *unanswerable {
	if k.plain.Load() && a.mode == ModeURL {
		return cannot("core.ask.undeclared", "url mode was not declared")
	}
	return nil
}

// takesAll is takes for what a call asks.
func (k *Connection) takesAll(asks []ask) error {
	for _, a := range asks {
		if bad := k.takes(a); bad != nil {
			return invalid("core.invalid.entry", "Key", clip(a.key), "Reason", bad.reason)
		}
	}
	return nil
}

// elicitation is the question that a is, before it is opened.
func (a ask) elicitation(k *Connection) Elicitation {
	return Elicitation{
		ServerID: k.server.ID,
		Identity: k.Info().Identity,
		Key:      a.key,
		Mode:     a.mode,
		RemoteID: a.remoteID,
		Message:  a.message,
		Schema:   a.schema,
		URL:      a.url,
	}
}

// unanswerable says why nobody can answer what a server asks.
type unanswerable struct {
	reason i18n.Message // for the person
	wire   string       // for the server, in English
}

func cannot(id, wire string, values ...any) *unanswerable {
	return &unanswerable{reason: i18n.M(id, values...), wire: wire}
}

// readInputRequest reads one value of inputRequests.
func readInputRequest(raw json.RawMessage) (ask, *unanswerable) {
	members, err := rawjson.Only(raw, "method", "params")
	if err != nil {
		return ask{}, cannot("core.ask.notobject", "not an object")
	}
	method, ok := rawjson.String(rawjson.Get(members, "method"))
	switch {
	case !ok:
		return ask{}, cannot("core.ask.nomethod", "no method")
	case strings.HasPrefix(method, "sampling/"), strings.HasPrefix(method, "roots/"):
		return ask{}, cannot("core.ask.unoffered", clip(method)+" is not offered", "Method", clip(method))
	case method != "elicitation/create":
		return ask{}, cannot("core.ask.method", "unknown method", "Method", clip(method))
	}
	return readParams(rawjson.Get(members, "params"))
}

// paramKeys are the members of an elicitation/create's params that are read.
var paramKeys = []string{"mode", "message", "requestedSchema", "url", "elicitationId"}

// readParams reads the params of an elicitation/create. A request without a
// mode is a form (C7). A schema that no form can be made of is still a
// question: it can be declined.
func readParams(raw json.RawMessage) (ask, *unanswerable) {
	members, err := rawjson.Only(raw, paramKeys...)
	if err != nil {
		return ask{}, cannot("core.ask.noparams", "no params")
	}
	a := ask{mode: ModeForm}
	if m := rawjson.Get(members, "mode"); m != nil {
		s, ok := rawjson.String(m)
		if !ok || s != string(ModeForm) && s != string(ModeURL) {
			return ask{}, cannot("core.ask.mode", "unknown mode", "Mode", clip(string(m)))
		}
		a.mode = Mode(s)
	}
	var ok bool
	if a.message, ok = rawjson.String(rawjson.Get(members, "message")); !ok {
		return ask{}, cannot("core.ask.message", "message is not a string")
	}
	if a.mode == ModeForm {
		a.schema = rawjson.Get(members, "requestedSchema")
		return a, nil
	}
	if a.url, ok = rawjson.String(rawjson.Get(members, "url")); !ok {
		return ask{}, cannot("core.ask.url", "url is not a string")
	}
	a.remoteID = scalar(rawjson.Get(members, "elicitationId"))
	return a, nil
}

// readRequired reads an entry of a -32042 error. All of them are pages, so one
// that does not say its mode is taken for one.
func readRequired(raw json.RawMessage) (ask, *unanswerable) {
	members, err := rawjson.Only(raw, paramKeys...)
	if err != nil {
		return ask{}, cannot("core.ask.notobject", "not an object")
	}
	if rawjson.Get(members, "mode") == nil {
		members = append(members, rawjson.Member{Key: "mode", Value: quote(string(ModeURL))})
	}
	if rawjson.Get(members, "message") == nil {
		members = append(members, rawjson.Member{Key: "message", Value: quote("")})
	}
	a, bad := readParams(rewrite(members))
	if bad == nil && a.mode != ModeURL {
		return ask{}, cannot("core.ask.mode", "unknown mode", "Mode", string(a.mode))
	}
	a.key = a.remoteID
	return a, bad
}

// rewrite writes members back into an object.
func rewrite(members []rawjson.Member) json.RawMessage {
	out := make([]member, len(members))
	for i, m := range members {
		out[i] = member{m.Key, m.Value}
	}
	return encode(out...)
}

// scalar returns a string, or the digits of a number, as text: servers number
// their pages too. It is "" for everything else.
func scalar(raw json.RawMessage) string {
	if rawjson.Kind(raw) == '0' {
		return string(raw)
	}
	return text(raw)
}

// clip bounds a server's bytes that go into a sentence.
func clip(s string) string { return wire.Clip(s, 400) }
