package cli

import (
	"parley/consent"
)

// site is a SITE of --open, in the form that assessments use: ASCII, lower case.
type site string

// parseSite reads a SITE: a host name or address, nothing else of a URL.
func parseSite(s string) (site, error) {
	a := consent.Assess("https://"+s, consent.Asker{})
	if a.Host == "" || a.Open != "https://"+a.Host {
		return "", misuse("cli.open_malformed", "Value", s)
	}
	return site(a.Host), nil
}

// names reports whether s is the site of a, or its host where it has no site.
// Such a host may be named with or without its port.
func (s site) names(a consent.Assessment) bool {
	if a.Site != "" {
		return string(s) == a.Site
	}
	return string(s) == a.Host || string(s) == a.Button
}
