package demo

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func traveller() map[string]any {
	return map[string]any{"name": "王小明", "email": "ming@example.org", "departure": "2026-10-01",
		"pickup": "2026-10-01T06:30:00+08:00", "budget": 1200.5, "insurance": true}
}

func seat() map[string]any {
	return map[string]any{"seat": "12C", "fare": "flex", "extras": []any{"Wi-Fi"}, "languages": []any{"en", "zh"}, "newsletter": false}
}

func TestBookTripAsksTwiceAndBooksInEveryEra(t *testing.T) {
	root := start(t, quick(Options{}))
	for _, era := range eras {
		t.Run(era, func(t *testing.T) {
			p := connect(t, root, era, both())
			res := p.call("book_trip", map[string]any{"destination": "Lisbon"},
				inTurn(accepted(traveller()), accepted(seat())))
			if len(p.asked) != 2 || res.IsError {
				t.Fatalf("asked %d times, isError %v; want two questions and a booking", len(p.asked), res.IsError)
			}
			for _, want := range []string{"Lisbon", "travellers: 2", "王小明", "Flexible", "1200.5", "English, Chinese"} {
				if !strings.Contains(textOf(t, res), want) {
					t.Errorf("the summary lacks %q:\n%s", want, textOf(t, res))
				}
			}
			data, _ := json.Marshal(res.StructuredContent)
			want := `{"choices":{"extras":["Wi-Fi"],"fare":"flex","languages":["en","zh"],"newsletter":false,"seat":"12C"},` +
				`"destination":"Lisbon","traveller":{"budget":1200.5,"departure":"2026-10-01","email":"ming@example.org",` +
				`"insurance":true,"name":"王小明","pickup":"2026-10-01T06:30:00+08:00"},"travellers":2}`
			if string(data) != want {
				t.Errorf("structured result\n got %s\nwant %s", data, want)
			}
		})
	}
}

func TestTheDemoSpeaksTheLanguageOfTheCall(t *testing.T) {
	root := start(t, quick(Options{Language: "zh_CN.UTF-8"}))
	p := connect(t, root, "2026-07-28", both())
	tools, err := p.session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(tools.Tools, func(x *mcp.Tool) bool { return x.Name == "book_trip" })
	if got := tools.Tools[i].Title; got != "预订旅行" {
		t.Errorf("title of the tool in a Chinese demo is %q", got)
	}
	p.call("delete_files", nil, replyWith(decline, nil))
	if !strings.Contains(p.asked[0].Message, "删除这 3 份草稿吗") {
		t.Errorf("without a language the demo's own is spoken, got %q", p.asked[0].Message)
	}
	p.call("delete_files", map[string]any{"language": "en"}, replyWith(decline, nil))
	if !strings.Contains(p.asked[0].Message, "Delete these 3 drafts?") {
		t.Errorf("the language argument decides, got %q", p.asked[0].Message)
	}
}

func TestS1_NoFormAsksForASecret(t *testing.T) {
	for _, q := range everyQuestion() {
		for _, f := range q.form {
			for _, word := range []string{"password", "token", "key", "card", "code", "secret", "pin", "密码", "密钥", "验证码"} {
				if strings.Contains(strings.ToLower(f.name+" "+f.title+" "+f.description), word) {
					t.Errorf("field %s of %s mentions %q", f.name, q.key, word)
				}
			}
		}
	}
}

func TestS16_NoLinksInForms(t *testing.T) {
	for _, q := range everyQuestion() {
		all := q.message + string(q.form.schema())
		for _, link := range []string{"http:", "https:", "www.", "://"} {
			if strings.Contains(all, link) {
				t.Errorf("question %s holds a link: %s", q.key, all)
			}
		}
	}
}

