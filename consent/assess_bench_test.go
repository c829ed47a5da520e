package consent

import (
	"strconv"
	"strings"
	"testing"
)

var benchURLs = []struct{ name, url string }{
	{"ordinary", "https://accounts.google.com/o/oauth2/v2/auth?client_id=1234567890-abc.apps.googleusercontent.com&redirect_uri=https%3A%2F%2Fmcp.example.com%2Foauth%2Fcallback&scope=openid&state=6f2c9d0e7b1a4c5d"},
	{"international", "https://login.münchen.de/anmelden"},
	{"worst-ascii-tail", "https://example.com/" + strings.Repeat("|", 8000/3-20)},
	{"worst-refused", "https://example.com/" + strings.Repeat("\u200b", 2700)},
	{"worst-host", "https://" + strings.Repeat("中", 340) + ".com/"},
	{"worst-labels", "https://" + strings.Repeat("а.", 126) + "рф/" + strings.Repeat("a", 7000)},
	{"worst-punycode", "https://" + strings.Repeat("xn--80ak6aa92e.", 16) + "com/"},
	{"worst-ascii-labels", "https://" + strings.Repeat("a-b.", 62) + "com/" + strings.Repeat("%41", 2600)},
	{"worst-expanding", "https://" + strings.Repeat("ﷺ.", 256) + "com/" + strings.Repeat("日", 2300)},
	{"worst-marks", "https://" + strings.Repeat("\u0344\u0338", 250) + ".com/" + strings.Repeat("|", 2300)},
	{"worst-emoji", "https://" + strings.Repeat("\U0001F469\u200D-а.", 60) + "com/" + strings.Repeat("日", 700)},
	{"worst-punycode-bomb", "https://" + strings.Repeat("xn--zcaaaaaaaaaaaaaaaaaa.", 10) + "com/" + strings.Repeat("日", 700)},
	{"worst-brands", "https://" + strings.Repeat("google.com-𝐚.", 14) + "com/" + strings.Repeat("日", 700)},
	{"worst-glued", "https://" + strings.Repeat("google.coмéééééééé.", 11) + "com/" + strings.Repeat("日", 700)},
	{"worst-long-label", "https://" + strings.Repeat("a\u0301", 340) + ".com/"},
}

// The policy's limits are 100 µs for ordinary links and 2 ms for the worst one of
// 8 KiB.
func BenchmarkAssess(b *testing.B) {
	for _, bench := range benchURLs {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Assess(bench.url, Asker{Remote: true, Host: "mcp.travel.example"})
			}
		})
	}
	many := Asker{Remote: true, Host: "mcp.travel.example"}
	for i := range 50 {
		many.Protected = append(many.Protected, "mcp"+strconv.Itoa(i)+".server-"+strconv.Itoa(i)+".example")
	}
	b.Run("ordinary-of-50-servers", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			Assess(benchURLs[0].url, many)
		}
	})
}
