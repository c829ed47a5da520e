package keychain

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
)

// smallItem is the content that an item may have on Windows and macOS, in bytes.
// Windows keeps at most 2,560 bytes an item (CRED_MAX_CREDENTIAL_BLOB_SIZE). On
// macOS go-keyring writes names and content, in base64 once more, as one command
// of at most 4,096 bytes, which leaves about 2,700.
const smallItem = 2400

// headRoom is what a head needs beside the secret, in bytes.
const headRoom = 300

// maxParts bounds the parts of a value; MaxSize needs 583 small ones.
const maxParts = 1024

// store is the place of one secret in the keychain: a head item named by the
// account, and for long values part items beside it, ACCOUNT.VERSION.NUMBER.
//
// The head is the secret. It holds a short value itself, or names the version,
// the number of parts and a checksum of a long one. Writing a long value takes
// four steps, each of which leaves a whole value or none behind:
//
//  1. the head, as it was, is written with the new version noted as remains;
//  2. the parts of the new version are written beside those of the old;
//  3. the head is written again: it now points to the new version and notes the
//     old one as remains;
//  4. the remains are deleted.
//
// The note stays in the head. Each change deletes first what is noted, so a
// crash, or a call that was given up, leaves nothing that is not found again.
//
// Two processes may write at once. Versions are random, so that their parts
// never mix; the last head wins. A writer whose parts were taken for remains
// finds that when it reads its value once more at the end, and writes it again; a
// reader whose parts were replaced finds another head, and begins anew.
//
// Every item is read back after it was written, since macOS's "security -i", as
// go-keyring uses it, does not report each failure.
type store struct {
	items   items
	limit   int // of the content of one item, in bytes
	service string
	account string
}

// headSize is the longest secret that the head holds itself, in bytes. What is
// kept is its base64, which is a third longer.
func (s store) headSize() int { return base64.StdEncoding.DecodedLen(s.limit - headRoom) }

// partSize is how much of a longer secret one part holds, in bytes.
func (s store) partSize() int { return base64.StdEncoding.DecodedLen(s.limit) }

// head is the content of the head item, as JSON.
type head struct {
	Format  int       `json:"parley"` // 1
	Value   *value    `json:"value,omitempty"`
	Remains []version `json:"remains,omitempty"`
}

// value says where the secret is.
type value struct {
	Sum    string  `json:"sum"`              // SHA-256 of the secret, in hex
	Inline string  `json:"inline,omitempty"` // the secret in base64, where it has no parts
	Parts  version `json:"parts,omitzero"`
}

// version is a set of parts; the zero version is none.
type version struct {
	ID    string `json:"id"`
	Count int    `json:"count"`
}

// headFormat is the number of this layout; another one is not ours to read.
const headFormat = 1

// tries bounds how often one begins anew because another process changed the
// secret meanwhile.
const tries = 3

// errNotKept: an item that was written without an error reads back otherwise.
var errNotKept = errors.New("keychain: an item was not kept")

// read returns the stored secret: ErrNotFound, ErrDamaged, or a fault of the
// keychain.
func (s store) read() (string, error) {
	for range tries {
		h, raw, err := s.head()
		if err != nil {
			return "", err
		}
		if h.Value == nil {
			return "", ErrNotFound
		}
		v, err := s.fetch(*h.Value)
		if !errors.Is(err, ErrDamaged) {
			return v, err
		}
		again, err := s.items.get(s.service, s.account)
		if errors.Is(err, errNoItem) {
			return "", ErrNotFound
		}
		if err != nil {
			return "", err
		}
		if again == raw {
			break
		}
	}
	return "", ErrDamaged
}

// fetch puts a value together and compares it with its checksum.
func (s store) fetch(v value) (string, error) {
	encoded := []string{v.Inline}
	if v.Parts.Count > 0 {
		encoded = encoded[:0]
	}
	for i := range v.Parts.Count {
		part, err := s.items.get(s.service, s.part(v.Parts, i))
		if errors.Is(err, errNoItem) {
			return "", ErrDamaged
		}
		if err != nil {
			return "", err
		}
		encoded = append(encoded, part)
	}
	var b strings.Builder
	for _, e := range encoded {
		raw, err := base64.StdEncoding.DecodeString(e)
		if err != nil {
			return "", ErrDamaged
		}
		b.Write(raw)
	}
	if sum(b.String()) != v.Sum {
		return "", ErrDamaged
	}
	return b.String(), nil
}

// write replaces the stored secret.
func (s store) write(secret string) error {
	return repeat(func() error { return s.writeOnce(secret) })
}

// repeat changes a secret until another process did not come between.
func repeat(change func() error) error {
	for range tries {
		if err := change(); !errors.Is(err, errNotKept) && !errors.Is(err, ErrDamaged) {
			return err
		}
	}
	return &fault{Failed, "not kept"}
}