func TestS3_OnlyDeclaredModesAreSent(t *testing.T) {
	root := start(t, quick(Options{}))
	formOnly := &mcp.ElicitationCapabilities{Form: &mcp.FormElicitationCapabilities{}}
	urlOnly := &mcp.ElicitationCapabilities{URL: &mcp.URLElicitationCapabilities{}}
	never := func(q *mcp.ElicitParams) *mcp.ElicitResult { return &mcp.ElicitResult{Action: dismiss} }
	cases := []struct {
		name    string
		caps    *mcp.ElicitationCapabilities
		tool    string
		missing string
	}{
		{"a form to a client without elicitation", nil, "delete_files", `{"requiredCapabilities":{"elicitation":{"form":{}}}}`},
		{"a form to a client of URLs only", urlOnly, "delete_files", `{"requiredCapabilities":{"elicitation":{"form":{}}}}`},
		{"a URL to a client of forms only", formOnly, "link_account", `{"requiredCapabilities":{"elicitation":{"url":{}}}}`},
		{"a URL to a client that declares {}", &mcp.ElicitationCapabilities{}, "link_account", `{"requiredCapabilities":{"elicitation":{"url":{}}}}`},
	}
	for _, c := range cases {
		t.Run("S3 modern, "+c.name, func(t *testing.T) {
			p := connect(t, root, "2026-07-28", c.caps)
			_, err := p.tryCall(c.tool, nil, never)
			var rpc *jsonrpc.Error
			if !errors.As(err, &rpc) || rpc.Code != -32021 || string(rpc.Data) != c.missing {
				t.Fatalf("got %v, want error -32021 with %s", err, c.missing)
			}
			if len(p.asked) != 0 {
				t.Error("a question was sent all the same")
			}
		})
		t.Run("S3 legacy, "+c.name, func(t *testing.T) {
			p := connect(t, root, "2025-11-25", c.caps)
			res, err := p.tryCall(c.tool, nil, never)
			if err != nil || !res.IsError || !strings.Contains(textOf(t, res), "elicitation") {
				t.Fatalf("got %+v, %v; want a result that names the missing capability", res, err)
			}
			if len(p.asked) != 0 {
				t.Error("a question was sent all the same")
			}
		})
	}
	t.Run("S3 a form to a client that declares {}", func(t *testing.T) {
		for _, era := range eras {
			p := connect(t, root, era, &mcp.ElicitationCapabilities{})
			p.call("delete_files", nil, never)
			if len(p.asked) != 1 {
				t.Errorf("%s: asked %d times, want once: {} means form", era, len(p.asked))
			}
		}
	})
	t.Run("S3 a revision without elicitation", func(t *testing.T) {
		p := connect(t, root, "2025-03-26", nil)
		if res := p.call("book_trip", map[string]any{"destination": "Lima"}, never); !res.IsError {
			t.Error("book_trip works without asking, want a sentence about the missing capability")
		}
		if res := p.call("say_hello", map[string]any{"name": "Ada"}, never); res.IsError || !strings.Contains(textOf(t, res), "Ada") {
			t.Error("a tool that asks nothing must work in every revision")
		}
	})
}

func TestS4_QuestionsCarryWhatTheirModeRequires(t *testing.T) {
	root := start(t, quick(Options{}))
	trip := rawCall(t, root, "book_trip", `{"name":"book_trip","arguments":{"destination":"Oslo"}}`)
	q := trip.InputRequests["traveller"]
	if trip.ResultType != "input_required" || q.Method != "elicitation/create" || q.Params.Mode != "form" ||
		q.Params.Message == "" || q.Params.URL != "" || trip.RequestState == "" {
		t.Errorf("form question: %+v", trip)
	}
	if !strings.HasPrefix(string(q.Params.RequestedSchema), `{"type":"object","properties":{"name":{"type":"string"`) {
		t.Errorf("the schema's order is lost: %s", q.Params.RequestedSchema)
	}
	del := rawCall(t, root, "delete_files", `{"name":"delete_files"}`)
	if got := string(del.InputRequests["confirm"].Params.RequestedSchema); got != `{"type":"object","properties":{}}` {
		t.Errorf("a question without fields has the schema %s", got)
	}
	link := rawCall(t, root, "link_account", `{"name":"link_account"}`).InputRequests["connect"].Params
	if link.Mode != "url" || link.Message == "" || link.RequestedSchema != nil || !strings.HasPrefix(link.URL, root+"/connect/") {
		t.Errorf("URL question: %+v", link)
	}
}

