package consent

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// LinksIn returns the first links in a plain text, each once and at most so
// many: whatever begins with http:// or https:// and goes on to a space, a
// control or a character that ends a link in prose. It only says where a link
// stands; what it is, Assess says.
func LinksIn(text string, most int) []string {
	var out []string
	for len(out) < most {
		i := linkStart(text)
		if i < 0 {
			break
		}
		text = text[i:]
		end := linkEnd(text)
		if link := trimLink(text[:end]); end <= maxURL && len(link) > len("https://") && !slices.Contains(out, link) {
			out = append(out, link)
		}
		text = text[end:]
	}
	return out
}

// linkStart is where the first link of s begins, -1 without one. A scheme inside
// of a word begins none.
func linkStart(s string) int {
	for from := 0; ; {
		i := strings.Index(s[from:], "://")
		if i < 0 {
			return -1
		}
		at := from + i
		for _, scheme := range []string{"https", "http"} {
			start := at - len(scheme)
			if start < 0 || !strings.EqualFold(s[start:at], scheme) {
				continue
			}
			if before, _ := utf8.DecodeLastRuneInString(s[:start]); start == 0 || before >= utf8.RuneSelf || !isLetter(byte(before)) && !isDigit(byte(before)) {
				return start
			}
		}
		from = at + len("://")
	}
}

// linkEnd is the length of the link that s begins with.
func linkEnd(s string) int {
	for i, r := range s {
		if unicode.IsSpace(r) || unicode.IsControl(r) || strings.ContainsRune("<>\"`「」『』《》“”‘’，、；！？）（】【", r) || r == '。' && i > len("https://") && endsSentence(s[i:]) {
			return i
		}
	}
	return len(s)
}

// endsSentence reports whether the full stop that s begins with ends a sentence:
// within a name it separates labels.
func endsSentence(s string) bool {
	next, _ := utf8.DecodeRuneInString(strings.TrimPrefix(s, "。"))
	return next == utf8.RuneError || unicode.IsSpace(next)
}

// trimLink takes off what ends a sentence, and a bracket that closes one before
// the link.
func trimLink(s string) string {
	const opening, closing = "([{", ")]}"
	var extra [len(closing)]int // closing brackets without an opening one
	for i := range extra {
		extra[i] = strings.Count(s, closing[i:i+1]) - strings.Count(s, opening[i:i+1])
	}
	for s != "" {
		last := s[len(s)-1]
		i := strings.IndexByte(closing, last)
		switch {
		case i >= 0 && extra[i] > 0:
			extra[i]--
		case strings.IndexByte(".,;:!?'*_", last) < 0:
			return s
		}
		s = s[:len(s)-1]
	}
	return s
}
