package mcpclient

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/forms"
	"parley/forms/rawjson"
	"parley/mcpclient/wire"
)

// The field cases of tool schemas, results and lists (group I), from the
// server's list to the bytes that reach the server again.

// offering is a server with the tools of one page and calls that are done.
func offering(tools string) func(*peer, wire.Message) {
	return func(p *peer, m wire.Message) {
		switch m.Method {
		case "server/discover":
			p.reply(m, discovered)
		case "tools/list":
			p.reply(m, `{"tools":`+tools+`}`)
		case "tools/call":
			p.reply(m, doneResult)
		}
	}
}

// tools lists what b's server offers and reads it.
func (b *bench) tools() ([]Tool, []string) {
	b.t.Helper()
	l, err := b.conn.List(b.t.Context())
	if err != nil {
		b.t.Fatal(err)
	}
	tools, problems := ParseTools(l.Tools)
	var words []string
	for _, p := range problems {
		words = append(words, english.Text(p))
	}
	return tools, words
}

func TestB77_B79_B80_B82_ArgumentsOfUnusualSchemasAreFilledInAndSent(t *testing.T) {
	query := `{"type":"object","$defs":{"Q":{"type":"object","properties":{"limit":{"type":"integer","default":20}}}},"properties":{"query_model":{"$ref":"#/$defs/Q"}},"required":["query_model"]}`
	tree := `{"type":"object","$defs":{"T":{"type":"object","properties":{"v":{"type":"string"},"next":{"$ref":"#/$defs/T"}}}},"properties":{"t":{"$ref":"#/$defs/T"}}}`
	items := `{"type":"object","properties":{"items":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"qty":{"type":"integer"},"price":{"type":"number"}}}}},"required":["items"]}`
	nullable := `{"type":"object","properties":{"a":{"anyOf":[{"type":"string"},{"type":"null"}],"default":null}}}`
	from := `{"type":"object","properties":{"from":{"type":"string"},"to":{"$ref":"#/properties/from"}}}`
	for name, c := range map[string]struct {
		schema, acts string
		kinds        map[string]forms.Kind
		want         string
	}{
		"B77 a $ref to a sibling is a text":   {from, `{"from":"Oslo","to":"{not JSON"}`, map[string]forms.Kind{"/from": forms.Text, "/to": forms.Text}, `{"from":"Oslo","to":"{not JSON"}`},
		"B77 text that is JSON stays text":    {from, `{"to":"7"}`, nil, `{"to":"7"}`},
		"B77 through two $refs":               {`{"type":"object","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"type":"string"}},"properties":{"p":{"$ref":"#/$defs/a"}}}`, `{"p":"x"}`, map[string]forms.Kind{"/p": forms.Text}, `{"p":"x"}`},
		"B77 an escaped $ref":                 {`{"type":"object","properties":{"a/b":{"type":"string"},"c":{"$ref":"#/properties/a~1b"}}}`, `{"c":"x"}`, map[string]forms.Kind{"/c": forms.Text}, `{"c":"x"}`},
		"B79 a group":                         {query, `{"query_model":{"limit":5}}`, map[string]forms.Kind{"/query_model": forms.Group, "/query_model/limit": forms.Integer}, `{"query_model":{"limit":5}}`},
		"B79 untouched":                       {query, `{}`, nil, `{"query_model":{"limit":20}}`},
		"B79 a required group sent though {}": {query, `{"query_model":{"limit":null}}`, nil, `{"query_model":{}}`},
		"B79 a tree ends":                     {tree, `{"t":{"v":"1"}}`, map[string]forms.Kind{"/t": forms.Group}, `{"t":{"v":"1"}}`},
		"B79 a $ref to itself":                {`{"type":"object","properties":{"a":{"$ref":"#/properties/a"}}}`, `{}`, nil, `{}`},
		"B79 a $ref to the root":              {`{"type":"object","properties":{"a":{"$ref":"#"},"b":{"type":"string"}}}`, `{"b":"x"}`, nil, `{"b":"x"}`},
		"B79 a $ref to the network":           {`{"type":"object","properties":{"a":{"$ref":"https://schemas.example/a.json"}}}`, `{"a":{"x":[1]}}`, map[string]forms.Kind{"/a": forms.JSON}, `{"a":{"x":[1]}}`},
		"B79 a $ref to nowhere":               {`{"type":"object","properties":{"a":{"$ref":"#/$defs/gone"},"b":{"type":"string"}}}`, `{"b":"x"}`, nil, `{"b":"x"}`},
		"B80 an array of objects":             {items, `{"items":[{"name":"pen","qty":2,"price":1.50}]}`, nil, `{"items":[{"name":"pen","qty":2,"price":1.50}]}`},
		"B82 never touched":                   {nullable, `{}`, map[string]forms.Kind{"/a": forms.Text}, `{}`},
		"B82 edited":                          {nullable, `{"a":"x"}`, nil, `{"a":"x"}`},
		"B82 edited and cleared":              {nullable, `{"a":null}`, nil, `{}`},
		"B82 nullable by a list of types":     {`{"type":"object","properties":{"a":{"type":["integer","null"],"default":null}}}`, `{"a":"7"}`, map[string]forms.Kind{"/a": forms.Integer}, `{"a":7}`},
	} {
		t.Run(name, func(t *testing.T) {
			b := connected(t, offering(`[{"name":"t","inputSchema":`+c.schema+`}]`))
			tools, problems := b.tools()
			if len(tools) != 1 || string(tools[0].InputSchema) != c.schema {
				t.Fatalf("tools %+v, problems %v", tools, problems)
			}
			form := forms.Parse(tools[0].InputSchema, forms.Options{Purpose: forms.Arguments, Zone: time.UTC})
			for path, kind := range c.kinds {
				if f := form.Field(forms.Path(path)); f == nil || f.Kind != kind {
					t.Errorf("%s is %+v, want a %s", path, f, kind)
				}
			}
			draft := form.NewDraft()
			if errs := draft.Apply(json.RawMessage(c.acts)); len(errs) > 0 {
				t.Fatalf("filling in: %+v", errs)
			}
			arguments, errs := draft.Content(forms.Submit{})
			if len(errs) > 0 {
				t.Fatalf("sending: %+v", errs)
			}
			b.ended(b.call(CallRequest{Name: "t", Arguments: arguments}))
			if got := param(b.peer().requests("tools/call")[0], "arguments"); got != c.want {
				t.Errorf("the server got %s, want %s", got, c.want)
			}
		})
	}
}

