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
	length   int // of the label up to the token's end
}

// tokens splits at hyphens, since example-com is read like example.com.
// Punycode is compared as what it reads like.
func (l label) tokens() []token {
	if l.idn() {
		var out []token
		for _, part := range strings.Split(skeleton(l.unicode), "-") {
			out = append(out, token{part, len(l.ascii)})
		}
		return out
	}
	out := make([]token, 0, 1+strings.Count(l.ascii, "-"))
	end := -1
	for part := range strings.SplitSeq(l.ascii, "-") {
		end += len(part) + 1
		out = append(out, token{skeleton(part), end})
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
	} else if l.embedsAny() {
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
// without one. A name that ends in the suffix that registries run is not
// contained, it is the site itself or a sister (google.com.br).
func (l *link) embedded(extra []protected) string {
	var all []token
	start := 0
	for _, label := range l.labels[:max(0, len(l.labels)-l.icann)] {
		for _, t := range label.tokens() {
			all = append(all, token{t.skeleton, start + t.length})
		}
		start += len(label.ascii) + 1
	}
	for i := range all {
		for _, list := range [][]protected{builtIn.byToken[all[i].skeleton], extra} {
			for _, p := range list {
				if startsWith(all[i:], p.tokens) {
					return l.host[:all[i+len(p.tokens)-1].length]
				}
			}
		}
	}
	return ""
}

func startsWith(all []token, want []string) bool {
	if len(all) < len(want) {
		return false
	}
	for i := range want {
		if all[i].skeleton != want[i] {
			return false
		}
	}
	return true
}

// endings are top-level names that people take for the end of a name. Those
// that also serve as ordinary words in names (dev, app, cloud, info) are left
// out.
var endings = map[string]bool{"com": true, "org": true, "net": true, "edu": true, "gov": true, "mil": true}

// embedsAny reports whether something that looks like a whole name (a.com,
// a.co.uk) stands in front of the real end of the name.
func (l *link) embedsAny() bool {
	own := l.labels[:max(0, len(l.labels)-l.icann)]
	for i := 1; i < len(own); i++ {
		name := own[i].ascii
		if endings[name] || name == "co" && i+1 < len(own) && len(own[i+1].ascii) == 2 && listed(own[i+1].ascii) {
			return true
		}
	}
	return false
}
