package demo

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"
	"time"
)

func TestS22_RequestStateIsSealed(t *testing.T) {
	now := time.Date(2026, 10, 1, 12, 0, 0, 0, time.UTC)
	s := newSealer(func() time.Time { return now })
	b := binding{method: "tools/call", name: "book_trip", args: `{"destination":"Lima"}`}
	m := memory{Round: 2, Details: map[string]any{"name": "王小明"}}
	state, err := s.close(m, b)
	if err != nil {
		t.Fatal(err)
	}

	t.Run("S22 what was sealed comes back", func(t *testing.T) {
		got, err := s.open(state, b)
		if err != nil || got.Round != 2 || got.Details["name"] != "王小明" {
			t.Errorf("got %+v, %v", got, err)
		}
	})
	t.Run("S22 the client cannot read it", func(t *testing.T) {
		plain, err := base64.RawURLEncoding.DecodeString(state)
		if err != nil || strings.Contains(string(plain), "王") || strings.Contains(string(plain), "round") {
			t.Errorf("the state is readable: %q %v", plain, err)
		}
	})
	t.Run("S22 every changed byte is noticed", func(t *testing.T) {
		rawState, _ := base64.RawURLEncoding.DecodeString(state)
		for i := range rawState {
			changed := append([]byte(nil), rawState...)
			changed[i] ^= 1
			if _, err := s.open(base64.RawURLEncoding.EncodeToString(changed), b); err != errForged {
				t.Fatalf("byte %d changed: %v", i, err)
			}
		}
	})
	t.Run("S22 what is no state is refused", func(t *testing.T) {
		for _, bad := range []string{"x", "!", state + "A", state[1:], state + "-TAMPERED", strings.Repeat("A", 100)} {
			if _, err := s.open(bad, b); err != errForged {
				t.Errorf("open(%q) = %v, want errForged", bad, err)
			}
		}
	})
	t.Run("S22 it is bound to its request", func(t *testing.T) {
		for _, other := range []binding{
			{"prompts/get", b.name, b.args},
			{b.method, "delete_files", b.args},
			{b.method, b.name, `{"destination":"Lime"}`},
			{b.method, "", b.name + b.args},
		} {
			if _, err := s.open(state, other); err != errForged {
				t.Errorf("a state of %v opens for %v: %v", b, other, err)
			}
		}
	})
	t.Run("S22 it is bound to its server", func(t *testing.T) {
		if _, err := newSealer(time.Now).open(state, b); err != errForged {
			t.Errorf("another process opens it: %v", err)
		}
	})
	t.Run("S22 it is bound to time", func(t *testing.T) {
		now = now.Add(stateLife - time.Second)
		if _, err := s.open(state, b); err != nil {
			t.Errorf("within its life: %v", err)
		}
		now = now.Add(time.Second)
		if _, err := s.open(state, b); err != errExpired {
			t.Errorf("after its life: %v, want errExpired", err)
		}
	})
}

// The rest of S22 over the wire: what the server says to each.
func TestS22_OverTheWire(t *testing.T) {
	s := quick(Options{})
	now := time.Date(2026, 10, 1, 12, 0, 0, 0, time.UTC)
	s.now = func() time.Time { return now }
	root := start(t, s)
	state := rawCall(t, root, "delete_files", `{"name":"delete_files","arguments":{"older_than":50}}`).RequestState
	retry := func(args, state, responses string) message {
		return raw(t, root, "tools/call", "delete_files",
			`{"name":"delete_files","arguments":`+args+`,"requestState":"`+state+`","inputResponses":`+responses+`}`)
	}
	const yes = `{"confirm":{"action":"accept","content":{}}}`

	if m := retry(`{"older_than":50}`, state+"-TAMPERED", yes); m.Error == nil || m.Error.Code != -32602 {
		t.Errorf("S22 a changed state: %+v, want error -32602", m)
	}
	if m := retry(`{"older_than":1}`, state, yes); m.Error == nil || m.Error.Code != -32602 {
		t.Errorf("S22 consent to other arguments: %+v, want error -32602", m)
	}
	if m := retry(`{"older_than": 50}`, state, yes); m.Error != nil || !strings.Contains(string(m.Result), "drafts deleted") {
		t.Errorf("S22 the same request: %+v, want the deletion", m)
	}
	for _, responses := range []string{`{}`, `{"other":{"action":"accept"}}`, `{"confirm":{"roots":[]}}`} {
		m := retry(`{"older_than":50}`, state, responses)
		var n needs
		if m.Error != nil || json.Unmarshal(m.Result, &n) != nil || n.InputRequests["confirm"].Method == "" {
			t.Errorf("an answer left out (%s): %+v, want the question again", responses, m)
		}
	}
	early := rawCall(t, root, "delete_files", `{"name":"delete_files","inputResponses":`+yes+`}`)
	if early.ResultType != "input_required" {
		t.Errorf("S22 an answer that came before its question counts: %+v", early)
	}
	now = now.Add(stateLife)
	if m := retry(`{"older_than":50}`, state, yes); m.Error == nil || !strings.Contains(m.Error.Message, "too old") {
		t.Errorf("S22 an old state: %+v, want an error that says so", m)
	}
}
