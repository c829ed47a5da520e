package config

import "strings"

// minRandom is the length, in bytes, from which text can look random.
const minRandom = 16

// looksRandom reports whether s, a word without spaces, looks drawn by lot rather
// than named by a person. Letters and digits in hex, base32 and base64 change
// places at every second or third character; within words, versions and dates
// they hardly do. Of letters alone it is told by how often each is used.
func looksRandom(s string) bool {
	const (
		other = iota
		lower
		upper
		digit
	)
	changes, last := 0, other
	for _, r := range s {
		class := other
		switch {
		case r >= 'a' && r <= 'z':
			class = lower
		case r >= 'A' && r <= 'Z':
			class = upper
		case r >= '0' && r <= '9':
			class = digit
		case !strings.ContainsRune("-_.~+=", r):
			return false
		}
		if last != other && class != other && last != class && !(last == upper && class == lower) {
			changes++
		}
		last = class
	}
	if len(s) < minRandom {
		return false
	}
	return 5*changes >= len(s) || randomLetters(s)
}

// letterBits is how much likelier each letter is within words than among letters
// drawn by lot, in tenths of a bit: counted in the names of some hundred thousand
// packages, since what is to be told from secrets is named like those.
var letterBits = [26]int{11, -7, 3, -1, 13, -10, -7, -8, 9, -26, -11, 4, -1, 5, 8, 2, -31, 8, 8, 9, -4, -16, -18, -20, -7, -28}

// randomLetters reports whether s has a long run of letters, with some digits or
// none, whose letters are drawn by lot. The shorter it is, the more has to speak
// for that: of the runs of 20 in those names one in three hundred is taken for
// random, and of random ones one in twenty for a word.
func randomLetters(s string) bool {
	for run := range strings.FieldsFuncSeq(strings.ToLower(s), func(r rune) bool { return strings.ContainsRune("-_.~+=", r) }) {
		bits, letters := 0, 0
		for _, r := range run {
			if r >= 'a' && r <= 'z' {
				bits += letterBits[r-'a']
				letters++
			}
		}
		limit := 0
		if len(run) < 20 {
			limit = -len(run)
		}
		if len(run) >= minRandom && 3*letters >= 2*len(run) && bits < limit {
			return true
		}
	}
	return false
}
