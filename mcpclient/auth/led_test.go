package auth

import (
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"parley/mcpclient/auth/authtest"
	nethttp "parley/mcpclient/http"
)

// TestARefusedAddressThatARedirectLedToIsNamed, and who led there: it is what the
// person would allow, and the one before may be the server's own.
func TestARefusedAddressThatARedirectLedToIsNamed(t *testing.T) {
	const (
		prm = "https://mcp.example/.well-known/oauth-protected-resource/a/mcp"
		as  = "https://as.example"
		doc = as + "/.well-known/oauth-authorization-server"
	)
	for name, c := range map[string]struct {
		from, to, challenge string
		want                string
		says                string
	}{
		"an authority to the router":       {doc, "https://192.168.7.7/x", "", "auth.signin.address.private", "reach 192.168.7.7 (to which as.example sends it on), an address in a private network"},
		"an authority to this computer":    {doc, "https://localhost:9/x", "", "auth.signin.address.private", "localhost:9 (to which as.example sends"},
		"an authority to the cloud":        {doc, "https://169.254.169.254/x", "", "auth.signin.address.reserved", "169.254.169.254 (to which as.example sends"},
		"an authority off TLS":             {doc, "http://other.example/x", "", "auth.signin.address.plain", "other.example (to which as.example sends"},
		"an authority off TLS, to itself":  {doc, "http://as.example/x", "", "auth.signin.address.plain", "reach as.example without"},
		"an authority on and on":           {doc, doc, "", "auth.signin.address.redirects", "as.example sent it on"},
		"the server to the router":         {prm, "https://192.168.7.7/x", "", "auth.signin.address.private", "192.168.7.7 (to which mcp.example sends"},
		"what the challenge names, onward": {"https://third.example/p", "https://192.168.7.7/x", "https://third.example/p", "auth.signin.address.private", "192.168.7.7 (to which third.example sends"},
	} {
		d := &documents{at: map[string]string{prm: resource(mcpURL, as), doc: metadataOf(as)}}
		network := handled(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.String() == c.from {
				http.Redirect(w, r, c.to, http.StatusFound)
				return
			}
			d.serve(w, r)
		})
		_, err := newGuard(remote, false, network).discover(t.Context(), aim(t, mcpURL), challenge{metadata: c.challenge}, "")
		if err == nil {
			t.Errorf("%s: an authority was found", name)
		} else if got := sentenceOf(t, err); got != c.want || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %s\n%v\nwant %s with %q", name, got, err, c.want, c.says)
		}
	}
}

// What a name leads to is known when it is dialled only.
func TestANameThatARedirectLedToIsNamedWhenItTurnsOutPrivate(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "https://inside.example/x", http.StatusFound)
	}))
	defer s.Close()
	o, err := nethttp.ParseOrigin(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	n := &names{addresses: []netip.Addr{netip.MustParseAddr("192.168.7.7")}}
	g := newGuard(o, false, nil)
	g.client.Transport = g.network(&net.Dialer{Resolver: n.resolver()}, func(*http.Request) (*url.URL, error) { return nil, nil })
	_, err = g.get(t.Context(), s.URL)
	if reasonOf(err) != reasonPrivate || n.asked == 0 {
		t.Fatalf("%v, resolved %d times", err, n.asked)
	}
	if got := fetchFailure(s.URL, err).Error(); !strings.Contains(got, "reach inside.example (to which "+o.Host) {
		t.Errorf("it says %q", got)
	}
	// Where it is the address itself, there is nobody to name beside it.
	_, err = g.get(t.Context(), "https://inside.example/x")
	if got := fetchFailure("https://inside.example/x", err).Error(); !strings.Contains(got, "reach inside.example, an address in a private network") {
		t.Errorf("without a redirect it says %q", got)
	}
}

// TestAServerOnThisComputerThatLeadsToThePrivateNetworkNamesThat: a person who
// allowed it would do so because of an address that was fine all along.
func TestAServerOnThisComputerThatLeadsToThePrivateNetworkNamesThat(t *testing.T) {
	r := newRig(t, grants, authtest.ResourceOptions{})
	r.as.Set(func(o *authtest.Options) {
		o.Intercept = func(w http.ResponseWriter, q *http.Request) bool {
			if q.URL.Path != "/.well-known/oauth-authorization-server" {
				return false
			}
			http.Redirect(w, q, "http://192.168.7.7/x", http.StatusFound)
			return true
		}
	})
	err := r.request(t.Context())
	if sentenceOf(t, err) != "auth.signin.address.private" || !strings.Contains(err.Error(), "192.168.7.7 (to which 127.0.0.1:") {
		t.Errorf("it says %v", err)
	}
}
