package hostile

import (
	"fmt"
	"strconv"
	"strings"

	"parley/forms"
	"parley/mcpclient"
)

// lists are behaviours about what a server says that it offers.
var lists = []behaviour{
	{name: "tools is null", on: "tools/list", say: results(`{"tools":null}`), want: "invalid core.invalid.list", only: everywhere},
	{name: "tools is missing", on: "tools/list", say: results(`{}`), want: "invalid core.invalid.list"},
	{name: "tools is an object", on: "tools/list", say: results(`{"tools":{"a":{"name":"a"}}}`), want: "invalid core.invalid.list"},
	{name: "the list is an array", on: "tools/list", say: results(`[{"name":"a"}]`), want: "invalid core.invalid.list"},
	{name: "the list is null", on: "tools/list", say: results(`null`), want: "invalid core.invalid.list"},
	{name: "the list fails", on: "tools/list", say: fails(`{"code":-32603,"message":"m"}`), want: "rpc core.rpc.error"},
	{name: "the list is not known although it was declared", on: "tools/list", say: fails(`{"code":-32601,"message":"m"}`), want: "done", check: tools(0)},
	{name: "tools are not objects, nameless or broken", on: "tools/list", want: "done", check: tools(1),
		say: later(func() func(*talk) {
			return results(`{"tools":[null,7,"a",[],{},{"name":null},{"name":7},{"name":"ok","inputSchema":{}},{"name":"bad","inputSchema":[]}]}`)
		})},
	{name: "tools have the same name 10,000 times", on: "tools/list", want: "done", check: tools(1),
		say: later(func() func(*talk) {
			return results(`{"tools":[` + strings.Repeat(`{"name":"same"},`, 9_999) + `{"name":"same"}]}`)
		})},
	{name: "a tool is called by 900 KiB of control characters", on: "tools/list", want: "done", check: tools(1),
		say: later(func() func(*talk) {
			return results(`{"tools":[{"name":"` + strings.Repeat(`\u0000\u202e\n`, 60<<10) + `"}]}`)
		})},
	{name: "pages turn in a circle", on: "tools/list", want: "done", notice: "core.notice.circle",
		say: results(`{"tools":[],"nextCursor":"again"}`)},
	{name: "pages turn in a wide circle", on: "tools/list", want: "done", notice: "core.notice.circle", say: func(t *talk) {
		n := 0
		for !t.note(strconv.Itoa(n)) {
			n++
		}
		t.result(fmt.Sprintf(`{"tools":[],"nextCursor":"%d"}`, n%50))
	}},
	{name: "pages never end", on: "tools/list", want: "done", notice: "core.notice.endless", only: []string{"stdio", "body"}, say: func(t *talk) {
		t.result(`{"tools":[{"name":"t$id"}],"nextCursor":"after $id"}`)
	}},
	{name: "the cursor is no text", on: "tools/list", say: results(`{"tools":[],"nextCursor":{"page":2}}`), want: "done"},
	{name: "the cursor is empty", on: "tools/list", say: results(`{"tools":[],"nextCursor":""}`), want: "done"},
	{name: "a cursor of 300 KiB has to be sent back", on: "tools/list", want: "done", check: tools(1), say: func(t *talk) {
		if strings.Contains(string(t.Params), `"cursor"`) {
			t.result(`{"tools":[{"name":"a"}]}`)
			return
		}
		t.result(`{"tools":[],"nextCursor":"` + strings.Repeat(`\u0001`, 50<<10) + `"}`)
	}},
	{name: "a list asks for input", on: "tools/list", only: []string{"modern"}, want: "invalid core.invalid.list",
		say: results(`{"resultType":"input_required","inputRequests":{"a":` + formAsk + `},"tools":[]}`)},
	{name: "a list is of a type nobody knows", on: "tools/list", only: []string{"modern"}, want: "invalid core.invalid.list", say: results(`{"resultType":"partial","tools":[]}`)},
	{name: "a list may be kept for ever, for no time and for nonsense", on: "tools/list", want: "done", check: tools(0),
		say: results(`{"tools":[],"ttlMs":1e308,"cacheScope":"everybody"}`)},
	{name: "a list may be kept for a negative time that is text", on: "tools/list", want: "done", check: tools(0),
		say: results(`{"tools":[],"ttlMs":"-1","cacheScope":7}`)},
	{name: "lists change 1,000 times while one is asked for", on: "tools/list", want: "done", check: tools(0), say: func(t *talk) {
		t.storm(1_000, `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
		t.result(`{"tools":[]}`)
	}},
	{name: "the schema of a tool turns in a circle", on: "tools/list", only: twoPlaces, want: "done", check: tools(1), say: later(func() func(*talk) { return tool(circleSchema()) })},
	{name: "the schema of a tool is nested 5,000 deep", on: "tools/list", only: twoPlaces, want: "done", check: tools(1), say: later(func() func(*talk) { return tool(deepSchema()) })},
	{name: "the schema of a tool has 10,000 properties", on: "tools/list", only: twoPlaces, want: "done", check: tools(1), say: later(func() func(*talk) { return tool(wideSchema()) })},
	{name: "the schema of a tool has a choice of 100,000", on: "tools/list", only: twoPlaces, want: "done", check: tools(1), say: later(func() func(*talk) { return tool(choiceSchema()) })},
	{name: "the schema of a tool has a pattern that never ends", on: "tools/list", only: twoPlaces, want: "done", check: tools(1), say: later(func() func(*talk) { return tool(patternSchema()) })},
	{name: "the schema of a tool multiplies by references", on: "tools/list", only: twoPlaces, want: "done", check: tools(1), say: later(func() func(*talk) { return tool(laughSchema()) })},
	{name: "a tool wants 10,000 parameters as headers", on: "tools/list", only: []string{"stdio modern", "stream modern"}, want: "done", say: later(func() func(*talk) { return tool(headerSchema()) })},
	{name: "a tool wants headers that belong to HTTP itself", on: "tools/list", want: "done",
		say: odd(`{"type":"object","properties":{"a":{"type":"string","x-mcp-header":"Host\r\nX: y"},"b":{"type":"string","x-mcp-header":""},"c":{"type":"string","x-mcp-header":7}}}`)},
}

// Schemas that are bombs, made when they are asked for: every program of the
// peer would else make them all.

func circleSchema() string {
	return `{"type":"object","properties":{"a":{"$ref":"#/$defs/a"}},"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"allOf":[{"$ref":"#/$defs/a"}]}},"required":["a"]}`
}

func deepSchema() string {
	return `{"type":"object","properties":{"a":` + strings.Repeat(`{"allOf":[`, 2_000) + `{"type":"string"}` + strings.Repeat(`]}`, 2_000) + `,"b":` + strings.Repeat(`{"type":"object","properties":{"a":`, 2_000) + `{"type":"string"}` + strings.Repeat(`}}`, 2_000) + `}}`
}

func wideSchema() string {
	return `{"type":"object","properties":{` + many(10_000, `"p$n":{"type":"string","minLength":1}`) + `},"required":[` + many(10_000, `"p$n"`) + `]}`
}

func choiceSchema() string {
	return `{"type":"object","properties":{"a":{"type":"string","enum":[` + many(100_000, `"$n"`) + `]}}}`
}

func patternSchema() string {
	return `{"type":"object","properties":{"a":{"type":"string","pattern":"^(([a-z])+.)+[A-Z]([a-z])+$","default":"` + strings.Repeat("a", 1000) + `"},"b":{"type":"string","pattern":"(((((x{1,900}){1,900}){1,900}){1,900}"}}}`
}

func laughSchema() string {
	return `{"type":"object","properties":{"a":{"$ref":"#/$defs/l29"}},"$defs":{` + laughs() + `"l0":{"type":"object","properties":{"x":{"type":"string"}}}}}`
}

// laughs are definitions of which each refers twice to the next.
func laughs() string {
	var b strings.Builder
	for i := 29; i > 0; i-- {
		fmt.Fprintf(&b, `"l%d":{"type":"object","properties":{"x":{"$ref":"#/$defs/l%d"},"y":{"$ref":"#/$defs/l%d"}}},`, i, i-1, i-1)
	}
	return b.String()
}

func headerSchema() string {
	return `{"type":"object","properties":{` + many(10_000, `"p$n":{"type":"string","x-mcp-header":"H$n"}`) + `}}`
}

// many is n times the text with a comma between; $n in it stands for the number.
func many(n int, text string) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strings.ReplaceAll(text, "$n", strconv.Itoa(i)))
	}
	return b.String()
}

// tool is a list of one tool with the schema.
func tool(schema string) func(*talk) {
	return results(`{"tools":[{"name":"ordinary","inputSchema":` + schema + `}]}`)
}

// odd is a list of one tool that nothing calls.
func odd(schema string) func(*talk) {
	return results(`{"tools":[{"name":"odd","inputSchema":` + schema + `}]}`)
}

// tools checks how many usable tools a list came to; a form is made of each.
func tools(want int) func(*play) error {
	return func(p *play) error {
		usable, problems := mcpclient.ParseTools(p.lists.Tools)
		for _, m := range problems {
			p.sentence(m)
		}
		for _, t := range usable {
			for _, m := range forms.Parse(t.InputSchema, forms.Options{}).Problems {
				p.sentence(m)
			}
		}
		if len(usable) != want {
			return fmt.Errorf("%d tools are usable, want %d", len(usable), want)
		}
		return nil
	}
}

// viewed shows the results of all calls.
func viewed(p *play) error {
	for _, c := range p.client.Calls() {
		mcpclient.ViewResult(c.Kind, c.Result)
	}
	return nil
}
