package ui

import (
	"maps"
	"slices"

	"parley/assets/i18n"
	"parley/mcpclient"
	"parley/mcpclient/auth"
	"parley/mcpclient/config"
)

// serverSheet is a server that is being entered: a new one, or one that is
// edited. It outlives its page: what was typed is there when the person comes
// back.
type serverSheet struct {
	draft config.Draft
	// token is the access token for a new address: it lives here and in the
	// keychain, and nowhere else.
	token string
	// faults are those that are said; verdict is what else is said of the draft.
	faults  []config.Fault
	verdict formVerdict
	// tokenFault is what is wrong with the token, trouble why it was not stored.
	tokenFault, trouble i18n.Message
	storing             bool           // Add or Save was pressed
	more                bool           // the settings that are rarely needed are shown
	from                map[string]int // by field: the first of its values that is drawn
	leaving             bool           // "Discard what you entered?" is asked
	trial               trial
}

// touched reports whether something was entered that is not stored.
func (sh *serverSheet) touched() bool { return sh.draft.Changed() || sh.token != "" }

// byCommand reports whether the server is a program.
func (sh *serverSheet) byCommand() bool { return sh.draft.Kind == mcpclient.Stdio }

// check finds out whether the entries make a server, which gets a name if it was
// given none.
func (s *shell) check(sh *serverSheet) (mcpclient.Server, bool) {
	v, faults := sh.draft.Check(s.otherNames(sh.draft.Before().ID))
	sh.faults, sh.tokenFault, sh.trouble = faults, i18n.Message{}, i18n.Message{}
	if len(faults) == 0 && !sh.byCommand() && sh.token != "" {
		if err := auth.CheckFor(v, sh.token); err != nil {
			sh.tokenFault = secretTrouble(err)
		}
	}
	return v, len(faults) == 0 && sh.tokenFault.IsZero()
}

// otherNames are the names of the person's servers but one.
func (s *shell) otherNames(id string) []string {
	var out []string
	for _, v := range s.desk.servers {
		if v.ID != id {
			out = append(out, v.Name)
		}
	}
	return out
}

// sheetOf is the sheet on which a server is edited; it is begun if need be.
func (s *shell) sheetOf(v *serverState) *serverSheet {
	if sh := s.edits[v.ID]; sh != nil {
		return sh
	}
	sh := &serverSheet{draft: config.DraftOf(v.Server)}
	sh.more = v.Protocol != "" || v.Silence > 0 || v.MaxMessage > 0 || v.LogLevel != "" || len(v.Headers)+len(v.SecretHeaders) > 0
	s.edits[v.ID] = sh
	return sh
}

// unsavedServers counts the servers that were entered and not stored.
func (s *shell) unsavedServers() int {
	n := 0
	if s.adding.touched() {
		n++
	}
	for id, sh := range s.edits {
		if sh.touched() && s.reachable(id) {
			n++
		}
	}
	return n
}

// reachable reports whether the person can get to the pages of a server: it is in
// the list, or one of them is shown after it was taken out.
func (s *shell) reachable(id string) bool {
	return s.desk.server(id) != nil || s.gone != nil && s.gone.ID == id
}

// setKind changes what kind of server is entered. What was typed for another
// kind stays, in case the person comes back to it.
func (sh *serverSheet) setKind(kind mcpclient.TransportKind) {
	sh.draft.Kind = kind
	sh.faults, sh.tokenFault = nil, i18n.Message{}
	sh.trial.end()
}

// serverKinds are the choices of the first field, in their order.
var serverKinds = []struct {
	kind  mcpclient.TransportKind
	words string
}{{mcpclient.HTTP, "ui.add.by_url"}, {mcpclient.Stdio, "ui.add.by_command"}, {mcpclient.SSE, "ui.add.by_sse"}}

func kindIndex(k mcpclient.TransportKind) int {
	for i, o := range serverKinds {
		if o.kind == k {
			return i
		}
	}
	return 0
}

// differs reports whether a connection to a does not serve for b.
func differs(a, b mcpclient.Server) bool {
	return a.Place() != b.Place() || a.Protocol != b.Protocol || a.Silence != b.Silence || a.MaxMessage != b.MaxMessage ||
		a.LogLevel != b.LogLevel || !maps.Equal(a.Headers, b.Headers) || !slices.Equal(a.SecretHeaders, b.SecretHeaders)
}
