package http

import (
	"errors"
	"strings"
	"testing"
)

func TestParseOriginSaysWhereAnAddressLeads(t *testing.T) {
	tests := []struct {
		address string
		want    Origin
	}{
		{"https://example.com/mcp?key=1", Origin{"https://example.com", "https", "example.com", "443", true, false}},
		{"HTTP://Example.COM:80", Origin{"http://example.com", "http", "example.com", "80", false, false}},
		{"https://example.com:0443/", Origin{"https://example.com", "https", "example.com", "443", true, false}},
		{"https://example.com:80/", Origin{"https://example.com:80", "https", "example.com", "80", true, false}},
		{"http://localhost:4101/mcp", Origin{"http://localhost:4101", "http", "localhost", "4101", false, true}},
		{"http://app.localhost./", Origin{"http://app.localhost.", "http", "app.localhost.", "80", false, true}},
		{"http://127.9.9.9:1/", Origin{"http://127.9.9.9:1", "http", "127.9.9.9", "1", false, true}},
		{"http://[::1]:8080/", Origin{"http://[::1]:8080", "http", "::1", "8080", false, true}},
		{"https://[::1]/", Origin{"https://[::1]", "https", "::1", "443", true, true}},
		{"http://[::ffff:127.0.0.1]/", Origin{"http://[::ffff:127.0.0.1]", "http", "::ffff:127.0.0.1", "80", false, true}},
		{"http://10.0.0.1/", Origin{"http://10.0.0.1", "http", "10.0.0.1", "80", false, false}},
		{"http://localhost.example.com/", Origin{"http://localhost.example.com", "http", "localhost.example.com", "80", false, false}},
		{"https://bücher.example/", Origin{"https://xn--bcher-kva.example", "https", "xn--bcher-kva.example", "443", true, false}},
		{"http://my_server:8000/mcp", Origin{"http://my_server:8000", "http", "my_server", "8000", false, false}},
	}
	for _, test := range tests {
		got, err := ParseOrigin(test.address)
		if err != nil || got != test.want {
			t.Errorf("%s: %+v, %v\n want %+v", test.address, got, err, test.want)
		}
	}
}

func TestParseOriginRefusesWhatIsNoServerAddress(t *testing.T) {
	tests := []struct {
		address string
		kind    AddressKind
	}{
		{"", AddressScheme},
		{"example.com/mcp", AddressScheme},
		{"ftp://example.com", AddressScheme},
		{"javascript:alert(1)", AddressScheme},
		{"https://", AddressHost},
		{"https:///mcp", AddressHost},
		{"https:example.com", AddressScheme},
		{"localhost:9741/mcp", AddressScheme},
		{"127.0.0.1:9741/mcp", AddressScheme},
		{"https:///mcp", AddressHost},
		{"https://user:canary@example.com/", AddressUser},
		{"https://canary@example.com/", AddressUser},
		{"https://example.com/#canary", AddressFragment},
		{"https://example.com/#", AddressFragment},
		{"https://example.com:0/", AddressPort},
		{"https://example.com:65536/", AddressPort},
		{"https://exa mple.com/canary", AddressInvalid},
		{"https://example.com\\@evil/canary", AddressInvalid},
		{"https://example.com/\ncanary", AddressInvalid},
		{"https://a%20b/", AddressInvalid},
		{"https://[::1/canary", AddressInvalid},
		{"https://a\u202eb.example/", AddressHost},
	}
	for _, test := range tests {
		_, err := ParseOrigin(test.address)
		fault, ok := errors.AsType[*AddressError](err)
		if !ok || fault.Kind != test.kind {
			t.Errorf("%q: %v, want the fault %s", test.address, err, test.kind)
			continue
		}
		if strings.Contains(err.Error(), "canary") {
			t.Errorf("the error repeats the address: %v", err)
		}
		if _, err := New(Endpoint{URL: test.address}, Options{}); err == nil {
			t.Errorf("New takes %q", test.address)
		}
	}
}