func TestS5_AcceptDeclineAndCancelLeadToDifferentEnds(t *testing.T) {
	root := start(t, quick(Options{}))
	first := accepted(traveller())
	cases := []struct {
		name   string
		tool   string
		answer func() answers
		want   string
	}{
		{"delete accepted", "delete_files", func() answers { return replyWith(accept, map[string]any{}) }, "3 drafts deleted"},
		{"delete declined", "delete_files", func() answers { return replyWith(decline, nil) }, "archive instead"},
		{"delete cancelled", "delete_files", func() answers { return replyWith(dismiss, nil) }, "asked again"},
		{"traveller declined", "book_trip", func() answers { return replyWith(decline, nil) }, "look at offers for Lima"},
		{"traveller cancelled", "book_trip", func() answers { return replyWith(dismiss, nil) }, "nothing was booked"},
		{"seat declined", "book_trip", func() answers { return inTurn(first, &mcp.ElicitResult{Action: decline}) }, "left the other choices to us"},
		{"seat cancelled", "book_trip", func() answers { return inTurn(first, &mcp.ElicitResult{Action: dismiss}) }, "nothing was booked"},
		{"page declined", "link_account", func() answers { return replyWith(decline, nil) }, "works without it"},
		{"page cancelled", "link_account", func() answers { return replyWith(dismiss, nil) }, "asked again"},
	}
	for _, era := range eras {
		for _, c := range cases {
			if era == "2025-06-18" && c.tool == "link_account" {
				continue // URL mode came with 2025-11-25
			}
			t.Run("S5 "+era+" "+c.name, func(t *testing.T) {
				p := connect(t, root, era, both())
				args := map[string]any{}
				if c.tool == "book_trip" {
					args["destination"] = "Lima"
				}
				res := p.call(c.tool, args, c.answer())
				if res.IsError || !strings.Contains(textOf(t, res), c.want) {
					t.Errorf("got %q (isError %v), want %q", textOf(t, res), res.IsError, c.want)
				}
			})
		}
	}
}

func TestS19_WrongAnswersAreNamedAndAskedAgain(t *testing.T) {
	root := start(t, quick(Options{}))
	bad := traveller()
	bad["name"], bad["email"], bad["budget"] = "王", "no address", "much"
	bad["pickup"] = "2026-10-02T06:30:00+08:00"
	for _, era := range eras {
		t.Run("S19 "+era, func(t *testing.T) {
			p := connect(t, root, era, both())
			res := p.call("book_trip", map[string]any{"destination": "Lima"},
				inTurn(accepted(bad), accepted(traveller()), accepted(nil), accepted(seat())))
			if res.IsError || len(p.asked) != 4 {
				t.Fatalf("asked %d times, isError %v; want 4 questions and a booking", len(p.asked), res.IsError)
			}
			for _, want := range []string{"Full name: 2 to 40", "E-mail: this is not", "Budget: this must be a number", "Pick-up: this is after"} {
				if !strings.Contains(p.asked[1].Message, want) {
					t.Errorf("the second question does not name %q:\n%s", want, p.asked[1].Message)
				}
			}
			schema, _ := json.Marshal(p.asked[1].RequestedSchema)
			var again struct {
				Properties map[string]struct{ Default any } `json:"properties"`
			}
			if err := json.Unmarshal(schema, &again); err != nil {
				t.Fatal(err)
			}
			if got := again.Properties["departure"].Default; got != "2026-10-01" {
				t.Errorf("what was right is asked for again: departure has the default %v", got)
			}
			for _, wrong := range []string{"name", "email", "budget", "pickup", "bags"} {
				if got := again.Properties[wrong].Default; got != nil {
					t.Errorf("%s is offered again as %v; it was wrong or cleared", wrong, got)
				}
			}
		})
		t.Run("S19 ends in time, "+era, func(t *testing.T) {
			p := connect(t, root, era, both())
			res := p.call("book_trip", map[string]any{"destination": "Lima"}, replyWith(accept, nil))
			if !res.IsError || len(p.asked) != maxTries {
				t.Errorf("asked %d times, isError %v; want %d tries and an end", len(p.asked), res.IsError, maxTries)
			}
		})
		t.Run("S19 an unknown action, "+era, func(t *testing.T) {
			p := connect(t, root, era, both())
			_, err := p.tryCall("delete_files", nil, replyWith("perhaps", nil))
			var rpc *jsonrpc.Error
			if !errors.As(err, &rpc) || rpc.Code != jsonrpc.CodeInvalidParams {
				t.Errorf("got %v, want invalid params", err)
			}
		})
	}
}

