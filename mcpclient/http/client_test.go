package http

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	nethttp "net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"parley/mcpclient/wire"
)

// quiet is a log for fake servers whose faults are intended.
func quiet() *log.Logger { return log.New(io.Discard, "", 0) }

// keeper is an Authorizer that hands out value, and after each challenge
// next, until refusal is set.
type keeper struct {
	mu         sync.Mutex
	value      string
	next       []string
	refusal    error
	challenges []string
	forbidden  []int
	accepted   []wire.Challenge
}

func (k *keeper) Accepted(c wire.Challenge) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.accepted = append(k.accepted, c)
}

func (k *keeper) Authorize(context.Context, string) (string, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.value, nil
}

func (k *keeper) Challenge(_ context.Context, c wire.Challenge) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.forbidden = append(k.forbidden, c.Forbidden)
	k.challenges = append(k.challenges, fmt.Sprintf("%d %d %s: %s", c.Attempt, c.Status, c.Sent, strings.Join(c.Header, ", ")))
	if len(k.next) == 0 {
		return k.refusal
	}
	k.value, k.next = k.next[0], k.next[1:]
	return nil
}

func TestChallengesArePutToTheAuthorizerWithinABound(t *testing.T) {
	s := serve(t, func(w nethttp.ResponseWriter, r *nethttp.Request, m wire.Message) {
		switch r.Header.Get("Authorization") {
		case "Bearer good":
			reply(w, m, `{}`)
		case "Bearer weak":
			w.Header().Set("WWW-Authenticate", `Bearer error="insufficient_scope"`)
			w.WriteHeader(403)
		default:
			w.Header().Add("WWW-Authenticate", `Bearer resource_metadata="x"`)
			w.Header().Add("WWW-Authenticate", `Basic`)
			w.WriteHeader(401)
		}
	})
	t.Run("signed in, then stepped up", func(t *testing.T) {
		k := &keeper{next: []string{"Bearer weak", "Bearer good"}}
		tr, rec := connect(t, Endpoint{URL: s.URL, Header: map[string]string{"Authorization": "Bearer own"}}, Options{Authorizer: k})
		send(t, tr, 1, "m", "", modern)
		rec.Next(t)
		want := `0 401 : Bearer resource_metadata="x", Basic|1 403 Bearer weak: Bearer error="insufficient_scope"`
		if got := strings.Join(k.challenges, "|"); got != want {
			t.Errorf("challenged with %s, want %s", got, want)
		}
		if len(k.accepted) != 1 || k.accepted[0].Status != 403 || k.accepted[0].Attempt != 1 {
			t.Errorf("told that these went through: %+v", k.accepted)
		}
		send(t, tr, 2, "m", "", modern) // nobody asks
		rec.Next(t)
		if len(k.accepted) != 1 {
			t.Errorf("told of what was not challenged: %+v", k.accepted[1:])
		}
	})
	t.Run("how often it was forbidden", func(t *testing.T) {
		k := &keeper{next: []string{"Bearer weak", "Bearer weak", "Bearer bad", "Bearer weak", "Bearer weak"}}
		tr, rec := connect(t, Endpoint{URL: s.URL}, Options{Authorizer: k})
		send(t, tr, 1, "m", "", modern)
		rec.NextFailed(t)
		if want := []int{0, 0, 1, 2, 2}; !slices.Equal(k.forbidden, want) {
			t.Errorf("told %v, want %v", k.forbidden, want)
		}
		if len(k.accepted) != 0 {
			t.Errorf("told that it went through: %+v", k.accepted)
		}
	})
	t.Run("asked without end", func(t *testing.T) {
		k := &keeper{next: slices.Repeat([]string{"Bearer bad"}, 2*maxChallenges)}
		tr, rec := connect(t, Endpoint{URL: s.URL}, Options{Authorizer: k})
		send(t, tr, 1, "m", "", modern)
		e, ok := errors.AsType[*StatusError](rec.NextFailed(t).Err)
		if !ok || e.Status != 401 || len(k.challenges) != maxChallenges {
			t.Errorf("failed with %v after %d challenges", e, len(k.challenges))
		}
	})
	t.Run("refused", func(t *testing.T) {
		refusal := errors.New("the person said no")
		k := &keeper{refusal: refusal}
		tr, rec := connect(t, Endpoint{URL: s.URL}, Options{Authorizer: k})
		send(t, tr, 1, "m", "", modern)
		err := rec.NextFailed(t).Err
		if e, ok := errors.AsType[*AuthorizationError](err); !ok || e.Status != 401 || !errors.Is(err, refusal) {
			t.Errorf("failed with %v, want the refusal", err)
		}
		sentences(t, err)
	})
	t.Run("nobody to ask", func(t *testing.T) {
		tr, rec := connect(t, Endpoint{URL: s.URL}, Options{})
		send(t, tr, 1, "m", "", modern)
		if e, ok := errors.AsType[*StatusError](rec.NextFailed(t).Err); !ok || e.Status != 401 {
			t.Errorf("failed with %v, want a StatusError of 401", e)
		}
	})
}

