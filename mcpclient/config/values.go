package config

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"parley/assets/i18n"
	"parley/mcpclient"
	"parley/mcpclient/http"
	"parley/mcpclient/keychain"
	"parley/mcpclient/stdio"
)

// Secrets is where values lie that are not in the file: a keychain.Keychain.
type Secrets interface {
	Get(ctx context.Context, k keychain.Key) (keychain.Secret, error)
	Set(ctx context.Context, k keychain.Key, s keychain.Secret) error
	Delete(ctx context.Context, k keychain.Key) error
}

// Values are the secret values of environment variables and headers. A header's
// is bound to the origin it was given for: a server whose address is edited, in
// the app or in the file, does not get it. Its methods may wait for the
// keychain, which may ask the person.
type Values struct{ secrets Secrets }

// NewValues keeps values in s.
func NewValues(s Secrets) Values { return Values{s} }

// Typed are values as a person has just entered them, by name. It prints as
// "[secret]".
type Typed struct{ Env, Headers map[string]string }

// String is always "[secret]".
func (Typed) String() string { return keychain.Secret{}.String() }

// GoString is String, for %#v.
func (t Typed) GoString() string { return t.String() }

// MarshalText is String, for JSON and logs.
func (t Typed) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// Fill returns s with its secret values; it is made for
// mcpclient.Options.Fill. Its error is a *MissingError, one of the keychain, or
// the context's, and has a sentence.
func (v Values) Fill(ctx context.Context, s mcpclient.Server) (mcpclient.Server, error) {
	return v.FillWith(ctx, s, Typed{})
}

// FillWith is Fill with values that were entered and are not kept yet.
func (v Values) FillWith(ctx context.Context, s mcpclient.Server, typed Typed) (mcpclient.Server, error) {
	held, err := heldOf(s)
	if err != nil {
		return s, err
	}
	var missing []string
	env, headers := fresh(s.Env), fresh(s.Headers)
	for _, h := range held {
		into, given := env, typed.Env
		if h.header {
			into, given = headers, typed.Headers
		}
		if value, entered := given[h.name]; entered {
			into[h.name] = value
			continue
		}
		value, err := v.secrets.Get(ctx, h.key)
		switch {
		case errors.Is(err, keychain.ErrNotFound):
			missing = append(missing, h.name)
		case err != nil:
			return s, &valueError{err}
		default:
			into[h.name] = value.Reveal()
		}
	}
	if missing != nil {
		e := &MissingError{Names: missing}
		e.From, e.To = v.moved(ctx, s)
		return s, e
	}
	s.Env, s.Headers = env, headers
	return s, nil
}

// LookUp finds the file that the program of s leads to, as mcpclient.LookUp does. If
// its PATH is a secret, that is read, as typed has it or as it is kept; no other value
// is asked for.
func (v Values) LookUp(ctx context.Context, s mcpclient.Server, typed Typed) (stdio.File, error) {
	s.SecretEnv = slices.DeleteFunc(slices.Clone(s.SecretEnv), func(name string) bool { return !stdio.IsPath(name) })
	return mcpclient.LookUp(ctx, s, func(ctx context.Context, s mcpclient.Server) (mcpclient.Server, error) {
		return v.FillWith(ctx, s, typed)
	})
}

// Keep makes the keychain hold what typed has of the secret values of s, and
// nothing that only before needed; before is the same server as it was, zero for
// a new one. Values that are in neither stay as they are. A
// *keychain.Unavailable means that they are kept for this run only.
func (v Values) Keep(ctx context.Context, before, s mcpclient.Server, typed Typed) error {
	held, err := heldOf(s)
	if err != nil {
		return err
	}
	wanted := map[keychain.Key]bool{}
	var first error
	note := func(err error) {
		// A keychain that is out of reach keeps the others for this run, too.
		if err != nil && first == nil {
			first = err
		}
	}
	for _, h := range held {
		wanted[h.key] = true
		from := typed.Env
		if h.header {
			from = typed.Headers
		}
		if value, entered := from[h.name]; entered {
			note(v.secrets.Set(ctx, h.key, keychain.NewSecret(value)))
		}
	}
	if len(typed.Headers) > 0 {
		note(v.keepOrigin(ctx, s))
	}
	// An address that was none had no values.
	old, _ := heldOf(before)
	given := len(typed.Headers) > 0 && len(s.SecretHeaders) > 0
	for _, h := range old {
		if wanted[h.key] {
			given = given || h.header
			continue
		}
		note(v.secrets.Delete(ctx, h.key))
	}
	if len(before.SecretHeaders) > 0 && !given {
		note(v.secrets.Delete(ctx, originKey(s)))
	}
	return first
}

