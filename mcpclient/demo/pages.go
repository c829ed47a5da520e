package demo

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/hex"
	"html/template"
	"net/http"
	"strings"

	"parley/assets/i18n"
)

const (
	connectPath = "/connect/"

	// pageCookie holds the random half of the token that guards the page's form.
	pageCookie = "parley_demo_page"

	// maxPost bounds the page's form in bytes; it has two short fields.
	maxPost = 4 << 10
)

var (
	//go:embed page.html
	pageSource string
	//go:embed page.css
	pageStyle string

	pageTemplate = template.Must(template.New("page").Parse(pageSource))
)

// pages serves what a URL question sends a person to.
//
// Opening a page does nothing: linking takes a POST from the page itself. Its
// form carries a token made of the page's id and a random cookie, so that no
// other site can press the button, and the cookie is SameSite=Strict.
type pages struct {
	base  string // scheme, host and port, as the person's browser reaches it
	links *links
	key   [32]byte // of the token
	csp   string
}

func newPages(base string, ls *links) *pages {
	p := &pages{base: base, links: ls}
	rand.Read(p.key[:]) // never fails, crypto/rand
	style := sha256.Sum256([]byte(pageStyle))
	p.csp = "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(style[:]) +
		"'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
	return p
}

// url is the address of the page with the id (S14: the id and nothing else).
func (p *pages) url(id string) string { return p.base + connectPath + id }

func (p *pages) register(mux *http.ServeMux) {
	mux.HandleFunc("GET "+connectPath+"{id}", p.show)
	mux.HandleFunc("POST "+connectPath+"{id}", p.press)
}

// page is what the template shows. All of it is escaped there.
type page struct {
	Lang, Title, Text      string
	Style                  template.CSS
	Action, Token          string // of the form; no form if Action is ""
	LinkLabel, RefuseLabel string
}

// show answers GET: the question while it is pending, else what became of it.
func (p *pages) show(w http.ResponseWriter, r *http.Request) {
	l := p.links.get(r.PathValue("id"))
	if l == nil {
		p.gone(w, r)
		return
	}
	say := i18n.New(l.tag)
	v := page{Title: say.T("demo.page.title", "Service", l.service)}
	switch p.links.stateOf(l) {
	case pending:
		v.Text = say.T("demo.page.text", "Service", l.service)
		v.Action = connectPath + l.id
		v.Token = p.token(l.id, p.cookie(w, r, l.id))
		v.LinkLabel, v.RefuseLabel = say.T("demo.page.link"), say.T("demo.page.refuse")
	case linked:
		v.Text = say.T("demo.page.linked", "Service", l.service)
	default:
		v.Text = say.T("demo.page.refused", "Service", l.service)
	}
	p.write(w, http.StatusOK, say, v)
}

// press answers POST: one of the two buttons. A second press changes nothing.
func (p *pages) press(w http.ResponseWriter, r *http.Request) {
	l := p.links.get(r.PathValue("id"))
	if l == nil {
		p.gone(w, r)
		return
	}
	say := i18n.New(l.tag)
	r.Body = http.MaxBytesReader(w, r.Body, maxPost)
	cookie, err := r.Cookie(pageCookie)
	if err != nil || !hmac.Equal([]byte(r.PostFormValue("token")), []byte(p.token(l.id, cookie.Value))) {
		p.write(w, http.StatusForbidden, say, page{
			Title: say.T("demo.page.stale_title"), Text: say.T("demo.page.stale"),
		})
		return
	}
	switch r.PostFormValue("choice") {
	case "link":
		p.links.decide(l, linked)
	case "refuse":
		p.links.decide(l, refused)
	default:
		p.write(w, http.StatusBadRequest, say, page{
			Title: say.T("demo.page.stale_title"), Text: say.T("demo.page.stale"),
		})
		return
	}
	p.headers(w)
	http.Redirect(w, r, connectPath+l.id, http.StatusSeeOther)
}

// gone answers for an id that is not, or no longer, known. Its language is the
// browser's, since there is no call to take it from.
func (p *pages) gone(w http.ResponseWriter, r *http.Request) {
	say := i18n.New(strings.FieldsFunc(r.Header.Get("Accept-Language"), func(c rune) bool {
		return c == ',' || c == ';' || c == ' '
	})...)
	p.write(w, http.StatusNotFound, say, page{
		Title: say.T("demo.page.gone_title"), Text: say.T("demo.page.gone"),
	})
}

// cookie returns the page's cookie, setting one where there is none yet.
func (p *pages) cookie(w http.ResponseWriter, r *http.Request, id string) string {
	if c, err := r.Cookie(pageCookie); err == nil && c.Value != "" {
		return c.Value
	}
	value := rand.Text()
	http.SetCookie(w, &http.Cookie{
		Name: pageCookie, Value: value, Path: connectPath + id, MaxAge: int(linkLife.Seconds()),
		HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: strings.HasPrefix(p.base, "https:"),
	})
	return value
}

// token binds the form to the page and to the browser that loaded it.
func (p *pages) token(id, cookie string) string {
	mac := hmac.New(sha256.New, p.key[:])
	mac.Write([]byte(id + "|" + cookie)) // an id holds no bar
	return hex.EncodeToString(mac.Sum(nil))
}

// headers keep the page out of caches, frames and other sites' sight. The
// referrer stays within this origin, so that no one else learns the id and the
// browser still names its Origin in the POST.
func (p *pages) headers(w http.ResponseWriter) {
	h := w.Header()
	h.Set("Content-Security-Policy", p.csp)
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
}

func (p *pages) write(w http.ResponseWriter, status int, say *i18n.Localizer, v page) {
	v.Lang = say.Tag()
	v.Style = template.CSS(pageStyle)
	p.headers(w)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	// What fails here is the connection, and there is nobody left to tell.
	_ = pageTemplate.Execute(w, v)
}
