package consent

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// AskerFor is the Asker for the server reached at the http or https address
// serverURL: remote unless its host is this computer. The error says that the
// address is none.
func AskerFor(serverURL string) (Asker, error) {
	l, bad := parse(serverURL)
	if bad != nil {
		return Asker{}, fmt.Errorf("server address: %s", bad[0].Code)
	}
	return Asker{Remote: !l.loopback(), Host: l.authority()}, nil
}

// known is an Asker in the form that checks need.
type known struct {
	remote bool
	home   *link // the server's own address; nil if it has none to compare with
	names  []protected
}

func (a Asker) known() known {
	k := known{remote: a.Remote, names: make([]protected, 0, 1+len(a.Protected))}
	add := func(names []protected) {
		for _, p := range names {
			if !slices.ContainsFunc(k.names, func(have protected) bool { return have.site == p.site }) {
				k.names = append(k.names, p)
			}
		}
	}
	home := understood.of(a.Host)
	add(home.names)
	// A server on this computer has no site: everything is another one.
	if home.link != nil && !home.link.loopback() {
		k.home = home.link
	}
	for _, host := range a.Protected {
		add(understood.of(host).names)
	}
	return k
}

// server is what a server's host means; link is nil if it is none.
type server struct {
	link  *link
	names []protected
}

// servers keeps what hosts mean, which takes longer to find out for all the
// servers of a person than the judging of a link. What is kept does not change.
type servers struct {
	mu   sync.Mutex
	seen map[string]server
}

// mostServers bounds what is kept; past it everything is found out anew.
const mostServers = 1000

var understood = servers{seen: map[string]server{}}

func (s *servers) of(host string) server {
	s.mu.Lock()
	defer s.mu.Unlock()
	known, ok := s.seen[host]
	if ok {
		return known
	}
	if l := hostLink(host); l != nil {
		known = server{l, protect(l)}
	}
	if len(s.seen) >= mostServers {
		clear(s.seen)
	}
	s.seen[host] = known
	return known
}

// hostLink understands a host, with or without a port; nil if it is none.
func hostLink(host string) *link {
	name, _, code := cutPort(host)
	l := &link{}
	if code != "" || strings.ContainsAny(host, `/?#\`) || l.setHost(name) != "" {
		return nil
	}
	return l
}

// relation compares sites, or hosts without ports if either has no site.
func (l *link) relation(by known) Relation {
	switch {
	case by.home == nil:
		return NoRelation
	case l.site != "" && by.home.site != "":
		if l.site == by.home.site {
			return OwnSite
		}
	case strings.TrimSuffix(l.host, ".") == strings.TrimSuffix(by.home.host, "."):
		return OwnSite
	}
	return OtherSite
}