func (s store) writeOnce(secret string) error {
	h, err := s.swept()
	if err != nil {
		return err
	}
	next := head{Value: &value{Sum: sum(secret)}}
	if h.Value != nil && h.Value.Parts.Count > 0 {
		next.Remains = []version{h.Value.Parts}
	}
	if len(secret) <= s.headSize() {
		next.Value.Inline = base64.StdEncoding.EncodeToString([]byte(secret))
	} else if next.Value.Parts, err = s.writeParts(h, secret); err != nil {
		return err
	}
	if err := s.putHead(next); err != nil {
		return err
	}
	if err := s.sweep(next.Remains); err != nil || next.Value.Parts.Count == 0 {
		return err
	}
	if _, err := s.read(); !errors.Is(err, ErrNotFound) {
		return err
	}
	return nil // removed by another process, after it was written
}

// writeParts writes the parts of a secret, once the head h notes them.
func (s store) writeParts(h head, secret string) (version, error) {
	size := s.partSize()
	v := version{ID: rand.Text(), Count: (len(secret) + size - 1) / size}
	h.Remains = []version{v}
	if err := s.putHead(h); err != nil {
		return version{}, err
	}
	for i := range v.Count {
		part := secret[i*size : min((i+1)*size, len(secret))]
		if err := s.put(s.part(v, i), base64.StdEncoding.EncodeToString([]byte(part))); err != nil {
			return version{}, err
		}
	}
	return v, nil
}

// remove deletes the stored secret, if there is one, parts first. Until the last
// of them is gone the head stays, as the head of no value.
func (s store) remove() error { return repeat(s.removeOnce) }

func (s store) removeOnce() error {
	h, err := s.swept()
	if err != nil {
		return err
	}
	if h.Value != nil && h.Value.Parts.Count > 0 {
		remains := []version{h.Value.Parts}
		if err := s.putHead(head{Remains: remains}); err != nil {
			return err
		}
		if err := s.sweep(remains); err != nil {
			return err
		}
	}
	return s.drop(s.account)
}

// head reads the head item, as it is and decoded. An item that is no head is
// ErrDamaged.
func (s store) head() (h head, raw string, err error) {
	raw, err = s.items.get(s.service, s.account)
	if errors.Is(err, errNoItem) {
		return head{}, "", ErrNotFound
	}
	if err != nil {
		return head{}, "", err
	}
	// The decoder's error may quote what it read; that it failed is enough.
	if json.Unmarshal([]byte(raw), &h) != nil || h.Format != headFormat || !h.sane() {
		return head{}, raw, ErrDamaged
	}
	return h, raw, nil
}

// sane reports whether a head names no more parts than a value can have.
func (h head) sane() bool {
	named := h.Remains
	if h.Value != nil {
		named = append([]version{h.Value.Parts}, named...)
	}
	for _, v := range named {
		if v.Count < 0 || v.Count > maxParts {
			return false
		}
	}
	return true
}

// swept reads the head for a change, after deleting the remains it notes. What
// is damaged counts as empty: the change replaces it.
func (s store) swept() (head, error) {
	h, _, err := s.head()
	if errors.Is(err, ErrNotFound) || errors.Is(err, ErrDamaged) {
		return head{}, nil
	}
	if err != nil {
		return head{}, err
	}
	return head{Value: h.Value}, s.sweep(h.Remains)
}

// sweep deletes all parts of the versions.
func (s store) sweep(all []version) error {
	for _, v := range all {
		for i := range v.Count {
			if err := s.drop(s.part(v, i)); err != nil {
				return err
			}
		}
	}
	return nil
}

// drop deletes one item; that there is none is no error.
func (s store) drop(account string) error {
	if err := s.items.delete(s.service, account); !errors.Is(err, errNoItem) {
		return err
	}
	return nil
}

func (s store) putHead(h head) error {
	h.Format = headFormat
	raw, err := json.Marshal(h)
	if err != nil {
		return err
	}
	return s.put(s.account, string(raw))
}

// put writes one item and reads it back: errNotKept if it is another one.
func (s store) put(account, content string) error {
	if err := s.items.set(s.service, account, content); err != nil {
		return err
	}
	got, err := s.items.get(s.service, account)
	if errors.Is(err, errNoItem) || err == nil && got != content {
		return errNotKept
	}
	return err
}

func (s store) part(v version, i int) string {
	return s.account + "." + v.ID + "." + strconv.Itoa(i)
}

func sum(s string) string {
	h := sha256.Sum256([]byte(s))
	return hex.EncodeToString(h[:])
}

// serviceName is the service that all items of one server have in the keychain.
func serviceName(space, server string) string {
	name := "parley/"
	if space != "" {
		name += slug(space) + "/"
	}
	return name + slug(server)
}

// slugLength is how much of a name stays readable.
const slugLength = 40

// slug turns any text into a name that every keychain takes and that no other
// text has: a readable beginning for people who look into their keychain, then
// a hash. It is in lower case, since Windows does not tell case apart.
func slug(s string) string {
	readable := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		case r >= 'A' && r <= 'Z':
			return r - 'A' + 'a'
		}
		return '-'
	}, s)
	return readable[:min(len(readable), slugLength)] + "-" + sum(s)[:32]
}
