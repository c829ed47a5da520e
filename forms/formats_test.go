package forms

import (
	"strings"
	"testing"
)

// TestEmailAddresses: RFC 5321 and RFC 6531, with a dot in every domain.
func TestEmailAddresses(t *testing.T) {
	good := []string{
		"joe.bloggs@example.com", "te~st@example.com", "~test@example.com", "test~@example.com", `"joe bloggs"@example.com`,
		`"joe..bloggs"@example.com`, `"joe@bloggs"@example.com`, "joe.bloggs@[127.0.0.1]", "joe.bloggs@[IPv6:::1]", "te.s.t@example.com",
		"riedgar+guidelines@example.com", "실례@실례.테스트", "用户@例子.中国", "a@xn--bcher-kva.example", "A@B.C1", strings.Repeat("a", 64) + "@b.cn",
		`"a\"b"@c.de`, `"a\\"@c.de`,
	}
	bad := []string{
		"", "2962", ".test@example.com", "test.@example.com", "te..st@example.com", "joe.bloggs@invalid=domain.com", "joe.bloggs@[127.0.0.300]",
		"joe.bloggs@[IPv6:127.0.0.1]", "joe.bloggs@[::1]", "joe.bloggs@[IPv6:::1%eth0]", `""@b.cn`, `"a"b"@b.cn`, "a b@c.de", "a@b_c.de", "a@b.c-", "@", "a@@b.cn",
		"joe@bloggs@example.com", "a@.", "a@b.", "a@.b", "lin@travel", "a@localhost", "root@intranet", `"a\"@c.de`, "a\u200b@b.cn", "a\n@b.cn", "user@example.com,joe@example.com", "Joe <joe@example.com>", "a@b.1",
	}
	for _, s := range good {
		if problem := parseEmail(s); !problem.IsZero() {
			t.Errorf("%q is refused", s)
		}
	}
	for _, s := range bad {
		if problem := parseEmail(s); problem.IsZero() {
			t.Errorf("%q is accepted", s)
		}
	}
}

// TestURIs: RFC 3986, absolute ones.
func TestURIs(t *testing.T) {
	good := []string{
		"http://foo.bar/?baz=qux#quux", "http://foo.com/blah_(wikipedia)_blah#cite-1", "http://foo.bar/?q=Test%20URL-encoded%20stuff",
		"http://xn--nw2a.xn--j6w193g/", "http://-.~_!$&'()*+,;=:%40:80%2f::::::@example.com", "http://223.255.255.254", "ftp://ftp.is.co.za/rfc/rfc1808.txt",
		"http://www.ietf.org/rfc/rfc2396.txt", "ldap://[2001:db8::7]/c=GB?objectClass?one", "mailto:John.Doe@example.com", "news:comp.infosystems.www.servers.unix",
		"tel:+1-816-555-1212", "urn:oasis:names:specification:docbook:dtd:xml:4.1.2", "HTTPS://EXAMPLE.COM", "https://a?b", "https://a#b", "file:///etc/hosts", "a+b.c-1:x",
		"https://example.com:/", "https://localhost:65536/", "http://[::ffff:1.2.3.4]/",
	}
	bad := []string{
		"", "//foo.bar/?baz=qux#quux", "/abc", `\\WINDOWS\fileshare`, "abc", "http:// shouldfail.com", ":// should fail", "bar,baz:foo",
		"https://[@example.org/test.txt", `https://example.org/foobar\.txt`, "https://example.org/foobar<>.txt", "https://example.org/foobar{}.txt",
		"https://example.org/foobar^.txt", "https://example.org/foobar`.txt", "https://example.org/foo bar.txt", "https://example.org/foobar|.txt",
		"https://", "http:", "https:/a", "https://:80/", "https://u@/", "https://?a", "https://#a", "https://a/%", "https://a/%4", "https://a/%4g", "https://[::1", "https://[::1]x/",
		"https://[fe80::1%25eth0]/", "https://a:8o/", "https://a@b@c/", "https://a]/", "https://a/[b]", "https://a/?[", "https://例子.中国/", "x:", "\x00:a", "a:\x7f",
	}
	for _, s := range good {
		if problem := parseURI(s); !problem.IsZero() {
			t.Errorf("%q is refused: %s", s, english.Text(problem))
		}
	}
	for _, s := range bad {
		if problem := parseURI(s); problem.IsZero() {
			t.Errorf("%q is accepted", s)
		}
	}
}

// TestURISpelling: where only the spelling is wrong, the right one is named
// and is itself accepted.
func TestURISpelling(t *testing.T) {
	for s, want := range map[string]string{
		"https://例子.中国/路":            "https://xn--fsqu00a.xn--fiqs8s/%E8%B7%AF",
		"https://example.com/a b":    "https://example.com/a%20b",
		"https://example.com?q=é#ü":  "https://example.com?q=%C3%A9#%C3%BC",
		`https://example.com/<"x">|`: "https://example.com/%3C%22x%22%3E%7C",
		"mailto:josé@example.com":    "mailto:jos%C3%A9@example.com",
	} {
		problem := parseURI(s)
		if problem.ID != "forms.error.uriEncode" && problem.ID != "forms.error.uriSigns" || problem.Data["Right"] != want {
			t.Errorf("%q: %s, want %s", s, english.Text(problem), want)
		}
		if again := parseURI(want); !again.IsZero() {
			t.Errorf("the spelling %q is refused itself", want)
		}
	}
}

// TestLengthsOfLoneSurrogates: each is one code point.
func TestLengthsOfLoneSurrogates(t *testing.T) {
	for s, want := range map[string]int{"": 0, "a龙🎉": 3, "\xED\xA0\x80": 1, "a\xED\xA0\x80b\xED\xBF\xBF": 4, "\xff": 1, "👩‍👧": 3} {
		if got := codePoints(s); got != want {
			t.Errorf("%q has %d code points, want %d", s, got, want)
		}
	}
}