// originKey is where the origin lies that the values of headers were given for.
// They cannot be found by another one; this tells that they are there.
func originKey(s mcpclient.Server) keychain.Key {
	return keychain.Key{Server: s.ID, Name: "sent headers are for"}
}

// moved are the origin that the values of headers were given for and the one that
// s has now, "" if they are the same or it is not known.
func (v Values) moved(ctx context.Context, s mcpclient.Server) (from, to string) {
	o, err := http.ParseOrigin(s.URL)
	if err != nil || s.Kind == mcpclient.Stdio {
		return "", ""
	}
	kept, err := v.secrets.Get(ctx, originKey(s))
	if err != nil || kept.Reveal() == o.Origin {
		return "", ""
	}
	return kept.Reveal(), o.Origin
}

// held is one secret value of a server.
type held struct {
	name   string
	header bool
	key    keychain.Key
}

// heldOf lists the secret values of s. The error is that of an address which
// cannot be one.
func heldOf(s mcpclient.Server) ([]held, error) {
	var out []held
	if s.Kind == mcpclient.Stdio {
		for _, name := range s.SecretEnv {
			out = append(out, held{name, false, keychain.Key{Server: s.ID, Name: "env " + name}})
		}
		return out, nil
	}
	if len(s.SecretHeaders) == 0 {
		return nil, nil
	}
	o, err := http.ParseOrigin(s.URL)
	if err != nil {
		return nil, err
	}
	for _, name := range s.SecretHeaders {
		// "sent" keeps a header Authorization apart from the access token, which
		// package auth keeps under its name.
		out = append(out, held{name, true, keychain.HeaderKey(s.ID, o.Origin, "sent "+name)})
	}
	return out, nil
}

// SameOrigin reports whether what is bound to the origin of a stays good for b.
func SameOrigin(a, b mcpclient.Server) bool {
	if a.Kind == mcpclient.Stdio || b.Kind == mcpclient.Stdio {
		return a.Kind == b.Kind
	}
	one, err := http.ParseOrigin(a.URL)
	if err != nil {
		return false
	}
	other, err := http.ParseOrigin(b.URL)
	return err == nil && one.Origin == other.Origin
}

func fresh(m map[string]string) map[string]string {
	if m == nil {
		return map[string]string{}
	}
	return maps.Clone(m)
}

// MissingError says that values are not kept on this computer: they were kept for
// an earlier run only, or the file came from another computer. Where the
// address was edited outside to another origin, From is the one they were given
// for, and To the one that does not get them.
type MissingError struct {
	Names    []string
	From, To string
}

// Error gives the sentence in English.
func (e *MissingError) Error() string { return english.Text(e.Sentence()) }

// Sentence implements wire.Explained.
func (e *MissingError) Sentence() i18n.Message {
	names := strings.Join(slices.Sorted(slices.Values(e.Names)), ", ")
	if e.From != "" {
		return i18n.N("cli.config_moved", len(e.Names), "Names", names, "From", e.From, "To", e.To)
	}
	return i18n.N("cli.config_missing", len(e.Names), "Names", names)
}

// valueError is an error of the keychain, with its sentence.
type valueError struct{ err error }

func (e *valueError) Error() string          { return "reading a secret value: " + e.err.Error() }
func (e *valueError) Unwrap() error          { return e.err }
func (e *valueError) Sentence() i18n.Message { return keychain.Sentence(e.err) }
