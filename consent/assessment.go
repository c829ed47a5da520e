package consent

import (
	"fmt"

	"parley/assets/i18n"
	"parley/consent/safetext"
)

// Level says how much a URL asks of the person. Levels are ordered: a higher
// one is worse.
type Level int

const (
	// OK: nothing to say.
	OK Level = iota
	// Info: a grey note that asks nothing of the person.
	Info
	// Caution: an amber warning; the URL can be opened.
	Caution
	// Danger: a red warning; opening needs a tick that says "I know this site
	// and expected this".
	Danger
	// Block: not opened at all; only the escaped text is shown.
	Block
)

var levelNames = [...]string{"ok", "info", "caution", "danger", "block"}

// String returns the level's name on the command line: ok, info, caution,
// danger or block.
func (l Level) String() string {
	if l < OK || l > Block {
		return fmt.Sprintf("Level(%d)", int(l))
	}
	return levelNames[l]
}

// Finding is one thing that the person should know about a URL.
type Finding struct {
	// Code names the class, a row of the decision table ("userinfo",
	// "idn-mixed-scripts"); it is stable and part of the command line.
	Code string
	// Level is what this finding alone would make of the URL.
	Level Level
	// Text is the sentence for the person.
	Text i18n.Message
}

// Role says how a part of the URL is drawn.
type Role int

const (
	// Muted is everything that does not decide who is behind the URL.
	Muted Role = iota
	// Site is the registrable domain, or the whole host (without the port)
	// where there is none: what the person has to look at.
	Site
)

// Part is a piece of Assessment.Open. All parts, joined, are exactly Open.
type Part struct {
	Text string
	Role Role
}

// Relation says how the site of a URL relates to the server that asks.
type Relation int

const (
	// NoRelation: the URL is blocked, or the asker has no site to compare with.
	NoRelation Relation = iota
	// OwnSite: the URL leads to the site of the server that asks.
	OwnSite
	// OtherSite: it leads elsewhere, which is normal for sign-in pages.
	OtherSite
)

// Asker is who wants the URL opened, as the app knows it. It is plain data.
// The zero Asker is a local server of which nothing is known.
type Asker struct {
	// Remote is false for a program on this computer (stdio) and for a server
	// on a loopback host, true for every other server.
	Remote bool
	// Host is the host of the server's address, with or without a port; empty
	// for stdio.
	Host string
	// Protected are further names that must not be imitated: the hosts or
	// sites of the person's own servers. Host and the built-in list are always
	// protected as well.
	Protected []string
	// Opened are the sites (Assessment.Button) that the person opened for this
	// server before. Full URLs are never kept.
	Opened []string
}

// Assessment is what the app makes of one URL. It is plain data.
type Assessment struct {
	// Level is the highest level among Findings, OK without any.
	Level Level
	// Findings, the highest level first, otherwise in a fixed order.
	Findings []Finding

	// Open is the canonical ASCII string: it is what is shown, copied and, byte
	// for byte, opened. Empty if blocked, as are Host, Site, ReadsAs and Parts.
	Open string
	// Host is the host in Open, with its port if that is not the default one.
	Host string
	// Site is the registrable domain in ASCII; empty for addresses, for
	// localhost and for names without an owner's part.
	Site string
	// ReadsAs is Host in Unicode: only for an international name that nothing
	// but its being international was found about, else empty.
	ReadsAs string
	// Parts is Open cut into what is muted and what stands out.
	Parts []Part
	// Button is what the Open button names and what the history keeps: Site,
	// else Host without port. Empty if blocked.
	Button string
	// Relation compares Button with the asker.
	Relation Relation
	// OpenedBefore is set if Button is among Asker.Opened.
	OpenedBefore bool

	// Shown is the raw text with everything hidden made visible. It is set for
	// a blocked URL only, which is shown, never opened and never copied.
	Shown safetext.Text
}

// Has reports whether a finding with the code is present.
func (a Assessment) Has(code string) bool {
	for _, f := range a.Findings {
		if f.Code == code {
			return true
		}
	}
	return false
}

// Sentences returns the texts of the findings with their levels, highest
// first, each sentence once: several codes share one.
func (a Assessment) Sentences() []Finding {
	var out []Finding
	seen := map[string]bool{}
	for _, f := range a.Findings {
		key := f.Text.ID + fmt.Sprint(f.Text.Data)
		if !seen[key] {
			seen[key] = true
			out = append(out, f)
		}
	}
	return out
}

// Notes are quiet sentences that are no findings: that the site is the server's
// own, and whether the person has opened it for this server before; the last one
// names the site only where no sentence about the site stands before it. There are
// none about a blocked URL.
func (a Assessment) Notes() []i18n.Message {
	if a.Level == Block {
		return nil
	}
	named, unnamed := "consent.first-time", "consent.first-time-it"
	if a.OpenedBefore {
		named, unnamed = "consent.opened-before", "consent.opened-before-it"
	}
	switch a.Relation {
	case OwnSite:
		return []i18n.Message{i18n.M("consent.own-site", "Site", a.Button), i18n.M(unnamed)}
	case OtherSite: // of which the finding speaks
		return []i18n.Message{i18n.M(unnamed)}
	}
	return []i18n.Message{i18n.M(named, "Site", a.Button)}
}