// TestB84_LargeResultsArriveWhole: the text of 17 MiB is with the transports,
// whose limit it is about; here the image, which is larger, stands for it.
func TestB84_LargeResultsArriveWhole(t *testing.T) {
	for _, size := range []int{70_000, 1 << 20} {
		text := strings.Repeat("0123456789abcdef", size/16)
		b := connected(t, sequence(`{"content":[{"type":"text","text":"`+text+`"}]}`))
		call := b.ended(b.call(CallRequest{}))
		if call.State != CallDone {
			t.Fatalf("%d bytes: the call is %s: %v", size, call.State, call.Failure)
		}
		if v := ViewResult(CallTool, call.Result); len(v.Blocks) != 1 || v.Blocks[0].Text != text {
			t.Errorf("%d bytes came as %d blocks", size, len(v.Blocks))
		}
	}
	const image = 20 << 20
	b := connected(t, sequence(`{"content":[{"type":"image","mimeType":"image/png","data":"`+strings.Repeat("QUJD", image/4)+`"},{"type":"text","text":"after it"}]}`))
	call := b.ended(b.call(CallRequest{}))
	if v := ViewResult(CallTool, call.Result); len(v.Blocks) != 2 || v.Blocks[0].Size != image || v.Blocks[1].Text != "after it" {
		t.Errorf("the image came as %d blocks", len(v.Blocks))
	}
}

