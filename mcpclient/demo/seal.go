package demo

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// errForged is a requestState that this server did not make for this request:
// changed on the way, taken from another request, or from before a restart.
var errForged = errors.New("the request state does not belong to this request")

// errExpired is a requestState that is genuine but too old.
var errExpired = errors.New("the request state has expired")

// memory is what a call carries from one round to the next. A modern client
// carries it as requestState, sealed; a legacy call keeps it in a variable.
type memory struct {
	// Round counts the questions' rounds that were passed, 0 before the first.
	Round int `json:"round,omitempty"`
	// Tries counts the answers that were not right.
	Tries int `json:"tries,omitempty"`
	// Details are the checked answers of the rounds before.
	Details map[string]any `json:"details,omitempty"`
	// Link is the id of the page the person was sent to.
	Link string `json:"link,omitempty"`
}

// binding is the request that a sealed state is for (S22).
type binding struct {
	method string
	name   string
	// args is the canonical JSON of the arguments.
	args string
}

// bytes is an encoding of b in which no two bindings are equal.
func (b binding) bytes() []byte {
	args := sha256.Sum256([]byte(b.args))
	return fmt.Appendf(nil, "%d:%s%d:%s%x", len(b.method), b.method, len(b.name), b.name, args)
}

// sealer makes and reads requestStates with AES-256-GCM under a key that lives
// as long as the process. Authentication alone would do for S22; encryption
// keeps the answers of earlier rounds out of whatever logs the client writes.
type sealer struct {
	aead cipher.AEAD
	now  func() time.Time
}

func newSealer(now func() time.Time) *sealer {
	var key [32]byte
	rand.Read(key[:]) // never fails, crypto/rand
	block, err := aes.NewCipher(key[:])
	if err != nil {
		panic(err) // the key has a length that AES takes
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		panic(err) // AES has GCM's block size
	}
	return &sealer{aead: aead, now: now}
}

// sealed is the plain text of a requestState.
type sealed struct {
	Expires int64  `json:"exp"` // seconds since 1970
	Memory  memory `json:"mem"`
}

// close seals m for the retry of the request b.
func (s *sealer) close(m memory, b binding) (string, error) {
	plain, err := json.Marshal(sealed{Expires: s.now().Add(stateLife).Unix(), Memory: m})
	if err != nil {
		return "", fmt.Errorf("sealing the request state: %w", err)
	}
	return base64.RawURLEncoding.EncodeToString(s.aead.Seal(nil, nil, plain, b.bytes())), nil
}

// open returns the memory sealed in state for the request b, errForged or
// errExpired.
func (s *sealer) open(state string, b binding) (memory, error) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(state)
	if err != nil {
		return memory{}, errForged
	}
	plain, err := s.aead.Open(nil, nil, raw, b.bytes())
	if err != nil {
		return memory{}, errForged
	}
	var v sealed
	if err := json.Unmarshal(plain, &v); err != nil {
		return memory{}, fmt.Errorf("reading an opened request state: %w", err)
	}
	if s.now().Unix() >= v.Expires {
		return memory{}, errExpired
	}
	return v.Memory, nil
}
