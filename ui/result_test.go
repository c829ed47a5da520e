package ui

import (
	"encoding/json"
	"strings"
	"testing"

	"parley/mcpclient"
)

// TestResult_IsPreparedInTheBackground: until it is drawn the page says so, and
// offers nothing to copy.
func TestResult_IsPreparedInTheBackground(t *testing.T) {
	r := newRig(t, rigOptions{tools: map[string]tool{"a": nothing}})
	c := r.callOf(r.connected(), mcpclient.Call{State: mcpclient.CallDone, Result: json.RawMessage(`{"content":[{"type":"text","text":"Three seats."}]}`)})
	r.told(mcpclient.Event{ServerID: c.ServerID, CallID: c.ID, Call: &c})
	r.s.choose(route{section: sectionRequest, id: c.ID})
	// Nothing comes back from the background before the queue is emptied.
	r.reads("Preparing what the server sent…")
	r.lacks("Three seats.")
	if r.button("Copy result") != nil {
		t.Error("what is not there can be copied")
	}
	r.wait(func() bool { return r.button("Copy result") != nil })
	r.reads("Three seats.")
	r.lacks("Preparing")
}

// TestResult_ShowsEveryKindAsTextThatDoesNothing: nothing is loaded, played or
// opened, and what is unknown is shown as it came.
func TestResult_ShowsEveryKindAsTextThatDoesNothing(t *testing.T) {
	result := `{"resultType":"complete","structuredContent":{"big":12345678901234567890},"content":[
		{"type":"text","text":"Booked\u202e."},
		{"type":"image","data":"AAAA","mimeType":"image/png"},
		{"type":"audio","data":"AAAA","mimeType":"audio/wav"},
		{"type":"resource_link","uri":"https://evil.example/x","name":"A link"},
		{"type":"resource","resource":{"uri":"file:///etc/passwd","text":"root"}},
		{"type":"hologram","depth":3}]}`
	r := newRig(t, rigOptions{tools: map[string]tool{"run": func(*memoryServer, []rawMember) json.RawMessage { return json.RawMessage(result) }}})
	r.run("run")
	r.ended()
	r.wait(func() bool { p, ok := r.s.page.(*requestPage); return ok && p.copied != "" })
	text := r.text()
	for _, want := range []string{"Booked", "A picture (image/png", "A sound (audio/wav", "https://evil.example/x", "file:///etc/passwd", "root", `"hologram"`} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "\u202e") {
		t.Error("a hidden character reached the screen")
	}
	if len(r.opener.urls()) != 0 {
		t.Error("something was opened")
	}
	r.press("Copy result")
	if got := r.app.Clipboard().Content(); got != "Booked\u202e.\nroot" {
		t.Errorf("copied %q", got)
	}
}

func TestResult_FailuresAreSentencesWithTheServersWordsMarked(t *testing.T) {
	tools := map[string]tool{
		"isError": func(*memoryServer, []rawMember) json.RawMessage {
			return json.RawMessage(`{"resultType":"complete","isError":true,"content":[{"type":"text","text":"no seats"}]}`)
		},
		"error": func(s *memoryServer, _ []rawMember) json.RawMessage {
			s.say(`{"jsonrpc":"2.0","id":` + s.id() + `,"error":{"code":-32000,"message":"no seats"}}`)
			return nil
		},
	}
	for name, want := range map[string]string{"isError": "The tool reports that it failed.", "error": "The server answered with the error -32000."} {
		r := newRig(t, rigOptions{tools: tools})
		r.run(name)
		r.ended()
		r.wait(func() bool {
			p, ok := r.s.page.(*requestPage)
			return ok && p.ended && strings.Contains(r.text(), "no seats")
		})
		text := r.text()
		if !strings.Contains(text, want) || strings.Index(text, "SERVER") > strings.Index(text, "no seats") {
			t.Errorf("%s: the page says\n%s", name, text)
		}
	}
}

func TestResult_TextForTheClipboard(t *testing.T) {
	for _, c := range []struct {
		view mcpclient.ResultView
		want string
	}{
		{mcpclient.ResultView{}, `{"a":1}`},
		{mcpclient.ResultView{Blocks: []mcpclient.Block{{Text: "a"}, {}, {Text: "b"}}}, "a\nb"},
	} {
		if got := resultText(c.view, `{"a":1}`); got != c.want {
			t.Errorf("%+v: %q; want %q", c.view, got, c.want)
		}
	}
}
