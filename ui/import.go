package ui

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"parley/assets/i18n"
	"parley/consent"
	"parley/mcpclient"
	"parley/mcpclient/config"
	"parley/mcpclient/wire"
)

// importSheet is a file whose servers are offered, and what the person ticked.
type importSheet struct {
	file     string // its name without the folder
	read     bool
	adding   bool // Add was pressed
	rows     []*importRow
	problems []i18n.Message // entries that are left out
	trouble  i18n.Message   // why it could not be read, or something not be added
}

// importRow is one server of the file.
type importRow struct {
	server mcpclient.Server // as it would be added: with a free name, without secrets
	ticked bool
	notes  []i18n.Message // what there is to know before it is added
}

// readImport reads the file in the background; nothing in it is started.
func (s *shell) readImport() {
	s.importing = &importSheet{file: filepath.Base(s.o.File)}
	s.work.apart(func(context.Context) {
		servers, problems, err := config.ReadFile(s.o.File)
		s.do.Do(func() {
			m := s.importing
			m.read, m.problems = true, problems
			if err != nil {
				m.trouble = wire.Sentence(err)
			}
			m.rows = s.importRows(servers)
			s.showImport()
		})
	})
}

// showImport draws the page anew if the person is at it.
func (s *shell) showImport() {
	if p, ok := s.page.(*importPage); ok {
		p.draw()
	}
}

// importRows makes rows of the servers of a file. What can be added as it stands
// there is ticked.
func (s *shell) importRows(servers []mcpclient.Server) []*importRow {
	taken := map[string]bool{}
	for _, v := range s.desk.servers {
		taken[v.Name] = true
	}
	var names []string // of the rows before
	rows := make([]*importRow, 0, len(servers))
	for _, v := range servers {
		r := &importRow{server: v, ticked: true}
		say := func(m i18n.Message, untick bool) {
			r.notes = append(r.notes, m)
			r.ticked = r.ticked && !untick
		}
		if twin := s.twin(v); twin != nil {
			say(i18n.M("ui.import.same", "Name", line(twin.Name).String()), true)
		}
		if r.server.Name = freeName(v.Name, taken); r.server.Name != v.Name {
			say(i18n.M("ui.import.renamed", "Name", line(v.Name).String()), false)
		} else if other, found := s.alikeOf(v.Name, ""); found {
			say(i18n.M("ui.banner.alike", "Other", line(other).String()), false)
		} else if other, found := consent.LooksLike(v.Name, names); found {
			say(i18n.M("ui.import.alike", "Other", line(other).String()), false)
		}
		names = append(names, v.Name)
		taken[r.server.Name] = true
		// Secrets are not written into the list, and never shown.
		r.server.Env, r.server.Headers = nil, nil
		if len(v.Env) > 0 {
			say(i18n.M("ui.import.env", "Names", namesOf(v.Env)), true)
		}
		if len(v.Headers) > 0 {
			say(i18n.M("ui.import.headers", "Names", namesOf(v.Headers)), true)
		}
		if strings.Contains(strings.Join(append(slices.Clone(v.Args), v.Command, v.Dir, v.URL), " "), "${") {
			say(i18n.M("ui.import.placeholder"), true)
		}
		rows = append(rows, r)
	}
	return rows
}

// twin is the server of the list that is the same as v, whatever it is called.
func (s *shell) twin(v mcpclient.Server) *serverState {
	for _, o := range s.desk.servers {
		if o.Kind == v.Kind && o.URL == v.URL && o.Command == v.Command && o.Dir == v.Dir && slices.Equal(o.Args, v.Args) {
			return o
		}
	}
	return nil
}

// freeName is name, with a number behind it if it is taken.
func freeName(name string, taken map[string]bool) string {
	free := name
	for n := 2; taken[free]; n++ {
		free = fmt.Sprintf("%s %d", name, n)
	}
	return free
}

// namesOf lists the names in m, without the values.
func namesOf(m map[string]string) string {
	return line(strings.Join(slices.Sorted(maps.Keys(m)), ", ")).String()
}

// ticked are the rows to be added.
func (m *importSheet) ticked() []*importRow {
	var out []*importRow
	for _, r := range m.rows {
		if r.ticked {
			out = append(out, r)
		}
	}
	return out
}

// addTicked stores the ticked servers and connects to none.
func (s *shell) addTicked() {
	m := s.importing
	wanted := m.ticked()
	if m.adding || len(wanted) == 0 {
		return
	}
	m.adding, m.trouble = true, i18n.Message{}
	s.showImport()
	var stored []mcpclient.Server
	var err error
	s.background(func() {
		for _, r := range wanted {
			var v mcpclient.Server
			if v, err = s.o.Store.Add(r.server); err != nil {
				return
			}
			stored = append(stored, v)
		}
	}, func() {
		m.adding = false
		for i, v := range stored {
			s.desk.servers = append(s.desk.servers, &serverState{Server: v, allowed: v.Kind != mcpclient.Stdio})
			s.learnOrigin(v)
			s.touchServer(v.ID)
			m.rows = slices.DeleteFunc(m.rows, func(r *importRow) bool { return r == wanted[i] })
		}
		if err != nil {
			m.trouble = i18n.M("ui.import.not_added", "Name", line(wanted[len(stored)].server.Name).String(), "Why", config.Sentence(err))
		}
		switch {
		case s.at.section != sectionImport:
		case err != nil:
			s.showImport()
		default:
			s.choose(route{section: sectionServer, id: stored[0].ID})
		}
	})
}
