package consent

import (
	"net/url"
	"strings"
)

// check lists all findings about a link that the grammar accepts, in a fixed
// order within each level.
func (l *link) check(by known) []Finding {
	var out []Finding
	add := func(on bool, code string, namesAndValues ...any) {
		if on {
			out = append(out, find(code, namesAndValues...))
		}
	}
	local := l.loopback()

	add(l.metadata(), "metadata")
	add(l.unusable(), "unusable-ip")
	add(refusedPorts[l.port], "refused-port")

	add(l.disguised, "idn-disguised-letters", "Site", l.name())
	out = append(out, l.checkNames(by.names)...)
	out = append(out, l.checkLetters()...)

	if local && by.remote {
		out = append(out, findWorse("this-computer"))
	}
	add(l.scheme == "http" && !local, "not-encrypted")
	add(l.privateAddr(), "private-network")
	add(l.localName(), "local-network-name")
	add(strings.HasSuffix(l.host, "."), "trailing-dot")
	add(l.noOwner(), "no-owner-part")
	add(downloads(l.tail), "download")

	add(local && !by.remote, "this-computer")
	add(l.publicAddr(), "ip-address")
	add(l.private && l.site != l.suffix, "shared-hosting", "Suffix", l.suffix, "Site", l.site)
	add(l.international(), "idn", "Name", l.host)
	add(len(l.open) > longURL, "very-long")
	if l.relation(by) == OtherSite {
		out = append(out, find("other-site", "Site", l.name(), "Server", by.home.name()))
	}
	return out
}

// international reports whether any label is Punycode.
func (l *link) international() bool {
	for _, label := range l.labels {
		if label.idn() {
			return true
		}
	}
	return false
}

// noOwner reports whether the name is one under which registries register, such
// as com.au, so that nobody can be named as its owner.
func (l *link) noOwner() bool {
	if l.site != "" || len(l.labels) == 0 || l.loopback() {
		return false
	}
	return len(l.labels) > 1 || listed(l.labels[0].ascii)
}

// programs are the endings of files that a system runs or installs when a
// person opens what the browser has fetched.
var programs = map[string]bool{
	"apk": true, "appimage": true, "appinstaller": true, "bat": true, "chm": true, "cmd": true, "command": true,
	"cpl": true, "deb": true, "desktop": true, "dmg": true, "exe": true, "flatpakref": true, "gadget": true,
	"hta": true, "img": true, "iso": true, "jar": true, "jnlp": true, "jse": true, "lnk": true, "mobileconfig": true,
	"mpkg": true, "msc": true, "msi": true, "msix": true, "msixbundle": true, "msp": true, "pif": true, "pkg": true,
	"ps1": true, "psm1": true, "reg": true, "rpm": true, "run": true, "scf": true, "scr": true, "sh": true,
	"snap": true, "url": true, "vbe": true, "vbs": true, "vhd": true, "vhdx": true, "webloc": true, "wsf": true,
	"wsh": true, "xpi": true,
}

// downloads reports whether the path names a program.
func downloads(tail string) bool {
	path := tail
	if i := strings.IndexAny(path, "?#"); i >= 0 {
		path = path[:i]
	}
	file := path[strings.LastIndexByte(path, '/')+1:]
	if plain, err := url.PathUnescape(file); err == nil {
		file = plain
	}
	file, _, _ = strings.Cut(file, ";")
	file = strings.TrimRight(file, ". ")
	dot := strings.LastIndexByte(file, '.')
	return dot >= 0 && programs[strings.ToLower(file[dot+1:])]
}
