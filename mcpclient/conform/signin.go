package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/url"
	"strings"

	"parley/mcpclient"
	"parley/mcpclient/auth"
	"parley/mcpclient/keychain/keychaintest"
)

// clientMetadata is the address of a client's document that the suite's
// authorization servers know. Nobody fetches it.
const clientMetadata = "https://conformance-test.local/client-metadata.json"

// maxPage is how much of a page is read, in bytes.
const maxPage = 1 << 20

// signingIn gives credentials to servers that want to know who is there, by
// agreeing to everything and keeping nothing.
func signingIn(log *log.Logger) *auth.Accounts {
	return auth.New(auth.Options{
		Secrets:        &keychaintest.Keychain{},
		Drive:          browse,
		ClientMetadata: clientMetadata,
		Changed: func(e auth.Event) {
			if e.SignIn != nil {
				log.Printf("sign-in at %s for %q: %s", e.SignIn.Host, e.SignIn.Scopes, strings.TrimSpace(string(e.SignIn.State)+" "+english.Text(e.SignIn.Text)))
			}
		},
	})
}

// signIn is what the suite fixed about signing in.
func (k knowledge) signIn() mcpclient.SignIn {
	return mcpclient.SignIn{ClientID: k.ClientID, Issuer: k.Issuer, Service: strings.HasPrefix(k.Name, "auth/client-credentials-")}
}

// unknownIssuer is the authorization server that a client secret has to be entered
// for, if that is why err is; "" else. It stands for a person who follows the
// sentence, since the suite does not name it in every scenario.
func unknownIssuer(err error) string {
	f, ok := errors.AsType[*mcpclient.Failure](err)
	if !ok || f.Text.ID != "auth.signin.issuer.unknown" {
		return ""
	}
	issuer, _ := f.Text.Data["Issuer"].(string)
	return issuer
}

// browse stands for the browser and the person in it: the suite's authorization
// servers ask nothing and send it back at once.
func browse(ctx context.Context, s auth.SignIn) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(r)
	if u, ok := errors.AsType[*url.Error](err); ok {
		return fmt.Errorf("the browser does not get to %s: %w", r.URL.Host, u.Err) // without the state in the address
	}
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if _, err := io.Copy(io.Discard, io.LimitReader(resp.Body, maxPage)); err != nil {
		return err
	}
	if back := resp.Request.URL; !strings.HasPrefix(back.String(), s.Redirect) {
		return fmt.Errorf("the browser ended at %s with status %d", back.Host, resp.StatusCode)
	}
	return nil
}
