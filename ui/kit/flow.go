package kit

import (
	"fyne.io/fyne/v2"
	"github.com/go-text/typesetting/segmenter"
)

// glyph is one character of a text that is to be broken into lines.
type glyph struct {
	r     rune
	width float32
	run   int
}

// brk says what may happen in front of a character.
type brk uint8

const (
	brkNo brk = iota
	brkMay
	brkMust
)

// breaksOf returns for every position of text (its end included) whether a
// line may or must end there, by UAX #14; anywhere allows a break between any
// two characters, as in a URL.
func breaksOf(text []rune, anywhere bool) []brk {
	out := make([]brk, len(text)+1)
	if anywhere {
		for i := range out {
			out[i] = brkMay
			if i > 0 && text[i-1] == '\n' {
				out[i] = brkMust
			}
		}
		return out
	}
	var seg segmenter.Segmenter
	seg.Init(text)
	it := seg.LineIterator()
	for it.Next() {
		l := it.Line()
		end := l.Offset + len(l.Text)
		out[end] = brkMay
		if l.IsMandatoryBreak {
			out[end] = brkMust
		}
	}
	return out
}

// span is a line of a text: the characters [start, end).
type span struct{ start, end int }

// flow breaks text into lines no wider than width. A word that is wider than
// the width is cut; a line holds at least one character. Spaces at the end of a
// line may hang over. It takes one pass over the text.
func flow(glyphs []glyph, breaks []brk, width float32) []span {
	var lines []span
	start, last := 0, -1        // of the line; the last place it may end
	var from, lastAt, x float32 // x at the start of the line, at last, and here
	end := func(at int, atX float32) {
		lines = append(lines, span{start, at})
		start, from, last = at, atX, -1
	}
	for i, g := range glyphs {
		switch {
		case i == start:
		case breaks[i] == brkMust:
			end(i, x)
		case breaks[i] == brkMay:
			last, lastAt = i, x
		}
		if g.r != ' ' && g.r != '\n' && g.width > 0 {
			if x+g.width-from > width && last > start {
				end(last, lastAt)
			}
			if x+g.width-from > width && i > start {
				end(i, x)
			}
		}
		x += g.width
	}
	lines = append(lines, span{start, len(glyphs)})
	if n := len(glyphs); n > 0 && glyphs[n-1].r == '\n' {
		lines = append(lines, span{n, n})
	}
	return lines
}

// glyphsOf measures runs of text.
func glyphsOf(th fyne.Theme, runs []Run) ([]glyph, []rune) {
	total := 0
	for _, r := range runs {
		total += len(r.text)
	}
	glyphs := make([]glyph, 0, total)
	text := make([]rune, 0, total)
	for i, r := range runs {
		latin, cjk := r.style.ruler(th), r.style.heavy().ruler(th)
		rulers.Lock()
		for _, c := range r.text {
			w := float32(0)
			switch {
			case c == '\n':
			case isCJK(c):
				w = cjk.width(c)
			default:
				w = latin.width(c)
			}
			glyphs = append(glyphs, glyph{c, w, i})
			text = append(text, c)
		}
		rulers.Unlock()
	}
	return glyphs, text
}
