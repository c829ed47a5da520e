package consent

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/idna"
)

// generator makes hostile links: every class of the decision table, and what
// lies between them.
type generator struct {
	*rand.Rand
	vectors []string
}

func newGenerator(t testing.TB, seed uint64) *generator {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 728))}
	for _, v := range readVectors(t, "testdata/url_vectors.jsonl") {
		g.vectors = append(g.vectors, v.URL)
	}
	return g
}

func (g *generator) pick(from []string) string { return from[g.IntN(len(from))] }

// chance is true once in n times.
func (g *generator) chance(n int) bool { return g.IntN(n) == 0 }

// link is the next link. Go and Node read the same text only where it is UTF-8.
func (g *generator) link() string {
	var s string
	switch n := g.IntN(100); {
	case n < 40:
		s = g.patchwork()
	case n < 55:
		s = g.mutant()
	case n < 65:
		s = g.scheme() + g.ipv4() + g.end()
	case n < 72:
		s = g.scheme() + g.ipv6() + g.end()
	case n < 90:
		s = g.scheme() + g.name() + g.end()
	case n < 94:
		s = g.scheme() + g.userinfo() + g.name() + g.end()
	case n < 95:
		s = g.long()
	default:
		s = g.scheme() + g.escaped(g.plainName()) + g.end()
	}
	if g.chance(15) {
		s = g.mutate(s)
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}

func (g *generator) scheme() string {
	if g.chance(8) {
		return g.pick(genSchemes)
	}
	return "https://"
}

// end is what follows a host: port and tail.
func (g *generator) end() string {
	port := ""
	switch g.IntN(12) {
	case 0:
		port = ":" + strconv.Itoa(g.IntN(66000))
	case 1:
		port = g.pick(genAfter)
	case 2:
		port = ":" + strconv.Itoa([]int{0, 1, 22, 25, 79, 80, 443, 6000, 6667, 10080, 65535, 65536}[g.IntN(12)])
	}
	tail := g.pick(genTails)
	for g.chance(3) {
		tail += g.pick(genTails)
	}
	return port + tail
}

// mutant is a vector or a seed with a few changes.
func (g *generator) mutant() string {
	s := g.pick(hostileSeeds)
	if g.IntN(4) > 0 {
		s = g.pick(g.vectors)
	}
	for range 1 + g.IntN(3) {
		s = g.mutate(s)
	}
	return s
}

// specials are characters that a parser may drop, map or split at.
var specials = []string{"\t", "\n", "\r", " ", "\x00", "\x7f", "\\", "/", "//", "@", ":", "?", "#", "%", "%2f", "%40", "%00", "%09",
	"[", "]", ".", "..", "。", "．", "｡", "／", "＼", "＠", "：", "？", "＃", "％", "\u00AD", "\u200B", "\u200C", "\u200D", "\u2060",
	"\uFEFF", "\u202E", "\u2066", "\u061C", "\u2028", "\u3000", "\uFFFD", "\u034F", "\uFE0F", "\U000E0041", "⁄", "∕", "․", "xn--",
	"0x", "-", "_", "~", "|", "'", "\"", "<", "^", "`", "{", "ß", "ς", "İ", "K", "ſ", "ﬁ", "а", "1", "0"}

// mutate changes one place of s: puts something in, takes a byte out, doubles
// a stretch, or swaps the case.
func (g *generator) mutate(s string) string {
	if s == "" {
		return g.pick(specials)
	}
	at := g.IntN(len(s))
	to := min(len(s), at+1+g.IntN(6))
	switch g.IntN(6) {
	case 0:
		return s[:at] + string(g.anyRune()) + s[at:]
	case 1:
		return s[:at] + s[to:]
	case 2:
		return s[:to] + s[at:]
	case 3:
		return s[:at] + strings.ToUpper(s[at:to]) + s[to:]
	}
	return s[:at] + g.pick(specials) + s[at:]
}

// ipv4 is an address in one of the ways in which browsers read one, and in some
// in which they do not.
func (g *generator) ipv4() string {
	n := g.Uint32()
	if g.chance(2) {
		n = []uint32{0x7F000001, 0, 0xA9FEA9FE, 0xC0A80101, 0x0A000001, 0x08080808, 0xFFFFFFFF, 0xCB00710A}[g.IntN(8)]
	}
	parts := 1 + g.IntN(5)
	if g.chance(2) {
		parts = 4
	}
	var out []string
	for i := range parts {
		v := uint64(n >> (24 - 8*min(i, 3)) & 0xFF)
		if i == parts-1 && i < 3 {
			v = uint64(n) & (1<<(32-8*i) - 1)
		}
		if g.chance(20) {
			v += 1 << (8 * g.IntN(5))
		}
		out = append(out, fmt.Sprintf(g.pick([]string{"%d", "%d", "%d", "%d", "0x%x", "0X%X", "0%o", "00%o", "%03d", "0x%08x"}), v))
	}
	s := strings.Join(out, g.pick([]string{".", ".", ".", ".", ".", ".", "。", ".."})) + g.pick([]string{"", "", "", "", ".", ".."})
	if g.chance(10) {
		s = strings.Map(func(r rune) rune {
			if r >= '0' && r <= '9' && g.chance(2) {
				return r - '0' + []rune{'０', '𝟎', '٠', '०'}[g.IntN(4)]
			}
			return r
		}, s)
	}
	return s
}

// ipv6 is an address in brackets, valid or nearly so.
func (g *generator) ipv6() string {
	if g.chance(4) {
		return g.pick(genBrackets)
	}
	var groups []string
	for range 8 - g.IntN(2)*g.IntN(7) {
		groups = append(groups, fmt.Sprintf(g.pick([]string{"%x", "%x", "%X", "%04x", "0%x"}), g.Uint32N([]uint32{1, 1, 256, 65536, 65600}[g.IntN(5)])))
	}
	if g.chance(2) {
		groups[g.IntN(len(groups))] = ""
	}
	if g.chance(6) {
		groups[len(groups)-1] = g.ipv4()
	}
	s := strings.Join(groups, ":")
	if g.chance(3) {
		s = "::" + strings.Trim(s, ":")
	}
	return "[" + s + g.pick([]string{"", "", "", "", "", "%25eth0", "%1", "]"}) + "]"
}

// alphabets are ranges of letters that names are written in, symbols and marks
// among them.
var alphabets = [][2]rune{{'a', 'z'}, {'0', '9'}, {0xC0, 0x17F}, {0x180, 0x24F}, {0x250, 0x2AF}, {0x300, 0x36F}, {0x370, 0x3FF},
	{0x400, 0x52F}, {0x531, 0x587}, {0x591, 0x5F4}, {0x600, 0x6FF}, {0x900, 0x97F}, {0x980, 0x9FF}, {0xE01, 0xE5B}, {0x10A0, 0x10FF},
	{0x1100, 0x11FF}, {0x1200, 0x137F}, {0x13A0, 0x13FF}, {0x1D00, 0x1DBF}, {0x1E00, 0x1EFF}, {0x2010, 0x2064}, {0x2100, 0x214F},
	{0x2460, 0x24FF}, {0x3041, 0x30FF}, {0x3105, 0x312F}, {0x4E00, 0x9FFF}, {0xA4D0, 0xA4FF}, {0xAC00, 0xD7A3}, {0xFB00, 0xFB4F},
	{0xFE00, 0xFE0F}, {0xFF01, 0xFF5E}, {0x1D400, 0x1D7FF}, {0x1F300, 0x1F64F}}

// word is a label in one alphabet, or two.
func (g *generator) word() string {
	if g.chance(3) {
		return g.pick(genNames)
	}
	var b strings.Builder
	one := alphabets[g.IntN(len(alphabets))]
	two := one
	if g.chance(3) {
		two = alphabets[g.IntN(4)]
	}
	for range 1 + g.IntN(8) {
		if g.chance(3) {
			one, two = two, one
		}
		b.WriteRune(one[0] + g.Int32N(one[1]-one[0]+1))
	}
	return b.String()
}

// name is a name of words, some of them in Punycode, valid or broken.
func (g *generator) name() string {
	var labels []string
	for range 1 + g.IntN(4) {
		w := g.word()
		switch g.IntN(8) {
		case 0:
			if code, err := idna.Punycode.ToASCII(w); err == nil {
				w = code
			}
		case 1:
			w = "xn--" + g.pick([]string{"", "a", "-", "a-", "google-"}) + strconv.FormatUint(uint64(g.Uint32()), 36)
		}
		labels = append(labels, w)
	}
	s := strings.Join(labels, g.pick(genDots))
	if g.chance(3) {
		return s
	}
	return s + g.pick([]string{".com", ".com", ".com", ".de", ".рф", ".co.uk", ".github.io", ".中国", ".xn--p1ai", ".com.", ".COM", ".localhost", ".local", ".google.com"})
}

// plainName is a name of ASCII letters.
func (g *generator) plainName() string {
	return g.pick([]string{"example.com", "accounts.google.com.evil.example", "localhost", "127.0.0.1", "a.b.co.uk", "EVIL.example", "metadata.google.internal"})
}

func (g *generator) userinfo() string {
	return g.pick([]string{"user@", "a:b@", "@", "example.com@", "%40", "example.com%40", "example.com:443@", "example.com:x@", "a@b@", ":@", "ｅ＠", "example.com\\@", "example.com/@", "example.com#@", "example.com?@", "google.com ", "google.com\t@"})
}

// escaped percent-encodes some of the bytes of s, wrongly at times.
func (g *generator) escaped(s string) string {
	var b strings.Builder
	for i := range len(s) {
		switch {
		case !g.chance(8):
			b.WriteByte(s[i])
		case g.chance(6):
			b.WriteString(g.pick([]string{"%", "%%", "%2", "%zz", "%u0065", "%C0%AF"}))
		default:
			fmt.Fprintf(&b, g.pick([]string{"%%%02x", "%%%02X", "%%25%02x"}), s[i])
		}
	}
	return b.String()
}

// long is a link about as long as the limits.
func (g *generator) long() string {
	unit := g.pick([]string{"a", "a.", "%41", "%", "日", "\u0301", "xn--a.", "@", "/..", "&a=b", "|", "."})
	n := g.pick([]string{"62", "63", "64", "250", "253", "254", "1024", "2050", "8190", "9000"})
	size, _ := strconv.Atoi(n)
	repeated := strings.Repeat(unit, max(1, size/len(unit)))
	if g.chance(2) {
		return "https://" + repeated + ".com/"
	}
	return "https://example.com/" + repeated
}

// hostileSeeds are whole links that parsers are known to disagree about.
var hostileSeeds = []string{
	"https:/\\evil.example/", "https://example.com\\@evil.example/", "https://%65vil.example/", "https://0x7f.1/",
	"https://2130706433/", "https://①②⑦.0.0.1/", "https://exa\u00ADmple.com/", "https://ſlack.com/", "https://K.example/",
	"https://192.168.001.001/", "https://[fe80::1%25eth0]/", "https://example.com:99999/", "https://xn--a.com/",
	"https://example.com＠evil.example/", "https://例え。テスト/", "https://faß.de/", "https://a.b.c.d.e/..%2f../%2e%2e/x",
	"https://example.com/#", "https://example.com?", "https://example.com#x", "https://[::ffff:1.2.3.4]/", "https://[1::2::3]/",
	"https://example.com/%zz%", "https://a..b/", "https://.a/", "https://-a-.b_/", "https://a.b:80", "http://a.b:80/",
	"https://xn--mgba3gch31f060k.com/", "https://ＸＮ--mnchen-3ya.de/", "https://1.2.3.4.5/", "https://foo.09/", "https://0x.example/",
	"https://ａ．com/", "https://a\u200D.com/", "https://क\u094D\u200Dष.com/",
}

// pieces of the generator. Every list mixes what is ordinary with what parsers
// treat differently.
var (
	genSchemes = strings.Split("https:// https:// https:// http:// HTTPS:// hTTp:// https:/ https: https:/// https:\\\\ //  javascript: ftp://", " ")
	genNames   = []string{"example", "com", "evil", "google", "a", "xn--mnchen-3ya", "xn--80ak6aa92e", "xn--", "xn--a", "xn--0",
		"münchen", "中国", "ｅxample", "ſlack", "ⓖoogle", "0x7f", "127", "1", "0177", "2130706433", "08", "0x", "256", "999999999999",
		"faß", "βόλος", "ﬁ", "K", "İ", "ẞ", "a_b", "-a", "a-", "a--b", "ab--c", "א", "1א", "م", "क्\u200Dष", "a\u200Cb", "नी\u200C",
		"\u0301a", "e\u0301", "ᄀ", "가", "℀", "ⅷ", "㎖", "🍌", "❤\uFE0F", "a'b", "a!b", "a$b", "a*b", "a,b", "a;b", "a=b", "a(b", "a&b", "a+b",
		"a~b", "a{b", "a|b", "a^b", "a`b", "a\"b", "a<b", "localhost", "d\u0323\u0307", "ŀ", "·", "゠", "ゟ", "⒈com", "𝐚", "Ａ", "０", "ｘn--a", "xn--ａ", "",
		strings.Repeat("a", 63), strings.Repeat("b", 64), strings.Repeat("ü", 40)}
	genDots  = []string{".", ".", ".", ".", ".", "。", "．", "｡", "..", "․", "%2e", "\u00AD.", "\u200B."}
	genAfter = []string{"", "", "", "", "", ":443", ":80", ":8080", ":0", ":00443", ":", ":65536", ":８０", ":1e3", ":-1", ".", "..", "。", "@", "@evil.example",
		"\\", "\\@evil.example", "%00", "%", "%41", "\t", " ", "\u00A0", "\u2028", "#@evil.example", "?@evil.example", "[", "]", "|", "\u202E"}
	genBrackets = []string{"[::1]", "[::]", "[2001:db8::1]", "[2001:DB8:0:0:0:0:0:1]", "[::ffff:1.2.3.4]", "[::1.2.3.4]", "[1:2:3:4:5:6:7:8]",
		"[1:2:3:4:5:6:7::]", "[::1%25a]", "[fe80::1%a]", "[v1.a]", "[1::2::3]", "[::1", "[::01]", "[::00001]", "[1.2.3.4]", "[0:0:0:1:0:0:0:0]", "[2001:db8::1.2.3.4]", "[]"}
	genTails = []string{"", "/", "/a/b", "/a/../b", "/%2e%2e/b", "/.%2E/b", "/./a", "/a%2Fb", "/a|b", "/a b", "/日本", "/%", "/%zz", "/%4", "/a\\b", "//x", "/;x=1",
		"/[a]", "/'", "/\"", "/<b>", "/^{`}", "/\u200b", "/\u202E", "/a%00b", "?", "?a=b", "?a'b", "?a|b", "?\\", "#", "#x", "#a#b", "#%", "/?#", "/a?b/../c", "/a/..", "/a/.", "/%2e", "/..;/a", "/:80", "/@x", "/*"}
)

// anyRune is any code point, those that names are written in more often.
func (g *generator) anyRune() rune {
	r := g.Rand
	return rune(r.IntN([]int{0x250, 0x600, 0x3100, 0x10000, 0x20000, 0x110000}[r.IntN(6)]))
}

// patchwork puts a link together from the pieces.
func (g *generator) patchwork() string {
	r, pick := g.Rand, g.pick
	var b strings.Builder
	if r.IntN(2) == 0 {
		b.WriteString("https://")
	} else {
		b.WriteString(pick(genSchemes))
	}
	if r.IntN(20) == 0 {
		b.WriteString(pick([]string{"user@", "a:b@", "@", "example.com@", "%40", "example.com%40"}))
	}
	if r.IntN(12) == 0 {
		b.WriteString(pick(genBrackets))
	} else {
		for i := range 1 + r.IntN(4) {
			if i > 0 {
				b.WriteString(pick(genDots))
			}
			name := pick(genNames)
			if r.IntN(2) == 0 {
				name = pick(genNames[:5])
			}
			switch r.IntN(12) {
			case 0, 1:
				name += pick(genNames)
			case 2:
				name += string(g.anyRune())
			}
			b.WriteString(name)
		}
		if r.IntN(2) == 0 {
			b.WriteString(".com")
		}
	}
	b.WriteString(pick(genAfter))
	b.WriteString(pick(genTails))
	if r.IntN(4) == 0 {
		b.WriteString(pick(genTails))
	}
	return b.String()
}
