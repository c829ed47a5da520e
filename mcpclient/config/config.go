// Package config keeps the server list and the small settings in one file,
// servers.json of the config folder, which a person can read and edit:
//
//	{
//	  "mcpServers": {
//	    "files":   {"command": "npx", "args": ["-y", "files-server"], "env": {…}, "cwd": "…"},
//	    "tickets": {"type": "http", "url": "https://tickets.example/mcp", "headers": {…}}
//	  },
//	  "parley": {
//	    "servers": {"files": {"id": "…", "allowed": "sha256:…", "allowedFile": "/usr/bin/npx",
//	                          "secretEnv": ["TOKEN"], "protocol": "2025-11-25", "silence": "2m",
//	                          "maxMessage": "16 MiB", "logLevel": "warning"}},
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
//   - The file is replaced in one step (a temporary file, synced, then renamed),
//     one program after the other, and is readable by its owner only.
//   - A file that is no JSON, or of another shape, is kept aside as
//     servers.json.broken-DATE, and [Store.Problems] says so. An entry that
//     cannot be read stays in the file; it is named there and left out of the
//     list.
//   - Values of environment variables and headers are secrets unless the person
//     says of one that it is none. The file names the secret ones in "secretEnv"
//     and "secretHeaders" and never holds their values: those lie in the
//     keychain, and [Values] puts them in when the server is connected to. Values
//     that a person wrote into the file are used. Those that may be secrets are named
//     by [Exposed] until the person has them moved ([Values.Move]) or says that they
//     are none, which "plainEnv" and "plainHeaders" keep.
//   - The files of other apps are read only, by [ReadFile]: what of them comes
//     into the list is what the person then adds.
//   - What is set for one server beside its entry is "protocol", a revision that
//     is pinned; "silence", how long it may be silent; "maxMessage", the largest
//     message that is taken from it, from 1 KiB to 1 GiB; and "logLevel", the
//     least urgent log messages it is asked for, or "off". A value that cannot be
//     understood stays in the file, is named by [Store.Problems] and counts as
//     absent.
//   - A command is code. It counts as allowed only as long as its program,
//     arguments, folder, environment names, and those values of them that are no
//     secrets, are what the person agreed to; see [Store.Leave]. Where the home
//     folder decides what starts, it counts too; and a name that is looked up in
//     PATH must lead to the file that was shown, see [Store.Agree].
//   - Of the links a person opened for a server only the sites are kept, the
//     newest 200; see [Store.RememberOpened].
//   - The file may be edited while the app runs: see [Store.Watch]. A file that
//     is broken or cannot be read then leaves the list as it was, in memory; one
//     that was deleted is an empty list. [Store.Problems] says each of it.
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
	"sync/atomic"
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

	mu   sync.Mutex
	doc  *document
	look lookout
	// problems is what Problems returns.
	problems atomic.Pointer[[]i18n.Message]
	// told is what was wrong at some time; see Problems.
	told []i18n.Message
	// unwritten is what was learnt about servers, by ID, and is not in the file.
	unwritten map[string]placed
}

// Open reads the file of the config folder dir. A folder or file that does not
// exist is an empty list, and nothing is created. A broken file is moved aside
// and named by Problems. The error is one of reading or moving the file.
func Open(dir string) (*Store, error) {
	s := &Store{dir: dir, now: time.Now}
	doc, err := s.load()
	switch {
	case isDisk(err):
		return nil, err
	case err != nil:
		if err := s.putAside(err, brokenAtStart); err != nil {
			return nil, err
		}
		doc = newDocument()
	}
	s.doc = doc
	s.look.seen(s.Path(), nil)
	s.publish()
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

// Problems says what is wrong with the file: entries and settings that cannot be
// read, an edit that broke it, that it was deleted outside or cannot be read any
// more; and what was wrong since Open: a broken file kept
// aside. The values in it come from the file and are shown as untrusted text.
// It waits for nothing, as the disk may be waited for by the others. The slice is
// another one when there is something new in it, and is not to be changed.
func (s *Store) Problems() []i18n.Message { return *s.problems.Load() }

// Aside is the whole path of the file that was kept aside, where p, one of Problems,
// is about one; else "".
func (s *Store) Aside(p i18n.Message) string {
	name, ok := p.Data["File"].(string)
	if !ok || p.ID != brokenAtStart && p.ID != brokenAtSave {
		return ""
	}
	return filepath.Join(s.dir, name)
}

// The sentences about a broken file that was kept aside.
const (
	brokenAtStart = "cli.config_broken"
	brokenAtSave  = "cli.config_broken_now"
)

// publish makes what is wrong now what Problems returns. s.mu is held.
func (s *Store) publish() {
	out := slices.Concat(s.told, s.doc.renamed, s.doc.problems)
	if !s.look.broken.IsZero() {
		out = append(out, s.look.broken)
	}
	s.problems.Store(&out)
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
// v.ID is ignored. Values of v.Env and v.Headers that v does not name as secret
// are written into the file. Errors: ErrName, ErrNameTaken, or of the disk.
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
// change its name. For its values see Add. Errors: ErrUnknown, ErrName,
// ErrNameTaken, or of the disk.
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
// Nothing is changed when f or the disk fails. A file that was broken since it
// was last read is kept aside, and the list as it was then takes its place.
func (s *Store) change(f func(*document) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	unlock, err := disk.Lock(s.Path())
	if err != nil {
		return fmt.Errorf("saving the server list: %w", err)
	}
	defer unlock()
	doc, err := s.load()
	switch {
	case isDisk(err):
		return err
	case err != nil:
		if doc, err = s.instead(err); err != nil {
			return err
		}
	}
	if err := f(doc); err != nil {
		return err
	}
	return s.save(doc)
}

// instead keeps a file aside that is broken, as why says, and returns the list
// as it was.
func (s *Store) instead(why error) (*document, error) {
	if err := s.putAside(why, brokenAtSave); err != nil {
		return nil, err
	}
	raw, err := s.doc.encode()
	if err != nil {
		return nil, fmt.Errorf("writing %s: %w", FileName, err)
	}
	return parse(raw)
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
	doc.renamed = nil // the file has those names now
	s.doc = doc
	s.look.seen(s.Path(), raw)
	s.publish()
	return nil
}

// putAside moves a broken file aside and says so in the words of sentence.
func (s *Store) putAside(why error, sentence string) error {
	aside, err := disk.KeepAside(s.Path(), s.now())
	if err != nil {
		return fmt.Errorf("keeping a broken server list aside: %w", err)
	}
	s.say(i18n.M(sentence, "File", filepath.Base(aside), "Reason", reason(why)))
	return nil
}

// load reads the file as it is. Where isDisk(err), nothing is known of it; any
// other error says what is wrong with it.
func (s *Store) load() (*document, error) {
	raw, err := readFile(s.Path())
	s.look.read(raw, err)
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

// say adds p to what was wrong unless it is there already.
func (s *Store) say(p i18n.Message) {
	said := slices.ContainsFunc(s.told, func(q i18n.Message) bool {
		return english.Text(q) == english.Text(p)
	})
	if said {
		return
	}
	s.told = append(s.told, p)
	if s.doc != nil { // it is not while the file is opened
		s.publish()
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
	case errors.Is(err, ErrAltered):
		return i18n.M("cli.config_altered")
	}
	return i18n.M("cli.config_disk", "Reason", reason(err))
}
