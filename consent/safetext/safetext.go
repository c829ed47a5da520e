// Package safetext makes text from strangers safe to show.
//
// Servers send text that reorders itself (U+202E), hides characters (zero
// width, controls, tags) or is endless. [Block] and [Line] are the functions
// that such text goes through, and every widget that shows server text takes
// their result type, so that a place that forgot it does not compile. What the
// server sent stays with the caller, for copying and for the wire: a Text is
// for eyes only.
//
// # What becomes visible
//
// A character that the eye cannot see, or that changes what the eye sees
// elsewhere, is spelled out as ⟨U+202E⟩: control characters, bidirectional
// controls, zero-width and other format characters, blank fillers, private use,
// unassigned code points and tags. A byte that is not UTF-8 reads ⟨0xFF⟩, a
// lone surrogate ⟨U+D800⟩. The brackets are U+27E8 and U+27E9, which
// ordinary text hardly uses; text that writes such an escape itself only
// imitates a warning, which fools nobody.
//
// Three kinds of invisible characters stay, each only where it visibly does its
// work and where a person would see wrong text without it:
//
//   - U+200D between two pictographs (a family emoji), at most [maxJoined] in
//     one emoji, and U+FE0F or U+FE0E, once, directly after a character that it
//     chooses the look of (UTS #51);
//   - U+200C and U+200D between letters of a script that joins or conjuncts
//     (Persian, Hindi): the positions of RFC 5892, appendix A, without its
//     joining types;
//   - one ideographic variation selector directly after a Han character
//     (Japanese names).
//
// Anywhere else they would hide data, and so they are spelled out.
//
// # Shape
//
// Line ends (CR LF, CR, U+2028, U+2029) become "\n", tabs become spaces. More
// than [maxMarks] combining marks in a row are counted, ⟨◌×40⟩, instead of
// drawn over the lines around; a mark without a letter before it gets a dotted
// circle. The length is bounded in runes of the result, and a cut text ends in
// "… ⟨+1234⟩", the number of characters that were left out: digits, since this
// package speaks no language.
//
// Time and memory are linear in the result; the rest of the input is only
// counted. Making a text that was already made changes nothing, as long as the
// limit is not smaller.
package safetext

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// DefaultLimit is the limit, in runes, that stands for one that is not positive.
const DefaultLimit = 1 << 16

const (
	// maxMarks is how many combining marks a letter may carry. Hebrew with
	// cantillation and Tibetan stacks stay under it.
	maxMarks = 5
	// maxJoined bounds the joiners of one emoji; the longest in use have three.
	maxJoined = 6
	// maxBack is how far a cut may move back to keep a letter with its marks.
	maxBack = 32
)

// Text is text that is safe to show: every bidi, control, zero-width and
// unassigned character is spelled out visibly, tabs are spaces, line ends are
// "\n" only, and its length is bounded. The zero Text is empty.
type Text struct {
	s       string
	omitted int
}

// String returns the safe text, with the mark at its end if it was cut.
func (t Text) String() string { return t.s }

// IsZero reports whether t is empty.
func (t Text) IsZero() bool { return t.s == "" }

// Cut reports whether the text was too long and its end is missing.
func (t Text) Cut() bool { return t.omitted > 0 }

// Omitted is the number of characters of the original that are missing.
func (t Text) Omitted() int { return t.omitted }

// Make is [Block].
func Make(s string, maxRunes int) Text { return Block(s, maxRunes) }

// Block makes text of several lines safe, with "\n" between them. The result
// has at most maxRunes runes, not counting the mark of a cut;
// [DefaultLimit] stands for a maxRunes that is not positive.
func Block(s string, maxRunes int) Text {
	return build(s, maxRunes, style{newline: "\n", tab: "    "})
}

// Line makes text for a place that has one line: line ends become a visible ⏎.
// See [Block] for maxRunes.
func Line(s string, maxRunes int) Text {
	return build(s, maxRunes, style{newline: "⏎", tab: " "})
}

// Exact makes text visible whose every character counts, such as a link that
// is refused: spaces and line ends are spelled out as well, and nothing
// invisible stays. See [Block] for maxRunes.
func Exact(s string, maxRunes int) Text {
	return build(s, maxRunes, style{exact: true})
}

// style is what differs between the three ways to make a Text.
type style struct {
	newline string // what a line end becomes
	tab     string // what a tab becomes
	exact   bool   // spell out spaces, line ends and joiners too
}

// maker builds one Text. All positions in runes are of the result.
type maker struct {
	style
	out    strings.Builder
	runes  int // written so far
	limit  int
	marks  int  // combining marks written since the last base
	extra  int  // combining marks counted since then, not written
	joined int  // joiners in the emoji that is being written
	prev   rune // last rune of the input that was written as itself; 0 if none

	boundBytes, boundRunes, boundLeft int // last place where a cut separates nothing
}

