package keychain_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"parley/mcpclient/keychain"
	"parley/mcpclient/keychain/keychaintest"
)

// secrets is what both keychains can do.
type secrets interface {
	Get(context.Context, keychain.Key) (keychain.Secret, error)
	Fresh(context.Context, keychain.Key) (keychain.Secret, error)
	Set(context.Context, keychain.Key, keychain.Secret) error
	Delete(context.Context, keychain.Key) error
	DeleteAll(context.Context, string) error
}

// said is an answer in a form that can be compared.
func said(v keychain.Secret, err error) string {
	if u, ok := errors.AsType[*keychain.Unavailable](err); ok {
		return fmt.Sprintf("%q, unavailable: %s, deed %d, held %v", v.Reveal(), u.Reason, u.Deed, u.Held)
	}
	return fmt.Sprintf("%q, %v", v.Reveal(), err)
}

// TestTheOneInMemoryAnswersAsTheRealOne: tests elsewhere that use it say something
// about the app.
func TestTheOneInMemoryAnswersAsTheRealOne(t *testing.T) {
	for _, why := range []keychain.Reason{keychain.Locked, keychain.Absent, keychain.Denied} {
		t.Run(why.String(), func(t *testing.T) {
			system, away, back := keychain.OpenFake(t)
			memory := &keychaintest.Keychain{}
			a, b, other := keychain.Key{Server: "s", Name: "a"}, keychain.Key{Server: "s", Name: "b"}, keychain.Key{Server: "other", Name: "a"}
			get := func(k keychain.Key) func(secrets) string {
				return func(s secrets) string { return said(s.Get(t.Context(), k)) }
			}
			fresh := func(k keychain.Key) func(secrets) string {
				return func(s secrets) string { return said(s.Fresh(t.Context(), k)) }
			}
			set := func(k keychain.Key, v string) func(secrets) string {
				return func(s secrets) string {
					return said(keychain.Secret{}, s.Set(t.Context(), k, keychain.NewSecret(v)))
				}
			}
			remove := func(k keychain.Key) func(secrets) string {
				return func(s secrets) string { return said(keychain.Secret{}, s.Delete(t.Context(), k)) }
			}
			removeAll := func(server string) func(secrets) string {
				return func(s secrets) string { return said(keychain.Secret{}, s.DeleteAll(t.Context(), server)) }
			}
			goes := func(out bool) func(secrets) string {
				return func(s secrets) string {
					switch {
					case s == secrets(system) && out:
						away(why)
					case s == secrets(system):
						back()
					case out:
						memory.Away(why)
					default:
						memory.Back()
					}
					return ""
				}
			}
			for i, step := range []struct {
				does string
				do   func(secrets) string
			}{
				{"none is there", get(a)},
				{"it is stored", set(a, "1")}, {"and read", get(a)}, {"and read anew", fresh(a)},
				{"removed", remove(a)}, {"is gone", get(a)}, {"removed twice", remove(a)},
				{"it is stored again", set(a, "2")},
				{"out of reach", goes(true)},
				{"what was stored is known", get(a)},
				{"what was never asked for is not", get(b)},
				{"it is kept for this run", set(b, "3")}, {"and read", get(b)}, {"and read anew", fresh(b)},
				{"it is replaced for this run", set(a, "4")}, {"and read", get(a)},
				{"it is removed for this run", remove(b)}, {"and gone", get(b)},
				{"one of another server is kept", set(other, "5")},
				{"a server that only this run knew goes", removeAll("other")}, {"with all it had", get(other)},
				{"in reach", goes(false)},
				{"what was kept is stored", get(a)}, {"anew too", fresh(a)}, {"what was removed is not", get(b)}, {"nor the server", get(other)},
				{"out of reach again", goes(true)},
				{"a server that is in there goes", removeAll("s")}, {"with all it had", get(a)},
				{"a server nobody knows goes", removeAll("nobody")}, {"and has nothing", get(keychain.Key{Server: "nobody", Name: "x"})},
				{"in reach again", goes(false)},
				{"still gone", get(a)},
				{"a server goes in reach", removeAll("s")}, {"and has nothing", fresh(a)},
			} {
				if want, got := step.do(system), step.do(memory); got != want {
					t.Errorf("step %d, %s: it says %s, the real one %s", i, step.does, got, want)
				}
			}
		})
	}
}
