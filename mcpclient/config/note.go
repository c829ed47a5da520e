package config

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"parley/mcpclient"
)

// A note is what Parley keeps about one server beside its entry: its ID, a
// pinned revision, its own bound of silence, and the command that was allowed.

// note returns the note about the server name, an unreadable one as empty.
func (d *document) note(name string) object {
	o, err := d.notes.object(name)
	if err != nil {
		return nil
	}
	return o
}

// readNote fills in what is noted about v.
func (d *document) readNote(v *mcpclient.Server) {
	n := d.note(v.Name)
	v.Protocol, _ = n.text("protocol")
	if s, ok := n.text("silence"); ok {
		if bound, err := time.ParseDuration(s); err == nil && bound > 0 {
			v.Silence = bound
		}
	}
}

// writeNote keeps what is to be noted about v, on top of the note it had.
func (d *document) writeNote(n object, v mcpclient.Server) {
	n = slices.Clone(n)
	n.setText("id", v.ID)
	n.setText("protocol", v.Protocol)
	silence := ""
	if v.Silence > 0 {
		silence = v.Silence.String()
	}
	n.setText("silence", silence)
	d.notes.set(v.Name, n.encode())
}

// newID makes the ID of a new server.
func newID() (string, error) {
	b := make([]byte, 8)
	if _, err := rand.Read(b); err != nil {
		return "", fmt.Errorf("making an id: %w", err)
	}
	return "s-" + hex.EncodeToString(b), nil
}

// idFromName is the ID of an entry written by hand: the same at every start,
// without writing to the file, and different from the taken ones.
func idFromName(name string, taken map[string]bool) string {
	sum := sha256.Sum256([]byte(name))
	base := "n-" + hex.EncodeToString(sum[:8])
	id := base
	for i := 2; taken[id]; i++ {
		id = base + "-" + strconv.Itoa(i)
	}
	return id
}

// Allowed reports whether the person has agreed to start v as it stands now.
// An address starts nothing here and is always allowed.
func (s *Store) Allowed(v mcpclient.Server) bool {
	if v.Kind != mcpclient.Stdio {
		return true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	name, ok := s.doc.nameOf(v.ID)
	if !ok {
		return false
	}
	digest, ok := s.doc.note(name).text("allowed")
	return ok && digest == commandDigest(v)
}

// Allow keeps that the person has agreed to start v as it stands now. A later
// change of its command, arguments, folder or environment names ends that.
// Errors: ErrUnknown, or of the disk.
func (s *Store) Allow(v mcpclient.Server) error {
	return s.change(func(d *document) error {
		name, ok := d.nameOf(v.ID)
		if !ok {
			return ErrUnknown
		}
		n := slices.Clone(d.note(name))
		n.setText("id", v.ID)
		n.setText("allowed", commandDigest(v))
		d.notes.set(name, n.encode())
		return nil
	})
}

// commandDigest stands for what starts: program, arguments, folder and the
// names of environment variables. Every part goes in with its length, so that
// two different commands never read the same.
func commandDigest(v mcpclient.Server) string {
	h := sha256.New()
	part := func(s string) {
		var n [8]byte
		binary.BigEndian.PutUint64(n[:], uint64(len(s)))
		h.Write(n[:])
		h.Write([]byte(s))
	}
	part(v.Command)
	part(v.Dir)
	part(strconv.Itoa(len(v.Args)))
	for _, a := range v.Args {
		part(a)
	}
	for _, name := range slices.Sorted(maps.Keys(v.Env)) {
		part(name)
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}
