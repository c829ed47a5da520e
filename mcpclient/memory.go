package mcpclient

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Learnt is what a connection found out about a server and the next one need
// not find out again (2026-07-28, "Backward Compatibility with
// Initialization-Based Versions": the era of a server may be kept across
// restarts, and is probed anew when what was kept turns out wrong).
type Learnt struct {
	// Protocol is the revision agreed on; "" is nothing learnt.
	Protocol string
	// Transport is SSE where an HTTP address turned out to be of the older
	// transport.
	Transport TransportKind
	// Plain tells that the server refuses a client which names the modes of
	// elicitation, and was told of none.
	Plain bool
	// Version is the version the server gave of itself. A legacy server with
	// another one may have become a modern one.
	Version string
}

// Memory keeps what was learnt about servers. Its methods are called from any
// goroutine, and may do I/O.
type Memory interface {
	// Recall returns what was kept about s as it stands now: what starts it,
	// or where it is, must not have changed since (Server.Place).
	Recall(s Server) Learnt
	// Remember keeps l for s; the zero Learnt forgets. What cannot be kept
	// costs the next connection a probe and nothing more.
	Remember(s Server, l Learnt)
}

// Place stands for what s is started as, or where it is reached: two servers
// with the same one are the same as far as what was learnt, and a person's leave
// to start it, hold. Of environment variables the names are in it, and the values
// of those that are no secrets: a value such as LD_PRELOAD's decides what runs.
// It is the same before and after secrets were filled in, and gives none away.
// What is relative to the person's home folder (see Folder) stands for what it is
// there: with another folder it is another program.
func (s Server) Place() string { return s.placeIn(homeFolder()) }

func (s Server) placeIn(home string) string {
	h := sha256.New()
	part := func(s string) {
		var n [8]byte
		binary.BigEndian.PutUint64(n[:], uint64(len(s)))
		h.Write(n[:])
		h.Write([]byte(s))
	}
	part(string(s.Kind))
	part(s.URL)
	part(s.Command)
	part(s.Dir)
	part(strconv.Itoa(len(s.Args)))
	for _, a := range s.Args {
		part(a)
	}
	env := map[string]string{}
	for name, value := range s.Env {
		env[name] = "=" + value
	}
	for _, name := range s.SecretEnv {
		env[name] = "secret"
	}
	for _, name := range slices.Sorted(maps.Keys(env)) {
		part(name)
		part(env[name])
	}
	if s.startsRelative() {
		part("in")
		part(s.folderIn(home))
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

// startsRelative reports whether the home folder decides what s starts.
// A name that is looked up in PATH, and a package that such a program fetches, are
// the same everywhere; a path, and the file that an interpreter is given, are not.
func (s Server) startsRelative() bool {
	switch {
	case s.Kind != Stdio || filepath.IsAbs(s.Dir):
		return false
	case s.Dir != "", strings.ContainsAny(s.Command, `/\`) && !filepath.IsAbs(s.Command):
		return true
	}
	if slices.ContainsFunc(s.Args, namesRelativeFile) {
		return true
	}
	if !interpreter.MatchString(filepath.Base(s.Command)) {
		return false
	}
	first := slices.IndexFunc(s.Args, func(a string) bool { return !strings.HasPrefix(a, "-") })
	return first < 0 || !filepath.IsAbs(s.Args[first]) // code named by a whole path is the same everywhere
}

// namesRelativeFile reports whether an argument has the path of a file in the folder
// that the program is started in. Each such path has a dot.
func namesRelativeFile(arg string) bool {
	return strings.Contains(arg, ".") && relativeFile.MatchString(arg)
}

var (
	// interpreter is a program that takes code from the folder it is started in.
	interpreter = regexp.MustCompile(`^(?i)(node|tsx|ts-node|deno|bun|python[0-9.]*|py|pythonw|ruby|php|perl|lua|java|dotnet|(ba|z|da|k|fi)?sh|pwsh|powershell|cmd|uv|pipenv|poetry|npm|pnpm|yarn|go|cargo|make)(\.exe|\.cmd)?$`)
	// relativeFile is an argument that is, or has within it, the path of a file
	// in that folder.
	relativeFile = regexp.MustCompile(`(?i)(^|[=\s:])\.\.?([/\\]|$)|^[^/\\@~-][^:]*\.([cm]?[jt]s|py|sh|jar|rb|php|pl|lua|exe|dll|ps1|bat|cmd|wasm)$`)
)

// sessionMemory keeps what was learnt for as long as the app runs.
type sessionMemory struct {
	mu sync.Mutex
	m  map[string]Learnt
}

func (m *sessionMemory) Recall(s Server) Learnt {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.m[s.ID+"\x00"+s.Place()]
}

func (m *sessionMemory) Remember(s Server, l Learnt) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.m == nil {
		m.m = map[string]Learnt{}
	}
	m.m[s.ID+"\x00"+s.Place()] = l
}
