package ui

import (
	"slices"

	"parley/assets/i18n"
	"parley/mcpclient/auth"
)

// wait is what a request or a connection waits for before it goes to the server, where
// neither the server nor this computer is at work on it. The zero wait is that it waits
// for nothing.
type wait struct {
	row, page i18n.Message // in a few words, and in a sentence
	person    bool         // it waits for the person
}

// waitOf is what a call at a server waits for; "" stands for the connection itself,
// and for asking what the server offers.
func (s *shell) waitOf(serverID, call string) wait {
	if sh := s.signInAt(serverID); sh != nil && slices.Contains(sh.Calls, call) {
		return sh.wait()
	}
	if call == "" && slices.Contains(s.asking, serverID) {
		return wait{i18n.M("ui.state.keychain"), i18n.M("ui.token.busy"), true}
	}
	if v := s.desk.server(serverID); v != nil && slices.Contains(v.renewal.Calls, call) {
		return renewing(v.renewal)
	}
	return wait{}
}

// renewing is a renewal that is under way.
func renewing(r auth.Renewal) wait {
	return wait{i18n.M("ui.state.renewing"), i18n.M("ui.account.renewing", "Host", line(r.Host).String()), false}
}

func (w wait) isZero() bool { return w.row.IsZero() }

// wait is what a sign-in that is not over waits for.
func (sh *signInSheet) wait() wait {
	switch {
	case sh.undecided():
		return wait{i18n.M("ui.state.signin"), i18n.M("ui.signin.waits"), true}
	case sh.State == auth.Preparing:
		return wait{i18n.M("ui.state.signing_in"), i18n.M("ui.signin.preparing"), false}
	case sh.State == auth.Exchanging:
		return wait{i18n.M("ui.state.signing_in"), i18n.M("ui.signin.exchanging"), false}
	}
	return wait{i18n.M("ui.state.browser"), i18n.M("ui.wait.title"), true}
}
