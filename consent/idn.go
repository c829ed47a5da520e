package consent

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// checkLetters judges every Punycode label of the name, except those of a suffix
// that registries run. Each class is named once, at its highest level.
func (l *link) checkLetters() []Finding {
	var out []Finding
	add := func(f Finding) {
		i := slices.IndexFunc(out, func(have Finding) bool { return have.Code == f.Code })
		switch {
		case i < 0:
			out = append(out, f)
		case out[i].Level < f.Level:
			out[i] = f
		}
	}
	own, top := l.labels, label{}
	if len(own) > 0 && listed(own[len(own)-1].ascii) {
		own, top = own[:max(0, len(own)-l.icann)], own[len(own)-1]
	}
	for i, label := range own {
		if !label.idn() {
			continue
		}
		j := judge(label.unicode, top)
		if i > 0 && own[i-1].ascii != "www" && endsAtSlash(label.unicode) && !slices.Contains(j.codes, "idn-fake-punctuation") {
			j.codes = append(j.codes, "idn-fake-punctuation")
		}
		// A top-level name that does not exist, in letters that read com or org.
		fakeTop := i == len(l.labels)-1 && endings[latinized(label.unicode)]
		if j.lookalike || fakeTop {
			add(find("idn-all-lookalikes", "Lookalike", l.with(i, latinized(label.unicode)), "Site", l.name()))
		}
		if j.mixed == Danger {
			add(findWorse("idn-mixed-scripts"))
		}
		for _, code := range j.codes {
			add(find(code))
		}
	}
	return out
}

// with is the name up to the site's end with label i replaced.
func (l *link) with(i int, text string) string {
	names := make([]string, 0, len(l.labels))
	for k, label := range l.labels {
		if k == i {
			names = append(names, text)
		} else {
			names = append(names, label.ascii)
		}
	}
	return strings.Join(names[min(i, max(0, len(names)-l.icann-1)):], ".")
}

// judgement is what was found about the letters of one label.
type judgement struct {
	lookalike bool     // all its letters look like ASCII ones
	mixed     Level    // how bad its mix of scripts is; OK for none
	codes     []string // the other findings
}

// judge looks at a label in Unicode, which stands under the top-level name top,
// empty if that is none that exists.
func judge(label string, top label) judgement {
	var j judgement
	runes := []rune(label)
	scripts := scriptSet(0)
	accented := false
	for _, r := range runes {
		s := scriptOf(r)
		scripts |= s
		accented = accented || s == latin && r >= 0x80
	}
	add := func(on bool, code string) {
		if on {
			j.codes = append(j.codes, code)
		}
	}
	j.mixed = mix(scripts, accented)
	j.lookalike = allTwins(runes, scripts, top)
	add(fakesPunctuation(runes, top.ascii), "idn-fake-punctuation")
	add(fakesDigits(runes), "idn-fake-digits")
	add(stacksMarks(runes), "idn-stacked-marks")
	add(j.mixed == Caution, "idn-mixed-scripts")
	add(scripts&rare != 0, "idn-rare-script")
	add(slices.ContainsFunc(runes, isSymbol), "idn-symbols")
	add(strings.ContainsAny(label, "\u200C\u200D"), "idn-joiner")
	add(slices.ContainsFunc(runes, func(r rune) bool { return unusual(r, top.ascii) }), "idn-unusual-letters")
	return j
}

// mix grades a mix of scripts (UTS #39, section 5.2): Highly Restrictive is
// fine, Latin with one more recommended script is Moderately Restrictive, and
// the scripts that look like Latin must not meet it at all.
func mix(s scriptSet, accented bool) Level {
	switch {
	case s.single():
		return OK
	case s.highlyRestrictive():
		if accented {
			return Caution
		}
		return OK
	case s&latin != 0 && s&(european|rare) == 0 && (s &^ latin).single():
		return Caution
	}
	return Danger
}

// allTwins reports whether every letter of the label is, or looks like, an ASCII
// letter or digit, so that the label reads as a Latin word that it is not.
func allTwins(runes []rune, scripts scriptSet, top label) bool {
	if scripts == latin {
		return allLatinTwins(runes)
	}
	if scripts == latin|han || scripts == han {
		// 〇 is the one ideograph that reads as a letter inside a Latin word.
		return scripts&latin != 0 && !slices.ContainsFunc(runes, func(r rune) bool { return r >= 0x80 && r != '〇' })
	}
	for _, t := range twinScripts {
		if scripts != t.script {
			continue
		}
		if slices.Contains(t.tlds, top.ascii) || top.idn() && scriptsOf(top.unicode)&t.script != 0 {
			return false
		}
		foreign := false
		for _, r := range runes {
			foreign = foreign || strings.ContainsRune(notRussian, r)
		}
		letters := 0
		for _, r := range runes {
			if scriptOf(r) == 0 {
				continue
			}
			letters++
			strong := strings.ContainsRune(t.letters, r)
			weak := t.script == cyrillic && foreign && strings.ContainsRune(weakTwins, r)
			if !strong && !weak {
				return false
			}
		}
		return letters > 0
	}
	return false
}

