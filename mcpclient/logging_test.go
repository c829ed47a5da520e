package mcpclient

import (
	"encoding/json"
	"testing"

	"parley/forms/rawjson"
	"parley/mcpclient/wire"
)

func TestLogMessagesAreAskedForWithEveryCallOfAModernServerThatLogs(t *testing.T) {
	for _, c := range []struct{ capabilities, level, want string }{
		{`{"logging":{}}`, "", "info"},
		{`{"logging":{}}`, "debug", "debug"},
		{`{"logging":{}}`, "loud", "info"},
		{`{"logging":{}}`, LogOff, ""},
		{`{}`, "debug", ""},
		{`{"logging":null}`, "debug", ""},
	} {
		s := testServer
		s.LogLevel = c.level
		b := newBench(t, s, func(p *peer, m wire.Message) {
			switch m.Method {
			case "server/discover":
				p.reply(m, `{"supportedVersions":["2026-07-28"],"capabilities":`+c.capabilities+`}`)
			case "tools/call":
				p.reply(m, doneResult)
			}
		})
		b.conn = b.reconnect(t, s)
		b.ended(b.call(CallRequest{}))
		for _, sent := range b.peer().seen {
			meta, _ := rawjson.Object(json.RawMessage(param(sent, "_meta")))
			want := c.want
			if sent.Method != "tools/call" {
				want = ""
			}
			if got := text(rawjson.Get(meta, metaLogLevel)); got != want {
				t.Errorf("%s, level %q: %s asks for %q, want %q", c.capabilities, c.level, sent.Method, got, want)
			}
		}
	}
}

func TestALegacyServerThatLogsIsToldTheLevelOnceWhateverItAnswers(t *testing.T) {
	for _, answers := range []bool{true, false} {
		told := make(chan wire.Message, 10)
		b := connected(t, func(p *peer, m wire.Message) {
			switch {
			case m.Method == "initialize":
				p.reply(m, `{"protocolVersion":"2025-11-25","capabilities":{"logging":{}}}`)
			case m.Method == "logging/setLevel":
				told <- m
				if answers {
					p.refuse(m, `{"code":-32601,"message":"no"}`)
				}
			default:
				legacy(func(p *peer, m wire.Message) { p.reply(m, doneResult) }, nil)(p, m)
			}
		})
		if c := b.ended(b.call(CallRequest{})); c.State != CallDone {
			t.Errorf("the call is %s", c.State)
		}
		if m := <-told; string(m.Params) != `{"level":"info"}` {
			t.Errorf("told %s", m.Params)
		}
	}
}
