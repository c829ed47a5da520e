//go:build unix && !darwin

package cli

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"parley/consent"
)

// TestFakeBrowser is the program behind the fake xdg-open: it fetches the page.
func TestFakeBrowser(t *testing.T) {
	url := os.Getenv("PARLEY_FETCH")
	if url == "" {
		t.Skip("this is a part of the test that opens a link")
	}
	req, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("User-Agent", "browser")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
}

// TestC19_C20_OnlyTheBrowserReachesTheTarget counts all that reaches the page of a
// link, of any method and path: with --open exactly the browser's one request,
// of exactly the string that was printed, else none at all.
func TestC19_C20_OnlyTheBrowserReachesTheTarget(t *testing.T) {
	var mu sync.Mutex
	var got []string
	arrived := make(chan struct{}, 100)
	page := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		got = append(got, fmt.Sprintf("%s %s by %s", r.Method, r.RequestURI, r.UserAgent()))
		arrived <- struct{}{}
	}))
	defer page.Close()
	requests := func() []string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(got)
	}
	dir := t.TempDir()
	record := filepath.Join(t.TempDir(), "argv")
	script := "#!/bin/sh\n" + `printf '%s\0' "$@" >> '` + record + "'\n" + `PARLEY_FETCH="$1" exec '` + os.Args[0] + "' -test.run '^TestFakeBrowser$'\n"
	if err := os.WriteFile(filepath.Join(dir, "xdg-open"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)

	link := strings.ToUpper(page.URL[:4]) + page.URL[4:] + "/sign in?x=1|2"
	link = strings.ReplaceAll(link, " ", "%20")
	open := page.URL + "/sign%20in?x=1%7C2"
	server := `< tools/call
> {"jsonrpc":"2.0","id":$ID,"result":{"resultType":"input_required","inputRequests":{"auth":{"method":"elicitation/create","params":{"mode":"url","message":"Sign in","url":"` + link + `"}}}}}
< tools/call
> {"jsonrpc":"2.0","id":$ID,"result":{"resultType":"complete","content":[{"type":"resource_link","uri":"` + page.URL + `/resource","name":"r"}]}}
`
	for _, flags := range [][]string{
		{"--answer", "accept"},
		{"--answer", "accept", "--open", "other.example"},
		{"--answer", "accept", "--no-open"},
		{"--answer", "decline", "--open", "127.0.0.1"},
		{"--answer", "cancel", "--open", "127.0.0.1"},
	} {
		callScript(t.Context(), t, server, consent.Browser().Open, append([]string{"--tool", "t"}, flags...)...)
		if got := requests(); len(got) != 0 {
			t.Fatalf("%q: the target got %q", flags, got)
		}
	}
	r := callScript(t.Context(), t, server, consent.Browser().Open, "--tool", "t", "--answer", "accept", "--open", "127.0.0.1")
	r.want(0, "connected ask1 accept result")
	<-arrived // a browser may take its time
	if got, want := requests(), []string{"GET /sign%20in?x=1%7C2 by browser"}; !slices.Equal(got, want) {
		t.Errorf("the target got %q, want %q", got, want)
	}
	if argv, err := os.ReadFile(record); err != nil || string(argv) != open+"\x00" || !strings.Contains(r.stdout, `"open":"`+open+`"`) {
		t.Errorf("xdg-open got %q, %v; printed was\n%s", argv, err, r.stdout)
	}
}
