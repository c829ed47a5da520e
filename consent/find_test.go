package consent

import (
	"slices"
	"strings"
	"testing"
)

func TestLinksAreFoundInProse(t *testing.T) {
	tests := []struct {
		text string
		want []string
	}{
		{"", nil},
		{"no link, not even http:// or https://", nil},
		{"javascript:alert(1) file:///etc/passwd ftp://x.example/ xhttps://x.example/", nil},
		{"Sign in first: https://svc.example/a?x=1&y=2", []string{"https://svc.example/a?x=1&y=2"}},
		{"HTTPS://SVC.example/A.", []string{"HTTPS://SVC.example/A"}},
		{"See (https://en.wikipedia.example/wiki/Go_(game)), or http://b.example!", []string{"https://en.wikipedia.example/wiki/Go_(game)", "http://b.example"}},
		{"[click](https://evil.example/x) <https://a.example/>\"https://b.example/\"", []string{"https://evil.example/x", "https://a.example/", "https://b.example/"}},
		{"https://a.example/ https://a.example/", []string{"https://a.example/"}},
		{"请打开https://账号.中国/登录，谢谢。https://例子。测试。", []string{"https://账号.中国/登录", "https://例子。测试"}},
		{"https://a.example/?next=https://b.example/", []string{"https://a.example/?next=https://b.example/"}},
		{"https://bank.example@evil.example/\nhttp://[::1]:80/x", []string{"https://bank.example@evil.example/", "http://[::1]:80/x"}},
		{"https://exa\u202Emple.com/ https://a.example/\x00b", []string{"https://exa\u202Emple.com/", "https://a.example/"}},
	}
	for _, test := range tests {
		if got := LinksIn(test.text, 20); !slices.Equal(got, test.want) {
			t.Errorf("%q: %q, want %q", test.text, got, test.want)
		}
	}
	if got := LinksIn(strings.Repeat("https://a.example/ https://b.example/ https://c.example/ ", 1000), 2); len(got) != 2 {
		t.Errorf("%d links, want 2", len(got))
	}
}

func FuzzLinksIn(f *testing.F) {
	f.Add("Sign in first: https://svc.example/a?x=1&y=2.")
	f.Add("请打开https://账号.中国/登录，谢谢。")
	f.Fuzz(func(t *testing.T, text string) {
		links := LinksIn(text, 10)
		if len(links) > 10 {
			t.Fatalf("%d links", len(links))
		}
		for i, link := range links {
			if !strings.Contains(text, link) || slices.Contains(links[:i], link) || !strings.EqualFold(link[:4], "http") {
				t.Fatalf("%q in %q", link, text)
			}
		}
	})
}
