package auth

import (
	"slices"
	"testing"

	"parley/assets/i18n"
)

// TestRemediesAreThoseOfFailuresThereAre: each is of a sentence of the catalogue, and
// what is not listed is helped by signing in anew.
func TestRemediesAreThoseOfFailuresThereAre(t *testing.T) {
	for id := range remedies {
		if said := i18n.New("en").Text(i18n.M(id)); said == id || said == "" {
			t.Errorf("%s is no sentence", id)
		}
		if _, ours := Remedies(i18n.M(id)); !ours {
			t.Errorf("%s is none of this package's", id)
		}
	}
	for _, id := range []string{"auth.signin.timeout", "auth.signin.cancelled", "auth.signin.unreachable"} {
		if found, ours := Remedies(i18n.M(id)); !ours || !slices.Equal(found, []Remedy{SignInAnew}) {
			t.Errorf("%s: %q, %v", id, found, ours)
		}
	}
	for _, id := range []string{"core.fail.lost", "auth.setup.client", "keychain.unavailable"} {
		if found, ours := Remedies(i18n.M(id)); ours || found != nil {
			t.Errorf("%s: %q", id, found)
		}
	}
}