func TestS19_WrongArgumentsAreNamed(t *testing.T) {
	root := start(t, quick(Options{}))
	cases := []struct{ args, want string }{
		{`{}`, "Destination: please fill this in"},
		{`{"destination":"Lima","travellers":10}`, "Travellers: from 1 to 9"},
		{`{"destination":"Lima","travellers":1.5}`, "Travellers: this must be a whole number"},
		{`{"destination":"Lima","language":"xx"}`, "Language: please choose"},
		{`[]`, "must be a JSON object"},
	}
	for _, c := range cases {
		t.Run("S19 "+c.args, func(t *testing.T) {
			n := rawCall(t, root, "book_trip", `{"name":"book_trip","arguments":`+c.args+`}`)
			if !n.IsError || !strings.Contains(n.Content[0].Text, c.want) {
				t.Errorf("got %+v, want an error that says %q", n, c.want)
			}
		})
	}
}

func TestThePromptAsksTwoQuestionsAtOnce(t *testing.T) {
	root := start(t, quick(Options{}))
	for _, era := range eras {
		t.Run(era, func(t *testing.T) {
			p := connect(t, root, era, both())
			p.answer = func(q *mcp.ElicitParams) *mcp.ElicitResult {
				if strings.Contains(q.Message, "for?") {
					return accepted(map[string]any{"to": "Grandma", "tone": "funny"})
				}
				return &mcp.ElicitResult{Action: decline}
			}
			params := &mcp.GetPromptParams{Name: "write_postcard", Arguments: map[string]string{"place": "Porto"}}
			res, err := p.session.GetPrompt(t.Context(), params)
			if err != nil {
				t.Fatal(err)
			}
			if era == "2026-07-28" {
				if len(res.InputRequests) != 2 {
					t.Fatalf("one round has %d questions, want 2", len(res.InputRequests))
				}
				params = &mcp.GetPromptParams{Name: params.Name, Arguments: params.Arguments,
					RequestState: res.RequestState, InputResponses: p.answerAll(res.InputRequests)}
				if res, err = p.session.GetPrompt(t.Context(), params); err != nil {
					t.Fatal(err)
				}
			}
			want := "Write a short postcard from Porto. It goes to Grandma. Make it funny."
			if got := res.Messages[0].Content.(*mcp.TextContent).Text; got != want || len(p.asked) != 2 {
				t.Errorf("asked %d, got %q, want %q", len(p.asked), got, want)
			}
		})
	}
}

// everyQuestion is every form of every tool, both languages.
func everyQuestion() []question {
	var all []question
	for _, tag := range []string{"en", "zh-Hans"} {
		c := &call{say: New(Options{Language: tag}).say, args: map[string]any{"destination": "X", "place": "X", "older_than": 1.0}}
		all = append(all, travellerQuestion(c), seatQuestion(c))
		st, _ := deleteDrafts(context.Background(), c)
		all = append(all, st.ask...)
		st, _ = writePostcard(context.Background(), c)
		all = append(all, st.ask...)
	}
	return all
}
