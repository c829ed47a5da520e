// Package consent decides what a link is before a person opens it: what to
// show, what to warn of, and whether it may be opened at all.
//
// It never touches the network: no DNS, no favicon, no look at the page. All it
// knows is the text of the link and who asks ([Asker]).
//
// # One string
//
// Browsers and URL parsers disagree about hostile text, so a link that was
// checked by one and opened by the other fools people. [Assess] therefore
// accepts a strict grammar only, rebuilds the link from what it understood, and
// that canonical, all-ASCII string ([Assessment].Open) is the only one that is
// shown, copied and opened. Assessing it again gives the same string. What the
// server sent is shown for a refused link only, escaped.
//
// The steps, in this order:
//
//  1. On the raw bytes: at most 8,192 of them, UTF-8, no controls, no spaces, no
//     bidirectional controls.
//  2. "http://" or "https://" in any case, followed by anything but / ? #.
//  3. The authority ends at the first / ? #. No backslash, no @, no %, and a
//     port that is 1 to 65535, written without zeros in front.
//  4. The host is an IPv6 literal without a zone, a canonical dotted quad if its
//     last label is numeric, or a name that UTS #46 maps to labels of
//     [a-z0-9_-], each of whose Punycode labels survives the way to Unicode and
//     back.
//  5. Rebuilt: scheme, ASCII host, port unless default, and the tail with every
//     byte outside RFC 3986 percent-encoded and valid escapes kept.
//  6. net/url must parse the result to the same host and print it unchanged.
//
// # Findings
//
// What the link then is warned of is a list of findings, each with a code, a
// level and a sentence; the link's level is the highest. Codes and levels are
// the decision table of the project's URL policy (docs), made from the Chromium,
// Firefox and WebKit rules for displaying names, UTS #39 and the specification's
// section "Safe URL Handling" (MCP 2026-07-28, client/elicitation). Names
// are judged label by label: mixed alphabets, letters of another alphabet that
// all look Latin, fake digits and punctuation, names that look like a protected
// one, protected names in front of the real one.
//
// The look-alike tables only set the tone. The link is shown in ASCII, so a
// homograph that the tables miss still reads xn--….
//
// Known limits: brand words inside other names (github-login.example), typos,
// open redirects and consent screens on the genuine site are not judged; a
// proxy that puts its own name behind the original one is a false alarm.
//
// # Opening
//
// [Browser] hands the string to the default browser by argv, never through a
// shell, and refuses whatever Assess would not print unchanged.
package consent

import (
	"slices"

	"parley/consent/safetext"
)

const (
	// maxURL is the length in bytes beyond which a link is not examined.
	maxURL = 8192
	// longURL is the length in bytes from which a note says that the link is
	// long; Windows documents trouble from about here (KB 263909).
	longURL = 2048
	// maxShown bounds the escaped text of a refused link, in characters.
	maxShown = 2000
)

// Assess says what the link raw is when by asks to open it. It never fails: a
// link that cannot be understood is blocked. It takes microseconds and no more
// than 2 ms for the worst input.
func Assess(raw string, by Asker) Assessment {
	findings := checkRaw(raw)
	if len(findings) > 0 {
		return blocked(raw, findings)
	}
	l, findings := parse(raw)
	if len(findings) > 0 {
		return blocked(raw, findings)
	}
	asker := by.known()
	findings = l.check(asker)
	// Stable: among equals the fixed order of the checks stays.
	slices.SortStableFunc(findings, func(a, b Finding) int { return int(b.Level - a.Level) })
	if len(findings) > 0 && findings[0].Level == Block {
		return blocked(raw, slices.DeleteFunc(findings, func(f Finding) bool { return f.Level < Block }))
	}

	a := Assessment{
		Findings: findings,
		Open:     l.open,
		Host:     l.authority(),
		Site:     l.site,
		Button:   l.name(),
		Relation: l.relation(asker),
	}
	if len(findings) > 0 {
		a.Level = findings[0].Level
	}
	if readable(findings) {
		a.ReadsAs = l.unicode()
	}
	a.Parts = l.parts()
	a.OpenedBefore = slices.Contains(by.Opened, a.Button)
	return a
}

// blocked is the assessment of a link that will not be opened.
func blocked(raw string, findings []Finding) Assessment {
	return Assessment{Level: Block, Findings: findings, Shown: safetext.Exact(raw, maxShown)}
}
