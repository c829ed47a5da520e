package ui

import (
	"parley/consent"
)

// alike says that a name looks like that of another server of the person's, so
// that one is not taken for the other; "" if it does not. serverID is the server
// of that name, "" for one that is not in the list yet. Each page finds it out
// anew: beside a thousand servers that takes two milliseconds.
func (s *shell) alike(name, serverID string) string {
	other, found := s.alikeOf(name, serverID)
	if !found {
		return ""
	}
	return s.t("ui.banner.alike", "Other", line(other).String())
}

// alikeOf is the name of the other server.
func (s *shell) alikeOf(name, serverID string) (other string, found bool) {
	others := make([]string, 0, len(s.desk.servers))
	for _, v := range s.desk.servers {
		if v.ID != serverID {
			others = append(others, v.Name)
		}
	}
	return consent.LooksLike(name, others)
}
