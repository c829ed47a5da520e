package keychain

import (
	"fmt"
	"io"
	"log/slog"
)

// redacted stands for a secret wherever one is printed.
const redacted = "[secret]"

// Secret is a value that must not show. Every verb of fmt, encoding/json and
// log/slog print "[secret]" instead; inside another struct's unexported field,
// where fmt calls no methods, an address shows. Only Reveal gives the value.
// The zero Secret is empty.
type Secret struct{ value *string }

// NewSecret makes a Secret of a value.
func NewSecret(value string) Secret { return Secret{&value} }

// Reveal returns the value, for the one place that sends it.
func (s Secret) Reveal() string {
	if s.value == nil {
		return ""
	}
	return *s.value
}

// IsEmpty reports whether the value is "".
func (s Secret) IsEmpty() bool { return s.Reveal() == "" }

// String is always "[secret]", whether there is a value or not.
func (s Secret) String() string { return redacted }

// Format prints "[secret]" for every verb and flag.
func (s Secret) Format(f fmt.State, _ rune) { io.WriteString(f, redacted) }

// MarshalText makes encoders write "[secret]".
func (s Secret) MarshalText() ([]byte, error) { return []byte(redacted), nil }

// LogValue makes log/slog write "[secret]".
func (s Secret) LogValue() slog.Value { return slog.StringValue(redacted) }
