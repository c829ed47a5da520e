package config

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"parley/assets/i18n"
	"parley/forms/rawjson"
	"parley/mcpclient"
)

// A note is what Parley keeps about one server beside its entry: its ID, what is
// set for it, the command that was allowed, what was learnt about it, and the
// sites opened for it.

// note returns the note about the server name, an unreadable one as empty.
func (d *document) note(name string) object {
	if d.noted == nil {
		d.noted = make(map[string]json.RawMessage, len(d.notes))
		for _, m := range d.notes {
			d.noted[m.Key] = m.Value
		}
	}
	o, err := readObject(d.noted[name])
	if err != nil {
		return nil
	}
	return o
}

// setNote makes n the note about the entry name.
func (d *document) setNote(name string, n object) {
	d.notes.set(name, n.encode())
	d.noted = nil
}

// dropNote takes the note about the entry name away.
func (d *document) dropNote(name string) {
	d.notes.remove(name)
	d.noted = nil
}

// readNote fills in what is noted about v and names what cannot be understood.
func (d *document) readNote(v *mcpclient.Server) {
	n := d.note(v.Name)
	v.Protocol, _ = n.text("protocol")
	if v.Kind == mcpclient.Stdio {
		v.SecretEnv, _ = n.names(keySecretEnv, v.Env)
		_, v.PlainEnv = n.names(keyPlainEnv, v.Env)
	} else {
		v.SecretHeaders, _ = n.names(keySecretHeaders, v.Headers)
		_, v.PlainHeaders = n.names(keyPlainHeaders, v.Headers)
	}
	var ok bool
	if v.Silence, ok = readSetting(n, "silence", parseSilence); !ok {
		d.misread(v, "silence", "cli.config_setting_silence")
	}
	if v.MaxMessage, ok = readSetting(n, "maxMessage", parseSize); !ok {
		d.misread(v, "maxMessage", "cli.config_setting_size")
	}
	if v.LogLevel, ok = readSetting(n, "logLevel", parseLogLevel); !ok {
		d.misread(v, "logLevel", "cli.config_setting_level")
	}
	if v.SignIn, ok = readSignIn(n); !ok {
		d.misread(v, keySignIn, "cli.config_setting_signin")
	}
}

// The members of a note that name what is secret, and what is none by the word of the
// person.
const (
	keySecretEnv     = "secretEnv"
	keySecretHeaders = "secretHeaders"
	keyPlainEnv      = "plainEnv"
	keyPlainHeaders  = "plainHeaders"
)

// names reads the names at key: those whose values stand elsewhere, and those whose
// values stand in the file, in here, and are no secrets any more. What is no list of
// texts names nothing.
func (o object) names(key string, here map[string]string) (elsewhere, plain []string) {
	r := reader{o: o}
	for _, name := range r.texts(key) {
		into := &elsewhere
		if _, there := here[name]; there {
			into = &plain
		}
		if name != "" && !slices.Contains(*into, name) {
			*into = append(*into, name)
		}
	}
	return elsewhere, plain
}

// misread names a setting of v that cannot be understood.
func (d *document) misread(v *mcpclient.Server, key, sentence string) {
	d.problems = append(d.problems, i18n.M("cli.config_setting", "Name", v.Name, "Key", key,
		"Reason", i18n.M(sentence, "Levels", levels)))
}

// levels are the log levels for a sentence.
var levels = strings.Join(append(slices.Clone(mcpclient.LogLevels), mcpclient.LogOff), ", ")

// readSetting reads a text of a note; ok is false if there is one, but not one
// that parse understands. Absent and null are the zero value.
func readSetting[T any](n object, key string, parse func(string) (T, bool)) (v T, ok bool) {
	raw := rawjson.Get(n, key)
	if absent(raw) {
		return v, true
	}
	s, _ := rawjson.String(raw)
	if v, ok = parse(s); !ok {
		var none T
		return none, false
	}
	return v, true
}

// setSetting puts a setting into a note; one that says the same already, or
// cannot be understood and is not set anew, keeps its spelling. The zero value,
// and one that could not be read back, take it away.
func setSetting[T comparable](n *object, key string, v T, parse func(string) (T, bool), format func(T) string) {
	if old, _ := readSetting(*n, key, parse); old == v {
		return
	}
	text := format(v)
	if _, ok := parse(text); !ok {
		text = ""
	}
	n.setText(key, text)
}

func parseSilence(s string) (time.Duration, bool) {
	d, err := time.ParseDuration(s)
	return d, err == nil && d > 0
}

// formatTime is d as people write it: 2m, not 2m0s.
func formatTime(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

func parseLogLevel(s string) (string, bool) {
	return s, s == mcpclient.LogOff || slices.Contains(mcpclient.LogLevels, s)
}

// writeNote keeps what is to be noted about v, on top of the note it had. What
// was learnt goes when v is started as, or reached at, something else, and the
// sites opened for it with it.
func (d *document) writeNote(n object, v mcpclient.Server) {
	n = slices.Clone(n)
	n.setText("id", v.ID)
	n.setTexts(keySecretEnv, v.SecretEnv)
	n.setTexts(keySecretHeaders, v.SecretHeaders)
	n.setTexts(keyPlainEnv, saidPlain(v.Kind, v.PlainEnv, v.Env))
	n.setTexts(keyPlainHeaders, saidPlain(v.Kind, v.PlainHeaders, v.Headers))
	n.setText("protocol", v.Protocol)
	setSetting(&n, "silence", v.Silence, parseSilence, formatTime)
	setSetting(&n, "maxMessage", v.MaxMessage, parseSize, formatSize)
	setSetting(&n, "logLevel", v.LogLevel, parseLogLevel, func(s string) string { return s })
	writeSignIn(&n, v.SignIn)
	if readLearnt(n, v.Place()) == (mcpclient.Learnt{}) {
		n.remove(keyLearnt)
	}
	if readOpened(n, v.Place()) == nil {
		n.remove(keyOpened)
	}
	d.setNote(v.Name, n)
}

// saidPlain are those of names of which it has to be kept that they are no secrets:
// their values in table do not tell by themselves.
func saidPlain(kind mcpclient.TransportKind, names []string, table map[string]string) []string {
	var out []string
	for _, name := range names {
		if !slices.Contains(out, name) && mayBeSecret(kind, name, table[name]) {
			out = append(out, name)
		}
	}
	return out
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
