package http

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"parley/mcpclient/wire"
)

// The examples are those of MCP 2026-07-28, Streamable HTTP, "Value Encoding",
// and some more.
func TestHeaderValuesAreEncodedWhereNeeded(t *testing.T) {
	tests := []struct{ value, want string }{
		{"us-west1", "us-west1"},
		{"", ""},
		{"a b\tc", "a b\tc"},
		{"Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="},
		{" padded ", "=?base64?IHBhZGRlZCA=?="},
		{"line1\nline2", "=?base64?bGluZTEKbGluZTI=?="},
		{"=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="},
		{"=?BASE64?literal?=", "=?BASE64?literal?="},
		{"=?base64?open", "=?base64?open"},
		{"tab\t", "=?base64?dGFiCQ==?="},
		{"del\x7f", "=?base64?ZGVsfw==?="},
	}
	for _, test := range tests {
		if got := encodeValue(test.value); got != test.want {
			t.Errorf("%q is sent as %q, want %q", test.value, got, test.want)
		}
	}
}

func TestModernMessagesSayWhatTheyAreAbout(t *testing.T) {
	tests := []struct{ method, params, name string }{
		{"tools/call", `{"name":"t","uri":"u"}`, "t"},
		{"tools/call", `{"arguments":{"name":"x"},"name":"名前"}`, "=?base64?5ZCN5YmN?="},
		{"prompts/get", `{"name":"p"}`, "p"},
		{"resources/read", `{"name":"n","uri":"file:///a"}`, "file:///a"},
		{"tools/list", `{"name":"n"}`, ""},
		{"tools/call", `{"name":7}`, ""},
		{"tools/call", `[]`, ""},
		{"tools/call", ``, ""},
	}
	for _, test := range tests {
		m := wire.Message{ID: wire.NumberID(1), Method: test.method}
		if test.params != "" {
			m.Params = []byte(test.params)
		}
		h, err := messageHeader(m, wire.SendOptions{Protocol: "2026-07-28", Modern: true})
		if err != nil || h.Get("Mcp-Method") != test.method || h.Get("Mcp-Name") != test.name || h.Get("MCP-Protocol-Version") != "2026-07-28" {
			t.Errorf("%s %s: headers %v, %v; want the name %q", test.method, test.params, h, err, test.name)
		}
	}
	legacy, err := messageHeader(wire.Message{Method: "tools/call", Params: []byte(`{"name":"t"}`)}, wire.SendOptions{Protocol: "2025-11-25"})
	if err != nil || fmt.Sprint(legacy) != "map[Mcp-Protocol-Version:[2025-11-25]]" {
		t.Errorf("legacy headers %v, %v", legacy, err)
	}
}

func TestHeadersOfAToolsParametersAreEncodedOnce(t *testing.T) {
	o := wire.SendOptions{Header: map[string]string{"Mcp-Param-City": "東京", "Mcp-Param-N": "-7"}}
	h, err := messageHeader(wire.Message{Method: "tools/call"}, o)
	if err != nil || h.Get("Mcp-Param-City") != "=?base64?5p2x5Lqs?=" || h.Get("Mcp-Param-N") != "-7" {
		t.Errorf("headers %v, %v", h, err)
	}
	for _, name := range []string{"", "a b", "a:b", "a\r\nb", "名", "Transfer-Encoding"} {
		if _, err := messageHeader(wire.Message{Method: "m"}, wire.SendOptions{Header: map[string]string{name: "x"}}); err == nil {
			t.Errorf("the header name %q was taken", name)
		}
	}
}

func TestHeadersOfThePersonAreCheckedAndNeverRepeated(t *testing.T) {
	tests := []struct {
		name, value string
		kind        HeaderKind
	}{
		{"X-Key", "canary\r\nEvil: 1", HeaderValue},
		{"X-Key", "canary\x00", HeaderValue},
		{"X Key", "canary", HeaderName},
		{"", "canary", HeaderName},
		{"content-length", "7", HeaderReserved},
		{"Connection", "close", HeaderReserved},
	}
	for _, test := range tests {
		_, err := New(Endpoint{URL: "http://localhost/", Header: map[string]string{test.name: test.value}}, Options{})
		fault, ok := errors.AsType[*HeaderError](err)
		if !ok || fault.Kind != test.kind || fault.Name != test.name {
			t.Errorf("%q: %v, want the fault %s", test.name, err, test.kind)
			continue
		}
		if strings.Contains(err.Error(), "canary") {
			t.Errorf("the error repeats the value: %v", err)
		}
	}
	h, host, err := ownHeader(map[string]string{"authorization": " Bearer x\n", "host": "a.example", "user-agent": "me"})
	if err != nil || host != "a.example" || h.Get("Authorization") != "Bearer x" || h.Get("User-Agent") != "me" {
		t.Errorf("headers %v, host %q, %v", h, host, err)
	}
}
