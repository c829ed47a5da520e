package config

import (
	"context"
	"errors"
	"maps"
	"slices"

	"parley/assets/i18n"
	"parley/consent/safetext"
	"parley/mcpclient"
	"parley/mcpclient/http"
	"parley/mcpclient/keychain"
)

// A value that somebody wrote into servers.json by hand is used as it stands there. It
// may be a secret all the same: what an import would keep as one is named to the
// person, who has it moved to the place of secrets or says that it is none. The names
// of those that are none stand in the note:
//
//	"plainEnv": ["GREETING"], "plainHeaders": ["X-Team"]

// Exposed are the names of the variables or headers of v whose values stand in the
// file and may be secrets, sorted: those that are not plainly harmless, and of which
// nobody has said that they are none. It looks at every value, which may be long.
func Exposed(v mcpclient.Server) []string {
	plain, said := v.Headers, v.PlainHeaders
	if v.Kind == mcpclient.Stdio {
		plain, said = v.Env, v.PlainEnv
	}
	var out []string
	for _, name := range sortedKeys(plain) {
		if !slices.Contains(said, name) && mayBeSecret(v.Kind, name, plain[name]) {
			out = append(out, name)
		}
	}
	return out
}

// Veiled reports whether the value that the variable name of the program v has in the
// file is not for the screen: its name says that it is a secret, and neither the value
// nor the person says otherwise. What decides what runs, as LD_PRELOAD does, has no such
// name.
func Veiled(v mcpclient.Server, name string) bool {
	return secretName(name) && secretUnder(name, v.Env[name]) && !slices.Contains(v.PlainEnv, name)
}

// mayBeSecret reports whether an import would keep the value of a variable, or of a
// header, as a secret.
func mayBeSecret(kind mcpclient.TransportKind, name, value string) bool {
	switch {
	case withoutPlaceholders(value) == "":
		return false
	case kind == mcpclient.Stdio:
		return !harmlessEnv(name, value)
	}
	return !harmlessHeader(name, value)
}

// ErrAltered says that the file has another value by now than the one that was to be
// moved out of it.
var ErrAltered = errors.New("the value in the server list is another one by now")

// TwiceError says that a header stands in the file a second time, spelt with other
// capitals. Both are one header, with one value, so none of the two is moved.
type TwiceError struct{ Name string }

// Error gives the sentence in English.
func (e *TwiceError) Error() string { return english.Text(e.Sentence()) }

// Sentence implements wire.Explained.
func (e *TwiceError) Sentence() i18n.Message {
	return i18n.M("cli.config_twice", "Name", safetext.Line(e.Name, maxNamed).String())
}

// maxNamed is how much of a name is said, in characters.
const maxNamed = 100

// concealed is v with the values of these names as secrets: they are named, and no
// longer in it.
func concealed(v mcpclient.Server, names []string) mcpclient.Server {
	plain, secret, said := &v.Headers, &v.SecretHeaders, &v.PlainHeaders
	if v.Kind == mcpclient.Stdio {
		plain, secret, said = &v.Env, &v.SecretEnv, &v.PlainEnv
	}
	*plain = maps.Clone(*plain)
	for _, name := range names {
		if _, there := (*plain)[name]; !there {
			continue
		}
		delete(*plain, name)
		if !slices.Contains(*secret, name) {
			*secret = append(slices.Clip(*secret), name)
		}
	}
	*said = without(*said, names)
	return v
}

// without are all but some of the names.
func without(names, some []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(n string) bool { return slices.Contains(some, n) })
}

// Conceal takes the values of these names of v out of the file and names them as
// secrets there, in one step; v is the server as the person saw it. Leave to start it,
// and what was learnt about it, stay. It returns the server as it then stands. Errors:
// ErrUnknown; ErrAltered, which changes nothing; or of the disk.
func (s *Store) Conceal(v mcpclient.Server, names []string) (mcpclient.Server, error) {
	return s.alter(v, names, func(now *mcpclient.Server) { *now = concealed(*now, names) })
}

// SayPlain keeps that the values of these names of v are no secrets. For its results
// see Conceal.
func (s *Store) SayPlain(v mcpclient.Server, names []string) (mcpclient.Server, error) {
	return s.alter(v, names, func(now *mcpclient.Server) {
		said := &now.PlainHeaders
		if now.Kind == mcpclient.Stdio {
			said = &now.PlainEnv
		}
		*said = append(slices.Clip(*said), names...)
	})
}

