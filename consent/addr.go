package consent

import (
	_ "embed"
	"net/netip"
	"strings"

	"golang.org/x/net/publicsuffix"
)

//go:embed data/badports.txt
var badPortsFile string

// refusedPorts are the ports that browsers do not open.
var refusedPorts = func() map[string]bool {
	m := map[string]bool{}
	for _, line := range dataLines(badPortsFile) {
		for port := range strings.FieldsSeq(line) {
			m[port] = true
		}
	}
	return m
}()

// dataLines returns the lines of a data file without comments and blank lines.
func dataLines(file string) []string {
	var out []string
	for line := range strings.Lines(file) {
		line = strings.TrimRight(line, "\n")
		if line != "" && !strings.HasPrefix(line, "#") {
			out = append(out, line)
		}
	}
	return out
}

func prefixes(texts ...string) []netip.Prefix {
	var out []netip.Prefix
	for _, t := range texts {
		out = append(out, netip.MustParsePrefix(t))
	}
	return out
}

// Ranges from the IANA special-purpose address registries (RFC 6890) and the
// documentation of the clouds.
var (
	privateRanges = prefixes("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "169.254.0.0/16",
		"198.18.0.0/15", "fc00::/7", "fe80::/10", "fec0::/10")

	// unusableRanges hold no page, or wrap an IPv4 address that would be hidden:
	// this network, IETF protocol assignments, multicast, reserved and
	// broadcast; unspecified and IPv4-compatible, translated (NAT64, SIIT),
	// discard-only, Teredo, 6to4 and multicast.
	unusableRanges = prefixes("0.0.0.0/8", "192.0.0.0/24", "224.0.0.0/4", "240.0.0.0/4",
		"::/96", "64:ff9b::/96", "64:ff9b:1::/48", "::ffff:0:0:0/96", "100::/64", "2001::/32", "2002::/16", "ff00::/8")

	// metadataAddrs answer programs inside a cloud, with credentials among other
	// things: AWS, Azure, Google and most others share the first.
	metadataAddrs = map[netip.Addr]bool{
		netip.MustParseAddr("169.254.169.254"): true,
		netip.MustParseAddr("169.254.169.123"): true, // AWS time
		netip.MustParseAddr("169.254.169.253"): true, // AWS DNS
		netip.MustParseAddr("169.254.170.2"):   true, // AWS ECS
		netip.MustParseAddr("169.254.170.23"):  true, // AWS EKS
		netip.MustParseAddr("169.254.0.23"):    true, // Tencent
		netip.MustParseAddr("169.254.42.42"):   true, // Scaleway
		netip.MustParseAddr("168.63.129.16"):   true, // Azure platform
		netip.MustParseAddr("192.0.0.192"):     true, // Oracle
		netip.MustParseAddr("100.100.100.200"): true, // Alibaba
		netip.MustParseAddr("fd00:ec2::254"):   true, // AWS
		netip.MustParseAddr("fd00:ec2::23"):    true, // AWS EKS
		netip.MustParseAddr("fd00:42::42"):     true, // Scaleway
		netip.MustParseAddr("fd20:ce::254"):    true, // Google
	}
	metadataNames = map[string]bool{
		"metadata": true, "metadata.google.internal": true, "metadata.goog": true, "metadata.azure.com": true,
		"metadata.azure.internal": true, "metadata.tencentyun.com": true, "metadata.platformequinix.com": true,
		"metadata.packet.net": true, "instance-data": true, "instance-data.ec2.internal": true,
	}
)

// localSuffixes are top names that only a person's own network knows (RFC 6762,
// RFC 8375, ICANN on name collisions and on .internal).
var localSuffixes = []string{"local", "localdomain", "lan", "home", "corp", "mail", "internal", "intranet", "private",
	"home.arpa"}

func in(addr netip.Addr, ranges []netip.Prefix) bool {
	for _, r := range ranges {
		if r.Contains(addr) {
			return true
		}
	}
	return false
}

// Zone says whose an address is, for whoever may have to reach it.
type Zone int

// The zones.
const (
	Public   Zone = iota
	Loopback      // this computer
	Private       // a network of the person's own, link-local addresses included
	Metadata      // what answers programs inside a cloud with their credentials
	Unusable      // no host, many hosts, or an IPv4 address wrapped into another
)

// ZoneOf tells the zone of an address. An IPv4-mapped one is the address in it.
func ZoneOf(addr netip.Addr) Zone {
	l := link{addr: addr.Unmap().WithZone("")}
	switch {
	case l.metadata():
		return Metadata
	case l.loopback():
		return Loopback
	case l.privateAddr():
		return Private
	case l.unusable() || !addr.IsValid():
		return Unusable
	}
	return Public
}

// plainName is the host without a trailing dot.
func (l *link) plainName() string { return strings.TrimSuffix(l.host, ".") }

// loopback reports whether the host is this computer (RFC 6761 for .localhost).
func (l *link) loopback() bool {
	if l.addr.IsValid() {
		return l.addr.IsLoopback()
	}
	return l.plainName() == "localhost" || strings.HasSuffix(l.plainName(), ".localhost")
}

func (l *link) metadata() bool {
	return metadataAddrs[l.addr] || metadataNames[l.plainName()]
}

func (l *link) unusable() bool {
	return l.addr.IsValid() && !l.addr.IsLoopback() && in(l.addr, unusableRanges)
}

func (l *link) privateAddr() bool { return l.addr.IsValid() && in(l.addr, privateRanges) }

func (l *link) publicAddr() bool {
	return l.addr.IsValid() && !l.addr.IsLoopback() && !l.privateAddr()
}

// localName reports whether only the person's own network can know the name.
func (l *link) localName() bool {
	if len(l.labels) == 0 || l.loopback() {
		return false
	}
	if len(l.labels) == 1 {
		return true
	}
	for _, suffix := range localSuffixes {
		if strings.HasSuffix("."+l.plainName(), "."+suffix) {
			return true
		}
	}
	return false
}

// listed reports whether a top-level name is in the Public Suffix List.
func listed(top string) bool {
	_, icann := publicsuffix.PublicSuffix(top)
	return icann
}
