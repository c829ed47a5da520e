package mcpclient

import (
	"encoding/json"
	"testing"

	"parley/mcpclient/wire"
)

// FuzzResult: whatever a server calls a result is a result, a need that can be
// acted on, or a failure in words.
func FuzzResult(f *testing.F) {
	for _, seed := range []string{
		doneResult, `{}`, `null`, `[]`, `{"resultType":"input_required"}`,
		needs(`{"a":`+formAsk("a")+`,"b":`+urlAsk("https://a.example/")+`}`, `"s"`),
		needs(`{"k":null}`, ""), needs(`{"\ud800":{"method":"elicitation/create","params":{"message":"m"}}}`, `""`),
		`{"resultType":"input_required","inputRequests":{},"requestState":"x","requestState":7}`,
	} {
		f.Add([]byte(seed), true)
	}
	f.Fuzz(func(t *testing.T, data []byte, isModern bool) {
		if !json.Valid(data) {
			return // the transports let nothing else through
		}
		era := Legacy
		if isModern {
			era = Modern
		}
		need, err := readResult(data, era)
		if err != nil {
			if words := requestFailure(err); words.Text.IsZero() || words.Error() == words.Text.ID {
				t.Errorf("%q is no sentence", words.Error())
			}
			return
		}
		if need == nil {
			for _, kind := range []CallKind{CallTool, CallPrompt, CallResource} {
				ViewResult(kind, data)
			}
			return
		}
		answers := make([]Answer, len(need.asks))
		for i := range answers {
			answers[i] = Answer{Action: Decline}
		}
		if raw := responses(need.asks, answers); !json.Valid(raw) {
			t.Errorf("the answers %q are no JSON", raw)
		}
	})
}

// FuzzDescriptions: the lists a server sends, and its -32042 errors, never
// break what reads them, and a prompt's schema is always JSON.
func FuzzDescriptions(f *testing.F) {
	f.Add([]byte(`{"name":"t","inputSchema":{"type":"object","properties":{"p":{"type":"string","x-mcp-header":"R"}}}}`))
	f.Add([]byte(`{"name":"p","arguments":[{"name":"\ud800","required":true},null]}`))
	f.Add([]byte(`{"uri":"a://b"}`))
	f.Add([]byte(`{"elicitations":[{"mode":"url","url":"https://a.example/","message":"m","elicitationId":7}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if !json.Valid(data) {
			return
		}
		entries := []json.RawMessage{data, data, nil}
		tools, _ := ParseTools(entries)
		for _, tool := range tools {
			paramHeaders(tool.InputSchema)
		}
		prompts, _ := ParsePrompts(entries)
		for _, p := range prompts {
			if raw := p.Schema(); !json.Valid(raw) {
				t.Errorf("the schema %q is no JSON", raw)
			}
		}
		ParseResources(entries)
		if _, err := requiredURLs(&wire.Error{Code: wire.CodeURLElicitationRequired, Data: data}); err != nil {
			requestFailure(err)
		}
	})
}