// concealed is a note about old for v: where v is old with some values as secrets, what
// held for old holds for v. A secret's value is no part of what a person agreed to.
func (o object) concealed(old, v mcpclient.Server) object {
	same := concealed(old, v.SecretEnv)
	if from, to := old.Place(), v.Place(); from != to && same.Place() == to {
		o = slices.Clone(o)
		if allowed, _ := o.text(keyAllowed); allowed == from {
			o.setText(keyAllowed, to)
		}
		for _, key := range []string{keyLearnt, keyOpened} {
			inner, err := o.object(key)
			if at, _ := inner.text("place"); err == nil && at == from {
				inner = slices.Clone(inner)
				inner.setText("place", to)
				o.set(key, inner.encode())
			}
		}
	}
	return o
}

var errLooked = errors.New("nothing is to be changed")

// alter changes the server of the list that v is, if the values of these names are
// what v has. Without a change it only looks.
func (s *Store) alter(v mcpclient.Server, names []string, change func(*mcpclient.Server)) (mcpclient.Server, error) {
	var now mcpclient.Server
	err := s.change(func(d *document) error {
		name, ok := d.nameOf(v.ID)
		if !ok {
			return ErrUnknown
		}
		now = d.server(name)
		if now.Kind != v.Kind || now.URL != v.URL && !SameOrigin(now, v) {
			return ErrAltered
		}
		for _, n := range names {
			if now.Env[n] != v.Env[n] || now.Headers[n] != v.Headers[n] {
				return ErrAltered
			}
		}
		if change == nil {
			return errLooked
		}
		change(&now)
		if err := d.update(now); err != nil {
			return err
		}
		now = d.server(now.Name)
		return nil
	})
	if err == errLooked {
		return now, nil
	}
	if err != nil {
		return mcpclient.Server{}, err
	}
	return now, nil
}

// Move brings the values of these names of v from the file of s to where secrets are
// kept, and returns the server as it then stands. Each is kept and read back before
// the file is touched, so that at no time it is nowhere. Where one could be kept for
// this run only, all stay in the file, and the error is an *Unavailable; a *TwiceError
// changes nothing either. For other errors see Store.Conceal, and Keychain.Set.
func (v Values) Move(ctx context.Context, s *Store, of mcpclient.Server, names []string) (mcpclient.Server, error) {
	none := mcpclient.Server{}
	after := concealed(of, names)
	all, err := heldOf(after)
	if err != nil {
		return none, err
	}
	at := map[keychain.Key]bool{}
	for _, h := range all {
		if at[h.key] {
			return none, &TwiceError{h.name}
		}
		at[h.key] = true
	}
	all = slices.DeleteFunc(all, func(h held) bool { return !slices.Contains(names, h.name) })
	for _, h := range all {
		value := of.Env[h.name]
		if h.header {
			value = of.Headers[h.name]
		}
		if err := v.secrets.Set(ctx, h.key, keychain.NewSecret(value)); err != nil {
			v.takeBack(ctx, s, of, names, all, err)
			return none, err
		}
	}
	if err := v.keepOrigin(ctx, after); err != nil {
		v.takeBack(ctx, s, of, names, all, err)
		return none, err
	}
	return s.Conceal(of, names)
}

// takeBack forgets what is kept for this run only, as why says, and stands in the file.
// Anything else may be what another window has just moved, and does no harm.
func (v Values) takeBack(ctx context.Context, s *Store, of mcpclient.Server, names []string, kept []held, why error) {
	if _, out := errors.AsType[*keychain.Unavailable](why); !out {
		return
	}
	if _, err := s.alter(of, names, nil); err != nil {
		return
	}
	for _, h := range kept {
		_ = v.secrets.Delete(ctx, h.key) // this run forgets it, whatever the error
	}
}

// keepOrigin keeps which origin the values of the headers of s are for.
func (v Values) keepOrigin(ctx context.Context, s mcpclient.Server) error {
	o, err := http.ParseOrigin(s.URL)
	if err != nil || s.Kind == mcpclient.Stdio || len(s.SecretHeaders) == 0 {
		return nil // there are none
	}
	return v.secrets.Set(ctx, originKey(s), keychain.NewSecret(o.Origin))
}
