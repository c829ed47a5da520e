package consent

import (
	"net/netip"
	"testing"
)

func TestTheZoneOfAnAddress(t *testing.T) {
	for address, want := range map[string]Zone{
		"93.184.216.34": Public, "2606:2800:220:1:248:1893:25c8:1946": Public,
		"127.0.0.1": Loopback, "127.9.9.9": Loopback, "::1": Loopback, "::ffff:127.0.0.1": Loopback,
		"10.0.0.1": Private, "192.168.1.1": Private, "172.31.0.1": Private, "100.64.0.1": Private, "fd00::1": Private,
		"fe80::1": Private, "fe80::1%eth0": Private, "169.254.1.1": Private, "::ffff:10.0.0.1": Private,
		"169.254.169.254": Metadata, "fd00:ec2::254": Metadata, "168.63.129.16": Metadata, "::ffff:169.254.169.254": Metadata,
		"0.0.0.0": Unusable, "::": Unusable, "224.0.0.1": Unusable, "255.255.255.255": Unusable, "2002::1": Unusable, "64:ff9b::1": Unusable,
	} {
		if got := ZoneOf(netip.MustParseAddr(address)); got != want {
			t.Errorf("%s: %d, want %d", address, got, want)
		}
	}
	if ZoneOf(netip.Addr{}) != Unusable {
		t.Error("no address at all may be reached")
	}
}
