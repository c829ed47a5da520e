package main

import (
	"context"
	"errors"
	"log"
	"net/http"
	"strings"
	"testing"
	"time"

	"parley/mcpclient/auth"
	"parley/mcpclient/auth/authtest"
)

// TestRunSignsInAsTheScenarioWants: with the suite's document, by registering,
// under a name that is known, or as the app itself.
func TestRunSignsInAsTheScenarioWants(t *testing.T) {
	known := authtest.Client{ID: "known", Secret: "pw", Redirects: []string{"http://127.0.0.1/callback"}}
	document := func(_ context.Context, id string) ([]byte, error) {
		if id != clientMetadata {
			return nil, errors.New("another document")
		}
		return []byte(`{"client_id":"` + id + `","redirect_uris":["http://127.0.0.1/callback"]}`), nil
	}
	for _, c := range []struct {
		name, context string
		options       authtest.Options
		client        string // its id at the authorization server
		person        bool   // the browser is sent there
	}{
		{"the suite's document", ``, authtest.Options{Document: document}, clientMetadata, true},
		{"registering", ``, authtest.Options{}, "client-", true},
		{"a name that is known", `{"name":"auth/pre-registration","client_id":"known","client_secret":"pw"}`,
			authtest.Options{Clients: []authtest.Client{known}, Closed: true}, "known", true},
		{"as the app itself", `{"name":"auth/client-credentials-basic","client_id":"known","client_secret":"pw"}`,
			authtest.Options{Clients: []authtest.Client{known}, Closed: true}, "known", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.options.Login, c.options.AnyPort = authtest.Grant, true
			var server *authtest.Server
			var resource *authtest.Resource
			running, err := authtest.Start(func(origin string) http.Handler {
				server = authtest.New(origin, c.options, nil)
				resource = authtest.NewResource(origin, server, authtest.ResourceOptions{})
				return resource
			})
			if err != nil {
				t.Fatal(err)
			}
			defer running.Close()
			known, err := readKnowledge(c.context)
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			if err := run(ctx, resource.URL(), known, log.New(t.Output(), "", 0)); err != nil {
				t.Fatal(err)
			}
			sent := server.Log().Requests("/authorize")
			if (len(sent) == 1) != c.person {
				t.Errorf("the browser was sent to sign in %d times", len(sent))
			}
			for _, r := range sent {
				if id := r.Query.Get("client_id"); !strings.HasPrefix(id, c.client) {
					t.Errorf("the client is %q, want %q", id, c.client)
				}
			}
			for _, r := range server.Log().Requests("/token") {
				if id, secret, _ := r.BasicAuth(); c.client == "known" && (id != "known" || secret != "pw") {
					t.Error("the client does not say who it is")
				}
			}
		})
	}
}

// TestBrowseFailsWhereTheBrowserDoesNotComeBack: what stays at the authorization
// server is no sign-in.
func TestBrowseFailsWhereTheBrowserDoesNotComeBack(t *testing.T) {
	running, err := authtest.Start(func(string) http.Handler { return http.NotFoundHandler() })
	if err != nil {
		t.Fatal(err)
	}
	for _, what := range []string{"a page", "nobody there"} {
		err := browse(t.Context(), auth.SignIn{URL: running.Origin + "/authorize?state=canary", Redirect: "http://127.0.0.1:1/callback"})
		if err == nil || strings.Contains(err.Error(), "canary") {
			t.Errorf("%s: got %v, want an error without what was in the address", what, err)
		}
		if what == "a page" {
			if err := running.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
}
