package auth

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"parley/consent/safetext"
)

// How a client proves who it is at the token endpoint (RFC 7591 section 2).
const (
	byBasic = "client_secret_basic"
	byPost  = "client_secret_post"
	byNone  = "none"
)

// grant is what a token endpoint answered (RFC 6749 section 5.1).
type grant struct {
	access, refresh, id string
	expiry              time.Time // zero if it did not say
	scopes              []string  // nil if it did not say
}

// denial is an error that a token, registration or revocation endpoint answered
// with (RFC 6749 section 5.2).
type denial struct {
	status int
	code   string // "" if it named none; untrusted
	text   string // error_description; untrusted
}

func (d *denial) Error() string {
	return fmt.Sprintf("HTTP status %d, error %q", d.status, clip(d.code))
}

// final reports whether asking again brings the same: the server understood and
// said no. Many say so by the status alone. What a proxy says (407), and what is
// worth a wait by its own words, is not.
func (d *denial) final() bool {
	switch {
	case d.status == http.StatusRequestTimeout, d.status == http.StatusProxyAuthRequired, d.status == http.StatusTooManyRequests:
		return false
	case d.code == "temporarily_unavailable", d.code == "slow_down":
		return false
	}
	return d.status >= 400 && d.status < 500 || d.status == http.StatusOK
}

// aboutClient reports whether the client's registration is not valid any more.
func (d *denial) aboutClient() bool {
	return d.code == "invalid_client" || d.code == "unauthorized_client"
}

// request asks a token endpoint for tokens. Every such request names the
// resource (RFC 8707 section 2.2). The error is a *denial or one of guard.ask.
func (g *guard) request(ctx context.Context, endpoint string, c client, form url.Values, now time.Time) (grant, error) {
	body, err := g.post(ctx, endpoint, c, form)
	if err != nil {
		return grant{}, err
	}
	var said map[string]json.RawMessage
	if err := json.Unmarshal(body, &said); err != nil {
		return grant{}, errors.New("the answer of the token endpoint is not the JSON that it should be")
	}
	text := func(name string) string {
		var s string
		_ = json.Unmarshal(said[name], &s) // what is no text is not there
		return s
	}
	out := grant{access: text("access_token"), refresh: text("refresh_token"), id: text("id_token")}
	switch kind := text("token_type"); {
	case out.access == "" && text("error") != "": // some refuse with 200, GitHub's for one
		d := &denial{status: http.StatusOK, code: text("error"), text: text("error_description")}
		return grant{}, d.without(proofs(c, form))
	case out.access == "":
		return grant{}, fmt.Errorf("the answer of the token endpoint has no access token: %w", &denial{status: http.StatusOK})
	case !isHeaderText(out.access):
		return grant{}, errors.New("the answer of the token endpoint has no usable access token")
	case kind != "" && !strings.EqualFold(kind, "Bearer"):
		return grant{}, fmt.Errorf("the access token is of the type %q", clip(hide(kind, proofs(c, form))))
	}
	if seconds, ok := lifetime(said["expires_in"]); ok {
		out.expiry = now.Add(seconds)
	}
	var scope *string
	if json.Unmarshal(said["scope"], &scope) == nil && scope != nil {
		out.scopes = splitScopes(*scope)
	}
	return out, nil
}

// lifetime reads expires_in, which some servers write as text. One that is over
// already says nothing.
func lifetime(raw json.RawMessage) (time.Duration, bool) {
	text := strings.Trim(string(raw), `"`)
	seconds, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(seconds) || seconds <= 0 {
		return 0, false
	}
	return time.Duration(min(seconds, (10*365*24*time.Hour).Seconds())) * time.Second, true
}

// isHeaderText reports whether s can stand in a header as a token.
func isHeaderText(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' })
}

// post sends a form as the client c and returns the body of an answer of 200.
func (g *guard) post(ctx context.Context, endpoint string, c client, form url.Values) ([]byte, error) {
	if c.Method != byBasic {
		form.Set("client_id", c.ID)
	}
	if c.Method == byPost {
		form.Set("client_secret", c.Secret)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, endpoint, strings.NewReader(form.Encode()))
	if err != nil {
		return nil, &forbidden{reason: reasonMalformed}
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if c.Method == byBasic {
		r.Header.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(basic(c))))
	}
	a, err := g.ask(r)
	if err != nil {
		return nil, err
	}
	if a.status < 200 || a.status > 299 {
		return nil, a.denial().without(proofs(c, form))
	}
	return a.body, nil
}

// proofs are what a request to an endpoint proves something with. An endpoint that
// says one back, as some do in what they call a description, does not make it a
// part of a sentence or an error.
func proofs(c client, form url.Values) []string {
	out := []string{url.QueryEscape(c.Secret), c.Secret}
	for _, name := range []string{"code", "code_verifier", "refresh_token", "token"} {
		out = append(out, form.Get(name))
	}
	return append(out, base64.StdEncoding.EncodeToString([]byte(basic(c))))
}

// basic is how a client is named in an Authorization header (RFC 6749 section
// 2.3.1).
func basic(c client) string { return url.QueryEscape(c.ID) + ":" + url.QueryEscape(c.Secret) }

// without is d without those values.
func (d *denial) without(values []string) *denial {
	d.code, d.text = hide(d.code, values), hide(d.text, values)
	return d
}

// hide masks values in a stranger's words. Very short ones are parts of any text.
func hide(text string, values []string) string {
	for _, value := range values {
		if len(value) > 3 {
			text = strings.ReplaceAll(text, value, "•••")
		}
	}
	return text
}

// denial reads an answer that is none of 200.
func (a answer) denial() *denial {
	var said struct {
		Error       string `json:"error"`
		Description string `json:"error_description"`
	}
	_ = json.Unmarshal(a.body, &said) // what cannot be read names no error
	return &denial{status: a.status, code: said.Error, text: said.Description}
}

// denied puts why a token endpoint gave nothing into words: a stranger's reason,
// made safe, behind our own sentence.
func denied(host string, err error) *Refused {
	d, ok := errors.AsType[*denial](err)
	switch {
	case isForbidden(err):
		return fetchFailure("https://"+host, err)
	case !ok || d.status == http.StatusOK && d.code == "":
		return refused("auth.signin.exchange", "Host", show(host)).because(err)
	case d.text != "" || d.code != "":
		return deniedBy(show(host), d)
	}
	return refused("auth.signin.status", "Host", show(host), "Status", d.status).because(err)
}

// deniedBy is what an authority at host gave as its reason. Where that is about the
// client id, another one can help.
func deniedBy(host string, d *denial) *Refused {
	id := "auth.signin.denied"
	if d.aboutClient() {
		id = "auth.signin.denied.client"
	}
	return refused(id, "Host", host, "Reason", show(cmp.Or(d.text, d.code))).because(d)
}

// show makes a stranger's words safe to stand in a sentence.
func show(s string) string { return safetext.Line(s, 300).String() }

// clip bounds a stranger's words in an error of ours.
func clip(s string) string { return safetext.Line(s, 100).String() }

// method chooses how a client proves who it is among what an authority takes.
func method(at authority, secret string) string {
	takes := func(m string) bool { return slices.Contains(at.methods, m) }
	switch {
	case secret == "":
		return byNone
	case len(at.methods) == 0 || takes(byBasic): // what RFC 8414 section 2 has for silence
		return byBasic
	case takes(byPost):
		return byPost
	}
	return byBasic
}
