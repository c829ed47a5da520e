package auth

import (
	"testing"

	"parley/mcpclient/auth/authtest"
	"parley/mcpclient/wire"
)

// TestAServerThatIsOnlyTriedAsksNobodyToSignIn, whatever it answers.
func TestAServerThatIsOnlyTriedAsksNobodyToSignIn(t *testing.T) {
	r := newRig(t, grants, authtest.ResourceOptions{})
	z := r.a.Trial(r.server)
	err := z.Challenge(t.Context(), wire.Challenge{Status: 401, Header: []string{"Bearer"}})
	if id := sentenceOf(t, err); id != "auth.signin.unattended" {
		t.Errorf("it says %s", id)
	}
	if open := r.a.SignIns(); len(open) != 0 {
		t.Errorf("the person is asked: %+v", open)
	}
}
