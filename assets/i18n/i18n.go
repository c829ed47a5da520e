// Package i18n turns the app's sentences into the person's language.
//
// Every sentence the app can say has a key in the catalogue files of
// assets/translations, one file a room and language: ui.en.json and
// ui.zh-Hans.json, forms.en.json and forms.zh-Hans.json, and so on. Code below
// ui/ does not choose a language: it hands out a [Message], a key with its
// values, and whoever shows it renders it with a [Localizer]. Fyne's own lang
// package is not used, since it cannot switch at run time.
//
// Text from servers is never a key and never a template: it only ever travels
// as a value of a Message.
package i18n

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"sort"
	"strconv"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"

	"parley/assets"
)

// Languages are the catalogue's languages, as BCP 47 tags, the default first.
var Languages = []string{"en", "zh-Hans"}

// Message is one sentence before it is put into a language. The zero Message
// is no sentence and renders as "".
type Message struct {
	// ID is the key in the catalogue, "room.name", for example "forms.required".
	ID string
	// Data are the values named in the sentence, {{.Name}} in the catalogue. A
	// value that is itself a Message is rendered first.
	Data map[string]any
	// Count chooses the plural form where the sentence has several and is
	// available in it as {{.PluralCount}}; nil where it has one form.
	Count any
}

// M makes a Message from a key and alternating names and values.
// It panics when the names are not strings or a value is missing, both of
// which are mistakes of the caller that its first test run shows.
func M(id string, namesAndValues ...any) Message {
	m := Message{ID: id}
	for i := 0; i < len(namesAndValues); i += 2 {
		if m.Data == nil {
			m.Data = map[string]any{}
		}
		m.Data[namesAndValues[i].(string)] = namesAndValues[i+1]
	}
	return m
}

// N is M for a sentence whose form depends on the number n.
func N(id string, n int, namesAndValues ...any) Message {
	m := M(id, namesAndValues...)
	m.Count = n
	return m
}

// IsZero reports whether m is no sentence.
func (m Message) IsZero() bool { return m.ID == "" }

// Localizer renders messages in one language. It is safe for concurrent use.
type Localizer struct {
	tag string
	loc *i18n.Localizer
}

var bundle = load(assets.Translations)

// New returns the Localizer for the best match of the wanted tags (BCP 47 or
// POSIX, "zh_CN.UTF-8" counts as "zh-Hans"); English if none matches.
func New(wanted ...string) *Localizer {
	tag := Match(wanted...)
	return &Localizer{tag: tag, loc: i18n.NewLocalizer(bundle, tag, Languages[0])}
}

// Match returns the entry of Languages that serves the wanted tags best.
func Match(wanted ...string) string {
	tags := make([]language.Tag, 0, len(Languages))
	for _, l := range Languages {
		tags = append(tags, language.MustParse(l))
	}
	matcher := language.NewMatcher(tags)
	for _, w := range wanted {
		t, err := language.Parse(posix(w))
		if err != nil {
			continue
		}
		if _, i, c := matcher.Match(t); c != language.No {
			return Languages[i]
		}
	}
	return Languages[0]
}

// posix cuts the encoding and modifier off a POSIX locale name.
func posix(name string) string {
	for i, r := range name {
		if r == '.' || r == '@' {
			return name[:i]
		}
	}
	return name
}

// Tag is the language l renders, an entry of Languages.
func (l *Localizer) Tag() string { return l.tag }

// T renders the message with the key id; see M.
func (l *Localizer) T(id string, namesAndValues ...any) string {
	return l.Text(M(id, namesAndValues...))
}

// Text renders m. A key the catalogue lacks renders as the key itself, which
// the catalogue test turns into a failure before a person can see it.
func (l *Localizer) Text(m Message) string {
	if m.IsZero() {
		return ""
	}
	data := make(map[string]any, len(m.Data)+1)
	for k, v := range m.Data {
		if inner, ok := v.(Message); ok {
			v = l.Text(inner)
		}
		data[k] = v
	}
	if m.Count != nil {
		data["PluralCount"] = m.Count
	}
	s, err := l.loc.Localize(&i18n.LocalizeConfig{MessageID: m.ID, TemplateData: data, PluralCount: m.Count})
	if err != nil && s == "" {
		return m.ID
	}
	return s
}

// Keys returns every key of one language's catalogue, sorted, and whether its
// sentence is plural; for the test that keeps the languages complete.
func Keys(tag string) ([]string, error) {
	var keys []string
	names, err := fs.Glob(assets.Translations, "translations/*."+tag+".json")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		raw, err := assets.Translations.ReadFile(name)
		if err != nil {
			return nil, err
		}
		var m map[string]json.RawMessage
		if err := json.Unmarshal(raw, &m); err != nil {
			return nil, fmt.Errorf("reading %s: %w", name, err)
		}
		for k := range m {
			keys = append(keys, k)
		}
	}
	sort.Strings(keys)
	return keys, nil
}

// Grouped writes a count with its thousands apart, as both languages do.
func Grouped(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// load reads every catalogue file. The files are compiled in and tested, so a
// fault in one is a fault of the build.
func load(files embed.FS) *i18n.Bundle {
	b := i18n.NewBundle(language.English)
	b.RegisterUnmarshalFunc("json", json.Unmarshal)
	names, err := fs.Glob(files, "translations/*.json")
	if err != nil {
		panic(err)
	}
	for _, name := range names {
		if _, err := b.LoadMessageFileFS(files, name); err != nil {
			panic(fmt.Sprintf("translation file %s: %v", name, err))
		}
	}
	return b
}
