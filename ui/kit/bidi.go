package kit

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/bidi"
)

// Fyne draws what is written from right to left in its own direction, but puts the
// directions of one text beside each other in the order they are stored, and knows
// nothing of the texts beside it. So a line with Hebrew or Arabic in it is put in
// order here, by the Unicode Bidirectional Algorithm (UAX #9).
//
// A run of server text is isolated: it goes in the direction of its first letter,
// and never moves the words of the app beside it. Words of the app go from left to
// right, as their languages do, also where server text stands in them. Characters
// that change the direction (UAX #9 2.1 to 2.5) do not come here: safetext shows
// them as words.

// level is how deep a character lies in directions: an odd one is read from right to
// left.
type level uint8

// rightToLeft reports whether text has a character that is written from right to
// left. It is quick for text that has none.
func rightToLeft(text []rune) bool {
	return slices.ContainsFunc(text, func(r rune) bool {
		return r >= firstRTL && isRTL(r)
	})
}

// firstRTL is before the first letter of Hebrew, the first such script of Unicode.
const firstRTL = 0x0590

func isRTL(r rune) bool {
	c := class(r)
	return c == bidi.R || c == bidi.AL || c == bidi.AN
}

func class(r rune) bidi.Class {
	p, _ := bidi.LookupRune(r)
	return p.Class()
}

// levelsOf are the levels of text, which is one paragraph of one run. With auto it
// goes in the direction of its first letter, else from left to right.
func levelsOf(text []rune, auto bool) []level {
	out := make([]level, len(text))
	if !rightToLeft(text) {
		return out
	}
	// A letter in front makes the direction of the paragraph: the package takes it
	// from the first letter of the text, always.
	base, front := level(0), 'a'
	if i := slices.IndexFunc(text, strong); auto && i >= 0 && class(text[i]) != bidi.L {
		base, front = 1, 'א'
	}
	var p bidi.Paragraph
	if _, err := p.SetString(string(front) + string(text)); err != nil {
		return out
	}
	order, err := p.Order()
	if err != nil {
		return out
	}
	for i := range order.NumRuns() {
		run := order.Run(i)
		// The package tells the direction, not the level. From right to left the
		// levels are 1 and, of what goes the other way, 2.
		from, last := run.Pos()
		from, last = max(from-1, 0), last-1
		deep := level(1)
		if run.Direction() == bidi.LeftToRight {
			deep = 2 * base
		}
		for k := from; k <= last && k < len(out); k++ {
			out[k] = deep
		}
		// From left to right a number behind letters of the other direction belongs
		// to those (rules W2, I1), and what follows it to the paragraph.
		if base == 0 && deep == 0 && from > 0 {
			k := from
			for k <= last && numeric(class(text[k])) {
				k++
			}
			for k > from && !digit(class(text[k-1])) {
				k--
			}
			for ; k > from; k-- {
				out[k-1] = 2
			}
		}
	}
	pairs(text, out, base)
	return out
}

// pairs gives the two brackets of a pair one level (rule N0): golang.org/x/text
// v0.43 compares a closing bracket with the opening one as they are, so that no two
// are ever a pair.
func pairs(text []rune, levels []level, base level) {
	at := directions(text, int8(base))
	var open []int
	for i, r := range text {
		p, _ := bidi.LookupRune(r)
		switch {
		case !p.IsBracket():
		case p.IsOpeningBracket():
			if open = append(open, i); len(open) > deepestPair {
				return
			}
		default:
			k := len(open) - 1
			for k >= 0 && string(text[open[k]]) != bidi.ReverseString(string(r)) {
				k--
			}
			if k < 0 {
				continue // it closes nothing
			}
			from, l := open[k], base
			open = open[:k]
			switch inside := at[from+1 : i]; {
			case slices.Contains(inside, int8(base)):
			case !slices.Contains(inside, int8(1-base)):
				continue // nothing in it has a direction
			case before(at[:from], int8(base)) != int8(base):
				// What is inside and what stands before go the other way.
				l = base + 1
			}
			levels[from], levels[i] = l, l
		}
	}
}

// deepestPair is how many brackets may be open at once, by the rule BD16.
const deepestPair = 63

// neutral is the direction of what has none.
const neutral = int8(-1)

// directions tells of each character whether it goes from left to right, 0, from
// right to left, 1, or neither. A number goes as the letter before it does.
func directions(text []rune, base int8) []int8 {
	out := make([]int8, len(text))
	last := base
	for i, r := range text {
		switch c := class(r); {
		case c == bidi.L:
			last, out[i] = 0, 0
		case strong(r):
			last, out[i] = 1, 1
		case c == bidi.AN:
			out[i] = 1
		case c == bidi.EN:
			out[i] = last
		default:
			out[i] = neutral
		}
	}
	return out
}

