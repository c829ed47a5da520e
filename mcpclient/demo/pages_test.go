package demo

import (
	"crypto/sha256"
	"encoding/base64"
	"html"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// browser is a browser as far as the page needs one: it keeps cookies.
func browser(t *testing.T) *http.Client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &http.Client{Jar: jar}
}

// visit loads a page and returns its status, headers and text.
func visit(t *testing.T, b *http.Client, url string) (*http.Response, string) {
	t.Helper()
	res, err := b.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	return res, bodyOf(t, res)
}

func bodyOf(t *testing.T, res *http.Response) string {
	t.Helper()
	defer res.Body.Close()
	all, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(all)
}

// tokenOf is the hidden token of the page's form.
func tokenOf(t *testing.T, body string) string {
	t.Helper()
	m := regexp.MustCompile(`name="token" value="([0-9a-f]+)"`).FindStringSubmatch(body)
	if m == nil {
		t.Fatalf("the page has no form:\n%s", body)
	}
	return m[1]
}

// press presses a button of the page at url as the person would.
func press(t *testing.T, b *http.Client, address, choice string) string {
	t.Helper()
	_, body := visit(t, b, address)
	res, err := b.PostForm(address, url.Values{"token": {tokenOf(t, body)}, "choice": {choice}})
	if err != nil {
		t.Fatal(err)
	}
	return bodyOf(t, res)
}

// linkOf starts link_account without a session and returns its URL and a retry.
func linkOf(t *testing.T, root, args string) (string, func(response string) needs) {
	t.Helper()
	head := `{"name":"link_account","arguments":` + args
	first := rawCall(t, root, "link_account", head+`}`)
	return first.InputRequests["connect"].Params.URL, func(response string) needs {
		t.Helper()
		return rawCall(t, root, "link_account", head+`,"requestState":"`+first.RequestState+`","inputResponses":{"connect":`+response+`}}`)
	}
}

const consent = `{"action":"accept"}`

func TestLinkingAnAccountModern(t *testing.T) {
	root := start(t, New(Options{}))
	address, retry := linkOf(t, root, `{}`)
	for range 2 {
		again := retry(consent)
		if got := again.InputRequests["connect"].Params.URL; got != address {
			t.Fatalf("until the page is done the same URL is asked for, got %q, want %q", got, address)
		}
	}
	if body := press(t, browser(t), address, "link"); !strings.Contains(body, "Example Drive is linked") {
		t.Errorf("the page after the press:\n%s", body)
	}
	if got := retry(consent); len(got.Content) != 1 || got.Content[0].Text != "Example Drive is linked." {
		t.Errorf("the call after the press: %+v", got)
	}
}

func TestLinkingAnAccountLegacy(t *testing.T) {
	root := start(t, New(Options{}))
	p := connect(t, root, "2025-11-25", both())
	res := p.call("link_account", nil, func(q *mcp.ElicitParams) *mcp.ElicitResult {
		if q.Mode != "url" || q.ElicitationID == "" {
			t.Errorf("pushed question %+v", q)
		}
		press(t, browser(t), q.URL, "link")
		return &mcp.ElicitResult{Action: accept}
	})
	if res.IsError || !strings.Contains(textOf(t, res), "is linked") {
		t.Errorf("result %q", textOf(t, res))
	}
	if got := <-p.complete; got != p.asked[0].ElicitationID {
		t.Errorf("complete for %q, want %q", got, p.asked[0].ElicitationID)
	}
}

func TestRefusingOnThePageEndsTheCall(t *testing.T) {
	root := start(t, New(Options{}))
	address, retry := linkOf(t, root, `{}`)
	press(t, browser(t), address, "refuse")
	if got := retry(consent); len(got.Content) != 1 || !strings.Contains(got.Content[0].Text, "Nothing was linked") {
		t.Errorf("after a no on the page: %+v", got)
	}
}

func TestThePageExpires(t *testing.T) {
	s := New(Options{})
	now := time.Date(2026, 10, 1, 12, 0, 0, 0, time.UTC)
	s.now = func() time.Time { return now }
	root := start(t, s)
	address, retry := linkOf(t, root, `{}`)
	now = now.Add(linkLife)
	if res, _ := visit(t, browser(t), address); res.StatusCode != http.StatusNotFound {
		t.Errorf("an expired page answers %s", res.Status)
	}
	if got := retry(consent); !got.IsError || !strings.Contains(got.Content[0].Text, "expired") {
		t.Errorf("the call of an expired page: %+v", got)
	}
}

func TestS14_TheURLHoldsOneRandomIDOnly(t *testing.T) {
	root := start(t, New(Options{}))
	shape := regexp.MustCompile(`^` + regexp.QuoteMeta(root) + `/connect/[A-Z2-7]{26}$`)
	seen := map[string]bool{}
	for range 3 {
		address, _ := linkOf(t, root, `{"service":"wang@example.org"}`)
		if !shape.MatchString(address) {
			t.Errorf("URL %q holds more than an id", address)
		}
		if seen[address] {
			t.Errorf("URL %q was given twice", address)
		}
		seen[address] = true
	}
}

func TestS15_OpeningThePageLinksNothing(t *testing.T) {
	root := start(t, New(Options{}))
	address, retry := linkOf(t, root, `{}`)
	for _, method := range []string{"GET", "HEAD", "PUT", "DELETE", "OPTIONS", "POST"} {
		req, _ := http.NewRequest(method, address, nil)
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
	}
	if got := retry(consent); got.ResultType != "input_required" {
		t.Errorf("the URL alone links: %+v", got)
	}
}

