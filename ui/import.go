package ui

import (
	"context"
	"maps"
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"parley/assets/i18n"
	"parley/mcpclient"
	"parley/mcpclient/config"
	"parley/mcpclient/wire"
)

// importSheet is the page on which servers of other apps are taken over: what was
// pasted, what was found in it, and what the person ticked and entered.
type importSheet struct {
	pasted string             // what stands in the entry
	known  []config.KnownFile // files of other apps on this computer
	looked bool               // they were looked for

	from    string // the app or the file it is read from, "" for pasted text
	file    string // the whole path of that file
	reading bool
	read    bool // rows, inputs and problems are of a source that was read
	adding  bool // Add was pressed

	rows     []*importRow
	inputs   []config.Input
	answers  map[string]string // by input; secrets among them
	missing  map[string]bool   // inputs that a ticked server needs and that are empty
	problems []i18n.Message    // entries that are left out
	trouble  i18n.Message      // why it could not be read, or something not be added
	run      int               // counts what was read, so that a late one says nothing
	// anew tells that the sources are shown although there is something that was
	// read, which can be gone back to.
	anew     bool
	cameFrom route // where the person was before the page
}

// asksSource reports whether the page asks where servers can be taken from.
func (m *importSheet) asksSource() bool { return !m.reading && (!m.read || m.anew) }

// blank is the sheet without what was read. What was pasted stays.
func (m *importSheet) blank() importSheet {
	return importSheet{pasted: m.pasted, known: m.known, looked: m.looked, run: m.run + 1, cameFrom: m.cameFrom}
}

// importTitle says where what was read comes from.
func (s *shell) importTitle() string {
	m := s.importing
	switch {
	case m.from != "":
		return s.t("ui.import.title", "From", line(m.from).String())
	case m.file != "": // its path was pasted
		return s.t("ui.import.title", "From", line(config.FileTitle(m.file)).String())
	}
	return s.t("ui.import.title_pasted")
}

// openImport goes to the page by the person's choice. It asks for a source, also
// when one was read before: that one can be gone back to.
func (s *shell) openImport() {
	s.importing.anew = s.importing.read
	s.toImport()
}

// toImport goes to the page, which leads back to where the person is.
func (s *shell) toImport() {
	if at := s.here(); at.section != sectionImport {
		s.importing.cameFrom = at
	}
	s.choose(route{section: sectionImport})
}

// readFile reads the servers of a file in the background; nothing in it is
// started.
func (s *shell) readFile(path string) {
	s.read(config.FileTitle(path), func() (config.Source, error) { return config.ReadFile(path) })
}

// readPasted reads what was pasted.
func (s *shell) readPasted() {
	text := s.importing.pasted
	s.read("", func() (config.Source, error) { return config.ReadText(text) })
}

// read reads a source and offers its servers.
func (s *shell) read(from string, source func() (config.Source, error)) {
	m := &s.importing
	*m = m.blank()
	m.from, m.reading = from, true
	run, list := m.run, s.asListed()
	s.showImport()
	s.work.apart(func(context.Context) {
		src, err := source()
		rows := importRows(src.Offers, list)
		s.do.Do(func() {
			if m.run != run {
				return
			}
			m.reading, m.trouble = false, wire.Sentence(err)
			if err == nil {
				m.offer(src, rows)
			}
			s.showImport()
			if p, ok := s.page.(*importPage); ok && err != nil && from == "" && p.paste != nil && s.win.Canvas().Focused() == nil {
				s.win.Canvas().Focus(p.paste.FocusTarget()) // what was pasted is at fault
			}
		})
	})
}

// offer takes in what was read, and the rows that were made of it.
func (m *importSheet) offer(src config.Source, rows []*importRow) {
	m.read, m.problems, m.inputs, m.file = true, src.Problems, src.Inputs, src.File
	m.rows = rows
	m.answers = map[string]string{}
	for _, in := range src.Inputs {
		m.answers[in.ID] = in.Value
	}
}

// lookForFiles looks for the files of other apps, once a run and only when the
// person opens the page.
func (s *shell) lookForFiles() {
	m := &s.importing
	if m.looked {
		return
	}
	m.looked = true
	s.work.apart(func(context.Context) {
		known := config.KnownFiles()
		s.do.Do(func() {
			m.known = known
			s.showImport()
		})
	})
}

