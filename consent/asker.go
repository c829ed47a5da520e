package consent

import (
	"fmt"
	"strings"
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
	k := known{remote: a.Remote}
	if home := hostLink(a.Host); home != nil {
		k.names = append(k.names, protect(home)...)
		// A server on this computer has no site: everything is another one.
		if !home.loopback() {
			k.home = home
		}
	}
	for _, host := range a.Protected {
		if home := hostLink(host); home != nil {
			k.names = append(k.names, protect(home)...)
		}
	}
	return k
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
