package http

import (
	"encoding/base64"
	"encoding/json"
	nethttp "net/http"
	"strings"

	"golang.org/x/net/http/httpguts"

	"parley/forms/rawjson"
	"parley/mcpclient/wire"
)

// Names of headers, in the spelling net/http gives them.
const (
	headerVersion     = "Mcp-Protocol-Version"
	headerMethod      = "Mcp-Method"
	headerName        = "Mcp-Name"
	headerSession     = "Mcp-Session-Id"
	headerLastEventID = "Last-Event-Id"
)

// jsonType is the media type of what is posted.
const jsonType = "application/json"

// Accept values: of a POST, and of a GET for a stream.
const (
	acceptReply  = "application/json, text/event-stream"
	acceptStream = "text/event-stream"
)

// ofTheConnection are headers that say how HTTP itself is spoken, which nobody
// sets from outside.
var ofTheConnection = map[string]bool{
	"Connection": true, "Content-Length": true, "Keep-Alive": true, "Te": true,
	"Trailer": true, "Transfer-Encoding": true, "Upgrade": true, "Accept-Encoding": true,
}

// ownHeader checks the headers a person configured. A Host header is returned
// apart, for net/http wants it elsewhere.
func ownHeader(values map[string]string) (header nethttp.Header, host string, err error) {
	header = nethttp.Header{}
	for name, value := range values {
		value = strings.TrimSpace(value)
		switch key := nethttp.CanonicalHeaderKey(name); {
		case !httpguts.ValidHeaderFieldName(name):
			return nil, "", &HeaderError{Kind: HeaderName, Name: name}
		case !httpguts.ValidHeaderFieldValue(value):
			return nil, "", &HeaderError{Kind: HeaderValue, Name: name}
		case ofTheConnection[key]:
			return nil, "", &HeaderError{Kind: HeaderReserved, Name: name}
		case key == "Host":
			host = value
		default:
			header.Set(key, value)
		}
	}
	if header.Get("User-Agent") == "" {
		header.Set("User-Agent", "Parley")
	}
	return header, host, nil
}

// messageHeader returns the headers that belong to m alone (MCP 2026-07-28,
// Streamable HTTP, "Request Metadata").
func messageHeader(m wire.Message, o wire.SendOptions) (nethttp.Header, error) {
	header := make(nethttp.Header, 8)
	for name, value := range o.Header {
		if key := nethttp.CanonicalHeaderKey(name); !httpguts.ValidHeaderFieldName(name) || ofTheConnection[key] {
			return nil, &HeaderError{Kind: HeaderName, Name: name}
		}
		header.Set(name, encodeValue(value))
	}
	if o.Protocol != "" {
		header[headerVersion] = one(o.Protocol)
	}
	if o.Modern {
		header[headerMethod] = one(encodeValue(m.Method))
		if name, ok := subject(m); ok {
			header[headerName] = []string{encodeValue(name)}
		}
	}
	return header, nil
}

// subject returns what Mcp-Name says m is about.
func subject(m wire.Message) (string, bool) {
	member := subjects[m.Method]
	if member == "" {
		return "", false
	}
	value, err := rawjson.Lookup(json.RawMessage(m.Params), member)
	if err != nil {
		return "", false
	}
	return rawjson.String(value)
}

// subjects are the members of params that Mcp-Name repeats, by method.
var subjects = map[string]string{"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}

// one returns value as the only one of a header. Those that go with nearly
// every message are not made anew; nobody changes them.
func one(value string) []string {
	if values, ok := usual[value]; ok {
		return values
	}
	return []string{value}
}

var usual = func() map[string][]string {
	all := map[string][]string{}
	for _, value := range []string{
		jsonType, acceptReply, acceptStream, "identity", "tools/call", "tools/list", "prompts/get", "resources/read",
		"2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26",
	} {
		all[value] = []string{value}
	}
	return all
}()

// encodeValue writes s as a header value: as it is where a header can carry
// that, else in Base64 between markers (MCP 2026-07-28, Streamable HTTP, "Value
// Encoding"). Text that looks like the markers is encoded too.
func encodeValue(s string) string {
	const prefix, suffix = "=?base64?", "?="
	plain := strings.Trim(s, " \t") == s && !(strings.HasPrefix(s, prefix) && strings.HasSuffix(s, suffix))
	for i := 0; plain && i < len(s); i++ {
		plain = s[i] >= ' ' && s[i] <= '~' || s[i] == '\t'
	}
	if plain {
		return s
	}
	return prefix + base64.StdEncoding.EncodeToString([]byte(s)) + suffix
}

// validSession reports whether id is one: visible ASCII (MCP 2025-11-25,
// "Session Management"), of a length servers take back in a header.
func validSession(id string) bool {
	for i := range len(id) {
		if id[i] < '!' || id[i] > '~' {
			return false
		}
	}
	return id != "" && len(id) <= 4<<10
}

// CheckHeader says whether a person can have a header sent: its error is a
// *HeaderError.
func CheckHeader(name, value string) error {
	_, _, err := ownHeader(map[string]string{name: value})
	return err
}
