package mcpclient

import (
	"strings"
	"sync"
	"testing"

	"parley/forms/rawjson"
	"parley/mcpclient/wire"
)

// tried tries testServer with a script.
func tried(t *testing.T, script func(*peer, wire.Message)) (*peer, Trial, error) {
	var mu sync.Mutex
	var last *peer
	trial, err := Try(t.Context(), Options{Dial: func(s Server, _ DialOptions) (wire.Transport, error) {
		mu.Lock()
		defer mu.Unlock()
		last = &peer{script: script, kind: s.Kind}
		return last, nil
	}}, testServer)
	return last, trial, err
}

func TestTry_FindsOutAndLeavesNothingBehind(t *testing.T) {
	p, trial, err := tried(t, func(p *peer, m wire.Message) {
		if m.Method == "tools/list" {
			p.reply(m, `{"resultType":"complete","tools":[{"name":"a","inputSchema":{}},{"name":"b","inputSchema":{}}],"ttlMs":0,"cacheScope":"private"}`)
			return
		}
		modern(func(*peer, wire.Message, []rawjson.Member) {})(p, m)
	})
	if err != nil || trial.Tools != 2 || trial.Listing != nil || trial.Info.Protocol != "2026-07-28" {
		t.Errorf("%+v, %v", trial, err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.closed {
		t.Error("the connection stays open")
	}
}

func TestTry_SaysWhatWentWrong(t *testing.T) {
	_, _, err := tried(t, func(p *peer, _ wire.Message) { p.end(errBroken) })
	if f, ok := err.(*Failure); !ok || f.Text.IsZero() {
		t.Errorf("error %v", err)
	}
	_, trial, err := tried(t, func(p *peer, m wire.Message) {
		if m.Method == "tools/list" {
			p.refuse(m, `{"code":-32603,"message":"no tools today"}`)
			return
		}
		modern(func(*peer, wire.Message, []rawjson.Member) {})(p, m)
	})
	if err != nil || trial.Listing == nil || !strings.Contains(trial.Listing.Message, "no tools today") {
		t.Errorf("%+v, %v", trial, err)
	}
}
