package config

import (
	"fmt"
	"os"

	"parley/assets/i18n"
)

// Gone finds among ids those that belong to no server of the list as the file has
// it now, with the names they had; "" where nothing tells. Somebody who took a
// server out of the file by hand left the note about it, so that it is the same
// one when it comes back.
//
// The error says that there is no telling: the file is not there, cannot be read,
// or has something in it that cannot be understood. Whoever deletes what belongs
// to a server that is gone must not take a list that is broken, or just being
// moved, for one that is empty. Gone waits for the disk.
func (s *Store) Gone(ids []string) (map[string]string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := os.Stat(s.Path()); err != nil {
		return nil, fmt.Errorf("reading the server list: %w", &diskError{err})
	}
	doc, err := s.load()
	if err != nil {
		return nil, err
	}
	// A file without a list is one that is being written, or nobody's.
	if len(doc.problems) > 0 || doc.top.index(keyServers) < 0 {
		return nil, &fault{i18n.M("cli.config_fault_shape")}
	}
	names := map[string]string{}
	for _, m := range doc.notes {
		if id, _ := doc.note(m.Key).text("id"); id != "" {
			names[id] = m.Key
		}
	}
	gone := map[string]string{}
	for _, id := range ids {
		if _, listed := doc.nameOf(id); !listed {
			gone[id] = names[id]
		}
	}
	return gone, nil
}
