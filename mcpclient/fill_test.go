package mcpclient

import (
	"context"
	"maps"
	"testing"
	"testing/synctest"

	"parley/assets/i18n"
	"parley/forms/rawjson"
	"parley/mcpclient/wire"
)

// noKeychain is an error with a sentence, as a keychain's is.
type noKeychain struct{}

func (noKeychain) Error() string          { return "no keychain" }
func (noKeychain) Sentence() i18n.Message { return i18n.M("core.fail.closed") }

// TestFill_SecretsReachTheTransportAndNothingElse: what is remembered, revived
// and told does not hold them.
func TestFill_SecretsReachTheTransportAndNothingElse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		secret := testServer
		secret.Env = map[string]string{"PLAIN": "1"}
		secret.SecretEnv = []string{"TOKEN"}
		fills := 0
		var dialled []map[string]string
		o := Options{Revive: true, Fill: func(_ context.Context, s Server) (Server, error) {
			fills++
			s.Env = maps.Clone(s.Env)
			s.Env["TOKEN"] = "canary"
			return s, nil
		}}
		b := newBenchWith(t, o, modern(func(*peer, wire.Message, []rawjson.Member) {}))
		dial := b.client.opts.Dial
		b.client.opts.Dial = func(s Server, d DialOptions) (wire.Transport, error) {
			dialled = append(dialled, s.Env)
			return dial(s, d)
		}
		k, err := b.client.Connect(t.Context(), secret)
		if err != nil {
			t.Fatal(err)
		}
		if k.server.Env["TOKEN"] != "" || k.wanted.Env["TOKEN"] != "" {
			t.Error("the connection keeps the secret")
		}
		b.peer().end(errBroken)
		b.status(Reconnecting)
		b.status(Connected)
		if fills != 2 || len(dialled) != 2 {
			t.Fatalf("%d fills, %d dials; want two of each", fills, len(dialled))
		}
		for _, env := range dialled {
			if env["TOKEN"] != "canary" || env["PLAIN"] != "1" {
				t.Errorf("dialled with %d values", len(env))
			}
		}
	})
}

func TestFill_IsNotAskedForAServerWithoutSecrets(t *testing.T) {
	b := newBenchWith(t, Options{Fill: func(context.Context, Server) (Server, error) {
		t.Error("asked")
		return Server{}, nil
	}}, modern(func(*peer, wire.Message, []rawjson.Member) {}))
	if _, err := b.client.Connect(t.Context(), testServer); err != nil {
		t.Fatal(err)
	}
}

func TestFill_ItsErrorIsWhyThereIsNoConnection(t *testing.T) {
	b := newBenchWith(t, Options{Fill: func(context.Context, Server) (Server, error) { return Server{}, noKeychain{} }},
		modern(func(*peer, wire.Message, []rawjson.Member) {}))
	secret := testServer
	secret.SecretEnv = []string{"TOKEN"}
	_, err := b.client.Connect(t.Context(), secret)
	f, ok := err.(*Failure)
	if !ok || f.Text.ID != "core.fail.closed" || b.dialled() != 0 {
		t.Errorf("failure %v after %d dials", err, b.dialled())
	}
	b.status(Lost)
}
