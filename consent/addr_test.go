package consent

import "testing"

func TestAddressesAreWhatTheyLookLikeOrRefused(t *testing.T) {
	tests := []struct {
		host, code string
		level      Level
	}{
		{"203.0.113.10", "ip-address", Info},
		{"8.8.8.8", "ip-address", Info},
		{"[2001:db8::10]", "ip-address", Info},
		{"[2606:4700:4700::1111]", "ip-address", Info},
		{"10.0.0.1", "private-network", Caution},
		{"192.168.1.1", "private-network", Caution},
		{"169.254.7.7", "private-network", Caution},
		{"100.64.0.1", "private-network", Caution},
		{"[fd12::1]", "private-network", Caution},
		{"[fe80::1]", "private-network", Caution},
		{"intranet", "local-network-name", Caution},
		{"router.lan", "local-network-name", Caution},
		{"db.prod.internal", "local-network-name", Caution},
		{"nas.local.", "local-network-name", Caution},
		{"nas.home.arpa", "local-network-name", Caution},
		{"169.254.169.254", "metadata", Block},
		{"169.254.170.2", "metadata", Block},
		{"[fd00:ec2::254]", "metadata", Block},
		{"metadata.google.internal", "metadata", Block},
		{"metadata.google.internal.", "metadata", Block},
		{"METADATA", "metadata", Block},
		{"0.0.0.0", "unusable-ip", Block},
		{"224.0.0.1", "unusable-ip", Block},
		{"255.255.255.255", "unusable-ip", Block},
		{"[::]", "unusable-ip", Block},
		{"[::7f00:1]", "unusable-ip", Block},
		{"[64:ff9b::a9fe:a9fe]", "unusable-ip", Block},
		{"[2002:7f00:1::]", "unusable-ip", Block},
		{"[ff02::1]", "unusable-ip", Block},
		{"[::ffff:169.254.169.254]", "disguised-ip", Block},
		{"0xa9fea9fe", "disguised-ip", Block},
		{"2852039166", "disguised-ip", Block},
		{"0251.0376.0251.0376", "disguised-ip", Block},
		{"127.1", "disguised-ip", Block},
		{"127.0.0.1.", "disguised-ip", Block},
		{"127.0.0.01", "disguised-ip", Block},
		{"256.1.1.1", "disguised-ip", Block},
		{"1.2.3.4.5", "disguised-ip", Block},
		{"①②⑦.0.0.1", "disguised-ip", Block},
		{"127。0。0。1", "disguised-ip", Block},
		{"example.0x", "disguised-ip", Block},
		{"127.0.0.1.nip.io", "", OK},
		{"0x7f.example", "", OK},
		{"[fe80::1%eth0]", "ipv6-zone", Block},
		{"[fe80::1%25eth0]", "ipv6-zone", Block},
		{"[1.2.3.4]", "malformed-host", Block},
		{"[]", "malformed-host", Block},
		{"[::1", "malformed-host", Block},
		{"[::1]]", "malformed-host", Block},
		{":443", "malformed-host", Block},
		{"example.com:", "bad-port", Block},
		{"example.com:0", "bad-port", Block},
		{"example.com:00443", "bad-port", Block},
		{"example.com:65536", "bad-port", Block},
		{"example.com:443:443", "bad-port", Block},
		{"example.com:22", "refused-port", Block},
		{"[2001:db8::1]:6000", "refused-port", Block},
		{"example.com:65535", "", OK},
	}
	for _, test := range tests {
		url := "https://" + test.host + "/"
		a := Assess(url, Asker{})
		if a.Level != test.level || test.code != "" && !a.Has(test.code) {
			t.Errorf("%s: %s %v, want %s with %q", url, a.Level, codes(a), test.level, test.code)
		}
	}
}

func TestAddressesAreShownInTheirShortForm(t *testing.T) {
	for raw, open := range map[string]string{
		"https://[2001:DB8:0:0:0:0:0:10]/":      "https://[2001:db8::10]/",
		"https://[2001:db8::203.0.113.10]:443/": "https://[2001:db8::cb00:710a]/",
		"https://[0:0:0:0:0:0:0:1]:8443/":       "https://[::1]:8443/",
		"http://127.0.0.1:80/":                  "http://127.0.0.1/",
	} {
		if a := Assess(raw, Asker{}); a.Open != open {
			t.Errorf("%s opens %q, want %q", raw, a.Open, open)
		}
	}
}

func TestOnlyLoopbackGoesWithoutEncryptionUnwarned(t *testing.T) {
	for url, want := range map[string]bool{
		"http://example.com/": true, "http://10.0.0.1/": true, "http://printer.local/": true,
		"https://example.com/": false, "http://localhost/": false, "http://127.0.0.1/": false, "http://[::1]/": false,
	} {
		if a := Assess(url, Asker{}); a.Has("not-encrypted") != want {
			t.Errorf("%s: %v", url, codes(a))
		}
	}
}
