package auth

import (
	"bytes"
	_ "embed"
	"html/template"
	"net/http"
	"strconv"

	"parley/assets/i18n"
)

// landing is the page that the browser ends on. It holds all it needs: it loads
// nothing, runs nothing and sends nothing on.
//
//go:embed landing.html
var landingText string

var landing = template.Must(template.New("landing").Parse(landingText))

// sightKind is what a page of the door is about.
type sightKind string

// The kinds of pages.
const (
	sightCame     sightKind = "came"     // the code has come; what becomes of it, the app says
	sightDeclined sightKind = "declined" // the person said no there
	sightProblem  sightKind = "problem"
	sightAgain    sightKind = "again"    // it has come before
	sightStranger sightKind = "stranger" // it belongs to no sign-in that waits
)

// sight is what a page shows.
type sight struct {
	kind sightKind
	why  *Refused // for declined and problem
}

func sightOf(r returned) sight {
	switch {
	case r.declined:
		return sight{sightDeclined, r.why}
	case r.why != nil:
		return sight{sightProblem, r.why}
	}
	return sight{kind: sightCame}
}

// page writes the page about what, in the person's language, and ends the
// answer. Every word is escaped by the template; what strangers said came
// through safetext before.
func (s *signIn) page(w http.ResponseWriter, what sight) {
	loc := english
	if s.a.o.Localizer != nil {
		loc = s.a.o.Localizer()
	}
	text := i18n.M("auth.landing." + string(what.kind) + ".text")
	if what.why != nil {
		text = what.why.text
	}
	var b bytes.Buffer
	err := landing.Execute(&b, map[string]any{
		"Lang": loc.Text(i18n.M("auth.landing.lang")), "Kind": what.kind, "App": appName,
		"Title": loc.Text(i18n.M("auth.landing." + string(what.kind) + ".title")),
		"Text":  loc.Text(text),
		"Back":  loc.Text(i18n.M("auth.landing.back")),
	})
	if err != nil {
		http.Error(w, "", http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(b.Len()))
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer") // the address holds the code
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Connection", "close")
	if what.kind == sightStranger {
		w.WriteHeader(http.StatusBadRequest)
	}
	w.Write(b.Bytes())
	_ = http.NewResponseController(w).Flush() // the browser has all of it before the door closes
}
