package ui

import (
	"parley/consent"
)

// alike says that a name looks like that of another server of the person's, so
// that one is not taken for the other; "" if it does not. serverID is the server
// of that name, "" for one that is not in the list yet. Each page finds it out
// anew: beside a thousand servers that takes two milliseconds.
func (s *shell) alike(name, serverID string) string {
	others := make([]string, 0, len(s.desk.servers))
	for _, v := range s.desk.servers {
		if v.ID != serverID {
			others = append(others, v.Name)
		}
	}
	other, found := consent.LooksLike(name, others)
	if !found {
		return ""
	}
	return s.t("ui.banner.alike", "Other", line(other).String())
}
