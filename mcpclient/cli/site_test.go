package cli

import (
	"testing"

	"parley/consent"
)

// A browser is started only for a URL whose site (else host) is named.
func TestASiteIsNamedExactly(t *testing.T) {
	for _, c := range []struct {
		named, url string
		want       bool
	}{
		{"example.com", "https://example.com/", true},
		{"example.com", "https://sign.example.com:8443/x", true},
		{"EXAMPLE.com", "https://example.com/", true},
		{"münchen.de", "https://xn--mnchen-3ya.de/", true},
		{"xn--mnchen-3ya.de", "https://münchen.de/", true},
		{"sign.example.com", "https://sign.example.com/", false}, // its site is example.com
		{"example.com", "https://example.com.evil.example/", false},
		{"com", "https://example.com/", false},
		{"github.io", "https://me.github.io/", false},
		{"me.github.io", "https://me.github.io/", true},
		{"localhost", "http://localhost:8080/", true},
		{"localhost:8080", "http://localhost:8080/", true},
		{"localhost:9090", "http://localhost:8080/", false},
		{"127.0.0.1", "http://127.0.0.1:5/", true},
		{"[::1]", "http://[::1]:5/", true},
	} {
		s, err := parseSite(c.named)
		if err != nil {
			t.Errorf("%q: %v", c.named, err)
			continue
		}
		if got := s.names(consent.Assess(c.url, consent.Asker{})); got != c.want {
			t.Errorf("--open %s and %s: %v, want %v", c.named, c.url, got, c.want)
		}
	}
	for _, bad := range []string{"", "https://example.com", "example.com/", "a b", "user@example.com", "x?y", "0x7f.1"} {
		if _, err := parseSite(bad); err == nil {
			t.Errorf("--open %q is taken for a site", bad)
		}
	}
}