// Credentials, headers and sessions stay within the origin.
func TestRedirectsAreFollowedWithinTheOriginOnly(t *testing.T) {
	var mu sync.Mutex
	strayed := 0
	foreign := serve(t, func(w nethttp.ResponseWriter, r *nethttp.Request, m wire.Message) {
		mu.Lock()
		strayed++
		mu.Unlock()
		reply(w, m, `{}`)
	})
	at := func(status int, location string) answer {
		return func(w nethttp.ResponseWriter, r *nethttp.Request, m wire.Message) {
			if r.URL.Path == "/mcp/" {
				reply(w, m, `{}`)
				return
			}
			if location != "" {
				w.Header().Set("Location", location)
			}
			w.WriteHeader(status)
		}
	}
	tests := []struct {
		name string
		do   answer
		want *RedirectError // nil: followed
	}{
		{"307 to a path", at(307, "/mcp/?canary=1#x"), nil},
		{"308 to a relative path", at(308, "mcp/"), nil},
		{"301", at(301, "/mcp/?canary=1"), &RedirectError{Status: 301, To: "ORIGIN/mcp/"}},
		{"302", at(302, "/mcp/"), &RedirectError{Status: 302, To: "ORIGIN/mcp/"}},
		{"303", at(303, "/mcp/"), &RedirectError{Status: 303, To: "ORIGIN/mcp/"}},
		{"another port", at(307, foreign.URL+"/mcp/?canary=1"), &RedirectError{Status: 307, To: foreign.URL + "/mcp/"}},
		{"another scheme", at(308, "https://127.0.0.1/x"), &RedirectError{Status: 308, To: "https://127.0.0.1/x"}},
		{"another host", at(307, "http://localhost/x"), &RedirectError{Status: 307, To: "http://localhost/x"}},
		{"no http", at(307, "javascript:alert(1)"), &RedirectError{Status: 307}},
		{"with a user", at(307, "http://u:p@127.0.0.1/"), &RedirectError{Status: 307}},
		{"no address", at(307, "http://[::"), &RedirectError{Status: 307}},
		{"no Location", at(307, ""), &RedirectError{Status: 307}},
		{"round and round", at(307, "/mcp"), &RedirectError{Loop: true}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := serve(t, test.do)
			e := Endpoint{URL: s.URL + "/mcp", Header: map[string]string{"X-Key": "canary"}}
			tr, rec := connect(t, e, Options{Authorizer: &keeper{value: "Bearer canary"}})
			send(t, tr, 1, "m", `{"a":1}`, modern)
			if test.want == nil {
				rec.Next(t)
				last := s.log()[1]
				if last.verb != "POST" || !strings.Contains(last.body, `{"a":1}`) || last.header.Get("Authorization") == "" {
					t.Errorf("followed with %+v", last)
				}
				return
			}
			err := rec.NextFailed(t).Err
			got, ok := errors.AsType[*RedirectError](err)
			want := *test.want
			want.To = strings.ReplaceAll(want.To, "ORIGIN", s.URL)
			if !ok || *got != want {
				t.Errorf("failed with %#v, want %#v", err, want)
			}
			sentences(t, err)
		})
	}
	mu.Lock()
	defer mu.Unlock()
	if strayed > 0 {
		t.Errorf("%d requests went to another origin", strayed)
	}
}
