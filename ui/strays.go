package ui

import (
	"context"
	"maps"
	"slices"
	"strings"

	"parley/assets/i18n"
	"parley/mcpclient/config"
	"parley/mcpclient/keychain"
)

// straySheet is what the encrypted file holds of servers that are in the list no
// more: somebody took them out of servers.json by hand, or the file was locked
// when they were removed. Nothing of it is deleted but by the person's click: a
// list may be broken, or away for a while, and its secrets are wanted again.
type straySheet struct {
	count map[string]int // secrets by server
	names []string       // of those servers that are known by name
	// run counts the looks, so that a late one says nothing; done is the last that
	// has ended.
	run, done int
}

// lookForStrays finds them in the background, while the settings page is shown and
// the file unlocked.
func (s *shell) lookForStrays() {
	t := &s.secrets.strays
	t.run++
	run := t.run
	if s.at.section != sectionSettings || s.o.Tokens == nil || s.secretsMode() != keychain.Vault {
		t.count, t.names, t.done = nil, nil, run
		return
	}
	s.work.apart(func(ctx context.Context) {
		// Where there is no telling there is nothing to offer.
		count, names, _ := s.findStrays(ctx)
		s.do.Do(func() {
			if t.run != run {
				return
			}
			t.count, t.names, t.done = count, names, run
			s.touchSecrets()
		})
	})
}

// findStrays looks into the file first and at the list after it: a server that is
// being added stands in the list before anything is kept for it.
func (s *shell) findStrays(ctx context.Context) (count map[string]int, names []string, err error) {
	count, err = s.o.Secrets.Servers(ctx)
	if err != nil {
		return nil, nil, err
	}
	gone, err := s.o.Store.Gone(slices.Collect(maps.Keys(count)))
	if err != nil {
		return nil, nil, &listTrouble{err}
	}
	maps.DeleteFunc(count, func(id string, _ int) bool { _, is := gone[id]; return !is })
	for _, name := range gone {
		if name != "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return count, names, nil
}

// listTrouble is an error of the list, with its sentence.
type listTrouble struct{ err error }

func (e *listTrouble) Error() string          { return e.err.Error() }
func (e *listTrouble) Unwrap() error          { return e.err }
func (e *listTrouble) Sentence() i18n.Message { return config.Sentence(e.err) }

// strayWords says how many there are and whose; "" for none.
func (s *shell) strayWords() string {
	t := &s.secrets.strays
	n := 0
	for _, c := range t.count {
		n += c
	}
	if n == 0 {
		return ""
	}
	said := []string{s.say(i18n.N("ui.strays.found", n))}
	if len(t.names) > 0 {
		said = append(said, s.t("ui.strays.named", "Names", s.quoted(t.names)))
	}
	return strings.Join(said, "\n")
}

// quoted lists names that others have given.
func (s *shell) quoted(names []string) string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = "“" + name + "”"
	}
	return s.commas(out)
}

// removeStrays deletes what the person was shown, but for servers that are back in
// the list meanwhile.
func (s *shell) removeStrays() func(context.Context) error {
	shown := maps.Clone(s.secrets.strays.count)
	return func(ctx context.Context) error {
		now, _, err := s.findStrays(ctx)
		if err != nil {
			return err
		}
		for id := range now {
			if shown[id] == 0 {
				continue
			}
			if err := s.o.Tokens.Forget(ctx, id); err != nil {
				return err
			}
		}
		return nil
	}
}