func TestOnlyThePageItselfCanPressItsButton(t *testing.T) {
	root := start(t, New(Options{}))
	address, retry := linkOf(t, root, `{}`)
	b := browser(t)
	_, body := visit(t, b, address)
	token := tokenOf(t, body)
	otherAddress, _ := linkOf(t, root, `{}`)
	_, otherBody := visit(t, b, otherAddress)

	post := func(client *http.Client, token, choice, origin string) int {
		req, _ := http.NewRequest(http.MethodPost, address, strings.NewReader(url.Values{"token": {token}, "choice": {choice}}.Encode()))
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		if origin != "" {
			req.Header.Set("Origin", origin)
		}
		res, err := client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		return res.StatusCode
	}
	cases := []struct {
		name   string
		status int
		want   int
	}{
		{"without a cookie", post(http.DefaultClient, token, "link", ""), 403},
		{"with another browser's cookie", post(browser(t), token, "link", ""), 403},
		{"without a token", post(b, "", "link", ""), 403},
		{"with another page's token", post(b, tokenOf(t, otherBody), "link", ""), 403},
		{"from another site", post(b, token, "link", "https://evil.example"), 403},
		{"from a page without an origin", post(b, token, "link", "null"), 403},
		{"without a choice", post(b, token, "", root), 400},
	}
	for _, c := range cases {
		if c.status != c.want {
			t.Errorf("a press %s: %d, want %d", c.name, c.status, c.want)
		}
	}
	if got := retry(consent); got.ResultType != "input_required" {
		t.Fatalf("one of the refused presses linked: %+v", got)
	}
	if got := post(b, token, "link", root); got != http.StatusOK {
		t.Errorf("the page's own press: %d", got)
	}
}

func TestASecondPressChangesNothing(t *testing.T) {
	root := start(t, New(Options{}))
	address, retry := linkOf(t, root, `{}`)
	b := browser(t)
	_, body := visit(t, b, address)
	token := tokenOf(t, body)
	for _, choice := range []string{"link", "link", "refuse"} {
		res, err := b.PostForm(address, url.Values{"token": {token}, "choice": {choice}})
		if err != nil {
			t.Fatal(err)
		}
		if got := bodyOf(t, res); res.StatusCode != http.StatusOK || !strings.Contains(got, "is linked") {
			t.Errorf("press of %q: %s\n%s", choice, res.Status, got)
		}
	}
	if got := retry(consent); len(got.Content) != 1 || got.Content[0].Text != "Example Drive is linked." {
		t.Errorf("the first press stands, got %+v", got)
	}
}

func TestAnUnknownPageIs404InTheBrowsersLanguage(t *testing.T) {
	root := start(t, New(Options{}))
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		req, _ := http.NewRequest(method, root+"/connect/AAAAAAAAAAAAAAAAAAAAAAAAAA", nil)
		req.Header.Set("Accept-Language", "zh-CN,zh;q=0.9,en;q=0.8")
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		if body := bodyOf(t, res); res.StatusCode != http.StatusNotFound || !strings.Contains(body, "链接未知或已过期") {
			t.Errorf("%s: %s\n%s", method, res.Status, body)
		}
	}
}

func TestThePageEscapesAndIsLockedDown(t *testing.T) {
	root := start(t, New(Options{}))
	const hostile = `<script>alert(1)</script>"'&`
	address, _ := linkOf(t, root, `{"service":"<script>alert(1)</script>\"'&","language":"zh-Hans"}`)
	res, body := visit(t, browser(t), address)
	if strings.Contains(body, "<script") || !strings.Contains(html.UnescapeString(body), hostile) {
		t.Errorf("the service's name is not shown as text:\n%s", body)
	}
	if !strings.Contains(body, `<html lang="zh-Hans">`) || !strings.Contains(body, "不关联") {
		t.Errorf("the page does not speak the call's language:\n%s", body)
	}
	style := regexp.MustCompile(`(?s)<style>(.*)</style>`).FindStringSubmatch(body)[1]
	sum := sha256.Sum256([]byte(style))
	csp := res.Header.Get("Content-Security-Policy")
	for _, want := range []string{"default-src 'none'", "frame-ancestors 'none'", "form-action 'self'", "base-uri 'none'",
		"style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"} {
		if !strings.Contains(csp, want) {
			t.Errorf("the policy %q lacks %q", csp, want)
		}
	}
	for name, want := range map[string]string{"Cache-Control": "no-store", "X-Frame-Options": "DENY",
		"X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin"} {
		if got := res.Header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	cookie := res.Header.Get("Set-Cookie")
	for _, want := range []string{"HttpOnly", "SameSite=Strict", "Path=/connect/"} {
		if !strings.Contains(cookie, want) {
			t.Errorf("the cookie %q lacks %s", cookie, want)
		}
	}
}

func TestLinksAreBounded(t *testing.T) {
	ls := newLinks(time.Now)
	defer ls.close()
	first := ls.add("a", "en")
	for range maxLinks {
		ls.add("b", "en")
	}
	if len(ls.byID) != maxLinks || len(ls.order) != maxLinks {
		t.Errorf("%d links are kept, want %d", len(ls.byID), maxLinks)
	}
	if ls.get(first.id) != nil {
		t.Error("the oldest did not make room")
	}
	if err := first.wait(t.Context()); err != nil || ls.stateOf(first) != lapsed {
		t.Errorf("who waits for it is told: %v", err)
	}
}