func build(s string, limit int, st style) Text {
	if limit <= 0 {
		limit = DefaultLimit
	}
	m := maker{style: st, limit: limit, boundLeft: len(s)}
	m.out.Grow(min(len(s), 4*limit))
	for rest := s; rest != ""; {
		if n := m.plainRun(rest); n > 0 {
			rest = rest[n:]
		}
		r, size := utf8.DecodeRuneInString(rest)
		if r == utf8.RuneError && size == 1 {
			r, size = surrogate(rest)
		}
		if !continues(r) && m.prev != zwj {
			m.flushMarks()
			if m.runes <= m.limit {
				m.boundBytes, m.boundRunes, m.boundLeft = m.out.Len(), m.runes, len(rest)
			}
		}
		if r == '\r' && size < len(rest) && rest[size] == '\n' && !m.exact {
			size++
		}
		m.write(r, rest[:size], rest[size:])
		rest = rest[size:]
		if m.runes > m.limit {
			return m.cut(s)
		}
	}
	m.flushMarks()
	if m.runes > m.limit {
		return m.cut(s)
	}
	return Text{s: m.out.String()}
}

// plainRun writes the printable ASCII that s starts with, as far as the limit
// allows and except for its last character, to which marks may belong; it
// returns how much. Most text is that, and this is ten times as quick.
func (m *maker) plainRun(s string) int {
	n := 0
	for n < len(s) && n <= m.limit-m.runes && (s[n] > ' ' || s[n] == ' ' && !m.exact) && s[n] < 0x7F {
		n++
	}
	if n--; n <= 0 {
		return 0
	}
	m.flushMarks()
	m.put(s[:n], n)
	m.prev, m.marks, m.joined = rune(s[n-1]), 0, 0
	return n
}

// cut returns what was written up to the last boundary, and the mark.
func (m *maker) cut(s string) Text {
	kept, left := m.out.String(), 0
	if m.limit-m.boundRunes > maxBack {
		// One letter with more behind it than any script needs: it is cut
		// hard, and what is left of it counts as left out.
		kept = firstRunes(kept, m.limit)
		left = max(1, utf8.RuneCountInString(s)-m.limit)
	} else {
		kept = kept[:m.boundBytes]
		left = utf8.RuneCountInString(s[len(s)-m.boundLeft:])
	}
	return Text{s: kept + "… ⟨+" + strconv.Itoa(left) + "⟩", omitted: left}
}

func firstRunes(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

const (
	zwnj = '\u200C'
	zwj  = '\u200D'
)

// write puts one character of the input, whose bytes are raw and which is
// followed by rest, into the result.
func (m *maker) write(r rune, raw, rest string) {
	switch {
	case r == invalid:
		for i := range len(raw) {
			m.escape("0x" + strings.ToUpper(hex(uint64(raw[i]), 2)))
		}
	case r == '\t' && !m.exact:
		m.plain(m.tab)
	case isLineEnd(r) && !m.exact:
		m.plain(m.newline)
	case m.exact && unicode.IsSpace(r):
		m.escapeRune(r)
	case unicode.Is(unicode.Mn, r) && !hidden(r), unicode.Is(unicode.Me, r):
		m.mark(r)
	case m.staysInvisible(r, rest):
		if r == zwj && pictograph(m.prev) {
			m.joined++
		}
		m.put(string(r), 1)
		m.prev = r
	case hidden(r):
		m.escapeRune(r)
	default:
		if m.prev != zwj {
			m.joined = 0
		}
		m.put(string(r), 1)
		m.prev, m.marks = r, 0
	}
}

// staysInvisible reports whether r is one of the invisible characters that do
// visible work where they stand; see the package comment.
func (m *maker) staysInvisible(r rune, rest string) bool {
	if m.exact {
		return false
	}
	next, _ := utf8.DecodeRuneInString(rest)
	switch {
	case r == zwj && (pictograph(m.prev) || isEmojiEnd(m.prev)) && pictograph(next):
		return m.joined < maxJoined
	case r == zwj || r == zwnj:
		s := joiningScript(m.prev)
		return s != nil && unicode.IsLetter(next) && unicode.Is(s, next)
	case r == '\uFE0F' || r == '\uFE0E':
		return pictograph(m.prev) || strings.ContainsRune("0123456789#*", m.prev) && m.prev != 0
	case r >= 0xE0100 && r <= 0xE01EF:
		return unicode.Is(unicode.Han, m.prev)
	}
	return false
}

// mark writes a combining mark, or counts it when its letter has enough.
func (m *maker) mark(r rune) {
	if m.marks >= maxMarks {
		m.extra++
		return
	}
	if m.prev == 0 || m.prev == '\n' {
		m.put("◌", 1)
	}
	m.put(string(r), 1)
	m.marks++
	m.prev = r
}

func (m *maker) flushMarks() {
	if m.extra > 0 {
		n := m.extra
		m.extra = 0
		m.escape("◌×" + strconv.Itoa(n))
	}
}

// plain writes text of this package that separates what is around it.
func (m *maker) plain(s string) {
	m.put(s, utf8.RuneCountInString(s))
	m.prev, m.marks, m.joined = ' ', 0, 0
	if s == "\n" {
		m.prev = '\n'
	}
}

func (m *maker) escapeRune(r rune) {
	m.escape("U+" + strings.ToUpper(hex(uint64(r), 4)))
}

func (m *maker) escape(name string) {
	m.put("⟨"+name+"⟩", utf8.RuneCountInString(name)+2)
	m.prev, m.marks, m.joined = '⟩', 0, 0
}

func (m *maker) put(s string, runes int) {
	m.out.WriteString(s)
	m.runes += runes
}

func hex(v uint64, width int) string {
	s := strconv.FormatUint(v, 16)
	return strings.Repeat("0", max(0, width-len(s))) + s
}