// A reply over the limit fails its own call; the others and the connection go
// on.
func TestB84_AReplyOverTheLimitFailsAlone(t *testing.T) {
	b := connected(t, modern(func(p *peer, m wire.Message, params []rawjson.Member) {
		if text(rawjson.Get(params, "name")) == "large" {
			p.h.Failed(m.ID, &wire.TooLargeError{Limit: 64 << 20})
			return
		}
		p.reply(m, doneResult)
	}))
	call := b.ended(b.call(CallRequest{Name: "large"}))
	if call.Failure == nil || call.Failure.Kind != FailInvalid || !strings.Contains(call.Failure.Error(), "64") {
		t.Errorf("the call is %s: %v", call.State, call.Failure)
	}
	if next := b.ended(b.call(CallRequest{Name: "small"})); next.State != CallDone {
		t.Errorf("the next call is %s: %v", next.State, next.Failure)
	}
}

func TestB85_AnEmptyCursorIsNoEndIn2026AndTheEndIn2025(t *testing.T) {
	first, second := `{"tools":[{"name":"a"}],"nextCursor":%s}`, `{"tools":[{"name":"b"}]}`
	for _, c := range []struct {
		era    Era
		cursor string
		want   string
	}{
		{Modern, `""`, "[a b]"},
		{Modern, `"x"`, "[a b]"},
		{Modern, `"\ud800"`, "[a b]"},
		{Modern, `" "`, "[a b]"},
		{Modern, `null`, "[a]"},
		{Modern, `7`, "[a]"},
		{Legacy, `""`, "[a]"}, // servers of 2025 write it to mean the end
		{Legacy, `"x"`, "[a b]"},
	} {
		list := func(p *peer, m wire.Message) {
			if len(p.requests(m.Method)) == 1 {
				p.reply(m, fmt.Sprintf(first, c.cursor))
				return
			}
			if got := param(p.requests(m.Method)[1], "cursor"); got != c.cursor {
				t.Errorf("%s: the cursor %s came back as %s", c.era, c.cursor, got)
			}
			p.reply(m, second)
		}
		b := connected(t, func(p *peer, m wire.Message) {
			switch {
			case m.Method == "tools/list":
				list(p, m)
			case c.era == Modern:
				modern(nil)(p, m)
			default:
				legacy(nil, nil)(p, m)
			}
		})
		tools, problems := b.tools()
		var names []string
		for _, tool := range tools {
			names = append(names, tool.Name)
		}
		if got := fmt.Sprint(names); got != c.want || len(problems) > 0 {
			t.Errorf("%s, nextCursor %s: %s %v, want %s", c.era, c.cursor, got, problems, c.want)
		}
	}
}

func TestB87_ABrokenToolCostsNoOther(t *testing.T) {
	for name, c := range map[string]struct {
		tools    string
		usable   []string
		problems int
		named    string
	}{
		"as reported": {`[null,{"name":"a","inputSchema":null},{"name":"b","inputSchema":{"type":"object"}},{"name":"b","inputSchema":{"type":"object"}}]`,
			[]string{"a", "b"}, 2, "“b”"},
		"no name":              {`[{"inputSchema":{}},{"name":"b"}]`, []string{"b"}, 1, "1"},
		"names that are none":  {`[{"name":7},{"name":null},{"name":{}},[],"b",{"name":"b"}]`, []string{"b"}, 5, "5"},
		"schemas that are not": {`[{"name":"a","inputSchema":[]},{"name":"c","inputSchema":"{}"},{"name":"d","inputSchema":true},{"name":"b"}]`, []string{"b"}, 3, "“d”"},
		"hostile texts":        {`[{"name":"b","title":7,"description":[],"annotations":null},{"name":"\u202ex","title":"\ud800"}]`, []string{"b", "\u202ex"}, 0, ""},
		"an empty name":        {`[{"name":""},{"name":"b"}]`, []string{"", "b"}, 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			b := connected(t, offering(c.tools))
			tools, problems := b.tools()
			var names []string
			for _, tool := range tools {
				names = append(names, tool.Name)
			}
			if !slices.Equal(names, c.usable) || len(problems) != c.problems || !strings.Contains(strings.Join(problems, "\n"), c.named) {
				t.Errorf("usable %q, problems %q", names, problems)
			}
			for _, p := range problems {
				if len(p) < 15 || strings.HasPrefix(p, "core.") {
					t.Errorf("%q is no sentence", p)
				}
			}
			if call := b.ended(b.call(CallRequest{Name: "b"})); call.State != CallDone {
				t.Errorf("calling b: %s: %v", call.State, call.Failure)
			}
		})
	}
}
