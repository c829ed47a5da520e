package config

import (
	"maps"
	"os"
	"testing"
)

const twoNoted = `{"mcpServers":{"a":{"command":"a"},"b":{"command":"b"}},"parley":{"servers":{"a":{"id":"id-a"},"b":{"id":"id-b"}}}}`

// TestGone_NamesServersThatWereTakenOutByHand: the note that stays tells what a
// server was called.
func TestGone_NamesServersThatWereTakenOutByHand(t *testing.T) {
	s := open(t, twoNoted)
	gone := func() map[string]string {
		t.Helper()
		found, err := s.Gone([]string{"id-a", "id-b", "id-other"})
		must(t, err)
		return found
	}
	if got := gone(); !maps.Equal(got, map[string]string{"id-other": ""}) {
		t.Errorf("gone are %v", got)
	}
	edit(t, s, `{"mcpServers":{"a":{"command":"a"}},"parley":{"servers":{"a":{"id":"id-a"},"b":{"id":"id-b"}}}}`)
	if got := gone(); !maps.Equal(got, map[string]string{"id-b": "b", "id-other": ""}) {
		t.Errorf("gone are %v, of a file that was just edited", got)
	}
	edit(t, s, twoNoted)
	if got := gone(); len(got) != 1 {
		t.Errorf("a server that is back is gone: %v", got)
	}
	if !s.lookAgain() {
		t.Error("the edit is not told any more")
	}
}

// TestGone_AListThatCannotBeToldIsNotAnEmptyOne: what belongs to its servers must
// not be taken for left over.
func TestGone_AListThatCannotBeToldIsNotAnEmptyOne(t *testing.T) {
	for name, spoil := range map[string]func(*Store){
		"broken":                   func(s *Store) { edit(t, s, `{"mcpServers":{`) },
		"being written":            func(s *Store) { edit(t, s, "") },
		"another file":             func(s *Store) { edit(t, s, `{"servers":{}}`) },
		"an entry nobody can read": func(s *Store) { edit(t, s, `{"mcpServers":{"a":5}}`) },
		"moved away":               func(s *Store) { must(t, os.Remove(s.Path())) },
		"a folder":                 func(s *Store) { must(t, os.Remove(s.Path())); must(t, os.Mkdir(s.Path(), 0o700)) },
	} {
		s := open(t, twoNoted)
		spoil(s)
		if gone, err := s.Gone([]string{"id-a"}); err == nil || gone != nil || Sentence(err).IsZero() {
			t.Errorf("%s: gone are %v, %v", name, gone, err)
		}
	}
}
