package signintest

import (
	"html"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// browser is what stands beside the app on the person's computer.
type browser interface {
	// open loads an address and returns the page that is there in the end.
	open(t *testing.T, address string) page
	// press presses the button with the id on the page that is there.
	press(t *testing.T, id string) page
	// closeTab leaves the page without any button.
	closeTab(t *testing.T)
}

// page is what a person has before them once it stopped loading.
type page struct {
	address string
	lang    string
	title   string
	text    string // of the body, as it is read
	source  string // what the browser made of it
	status  int
}

// is whether the page is the one that the app shows at the end of a sign-in.
func (p page) is(redirect string) bool {
	address, _, _ := strings.Cut(p.address, "?")
	return address == redirect
}

// plain is a browser without a screen: it follows redirects, keeps cookies and
// posts forms. It reads no more of a page than it needs for that.
type plain struct {
	client http.Client
	here   page
}

func newPlain(t *testing.T) browser {
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	p := &plain{client: http.Client{Jar: jar, Transport: &http.Transport{}}}
	t.Cleanup(p.client.CloseIdleConnections)
	return p
}

func (p *plain) open(t *testing.T, address string) page {
	t.Helper()
	resp, err := p.client.Get(address)
	return p.show(t, resp, err)
}

func (p *plain) closeTab(*testing.T) { p.here = page{} }

var (
	formAction = regexp.MustCompile(`<form method="post" action="([^"]*)">`)
	formHidden = regexp.MustCompile(`<input type="hidden" name="([^"]*)" value="([^"]*)">`)
	formText   = regexp.MustCompile(`<input name="([^"]*)" value="([^"]*)"`)
	pageLang   = regexp.MustCompile(`<html lang="([^"]*)">`)
	pageTitle  = regexp.MustCompile(`(?s)<title>(.*?)</title>`)
	pageBody   = regexp.MustCompile(`(?s)<body[^>]*>(.*)</body>`)
	anyTag     = regexp.MustCompile(`(?s)<[^>]*>`)
)

// first is what the first group of re finds in s.
func first(re *regexp.Regexp, s string) string {
	if found := re.FindStringSubmatch(s); found != nil {
		return html.UnescapeString(found[1])
	}
	return ""
}

func (p *plain) press(t *testing.T, id string) page {
	t.Helper()
	button := regexp.MustCompile(`<button id="` + id + `" name="([^"]*)" value="([^"]*)"`).FindStringSubmatch(p.here.source)
	here, err := url.Parse(p.here.address)
	if button == nil || err != nil {
		t.Fatalf("no button %s on the page %s: %s", id, p.here.address, p.here.text)
	}
	form := url.Values{button[1]: {button[2]}}
	for _, re := range []*regexp.Regexp{formHidden, formText} {
		for _, field := range re.FindAllStringSubmatch(p.here.source, -1) {
			form.Set(field[1], html.UnescapeString(field[2]))
		}
	}
	action, err := here.Parse(first(formAction, p.here.source))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := p.client.PostForm(action.String(), form)
	return p.show(t, resp, err)
}

// show reads a page to its end: one that does not end is one that loads for
// ever.
func (p *plain) show(t *testing.T, resp *http.Response, err error) page {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	source, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatalf("%s does not come to an end: %v", resp.Request.URL, err)
	}
	s := string(source)
	p.here = page{
		address: resp.Request.URL.String(), status: resp.StatusCode, source: s,
		lang: first(pageLang, s), title: first(pageTitle, s),
		text: html.UnescapeString(anyTag.ReplaceAllString(pageBody.FindString(s), "")),
	}
	return p.here
}