// dropped reads a file that was dropped on the window.
func (s *shell) dropped(_ fyne.Position, files []fyne.URI) {
	for _, f := range files {
		if f.Scheme() == "file" {
			s.readFile(f.Path())
			s.toImport()
			return
		}
	}
}

// showImport draws the page anew if the person is at it.
func (s *shell) showImport() {
	if p, ok := s.page.(*importPage); ok {
		p.redraw()
	}
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

// needed are the inputs that the ticked servers need.
func (m *importSheet) needed() []config.Input {
	var out []config.Input
	for _, in := range m.inputs {
		if slices.ContainsFunc(m.ticked(), func(r *importRow) bool { return slices.Contains(r.offer.Inputs, in.ID) }) {
			out = append(out, in)
		}
	}
	return out
}

// complete reports whether everything that is needed was entered, and notes what
// was not.
func (m *importSheet) complete() bool {
	m.missing = map[string]bool{}
	for _, in := range m.needed() {
		if strings.TrimSpace(m.answers[in.ID]) == "" && !in.Optional {
			m.missing[in.ID] = true
		}
	}
	return len(m.missing) == 0
}

// imported is one server that was stored, with what is still to be kept.
type imported struct {
	server mcpclient.Server
	typed  config.Typed
	token  string
	secret string // of its client id
	// exposed are values that an answer made look like secrets.
	exposed []string
}

// addTicked stores the ticked servers and connects to none.
func (s *shell) addTicked() {
	m := &s.importing
	wanted := m.ticked()
	if m.adding || len(wanted) == 0 {
		return
	}
	m.trouble = i18n.Message{}
	if !m.complete() {
		s.showImport()
		return
	}
	m.adding = true
	s.showImport()
	run, answers, from, pasted := m.run, maps.Clone(m.answers), m.from, m.pasted
	var stored []imported
	var err error
	s.background(func() {
		for _, r := range wanted {
			f := r.offer.With(answers)
			f.Server.Name = r.name
			var v mcpclient.Server
			if _, err = f.Server.Identify(); err == nil {
				v, err = s.o.Store.Add(f.Server)
			}
			if err != nil {
				return
			}
			stored = append(stored, imported{v, f.Typed, f.Token, f.ClientSecret, config.Exposed(v)})
		}
	}, func() {
		for i, v := range stored {
			s.takeImported(v)
			if m.run == run {
				m.rows = slices.DeleteFunc(m.rows, func(r *importRow) bool { return r == wanted[i] })
			}
		}
		if m.run != run {
			return
		}
		m.adding = false
		if err == nil && len(m.rows)+len(m.problems) == 0 { // nothing of it is left to come back to
			*m = m.blank()
		}
		if err == nil && from == "" && m.pasted == pasted { // that text was taken in
			m.pasted = ""
		}
		if err != nil {
			m.trouble = i18n.M("ui.import.not_added", "Name", line(wanted[len(stored)].name).String(), "Why", importTrouble(err))
		}
		switch {
		case s.at.section != sectionImport:
		case err != nil:
			s.showImport()
		default:
			s.choose(route{section: sectionServer, id: stored[0].server.ID})
		}
	})
}

// importTrouble is why a server was not added: an address that an answer made no
// address of, or the list.
func importTrouble(err error) i18n.Message {
	if m := wire.Sentence(err); !m.IsZero() {
		return m
	}
	return config.Sentence(err)
}

// takeImported takes a stored server into the window and keeps its secrets.
func (s *shell) takeImported(v imported) {
	state := newlyAdded(v.server)
	state.exposed.names = v.exposed
	s.desk.addServer(state)
	s.learnOrigins(v.server)
	s.touchServer(v.server.ID)
	keepClient := func() {
		if v.secret != "" && s.o.Accounts != nil {
			s.askKeychain(state, func(ctx context.Context) error { return s.o.Accounts.KeepClientSecret(ctx, v.server, v.secret) }, "ui.import.client_kept", nil)
		}
	}
	keepToken := keepClient
	if v.token != "" && s.o.Tokens != nil {
		keepToken = func() {
			s.askKeychain(state, func(ctx context.Context) error { return s.o.Tokens.Keep(ctx, v.server, v.token) }, "ui.token.kept", keepClient)
		}
	}
	s.keepValues(state, mcpclient.Server{}, v.typed, keepToken)
}
