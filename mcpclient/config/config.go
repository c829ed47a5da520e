// Package config keeps the server list and the small settings in one file,
// servers.json of the config folder, which a person can read and edit:
//
//	{
//	  "mcpServers": {
//	    "files":   {"command": "npx", "args": ["-y", "files-server"], "env": {…}, "cwd": "…"},
//	    "tickets": {"type": "http", "url": "https://tickets.example/mcp", "headers": {…}}
//	  },
//	  "parley": {
//	    "servers": {"files": {"id": "…", "allowed": "sha256:…", "protocol": "2025-11-25",
//	                          "silence": "2m", "maxMessage": "16 MiB", "logLevel": "warning"}},
//	    "language": "zh-Hans",
//	    "theme": "dark"
//	  }
//	}
//
// "mcpServers" has the shape that other MCP clients use; whatever Parley adds
// lies under its own key. The rules:
//
//   - Nothing is lost. Members this package does not know, their order and the
//     spelling of their values survive every change. Each change reads the file
//     anew first, so an edit made outside in the meantime survives too.
//   - The file is replaced in one step (a temporary file, synced, then renamed)
//     and is readable by its owner only.
//   - A file that is no JSON, or of another shape, is kept aside as
//     servers.json.broken-DATE, and [Store.Problems] says so. An entry that
//     cannot be read stays in the file; it is named there and left out of the
//     list.
//   - Values of environment variables and headers are secrets. Those a person
//     wrote into the file are used and left where they are; this package writes
//     none itself.
//   - The files of other apps are read only, by [ReadFile]: what of them comes
//     into the list is what the person then adds.
//   - What is set for one server beside its entry is "protocol", a revision that
//     is pinned; "silence", how long it may be silent; "maxMessage", the largest
//     message that is taken from it, from 1 KiB to 1 GiB; and "logLevel", the
//     least urgent log messages it is asked for, or "off". A value that cannot be
//     understood stays in the file, is named by [Store.Problems] and counts as
//     absent.
//   - A command is code. It counts as allowed only as long as its program,
//     arguments, folder and environment names are those the person agreed to;
//     see [Store.Allow].
package config

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"parley/assets/i18n"
	"parley/mcpclient"
	"parley/mcpclient/disk"
)

// FileName is the name of the file in the config folder.
const FileName = "servers.json"

// maxSize bounds the file, in bytes. A list of thousands of servers stays far
// below it.
const maxSize = 4 << 20

// Errors of changes. Sentence puts them into words.
var (
	ErrName      = errors.New("a server needs a name")
	ErrNameTaken = errors.New("there is a server of this name already")
	ErrUnknown   = errors.New("no such server")
	ErrSecrets   = errors.New("values of environment variables and headers are not written to a plain file")
)

// DefaultDir is the config folder when the person named none: "parley" in the
// user's own config folder. The error says that the system names no such folder.
func DefaultDir() (string, error) {
	base, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("finding the config folder: %w", err)
	}
	return filepath.Join(base, "parley"), nil
}

// Store is the server list and the settings of one config folder. It is safe
// for concurrent use within one process.
type Store struct {
	dir string
	now func() time.Time

	mu       sync.Mutex
	doc      *document
	problems []i18n.Message
	// unwritten is what was learnt about servers, by ID, and is not in the file.
	unwritten map[string]placed
}

// Open reads the file of the config folder dir. A folder or file that does not
// exist is an empty list, and nothing is created. A broken file is moved aside
// and named by Problems. The error is one of reading or moving the file.
func Open(dir string) (*Store, error) {
	s := &Store{dir: dir, now: time.Now}
	doc, err := s.read()
	if err != nil {
		return nil, err
	}
	s.doc = doc
	return s, nil
}

// Dir is the config folder.
func (s *Store) Dir() string { return s.dir }

// Space tells the secrets of this folder's servers from those of another
// folder in the one keychain of the person; "" for the default folder.
func (s *Store) Space() string {
	dir, err := filepath.Abs(s.dir)
	if err != nil {
		dir = s.dir // the working folder is gone; the path as given still names it
	}
	if standard, err := DefaultDir(); err == nil && dir == standard {
		return ""
	}
	sum := sha256.Sum256([]byte(dir))
	return hex.EncodeToString(sum[:8])
}

// Path is the file.
func (s *Store) Path() string { return filepath.Join(s.dir, FileName) }

// Problems says what was wrong with the file whenever it was read so far: a
// broken file kept aside, entries that cannot be read. The values in it come
// from the file and are shown as untrusted text.
func (s *Store) Problems() []i18n.Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.problems)
}

