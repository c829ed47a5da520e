package consent

import (
	"strings"

	"golang.org/x/net/publicsuffix"
)

// endings are top-level names that people take for the end of a name. Those
// that also serve as ordinary words in names (dev, app, cloud, info) are left
// out.
var endings = map[string]bool{"com": true, "org": true, "net": true, "edu": true, "gov": true, "mil": true}

// kinds are the names under which countries register by kind: co.uk, gob.mx.
var kinds = map[string]bool{"ac": true, "co": true, "com": true, "edu": true, "go": true, "gob": true, "gouv": true, "gov": true,
	"govt": true, "gv": true, "ltd": true, "ne": true, "net": true, "nhs": true, "nom": true, "or": true, "org": true, "plc": true, "sch": true}

// words are the protected owner's parts that are also ordinary words, which
// stand in front of a country's letters in honest names (live.eu.example.com).
var words = map[string]bool{"adobe": true, "amazon": true, "apple": true, "discord": true, "linear": true, "live": true, "notion": true,
	"office": true, "outlook": true, "slack": true, "stripe": true, "zoom": true}

// isCountry reports whether a label is the top-level name of a country.
func (l label) isCountry() bool { return len(l.ascii) == 2 && listed(l.ascii) }

// endsByKind reports whether own[i:] begins with the ending of a country by kind,
// such as co.uk; states of the USA (or.us) are regions in honest names.
func endsByKind(own []label, i int) bool {
	if i+1 >= len(own) || !kinds[own[i].ascii] || len(own[i+1].ascii) != 2 || own[i+1].ascii == "us" {
		return false
	}
	name := own[i].ascii + "." + own[i+1].ascii
	suffix, icann := publicsuffix.PublicSuffix(name)
	return icann && suffix == name
}

// beforeSuffix are the labels in front of the suffix that registries run, and
// how many of them stand in front of the site.
func (l *link) beforeSuffix() (own []label, front int) {
	own = l.labels[:max(0, len(l.labels)-l.icann)]
	front = len(own)
	if l.site != "" {
		front = min(front, len(l.labels)-strings.Count(l.site, ".")-1)
	}
	return own, front
}

// embeddedAbroad is embedded for protected names under an ending by kind of
// another country: nothing honest has accounts.google.co.uk in front of its name.
func (l *link) embeddedAbroad(extra []protected) string {
	own, _ := l.beforeSuffix()
	for i := range own {
		if !endsByKind(own, i+1) || brandOf(own[i], extra) == nil {
			continue
		}
		length := -1
		for _, label := range own[:i+3] {
			length += len(label.ascii) + 1
		}
		return l.host[:length]
	}
	return ""
}

// brandOf is the protected name whose owner's part label is or, after a hyphen,
// ends in; nil without one.
func brandOf(l label, extra []protected) *protected {
	s := skeleton(l.unicode)
	if p := twinOf(s[strings.LastIndexByte(s, '-')+1:], extra); p != nil {
		return p
	}
	for i := range extra {
		if s == extra[i].skeleton || strings.HasSuffix(s, "-"+extra[i].skeleton) {
			return &extra[i]
		}
	}
	return nil
}

// embedsAny reports whether something that looks like a whole name (a.com,
// a.co.uk) stands in front of the real end of the name. A country's letters alone
// are far more often a region (tenant.eu.auth0.com), so that they count only
// where the name before them says otherwise: www.a.de, google.de.
func (l *link) embedsAny(extra []protected) bool {
	own, front := l.beforeSuffix()
	for i := 1; i < len(own); i++ {
		name := own[i].ascii
		switch {
		case endings[name], endsByKind(own, i), name == "co" && i+1 < len(own) && own[i+1].isCountry():
			return true
		case i >= front || !own[i].isCountry():
		case own[0].ascii == "www" && i > 1:
			return true
		default:
			if p := brandOf(own[i-1], extra); p != nil && !words[p.skeleton] {
				return true
			}
		}
	}
	return false
}