// allLatinTwins is allTwins for a label in Latin letters: those outside ASCII are
// all phonetic letters and small capitals, which no orthography uses as plain
// letters. Letters of living languages (æ œ þ ı) do not count.
func allLatinTwins(runes []rune) bool {
	found := false
	for _, r := range runes {
		if r < 0x80 {
			continue
		}
		if _, twin := confusables[r]; !twin || strings.ContainsRune("æœþıðƒ", r) {
			return false
		}
		found = true
	}
	return found
}

func scriptsOf(s string) (set scriptSet) {
	for _, r := range s {
		set |= scriptOf(r)
	}
	return set
}

// fakesPunctuation reports whether the label has a character that reads as a
// part of a URL, or one that does so where it stands.
func fakesPunctuation(runes []rune, top string) bool {
	for i, r := range runes {
		before, after := at(runes, i-1), at(runes, i+1)
		switch {
		case r == '·':
			// The Catalan l·l (RFC 5892, appendix A.3), where registries have it:
			// elsewhere mail·live.com is read as mail.live.com.
			if top != "cat" && top != "barcelona" && top != "es" || before != 'l' || after != 'l' {
				return true
			}
		case r == '׳' || r == '״':
			if scriptOf(before) != hebrew {
				return true
			}
		case r == '٠' || r == '۰':
			if before < 0x80 && before != 0 || after < 0x80 && after != 0 {
				return true
			}
		case r == '・':
			if scriptOf(before) == latin || scriptOf(after) == latin || !isEastAsian(before) && !isEastAsian(after) {
				return true
			}
		case r == 'ー':
			if !isKana(before) && before != 'ー' {
				return true
			}
		case r == 'ヽ' || r == 'ヾ':
			if scriptOf(before) != katakana {
				return true
			}
		case slashKana[r]:
			if before != 0 && after != 0 && !isEastAsian(before) && !isEastAsian(after) {
				return true
			}
		case dashHan[r]:
			if (scriptOf(before) == latin || scriptOf(after) == latin) && !isEastAsian(before) && !isEastAsian(after) {
				return true
			}
		case fakePunctuation[r]:
			return true
		}
	}
	return false
}

// endsAtSlash reports whether the label, which follows another, is read as the
// ending of a name with a slash after it: com in google.comノ登録.example.
func endsAtSlash(label string) bool {
	for i, r := range label {
		if r >= 0x80 {
			return slashKana[r] && endings[label[:i]]
		}
	}
	return false
}

// at is the rune at i, 0 outside.
func at(runes []rune, i int) rune {
	if i < 0 || i >= len(runes) {
		return 0
	}
	return runes[i]
}

func isEastAsian(r rune) bool { return scriptOf(r)&eastAsian != 0 || r == 'ー' || r == '々' }
func isKana(r rune) bool      { return scriptOf(r)&(hiragana|katakana) != 0 }

// fakesDigits reports whether the label has digits of two systems, or consists
// of nothing but digits and letters that look like them.
func fakesDigits(runes []rune) bool {
	zero, mixed, twin, only := rune(-1), false, false, true
	for _, r := range runes {
		if unicode.Is(unicode.Nd, r) {
			z := zeroOf(r)
			mixed = mixed || zero >= 0 && z != zero
			zero = z
		}
		switch {
		case strings.ContainsRune(digitTwins, r):
			twin = true
		case r < '0' || r > '9':
			only = false
		}
	}
	return mixed || only && twin
}

// zeroOf is the zero of the decimal digits that r belongs to: the ten of a system
// stand in order (Unicode Standard, section 4.6), and every range of them starts
// with a zero.
func zeroOf(r rune) rune {
	for _, rng := range unicode.Nd.R16 {
		if r <= rune(rng.Hi) {
			return r - (r-rune(rng.Lo))%10
		}
	}
	for _, rng := range unicode.Nd.R32 {
		if r <= rune(rng.Hi) {
			return r - (r-rune(rng.Lo))%10
		}
	}
	return r
}

// stacksMarks reports whether combining marks hide behind each other or change
// a letter into another: a mark twice, three in a row, a dot over i, j or l, a
// European accent on a letter of another script, loose kana voicing marks.
func stacksMarks(runes []rune) bool {
	row := 0
	for i, r := range runes {
		if !unicode.Is(unicode.Mn, r) {
			row = 0
			continue
		}
		row++
		before := at(runes, i-1)
		switch {
		case r == lastRune(norm.NFD.String(string(before))):
			// The same mark twice, the first one perhaps composed with its letter.
			return true
		case r == '\u3099' || r == '\u309A':
			return true
		case r == '\u0307' && strings.ContainsRune("ijlı", before) && before != 0:
			return true
		case r >= 0x300 && r <= 0x339 && (before == 'ı' || row == 1 && scriptOf(before)&(latin|greek|cyrillic) == 0):
			return true
		case row > 2 && r < 0x370:
			return true
		}
	}
	return false
}

// isSymbol reports whether r is neither letter, mark, digit, hyphen nor joiner,
// nor punctuation that fakesPunctuation judges.
func isSymbol(r rune) bool {
	if r < 0x80 || r == '\u200C' || r == '\u200D' || fakePunctuation[r] {
		return false
	}
	return !unicode.In(r, unicode.L, unicode.M, unicode.Nd) && !strings.ContainsRune("·׳״・་〇", r)
}
