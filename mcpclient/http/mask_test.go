package http

import (
	"encoding/json"
	"errors"
	"fmt"
	nethttp "net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"parley/mcpclient/wire"
)

// spelt are ways of writing a text as JSON.
var spelt = map[string]func(string) string{
	"as it is":     func(s string) string { raw, _ := json.Marshal(s); return string(raw) },
	"as PHP does":  func(s string) string { raw, _ := json.Marshal(s); return strings.ReplaceAll(string(raw), "/", `\/`) },
	"all escaped":  func(s string) string { return `"` + escaped(s) + `"` },
	"in other":     func(s string) string { raw, _ := json.Marshal("<" + s + ">"); return string(raw) },
	"as a name of": func(s string) string { raw, _ := json.Marshal(s); return `{` + string(raw) + `:[1]}` },
}

func escaped(s string) string {
	var b strings.Builder
	for _, c := range s {
		fmt.Fprintf(&b, `\u%04X`, c)
	}
	return b.String()
}

// TestWhatWasSentIsMaskedWhereverTheServerSaysItBack: every header of the person's,
// the session and the credentials, in whatever comes that is neither a result nor a
// question.
func TestWhatWasSentIsMaskedWhereverTheServerSaysItBack(t *testing.T) {
	const key, number, token, session = `canary/"key"`, "12345678", "canary/token+==", "canary-session"
	type answer func(w nethttp.ResponseWriter, id wire.ID, said string)
	stream := func(w nethttp.ResponseWriter, messages ...string) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, m := range messages {
			fmt.Fprintf(w, "data: %s\n\n", m)
		}
	}
	failed := func(id wire.ID, said string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":1,"message":"no","data":{"headers":%s,"n":[%s,-1]}}}`, id, said, number)
	}
	for place, answers := range map[string]answer{
		"data of an error": func(w nethttp.ResponseWriter, id wire.ID, said string) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, failed(id, said))
		},
		"data of a refusal": func(w nethttp.ResponseWriter, id wire.ID, said string) {
			w.WriteHeader(nethttp.StatusBadRequest)
			fmt.Fprint(w, failed(id, said))
		},
		"data of an error in a stream": func(w nethttp.ResponseWriter, id wire.ID, said string) { stream(w, failed(id, said)) },
		"a line of a log": func(w nethttp.ResponseWriter, id wire.ID, said string) {
			stream(w, `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":`+said+`}}`,
				`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1,"message":`+said+`}}`,
				failed(id, `"x"`))
		},
		"what is no message": func(w nethttp.ResponseWriter, id wire.ID, said string) {
			stream(w, `{"stray":`+said+`}`, failed(id, `"x"`))
		},
	} {
		for spelling, spell := range spelt {
			t.Run(place+", "+spelling, func(t *testing.T) {
				s := serve(t, func(w nethttp.ResponseWriter, r *nethttp.Request, m wire.Message) {
					if m.Method == "initialize" {
						w.Header().Set("Mcp-Session-Id", session)
						reply(w, m, `{}`)
						return
					}
					var said []string
					for _, name := range []string{"X-Key", "Authorization", "Mcp-Session-Id"} {
						said = append(said, spell(r.Header.Get(name)))
					}
					answers(w, m.ID, "["+strings.Join(said, ",")+"]")
				})
				var mu sync.Mutex
				var heard []string
				hear := func(text string) {
					mu.Lock()
					defer mu.Unlock()
					heard = append(heard, text)
				}
				tap := func(m wire.Traffic) {
					if !json.Valid(m.Message) {
						t.Errorf("the log has %s", m.Message)
					}
					hear(string(m.Message))
				}
				e := Endpoint{URL: s.URL, Header: map[string]string{"X-Key": key, "X-Number": number}}
				tr, rec := connect(t, e, Options{Authorizer: &keeper{value: "Bearer " + token}, Tap: tap})
				send(t, tr, 1, "initialize", `{}`, "")
				rec.Next(t)
				send(t, tr, 2, "m", `{}`, legacy)
				for ended := false; !ended; {
					if place == "data of a refusal" {
						refused, ok := errors.AsType[*StatusError](rec.NextFailed(t).Err)
						if !ok {
							t.Fatal("no refusal")
						}
						raw, err := json.Marshal(refused)
						if err != nil {
							t.Fatal(err)
						}
						hear(string(raw))
						break
					}
					m := rec.Next(t).Message
					raw, err := wire.Encode(m)
					if err != nil {
						t.Fatalf("what was handed on is no message: %v", err)
					}
					hear(string(raw))
					ended = m.Kind() == wire.Response
				}
				mu.Lock()
				defer mu.Unlock()
				if !slices.ContainsFunc(heard, func(text string) bool { return strings.Contains(text, mask) }) {
					t.Errorf("nothing is masked: %q", heard)
				}
				for _, text := range heard {
					var v any
					if err := json.Unmarshal([]byte(text), &v); err != nil {
						t.Errorf("%s is no JSON any more", text)
					}
					plain := fmt.Sprint(v) + text
					for _, secret := range []string{key, number, token, session} {
						if strings.Contains(plain, secret) {
							t.Errorf("%s stands in %s", secret, text)
						}
					}
				}
			})
		}
	}
}

