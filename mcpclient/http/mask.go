package http

import (
	"bytes"
	"cmp"
	"encoding/json"
	nethttp "net/http"
	"net/url"
	"slices"
	"strings"

	"parley/forms/rawjson"
	"parley/mcpclient/wire"
)

// What a person must not read, and no log keep, because a server says it back:
// credentials, session ids and the person's own headers. It is masked in errors, in
// notifications and in the traffic, plain and in any spelling of JSON. Results and
// questions stay as the server gave them: they are what was asked for, and an
// address to open or an answer to go by must not be another than the server's.

const (
	mask = "•••"
	// minSecret is the length, in bytes, from which a value is masked. Shorter ones
	// ("1", "Bearer") are parts of any text.
	minSecret = 7
	// maxSent is how many credentials and session ids are known. A request that went
	// out with one of them may be answered when others are sent; that so many were
	// renewed meanwhile takes hours.
	maxSent = 64
)

// remember notes a credential or a session id that is sent. t.mu is held.
func (t *Transport) remember(value string) {
	if value == "" || slices.Contains(t.sent, value) {
		return
	}
	if t.sent = append(t.sent, value); len(t.sent) > maxSent {
		t.sent = slices.Delete(t.sent, 0, 1)
	}
}

// secrets are the values to mask, each whole and in its parts ("Bearer x"), the
// longest first.
func (t *Transport) secrets() []string {
	t.mu.Lock()
	sent := slices.Clone(t.sent)
	t.mu.Unlock()
	for key, values := range t.header {
		if key != "User-Agent" {
			sent = append(sent, values...)
		}
	}
	var out []string
	for _, value := range sent {
		for _, part := range append(strings.Fields(value), value) {
			if len(part) >= minSecret {
				out = append(out, part)
			}
		}
	}
	slices.SortFunc(out, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
	return slices.Compact(out)
}

// masked is text without secrets, which may be quoted as in JSON.
func (t *Transport) masked(text string) string { return hide(text, t.secrets()) }

func hide(text string, secrets []string) string {
	for _, secret := range secrets {
		text = strings.ReplaceAll(text, secret, mask)
		if quoted, err := json.Marshal(secret); err == nil {
			text = strings.ReplaceAll(text, string(quoted[1:len(quoted)-1]), mask)
		}
	}
	return text
}

// maskedJSON is a JSON value without secrets, and still one: strings lose what is in
// them however it is escaped, and any other value that has one becomes a string. It
// shares the memory of raw where there is nothing to mask.
func (t *Transport) maskedJSON(raw json.RawMessage) json.RawMessage {
	secrets := t.secrets()
	if len(secrets) == 0 || !bytes.ContainsRune(raw, '\\') && !holdsAny(string(raw), secrets) {
		return raw
	}
	var out []byte
	done := 0 // raw[:done] is in out
	put := func(from, to int, value json.RawMessage) {
		out = append(append(out, raw[done:from]...), value...)
		done = to
	}
	for i := 0; i < len(raw); {
		end := i + 1
		switch c := raw[i]; {
		case c == '"':
			for end < len(raw) && raw[end] != '"' {
				if raw[end] == '\\' {
					end++
				}
				end++
			}
			end = min(end+1, len(raw))
			if text, ok := rawjson.Decode(raw[i:end]); ok && holdsAny(text, secrets) {
				put(i, end, rawjson.Quote(hide(text, secrets)))
			}
		case c == '-' || c >= '0' && c <= '9':
			for end < len(raw) && strings.IndexByte("+-.eE0123456789", raw[end]) >= 0 {
				end++
			}
			if holdsAny(string(raw[i:end]), secrets) {
				put(i, end, rawjson.Quote(mask))
			}
		}
		i = end
	}
	if done == 0 {
		return raw
	}
	return append(out, raw[done:]...)
}

func holdsAny(text string, secrets []string) bool {
	return slices.ContainsFunc(secrets, func(secret string) bool { return strings.Contains(text, secret) })
}

// maskedBody is the body of an answer that is no message, without secrets.
func (t *Transport) maskedBody(raw []byte) []byte {
	if json.Valid(raw) {
		return t.maskedJSON(raw)
	}
	return []byte(t.masked(string(raw)))
}

// maskError takes the secrets out of an error of JSON-RPC. Questions in it (MCP
// 2025-11-25, "URL Elicitation Required") are left as they are.
func (t *Transport) maskError(e *wire.Error) {
	e.Message = t.masked(e.Message)
	if e.Code == wire.CodeURLElicitationRequired {
		asked, err := rawjson.Lookup(e.Data, "elicitations")
		if questions, arrayErr := rawjson.Array(asked); err == nil && arrayErr == nil && len(questions) > 0 {
			return
		}
	}
	e.Data = t.maskedJSON(e.Data)
}

// maskNotice takes the secrets out of a notification. Those that name something by
// an id or an address of the server's keep it.
func (t *Transport) maskNotice(m *wire.Message) {
	switch m.Method {
	case "notifications/elicitation/complete", "notifications/resources/updated":
	default:
		m.Params = t.maskedJSON(m.Params)
	}
}

// maskedAddress is where location leads from an address, without its query and
// without secrets, in part or whole; "" if it is no address then.
func (t *Transport) maskedAddress(from *url.URL, location string) string {
	to, err := from.Parse(t.masked(location))
	if err != nil {
		return ""
	}
	return strings.ReplaceAll(to.Scheme+"://"+to.Host+to.EscapedPath(), url.PathEscape(mask), mask)
}

// maskedHeader are header values of an answer without secrets.
func (t *Transport) maskedHeader(h nethttp.Header, name string) []string {
	values := slices.Clone(h.Values(name))
	for i, value := range values {
		values[i] = t.masked(value)
	}
	return values
}

// maskedTap is a tap that is shown no secrets.
func (t *Transport) maskedTap(tap wire.Tap) wire.Tap {
	if tap == nil {
		return nil
	}
	return func(m wire.Traffic) {
		m.Message = t.maskedJSON(m.Message)
		tap(m)
	}
}
