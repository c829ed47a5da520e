package wire_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"parley/assets/i18n"
	"parley/mcpclient/wire"
)

func TestEncodeKeepsRawValuesByteForByte(t *testing.T) {
	tests := []struct {
		name string
		m    wire.Message
		want string
	}{
		{"request", wire.Message{ID: wire.NumberID(1), Method: "tools/call", Params: json.RawMessage(`{"z":1.0,"a":  9007199254740993}`)},
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"z":1.0,"a":  9007199254740993}}`},
		{"notification", wire.Message{Method: "n"}, `{"jsonrpc":"2.0","method":"n"}`},
		{"result", wire.Message{ID: wire.StringID("a<b"), Result: json.RawMessage(`{}`)}, `{"jsonrpc":"2.0","id":"a<b","result":{}}`},
		{"error", wire.Message{ID: wire.NumberID(1), Error: &wire.Error{Code: -32602, Message: `say "no"`, Data: json.RawMessage(`[1]`)}},
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"say \"no\"","data":[1]}}`},
		{"error of no request", wire.Message{Error: &wire.Error{Code: 1, Message: ""}}, `{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":""}}`},
		{"line breaks between tokens go, those in strings stay",
			wire.Message{Method: "n", Params: json.RawMessage("{\r\n  \"a\": \"x\\n  y\",\n \"b\" : [ 1 ]\n}")},
			`{"jsonrpc":"2.0","method":"n","params":{"a":"x\n  y","b":[1]}}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := wire.Encode(test.m)
			if err != nil || string(got) != test.want {
				t.Errorf("wrote %s, %v\n want %s", got, err, test.want)
			}
		})
	}
}

func TestEncodeRefusesWhatIsNoMessage(t *testing.T) {
	for name, m := range map[string]wire.Message{
		"nothing set":           {},
		"an id alone":           {ID: wire.NumberID(1)},
		"params that are cut":   {Method: "n", Params: json.RawMessage(`{"a":`)},
		"params with a newline": {Method: "n", Params: json.RawMessage("{\n")},
		"two values":            {Method: "n", Params: json.RawMessage(`{}{}`)},
		"an empty result":       {ID: wire.NumberID(1), Result: json.RawMessage{}},
		"data that is no JSON":  {ID: wire.NumberID(1), Error: &wire.Error{Data: json.RawMessage(`x`)}},
	} {
		if line, err := wire.Encode(m); err == nil {
			t.Errorf("%s was written as %s", name, line)
		}
	}
}

func TestRedactMasksAnswersStatesAndResults(t *testing.T) {
	const mask = wire.Mask
	tests := []struct{ name, raw, want string }{
		{"nothing to mask stays as it is", `{ "a" : [1, {"b":"content"}] }`, `{ "a" : [1, {"b":"content"}] }`},
		{"an answer", `{"result":{"action":"accept","content":{"pw":"x"}}}`, `{"result":{"action":"accept","content":` + mask + `}}`},
		{"input responses", `{"params":{"inputResponses":{"q":{"content":{}}},"x":1}}`, `{"params":{"inputResponses":` + mask + `,"x":1}}`},
		{"states, empty and null too", `[{"requestState":"s"},{"requestState":""},{"requestState":null}]`,
			`[{"requestState":` + mask + `},{"requestState":` + mask + `},{"requestState":` + mask + `}]`},
		{"results", `{"content":[{"text":"x"}],"structuredContent":{"a":1}}`, `{"content":` + mask + `,"structuredContent":` + mask + `}`},
		{"whatever the spelling", `{"c\u006fntent" : 1}`, `{"c\u006fntent" : ` + mask + `}`},
		{"not the properties of a schema", `{"properties":{"content":{"default":"d"}}}`, `{"properties":{"content":{"default":"d"}}}`},
		{"but what is in such a property", `{"properties":{"a":{"content":1}}}`, `{"properties":{"a":{"content":` + mask + `}}}`},
		{"a property named properties", `{"properties":{"properties":{"content":1}}}`, `{"properties":{"properties":{"content":` + mask + `}}}`},
		{"arguments and defaults are shown", `{"arguments":{"a":1},"default":"d"}`, `{"arguments":{"a":1},"default":"d"}`},
		{"no JSON at all", `secret`, mask},
		{"JSON with more behind", `{} secret`, mask},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := string(wire.Redact(json.RawMessage(test.raw))); got != test.want {
				t.Errorf("redacted to %s, want %s", got, test.want)
			}
		})
	}
}

// checkRedacted fails t if what Redact makes of raw is no JSON or would be
// redacted further.
func checkRedacted(t *testing.T, raw []byte) {
	t.Helper()
	once := wire.Redact(raw)
	if !json.Valid(once) {
		t.Fatalf("Redact made no JSON of %q: %q", raw, once)
	}
	if twice := wire.Redact(once); string(twice) != string(once) {
		t.Fatalf("Redact left something in %q: %q", once, twice)
	}
}

func TestPeekFindsTheRequestThatIsAnswered(t *testing.T) {
	tests := []struct {
		name, raw string
		want      wire.ID
	}{
		{"id first", `{"jsonrpc":"2.0","id":12,"result":{"a":[`, wire.NumberID(12)},
		{"id last", `{"result":{"id":5,"a":"},\"id\":6,"},"jsonrpc":"2.0","id":"x,y"}`, wire.StringID("x,y")},
		{"error", `{"error":{},"id" : 3 }`, wire.NumberID(3)},
		{"escapes in the key", `{"\u0069d":3,"result":1`, wire.NumberID(3)},
		{"a request", `{"jsonrpc":"2.0","id":1,"method":"m","params":{"result":1}}`, wire.ID{}},
		{"no result yet", `{"jsonrpc":"2.0","id":1`, wire.ID{}},
		{"a log line", `{"id":1,"event":"x"}`, wire.ID{}},
		{"id null", `{"id":null,"result":1}`, wire.ID{}},
		{"no object", `id:1,result:2`, wire.ID{}},
		{"an endless id", `{"id":"` + strings.Repeat("a", 1000) + `","result":1}`, wire.ID{}},
		{"an endless key", `{"` + strings.Repeat("a", 1000) + `":1,"id":2,"result":1}`, wire.NumberID(2)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, size := range []int{1, 7, len(test.raw)} {
				var p wire.Peek
				for rest := []byte(test.raw); len(rest) > 0; {
					n := min(size, len(rest))
					p.Write(rest[:n])
					rest = rest[n:]
				}
				if id, ok := p.ReplyTo(); id != test.want || ok == test.want.IsZero() {
					t.Errorf("in pieces of %d: %q, %v; want %q", size, id, ok, test.want)
				}
			}
		})
	}
}

func TestClipCutsBetweenCharacters(t *testing.T) {
	tests := []struct {
		s     string
		limit int
		want  string
	}{
		{"short", 5, "short"},
		{"longer", 5, "lo…"},
		{"ééé", 5, "é…"},
		{"\xff\xfe", 10, "\uFFFD"},
		{"\xffa\xffa\xffa", 9, "\uFFFDa…"},
		{"é", 1, "…"},
	}
	for _, test := range tests {
		if got := wire.Clip(test.s, test.limit); got != test.want {
			t.Errorf("Clip(%q, %d) = %q, want %q", test.s, test.limit, got, test.want)
		}
	}
}

func TestSentenceOfAnErrorWithoutOneIsNone(t *testing.T) {
	if m := wire.Sentence(errors.New("x")); !m.IsZero() {
		t.Errorf("an error without a sentence got %v", m)
	}
}

// sentences fails t for every error whose sentence is missing in a language.
func sentences(t *testing.T, errs []error) {
	t.Helper()
	for _, tag := range i18n.Languages {
		l := i18n.New(tag)
		for _, err := range errs {
			m := wire.Sentence(err)
			if s := l.Text(m); s == "" || strings.Contains(s, "client.transport.") || strings.Contains(s, "<no value>") {
				t.Errorf("%s: the sentence for %v is %q", tag, err, s)
			}
		}
	}
}
