package consent

import (
	_ "embed"
	"strings"
)

//go:embed data/protected.txt
var protectedFile string

// protected is a name that must not be imitated.
type protected struct {
	site     string   // what is shown
	label    string   // the owner's part, ASCII
	skeleton string   // of label
	tokens   []string // skeletons of the parts between dots and hyphens
}

// shortest is the length in characters of the shortest owner's part whose
// look-alikes mean anything.
const shortest = 3

// builtIn is the list of data/protected.txt, by skeleton and by first token.
var builtIn = func() (list struct{ bySkeleton, byToken map[string][]protected }) {
	list.bySkeleton, list.byToken = map[string][]protected{}, map[string][]protected{}
	for _, line := range dataLines(protectedFile) {
		for _, p := range protect(hostLink(line)) {
			list.bySkeleton[p.skeleton] = append(list.bySkeleton[p.skeleton], p)
			list.byToken[p.tokens[0]] = append(list.byToken[p.tokens[0]], p)
		}
	}
	return list
}()

// protect returns the name to protect for a host; none without a site.
func protect(l *link) []protected {
	if l.site == "" {
		return nil
	}
	own := l.labels[len(l.labels)-strings.Count(l.site, ".")-1:]
	p := protected{site: l.site, label: own[0].ascii, skeleton: skeleton(own[0].unicode)}
	for _, label := range own {
		for _, t := range label.tokens() {
			p.tokens = append(p.tokens, t.skeleton)
		}
	}
	return []protected{p}
}

// token is a part of a label between hyphens.
type token struct {
	skeleton string
	text     string // in Unicode
	length   int    // of the label up to the token's end
}

// opens reports whether the token is read as name with something glued to it
// that is not ASCII, as com is in com中. Only Punycode has such.
func (t token) opens(name string) bool {
	if isASCII(t.text) {
		return false
	}
	before := 0
	for i, r := range t.text {
		if before++; before > 2*len(name)+1 {
			break // rn is read as m, so that nothing longer is read as name
		}
		if r >= 0x80 && i > 0 && skeleton(t.text[:i]) == name {
			return true
		}
	}
	return false
}

// tokens splits at hyphens, since example-com is read like example.com.
// Punycode is compared as what it reads like.
func (l label) tokens() []token {
	if l.idn() {
		var out []token
		for part := range strings.SplitSeq(l.unicode, "-") {
			out = append(out, token{skeleton(part), part, len(l.ascii)})
		}
		return out
	}
	out := make([]token, 0, 1+strings.Count(l.ascii, "-"))
	end := -1
	for part := range strings.SplitSeq(l.ascii, "-") {
		end += len(part) + 1
		out = append(out, token{skeleton(part), part, end})
	}
	return out
}

// checkNames compares the name with the protected ones; extra are those of the
// person's own servers.
func (l *link) checkNames(extra []protected) []Finding {
	if len(l.labels) == 0 {
		return nil
	}
	var out []Finding
	owner := -1
	if l.site != "" {
		owner = len(l.labels) - strings.Count(l.site, ".") - 1
	}
	trusted := l.site != "" && l.isProtected(extra)
	for i, label := range l.labels[:max(0, len(l.labels)-l.icann)] {
		if label.idn() {
			if p := twinOf(skeleton(label.ascii[len("xn--"):]), extra); p != nil {
				out = append(out, find("idn-code-imitates", "Brand", p.site))
			}
		}
		if trusted || !label.idn() && i != owner {
			continue
		}
		p := twinOf(skeleton(label.unicode), extra)
		if p == nil || p.label == label.ascii {
			continue
		}
		code := "lookalike-name"
		if label.idn() {
			code = "idn-lookalike-name"
		}
		out = append(out, find(code, "Lookalike", p.site, "Site", l.name()))
		break
	}
	if brand := l.embedded(extra); brand != "" {
		out = append(out, findWorse("embedded-name", "Brand", brand, "Site", l.name()))
	} else if l.embedsAny(extra) {
		out = append(out, find("embedded-name", "Site", l.name()))
	}
	return out
}

func (l *link) isProtected(extra []protected) bool {
	owner := l.labels[len(l.labels)-strings.Count(l.site, ".")-1]
	for _, p := range builtIn.bySkeleton[skeleton(owner.unicode)] {
		if p.site == l.site {
			return true
		}
	}
	for _, p := range extra {
		if p.site == l.site {
			return true
		}
	}
	return false
}

// twinOf is the protected name whose owner's part has the skeleton s.
func twinOf(s string, extra []protected) *protected {
	if len(s) < shortest {
		return nil
	}
	if list := builtIn.bySkeleton[s]; len(list) > 0 {
		return &list[0]
	}
	for i := range extra {
		if extra[i].skeleton == s {
			return &extra[i]
		}
	}
	return nil
}

// embedded returns the start of the host up to the end of a protected name that
// it contains, "accounts.google.com" of accounts.google.com.evil.example; ""
// without one. The name may stand under another country's ending
// (google.co.uk), and something that is not ASCII may be glued to its end. A name that ends in the suffix that registries run is not
// contained, it is the site itself or a sister (google.com.br).
func (l *link) embedded(extra []protected) string {
	var all []token
	start := 0
	for _, label := range l.labels[:max(0, len(l.labels)-l.icann)] {
		for _, t := range label.tokens() {
			all = append(all, token{t.skeleton, t.text, start + t.length})
		}
		start += len(label.ascii) + 1
	}
	for i := range all {
		for _, list := range [][]protected{builtIn.byToken[all[i].skeleton], extra} {
			for k := range list {
				switch startsWith(all[i:], list[k].tokens) {
				case whole:
					return l.host[:all[i+len(list[k].tokens)-1].length]
				case glued:
					return list[k].site
				}
			}
		}
	}
	return l.embeddedAbroad(extra)
}

// match is how tokens begin with a name.
type match int

const (
	none  match = iota
	whole       // with all of it
	glued       // with all of it, and something that is not ASCII goes on at once
)

func startsWith(all []token, want []string) match {
	if len(all) < len(want) {
		return none
	}
	last := len(want) - 1
	for i := range last {
		if all[i].skeleton != want[i] {
			return none
		}
	}
	switch {
	case all[last].skeleton == want[last]:
		return whole
	case all[last].opens(want[last]):
		return glued
	}
	return none
}
