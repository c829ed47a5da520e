package mcpclient

import (
	"encoding/json"
	"fmt"
	"maps"
	"testing"

	"parley/forms/rawjson"
	"parley/mcpclient/wire"
)

func TestWhichParametersGoOutAsHeaders(t *testing.T) {
	property := func(body string) string { return `{"type":"object","properties":{"p":` + body + `}}` }
	for _, c := range []struct{ name, schema, want, bad string }{
		{"text", property(`{"type":"string","x-mcp-header":"Region"}`), "[{Region [p] string}]", ""},
		{"whole number", property(`{"type":"integer","x-mcp-header":"N"}`), "[{N [p] integer}]", ""},
		{"yes or no", property(`{"type":"boolean","x-mcp-header":"B"}`), "[{B [p] boolean}]", ""},
		{"nested", property(`{"type":"object","properties":{"q":{"type":"string","x-mcp-header":"Q"}}}`), "[{Q [p q] string}]", ""},
		{"a property of that name", `{"type":"object","properties":{"x-mcp-header":{"type":"string"}}}`, "[]", ""},
		{"in data", property(`{"type":"object","default":{"x-mcp-header":"X"},"enum":[{"x-mcp-header":"X"}]}`), "[]", ""},
		{"a number", property(`{"type":"number","x-mcp-header":"N"}`), "[]", "core.header.type"},
		{"no type", property(`{"x-mcp-header":"N"}`), "[]", "core.header.type"},
		{"an object", property(`{"type":"object","x-mcp-header":"N"}`), "[]", "core.header.type"},
		{"empty name", property(`{"type":"string","x-mcp-header":""}`), "[]", "core.header.name"},
		{"name with a space", property(`{"type":"string","x-mcp-header":"a b"}`), "[]", "core.header.name"},
		{"name with a line break", property(`{"type":"string","x-mcp-header":"a\r\nb"}`), "[]", "core.header.name"},
		{"name no text", property(`{"type":"string","x-mcp-header":7}`), "[]", "core.header.name"},
		{"twice", `{"properties":{"a":{"type":"string","x-mcp-header":"R"},"b":{"type":"string","x-mcp-header":"r"}}}`, "[{R [a] string}]", "core.header.twice"},
		{"in items", property(`{"type":"array","items":{"type":"string","x-mcp-header":"I"}}`), "[]", "core.header.place"},
		{"in anyOf", property(`{"anyOf":[{"type":"string","x-mcp-header":"I"}]}`), "[]", "core.header.place"},
		{"in $defs", `{"$defs":{"d":{"type":"string","x-mcp-header":"I"}}}`, "[]", "core.header.place"},
		{"at the root", `{"type":"string","x-mcp-header":"I"}`, "[]", "core.header.place"},
		{"no schema", ``, "[]", ""},
	} {
		headers, bad := paramHeaders(json.RawMessage(c.schema))
		if got := fmt.Sprint(headers); got != c.want || bad.ID != c.bad {
			t.Errorf("%s: %s and %q, want %s and %q", c.name, got, bad.ID, c.want, c.bad)
		}
	}
}

func TestTheValuesOfHeaders(t *testing.T) {
	headers := []paramHeader{{"S", []string{"s"}, "string"}, {"I", []string{"i"}, "integer"}, {"B", []string{"b"}, "boolean"}, {"Deep", []string{"o", "d"}, "string"}}
	for arguments, want := range map[string]map[string]string{
		`{"s":"名\n","i":7,"b":true,"o":{"d":"x"}}`:  {"Mcp-Param-S": "名\n", "Mcp-Param-I": "7", "Mcp-Param-B": "true", "Mcp-Param-Deep": "x"},
		`{"s":"","i":1.0,"b":false}`:                {"Mcp-Param-S": "", "Mcp-Param-I": "1", "Mcp-Param-B": "false"},
		`{"i":1e3}`:                                 {"Mcp-Param-I": "1000"},
		`{"i":9007199254740991}`:                    {"Mcp-Param-I": "9007199254740991"},
		`{"i":9007199254740993,"s":null,"b":"yes"}`: {},
		`{"i":1.5,"s":7,"o":[]}`:                    {},
		`{"i":1e400}`:                               {},
		``:                                          {},
	} {
		if got := headerValues(headers, json.RawMessage(arguments)); !maps.Equal(got, want) {
			t.Errorf("%s: %v, want %v", arguments, got, want)
		}
	}
}

