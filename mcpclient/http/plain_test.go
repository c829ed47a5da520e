package http

import (
	"errors"
	nethttp "net/http"
	"net/netip"
	"sync"
	"testing"

	"parley/mcpclient/wire"
)

// judge is an Authorizer that lets credentials go to some addresses only.
type judge struct {
	keeper
	refuse bool
	mu     sync.Mutex
	asked  []netip.Addr
}

var errMisplaced = errors.New("not there")

func (j *judge) Plain(addr netip.Addr) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.asked = append(j.asked, addr)
	if j.refuse {
		return errMisplaced
	}
	return nil
}

// RFC 6750 section 5.3: the address that is dialled is what counts.
func TestWhereCredentialsGoWithoutEncryptionIsJudgedWhereItIsDialled(t *testing.T) {
	reached := make(chan string, 10)
	s := serve(t, func(w nethttp.ResponseWriter, r *nethttp.Request, m wire.Message) {
		reached <- r.Header.Get("Authorization")
		reply(w, m, `{}`)
	})
	for name, c := range map[string]struct {
		value  string
		refuse bool
		judged bool
	}{
		"credentials that may":     {"Bearer x", false, true},
		"credentials that may not": {"Bearer x", true, true},
		"no credentials":           {"", true, false},
	} {
		j := &judge{keeper: keeper{value: c.value}, refuse: c.refuse}
		tr, rec := connect(t, Endpoint{URL: s.URL}, Options{Authorizer: j})
		send(t, tr, 1, "m", "", modern)
		if c.refuse && c.judged {
			err := rec.NextFailed(t).Err
			if _, ok := errors.AsType[*AuthorizationError](err); !ok || !errors.Is(err, errMisplaced) {
				t.Errorf("%s: %v", name, err)
			}
			if len(reached) != 0 {
				t.Errorf("%s: it was reached", name)
			}
		} else {
			rec.Next(t)
			if got := <-reached; got != c.value {
				t.Errorf("%s: reached with %q", name, got)
			}
		}
		if judged := len(j.asked) > 0; judged != c.judged || judged && !j.asked[0].IsLoopback() {
			t.Errorf("%s: judged were %v", name, j.asked)
		}
	}
}
