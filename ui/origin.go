package ui

import (
	"strings"

	"parley/consent"
	"parley/consent/safetext"
	"parley/mcpclient"
	"parley/ui/kit"
)

// maxOrigin bounds what a banner can be opened to show of where a server is, in
// code points. The page that asks for leave to start a program shows all of its
// command.
const maxOrigin = 4000

// originRuns writes where a server is: of an address with the site in bold, of
// a program its command.
func originRuns(v *surroundings, id mcpclient.Identity, parts []consent.Part) []kit.Run {
	own := func(s string, st kit.Style) kit.Run { return kit.Server(safetext.Line(s, maxOrigin), st) }
	var runs []kit.Run
	switch {
	case id.Transport == mcpclient.Stdio:
		runs = append(runs, kit.Own(v.t("ui.banner.program")+" ", bodyText), own(exactCommand(id.Command).String(), boldText))
	case len(parts) == 0:
		runs = append(runs, own(id.Origin, boldText))
	default:
		for _, p := range parts {
			runs = append(runs, own(p.Text, partStyle(p)))
		}
	}
	return runs
}

func partStyle(p consent.Part) kit.Style {
	if p.Role == consent.Site {
		return boldText
	}
	return bodyText
}

// What is left of a part of a long origin: enough of its end to know it by.
const (
	partMost = 12
	partHead = 4
	partTail = 6
)

// shortOrigin writes where a server is on two short lines: of an address its
// site, which says whose it is, with little of what stands before; of a program
// the program, with as many of its arguments as there is room for.
func shortOrigin(v *surroundings, id mcpclient.Identity, parts []consent.Part) []kit.Run {
	switch {
	case id.Transport == mcpclient.Stdio && len(id.Command) > 0:
		short := append([]string{middleOut(id.Command[0], siteMost, siteHead, siteTail)}, id.Command[1:]...)
		return []kit.Run{kit.Own(v.t("ui.banner.program_short")+" ", bodyText),
			kit.Server(safetext.Line(exactCommand(short).String(), maxOrigin), boldText)}
	case len(parts) == 0:
		return []kit.Run{kit.Server(line(middleOut(id.Origin, siteMost, siteHead, siteTail)), boldText)}
	}
	var runs []kit.Run
	for _, p := range parts {
		text := middleOut(p.Text, partMost, partHead, partTail)
		if p.Role == consent.Site {
			text = middleOut(p.Text, siteMost, siteHead, siteTail)
		}
		runs = append(runs, kit.Server(line(text), partStyle(p)))
	}
	return runs
}

// middleOut is s with its middle left out if it has more than most characters.
func middleOut(s string, most, head, tail int) string {
	r := []rune(strings.ToValidUTF8(s, "\uFFFD"))
	if len(r) <= most {
		return s
	}
	return string(r[:head]) + "…" + string(r[len(r)-tail:])
}
