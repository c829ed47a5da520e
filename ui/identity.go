package ui

import (
	"slices"

	"parley/assets/i18n"
	"parley/mcpclient"
)

// Who a server is comes from what is really connected, asks or was asked: the
// connection, the question, the request, the sign-in. The list says only what a
// connection will be made to next; it can be edited while one stands.

// reached is v as it is connected to, or being connected to, and as it stands in
// the list where it is neither.
func (v *serverState) reached() mcpclient.Server {
	if isOpen(v.status) && v.used.ID != "" {
		return v.used
	}
	return v.Server
}

// moved reports whether the connection leads elsewhere than the list says now.
func (v *serverState) moved() bool { return v.reached().Place() != v.Place() }

// identity is who the server is that the pages of v are about: the one it is
// connected to. Its name is the one that the person gave it last while the list had
// it there: one that came with another place may be meant for another server.
func (v *serverState) identity() mcpclient.Identity {
	id := identityOf(v.reached())
	if info := v.status.Info; isConnected(v.status) && info != nil {
		name := id.Name
		id = info.Identity
		id.Name = name
	}
	return v.account.on(id)
}

// identityOf is who a server is, also one whose address cannot be one.
func identityOf(v mcpclient.Server) mcpclient.Identity {
	id, err := v.Identify()
	if err != nil {
		return mcpclient.Identity{Name: v.Name, Transport: v.Kind, Origin: v.URL}
	}
	return id
}

// identity is who the server is that a sign-in is for.
func (sh *signInSheet) identity() mcpclient.Identity {
	return identityOf(mcpclient.Server{Name: sh.ServerName, Kind: mcpclient.HTTP, URL: sh.Origin})
}

// withAccount is id with whom the person is signed in as there now.
func (s *shell) withAccount(id mcpclient.Identity, serverID string) mcpclient.Identity {
	if v := s.desk.server(serverID); v != nil {
		return v.account.on(id)
	}
	return id
}

// renamed is id by the name that the person has given it since: a name is theirs,
// and what has it stays who it is.
func (s *shell) renamed(id mcpclient.Identity, serverID string) mcpclient.Identity {
	if v := s.desk.server(serverID); v != nil {
		if as, known := v.as(id); known {
			id.Name = identityOf(as).Name
		}
	}
	return id
}

// as is v as it stood, or stands, where it was id; found is false if it is neither
// of what is known of it.
func (v *serverState) as(id mcpclient.Identity) (as mcpclient.Server, found bool) {
	for _, known := range []mcpclient.Server{v.reached(), v.Server} {
		if samePlace(identityOf(known), id) {
			return known, true
		}
	}
	return mcpclient.Server{}, false
}

// changedText says that the connection is to what a server was before it was
// changed, and of an address what it is now: the banner has what is connected.
func changedText(v *serverState) i18n.Message {
	now := identityOf(v.Server)
	if was := v.identity(); now.Origin == "" || now.Origin == was.Origin {
		return i18n.M("ui.server.changed")
	}
	return i18n.M("ui.server.changed_place", "Origin", line(now.Origin).String())
}

// samePlace reports whether two identities are at one address, or one command.
func samePlace(a, b mcpclient.Identity) bool {
	return a.Origin == b.Origin && slices.Equal(a.Command, b.Command)
}
