package mcpclient

import (
	"encoding/json"
	"fmt"
	"testing"

	"parley/forms/rawjson"
	"parley/mcpclient/wire"
)

// paging serves tools/list from pages by cursor; "-" is no cursor.
func paging(capabilities string, pages map[string]string) func(*peer, wire.Message) {
	return func(p *peer, m wire.Message) {
		params, _ := rawjson.Object(m.Params)
		switch m.Method {
		case "server/discover":
			p.reply(m, `{"supportedVersions":["2026-07-28"],"capabilities":`+capabilities+`}`)
		case "tools/list":
			cursor, ok := rawjson.String(rawjson.Get(params, "cursor"))
			if !ok {
				cursor = "-"
			}
			p.reply(m, pages[cursor])
		default:
			p.refuse(m, `{"code":-32601,"message":"no"}`)
		}
	}
}

func TestB85_AnEmptyCursorIsACursorAndCirclesEnd(t *testing.T) {
	b := connected(t, paging(`{"tools":{}}`, map[string]string{
		"-": `{"tools":[{"name":"a"}],"nextCursor":""}`,
		"":  `{"tools":[{"name":"b"}],"nextCursor":"x"}`,
		"x": `{"tools":[{"name":"c"}],"nextCursor":""}`,
	}))
	l, err := b.conn.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprintf("%s", l.Tools); got != `[{"name":"a"} {"name":"b"} {"name":"c"}]` {
		t.Errorf("tools = %s", got)
	}
	b.until(func(e Event) bool { return e.Notice != nil && e.Notice.Text.ID == "core.notice.circle" })
}

func TestListsThatAreNotOfferedAreEmptyAndNotAskedFor(t *testing.T) {
	b := connected(t, paging(`{"resources":{}}`, nil))
	l, err := b.conn.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	raw, _ := json.Marshal(l)
	if string(raw) != `{"Tools":[],"Prompts":[],"Resources":[],"Templates":[]}` {
		t.Errorf("lists = %s", raw)
	}
	if n := len(b.peer().requests("tools/list")); n != 0 {
		t.Error("tools were asked for though not offered")
	}
}

func TestAListThatIsNoListFailsInWords(t *testing.T) {
	for _, page := range []string{`{"tools":7}`, `{}`, `[]`, `{"resultType":"input_required","requestState":"s"}`} {
		b := connected(t, paging(`{"tools":{}}`, map[string]string{"-": page}))
		if _, err := b.conn.List(t.Context()); err == nil {
			t.Errorf("%s was taken for a list", page)
		}
	}
}

func TestB87_BrokenToolsAreNamedAndTheOthersUsable(t *testing.T) {
	entries, err := rawjson.Array(json.RawMessage(`[null,{"name":"a","inputSchema":null},{"name":"b","inputSchema":{"type":"object"}},{"name":"b","inputSchema":{"type":"object"}},{"name":7},{"name":"c","inputSchema":[]},{"name":"d","annotations":{"title":"Dee"}}]`))
	if err != nil {
		t.Fatal(err)
	}
	tools, problems := ParseTools(entries)
	var names []string
	for _, tool := range tools {
		names = append(names, tool.DisplayTitle())
	}
	if got := fmt.Sprint(names); got != "[a b Dee]" {
		t.Errorf("tools = %s", got)
	}
	if len(problems) != 4 {
		t.Errorf("problems = %v", problems)
	}
}

func TestResultsAreReadWithoutHidingAnything(t *testing.T) {
	v := ViewResult(CallTool, json.RawMessage(`{"content":[{"type":"text","text":"hi"},{"type":"image","data":"AAAA","mimeType":"image/png"},{"type":"resource_link","uri":"x://y","name":"Y"},{"type":"resource","resource":{"uri":"a://b","text":"T"}},{"type":"hologram"},7],"structuredContent":{"n":9007199254740993}}`))
	var kinds []BlockKind
	for _, b := range v.Blocks {
		kinds = append(kinds, b.Kind)
	}
	if got := fmt.Sprint(kinds); got != "[text image resource_link resource other other]" {
		t.Errorf("blocks = %s", got)
	}
	if v.Blocks[1].Size != 4 || v.Blocks[3].Text != "T" || string(v.Structured) != `{"n":9007199254740993}` {
		t.Errorf("view = %+v", v)
	}
	p := ViewResult(CallPrompt, json.RawMessage(`{"description":"D","messages":[{"role":"user","content":{"type":"text","text":"hi"}}]}`))
	if p.Description != "D" || p.Blocks[0].Role != "user" || p.Blocks[0].Text != "hi" {
		t.Errorf("prompt = %+v", p)
	}
	r := ViewResult(CallResource, json.RawMessage(`{"contents":[{"uri":"a://b","blob":"QUJD"}]}`))
	if r.Blocks[0].Size != 4 || r.Blocks[0].URI != "a://b" {
		t.Errorf("resource = %+v", r)
	}
}

func TestAPromptsArgumentsAreASchema(t *testing.T) {
	prompts, _ := ParsePrompts([]json.RawMessage{json.RawMessage(`{"name":"p","arguments":[{"name":"who","title":"Who?","required":true},{"name":"why","description":"A reason"}]}`)})
	want := `{"type":"object","properties":{"who":{"type":"string","title":"Who?"},"why":{"type":"string","description":"A reason"}},"required":["who"]}`
	if got := string(prompts[0].Schema()); got != want {
		t.Errorf("schema = %s, want %s", got, want)
	}
}

func TestEntriesThatCannotBeUsedAreNamedUpToABound(t *testing.T) {
	entries := make([]json.RawMessage, 20_000)
	for i := range entries {
		entries[i] = json.RawMessage("1")
	}
	tools, problems := ParseTools(entries)
	if len(tools) != 0 || len(problems) != maxProblems+1 {
		t.Fatalf("%d tools, %d sentences", len(tools), len(problems))
	}
	if got := english.Text(problems[maxProblems]); got != "19950 more entries are left out." {
		t.Errorf("the last says %q", got)
	}
}

func TestACursorThatIsNoneEndsTheListWithAWord(t *testing.T) {
	b := connected(t, paging(`{"tools":{}}`, map[string]string{"-": `{"tools":[{"name":"a"}],"nextCursor":7}`}))
	if l, err := b.conn.List(t.Context()); err != nil || len(l.Tools) != 1 {
		t.Errorf("tools = %s, %v", l.Tools, err)
	}
	b.notice("core.notice.cursor")
}