// mirroring is an HTTP server whose tool "go" wants its parameter p in the
// header R; what reaches it without is refused as a mismatch.
func mirroring(p *peer, m wire.Message) {
	switch m.Method {
	case "server/discover":
		p.reply(m, discovered)
	case "tools/list":
		p.reply(m, `{"tools":[{"name":"go","inputSchema":{"type":"object","properties":{"p":{"type":"string","x-mcp-header":"R"}}}},{"name":"bad","inputSchema":{"x-mcp-header":"R"}}]}`)
	case "tools/call":
		calls := p.requests(m.Method)
		if calls[len(calls)-1].Header["Mcp-Param-R"] != "v" {
			p.refuse(m, `{"code":-32020,"message":"header mismatch"}`)
			return
		}
		if params, _ := rawjson.Object(m.Params); rawjson.Get(params, "inputResponses") == nil {
			p.reply(m, needs(`{"q":`+formAsk("q")+`}`, ""))
			return
		}
		p.reply(m, doneResult)
	}
}

func TestParametersGoOutAsHeadersOnEveryRound(t *testing.T) {
	for name, listed := range map[string]bool{"listed before": true, "never listed": false} {
		s := Server{ID: "h", Name: "h", Kind: HTTP, URL: "http://127.0.0.1:1/mcp"}
		b := newBench(t, s, mirroring)
		k, err := b.client.Connect(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		b.conn = k
		if listed {
			l, err := k.List(t.Context())
			if err != nil || len(l.Tools) != 1 {
				t.Errorf("%s: the tools are %s, %v", name, l.Tools, err)
			}
			b.until(func(e Event) bool { return e.Notice != nil && e.Notice.Text.ID == "core.header.left_out" })
		}
		id := b.call(CallRequest{Name: "go", Arguments: []byte(`{"p":"v"}`)})
		b.answer(b.question(), accepted(`{}`))
		if call := b.ended(id); call.State != CallDone {
			t.Errorf("%s: the call is %s: %v", name, call.State, call.Failure)
		}
		if got := len(b.peer().requests("tools/call")); got != 2 {
			t.Errorf("%s: %d requests were sent, want 2", name, got)
		}
		if got := len(b.peer().requests("tools/list")); got != 1 {
			t.Errorf("%s: the tools were listed %d times", name, got)
		}
	}
}

func TestAToolThatIsNotOfferedForItsHeadersIsNotCalled(t *testing.T) {
	s := Server{ID: "h", Name: "h", Kind: HTTP, URL: "http://127.0.0.1:1/mcp"}
	b := newBench(t, s, mirroring)
	b.conn = b.reconnect(t, s)
	call := b.ended(b.call(CallRequest{Name: "bad"}))
	if call.Failure == nil || call.Failure.Text.ID != "core.header.left_out" || len(b.peer().requests("tools/call")) != 0 {
		t.Errorf("the call is %s: %v", call.State, call.Failure)
	}
}

func TestAHeaderMismatchThatStaysIsAnError(t *testing.T) {
	s := Server{ID: "h", Name: "h", Kind: HTTP, URL: "http://127.0.0.1:1/mcp"}
	b := newBench(t, s, mirroring)
	k, err := b.client.Connect(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	b.conn = k
	call := b.ended(b.call(CallRequest{Name: "go", Arguments: []byte(`{"p":"other"}`)}))
	if call.Failure == nil || call.Failure.Code != wire.CodeHeaderMismatch {
		t.Errorf("the call is %s: %v", call.State, call.Failure)
	}
	if got := len(b.peer().requests("tools/call")); got != 2 {
		t.Errorf("%d requests were sent, want 2", got)
	}
}