// TestResultsAndQuestionsStayAsTheServerGaveThem: an address to open or an answer to
// go by must not be another than the server's.
func TestResultsAndQuestionsStayAsTheServerGaveThem(t *testing.T) {
	for name, message := range map[string]string{
		"a result":              `{"jsonrpc":"2.0","id":1,"result":{"token":"canary-token"}}`,
		"a question":            `{"jsonrpc":"2.0","id":9,"method":"elicitation/create","params":{"url":"https://a.example/?s=canary-token"}}`,
		"a question in a fault": `{"jsonrpc":"2.0","id":1,"error":{"code":-32042,"message":"m","data":{"elicitations":[{"url":"https://a.example/?s=canary-token"}]}}}`,
		"the end of a question": `{"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"canary-token"}}`,
	} {
		s := serve(t, func(w nethttp.ResponseWriter, _ *nethttp.Request, m wire.Message) {
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprintf(w, "data: %s\n\n", message)
			if !strings.Contains(message, `"id":1`) {
				fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n")
			}
		})
		tr, rec := connect(t, Endpoint{URL: s.URL}, Options{Authorizer: &keeper{value: "Bearer canary-token"}})
		send(t, tr, 1, "m", `{}`, modern)
		if raw, err := wire.Encode(rec.Next(t).Message); err != nil || string(raw) != message {
			t.Errorf("%s is handed on as %s, %v", name, raw, err)
		}
	}
}

// TestATokenBeforeARenewalIsMaskedInALateAnswer: it may still be good.
func TestATokenBeforeARenewalIsMaskedInALateAnswer(t *testing.T) {
	came, goOn := make(chan struct{}), make(chan struct{})
	s := serve(t, func(w nethttp.ResponseWriter, r *nethttp.Request, m wire.Message) {
		sent := r.Header.Get("Authorization")
		if m.Method == "slow" {
			close(came)
			<-goOn
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":1,"message":%q,"data":{"a":%q}}}`, m.ID, sent, sent)
	})
	k := &keeper{value: "Bearer canary-first"}
	tr, rec := connect(t, Endpoint{URL: s.URL}, Options{Authorizer: k})
	send(t, tr, 1, "slow", `{}`, modern)
	<-came
	k.mu.Lock()
	k.value = "Bearer canary-second"
	k.mu.Unlock()
	send(t, tr, 2, "quick", `{}`, modern)
	second := rec.Next(t).Message
	close(goOn)
	for _, m := range []wire.Message{second, rec.Next(t).Message} {
		if text := m.Error.Message + string(m.Error.Data); strings.Contains(text, "canary") || !strings.Contains(text, mask) {
			t.Errorf("%s: the error says %s", m.ID, text)
		}
	}
}

func TestWhereAServerSendsOneOnIsToldWithoutWhatWasSent(t *testing.T) {
	s := serve(t, func(w nethttp.ResponseWriter, r *nethttp.Request, _ wire.Message) {
		w.Header().Set("Location", "https://elsewhere.example/"+strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
		w.WriteHeader(nethttp.StatusTemporaryRedirect)
	})
	tr, rec := connect(t, Endpoint{URL: s.URL}, Options{Authorizer: &keeper{value: "Bearer canary-token"}})
	send(t, tr, 1, "m", `{}`, modern)
	e, ok := errors.AsType[*RedirectError](rec.NextFailed(t).Err)
	if !ok || e.To != "https://elsewhere.example/"+mask {
		t.Errorf("failed with %+v", e)
	}
}
