package config

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Word processors, mail programs and web pages set quotation marks, dashes and
// spaces that no program takes for those of a command line.

const (
	doubleMarks = "“”„‟″＂"
	singleMarks = "‘’‚‛′＇"
	dashes      = "–—―−‐‑"
)

// untypeset is line with plain marks where they can mean nothing else: outside of
// plain quotes, a dash only where a word begins. changed tells that there were any.
func untypeset(line string) (out string, changed bool) {
	if !strings.ContainsFunc(line, func(r rune) bool { return r > unicode.MaxASCII }) {
		return line, false
	}
	t := typesetter{begins: true}
	for i := 0; i < len(line); {
		r, n := utf8.DecodeRuneInString(line[i:])
		if r == utf8.RuneError && n == 1 {
			t.out.WriteByte(line[i]) // no text; it stays what it is
		} else {
			t.next(r, line[i+n:], line[:i])
		}
		i += n
	}
	return t.out.String(), t.changed
}

// typesetter goes through a line.
type typesetter struct {
	out     strings.Builder
	quote   rune // the plain quote within which it is, 0 for none
	soft    bool // that was set by a word processor
	begins  bool // a word
	changed bool
}

// next takes in r, which stands between before and rest.
func (t *typesetter) next(r rune, rest, before string) {
	begins := t.begins
	t.begins = false
	switch double := strings.ContainsRune(doubleMarks, r); {
	case t.quote != 0 && !t.soft:
		if r == t.quote && (r == '\'' || !strings.HasSuffix(before, `\`)) {
			t.quote = 0
		}
		t.out.WriteRune(r)
	case t.quote != 0:
		if double && t.quote == '"' || strings.ContainsRune(singleMarks, r) && t.quote == '\'' && endsWord(rest) {
			r, t.quote, t.soft = t.quote, 0, false
		} else if r == '"' && t.quote == '"' {
			if endsWord(rest) && !strings.ContainsAny(rest, doubleMarks) {
				t.quote, t.soft = 0, false
			} else {
				t.out.WriteByte('\\')
			}
		}
		t.out.WriteRune(r)
	case double:
		t.quote, t.soft, t.changed = '"', true, true
		t.out.WriteByte('"')
	case strings.ContainsRune(singleMarks, r) && (begins || strings.HasSuffix(before, "=")):
		t.quote, t.soft, t.changed = '\'', true, true
		t.out.WriteByte('\'')
	case begins && strings.ContainsRune(dashes, r):
		t.changed = true
		t.out.WriteString(plainDash(r, rest))
		t.begins = !endsWord(rest) && strings.ContainsRune(dashes, firstRune(rest))
	case r > unicode.MaxASCII && unicode.IsSpace(r):
		t.begins, t.changed = true, true
		t.out.WriteByte(' ')
	default:
		if r == '"' || r == '\'' && !within(before) {
			t.quote = r
		}
		t.begins = r == ' ' || r == '\t' || r == '\n'
		t.out.WriteRune(r)
	}
}

// plainDash is what stood where a word processor set a dash at the beginning of a
// word: two hyphens become a long dash, one stays or becomes a short one.
func plainDash(dash rune, rest string) string {
	name := rest
	if i := strings.IndexFunc(rest, func(r rune) bool { return r == '=' || unicode.IsSpace(r) }); i >= 0 {
		name = rest[:i]
	}
	switch {
	case strings.HasPrefix(rest, "-"), strings.ContainsRune(dashes, firstRune(rest)):
		return "-" // one of two
	case dash == '‐' || dash == '‑' || dash == '−' || utf8.RuneCountInString(name) == 1:
		return "-"
	}
	return "--"
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// endsWord reports whether a word ends before rest.
func endsWord(rest string) bool {
	return rest == "" || unicode.IsSpace(firstRune(rest))
}

// within reports whether a letter stands right before, as before an apostrophe.
func within(before string) bool {
	r, _ := utf8.DecodeLastRuneInString(before)
	return unicode.IsLetter(r)
}