// before is the last direction in at, base without one.
func before(at []int8, base int8) int8 {
	for _, d := range slices.Backward(at) {
		if d != neutral {
			return d
		}
	}
	return base
}

func strong(r rune) bool {
	c := class(r)
	return c == bidi.L || c == bidi.R || c == bidi.AL
}

func digit(c bidi.Class) bool { return c == bidi.EN || c == bidi.AN }

// numeric reports whether a character may be in a number.
func numeric(c bidi.Class) bool {
	return digit(c) || c == bidi.ES || c == bidi.ET || c == bidi.CS || c == bidi.NSM
}

// stretch is text of one level within a line, in the order it is stored.
type stretch struct {
	span
	level level
}

// stretches cuts [start, end) by level and puts the pieces in the order in which
// they stand on the line (rule L2).
func stretches(levels []level, start, end int) []stretch {
	var out []stretch
	most := level(0)
	for i := start; i < end; i++ {
		if n := len(out); n > 0 && out[n-1].level == levels[i] {
			out[n-1].end = i + 1
			continue
		}
		out = append(out, stretch{span{i, i + 1}, levels[i]})
		most = max(most, levels[i])
	}
	for l := most; l > 0; l-- {
		for i := 0; i < len(out); i++ {
			j := i
			for j < len(out) && out[j].level >= l {
				j++
			}
			slices.Reverse(out[i:j])
			i = max(i, j)
		}
	}
	return out
}

// tokens cuts text that is read from right to left into what Fyne can draw by
// itself, in the order it is stored: words of one script, spaces, and each sign in
// between, brackets mirrored. A word is as joined as it is in one piece, since
// letters do not join over a space or sign.
func tokens(text []rune) []string {
	const (
		none = iota
		space
		sign
		hebrew
		other
	)
	var out []string
	before := none
	for _, r := range text {
		kind := sign
		switch c := class(r); {
		case (c == bidi.NSM || c == bidi.BN) && before > space:
			out[len(out)-1] += string(r)
			continue
		case r == ' ':
			kind = space
		case isRTL(r) && unicode.Is(unicode.Hebrew, r):
			kind = hebrew
		case isRTL(r):
			kind = other
		}
		shown := string(r)
		if kind == sign {
			shown = bidi.ReverseString(shown)
		}
		if kind == before && kind != sign {
			out[len(out)-1] += shown
		} else {
			out = append(out, shown)
		}
		before = kind
	}
	return out
}

// lay makes the pieces of a line with the characters [start, end) in which not all
// goes from left to right, tail behind the last of them.
func (t *Text) lay(l *textLine, start, end int, tail string) {
	for from := start; from < end; {
		run := t.glyphs[from].run
		to := from
		for to < end && t.glyphs[to].run == run {
			to++
		}
		bold := t.runs[run].style.Bold
		for _, s := range stretches(t.levels, from, to) {
			var parts []string
			if s.level%2 == 1 {
				parts = tokens(t.chars[s.start:s.end])
			} else {
				for i := s.start; i < s.end; {
					j := i + 1
					for j < s.end && (!bold || t.chars[j] == ' ' || inFallback(t.chars[j]) == inFallback(t.chars[i])) {
						j++
					}
					parts = append(parts, string(t.chars[i:j]))
					i = j
				}
			}
			if s.end == end && tail != "" {
				parts = append(parts, tail)
			}
			if s.level%2 == 1 {
				slices.Reverse(parts)
			}
			for _, p := range parts {
				// Spaces around a piece are room: they would be drawn in the
				// direction and font that Fyne gives them.
				text := strings.TrimLeft(p, " ")
				before := len(p) - len(text)
				text = strings.TrimRight(text, " ")
				after := len(p) - before - len(text)
				first, _ := utf8.DecodeRuneInString(text)
				heavy := bold && inFallback(first)
				width := t.rulerOf(run, heavy).width(' ')
				l.width += float32(before) * width
				if text != "" {
					t.put(l, text, run, heavy)
				}
				l.width += float32(after) * width
			}
		}
		from = to
	}
}

// level finds the levels of the text, of each paragraph of each run by itself. A URL
// goes from left to right whatever is in it.
func (t *Text) level() {
	if t.levels = nil; !rightToLeft(t.chars) {
		return
	}
	t.levels = make([]level, len(t.chars))
	for from := 0; from < len(t.chars); {
		run := t.glyphs[from].run
		to := from
		for to < len(t.chars) && t.glyphs[to].run == run && t.chars[to] != '\n' {
			to++
		}
		copy(t.levels[from:to], levelsOf(t.chars[from:to], !t.runs[run].own && !t.anywhere))
		from = max(to, from+1)
	}
}

// levelsIn are the levels of the characters [start, end), none where all of the text
// goes from left to right.
func (t *Text) levelsIn(start, end int) []level {
	if t.levels == nil {
		return nil
	}
	return t.levels[start:max(start, end)]
}