// Servers returns the servers in the order of the file.
func (s *Store) Servers() []mcpclient.Server {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.doc.list()
}

// Server returns the server with the given ID.
func (s *Store) Server(id string) (mcpclient.Server, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	name, ok := s.doc.nameOf(id)
	if !ok {
		return mcpclient.Server{}, false
	}
	return s.doc.server(name), true
}

// Add puts v at the end of the list and returns it with the ID it was given;
// v.ID is ignored. Errors: ErrName, ErrNameTaken, ErrSecrets, or of the disk.
func (s *Store) Add(v mcpclient.Server) (mcpclient.Server, error) {
	id, err := newID()
	if err != nil {
		return mcpclient.Server{}, err
	}
	v.ID = id
	err = s.change(func(d *document) error { return d.add(v) })
	if err != nil {
		return mcpclient.Server{}, err
	}
	return v, nil
}

// Update replaces the server with the ID v.ID by v; it keeps its place and may
// change its name. Errors: ErrUnknown, ErrName, ErrNameTaken, ErrSecrets, or
// of the disk.
func (s *Store) Update(v mcpclient.Server) error {
	return s.change(func(d *document) error { return d.update(v) })
}

// Remove takes the server out of the list, and with it everything kept about
// it. Errors: ErrUnknown, or of the disk.
func (s *Store) Remove(id string) error {
	return s.change(func(d *document) error { return d.remove(id) })
}

// Move puts the server at the index to of the list, counted without it; an
// index outside the list means its nearest end. Errors: ErrUnknown, or of the
// disk.
func (s *Store) Move(id string, to int) error {
	return s.change(func(d *document) error { return d.move(id, to) })
}

// change applies f to the file as it is on disk now and writes it back.
// Nothing is changed when f or the disk fails.
func (s *Store) change(f func(*document) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	doc, err := s.read()
	if err != nil {
		return err
	}
	if err := f(doc); err != nil {
		return err
	}
	return s.save(doc)
}

// save puts doc in the place of the file.
func (s *Store) save(doc *document) error {
	raw, err := doc.encode()
	if err != nil {
		return fmt.Errorf("writing %s: %w", FileName, err)
	}
	if err := disk.Replace(s.Path(), raw); err != nil {
		return fmt.Errorf("saving the server list: %w", err)
	}
	s.doc = doc
	return nil
}

// read reads the file, moving a broken one aside. It adds to s.problems what
// was not said before.
func (s *Store) read() (*document, error) {
	doc, err := s.load()
	if isDisk(err) {
		return nil, err
	}
	if err != nil {
		aside, moveErr := disk.KeepAside(s.Path(), s.now())
		if moveErr != nil {
			return nil, fmt.Errorf("keeping a broken server list aside: %w", moveErr)
		}
		s.say(i18n.M("cli.config_broken", "File", filepath.Base(aside), "Reason", reason(err)))
		return newDocument(), nil
	}
	for _, p := range doc.problems {
		s.say(p)
	}
	return doc, nil
}

// load reads the file as it is. Where isDisk(err), nothing is known of it; any
// other error says what is wrong with it.
func (s *Store) load() (*document, error) {
	raw, err := readFile(s.Path())
	if errors.Is(err, fs.ErrNotExist) {
		return newDocument(), nil
	}
	if err != nil && !errors.Is(err, errTooLarge) {
		return nil, &diskError{err}
	}
	if err != nil {
		return nil, err
	}
	return parse(raw)
}

// diskError is an error of reading the file.
type diskError struct{ err error }

func (e *diskError) Error() string { return "reading the server list: " + e.err.Error() }
func (e *diskError) Unwrap() error { return e.err }

func isDisk(err error) bool {
	_, ok := errors.AsType[*diskError](err)
	return ok
}

// say adds p to the problems unless it is there already.
func (s *Store) say(p i18n.Message) {
	said := slices.ContainsFunc(s.problems, func(q i18n.Message) bool {
		return english.Text(q) == english.Text(p)
	})
	if !said {
		s.problems = append(s.problems, p)
	}
}

// english compares sentences; people get them in their own language.
var english = i18n.New("en")

// Sentence is err, an error of this package, as a sentence for people.
func Sentence(err error) i18n.Message {
	switch {
	case errors.Is(err, ErrName):
		return i18n.M("cli.config_name_empty")
	case errors.Is(err, ErrNameTaken):
		return i18n.M("cli.config_name_taken")
	case errors.Is(err, ErrUnknown):
		return i18n.M("cli.config_unknown")
	case errors.Is(err, ErrSecrets):
		return i18n.M("cli.config_secrets")
	}
	return i18n.M("cli.config_disk", "Reason", reason(err))
}
