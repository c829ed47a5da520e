package ui

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"parley/mcpclient"
	"parley/mcpclient/auth/authtest"
	"parley/mcpclient/config"
	"parley/mcpclient/wire"
)

// slowDials are connections that stay on their way until a test lets them fail.
type slowDials struct {
	mu    sync.Mutex
	begun []string // names, in order
	fail  chan struct{}
}

var errNoServer = errors.New("nobody is there")

// dial is rigOptions.dial.
func (d *slowDials) dial(v mcpclient.Server, tell func()) (wire.Transport, error) {
	d.mu.Lock()
	d.begun = append(d.begun, v.Name)
	d.mu.Unlock()
	tell()
	<-d.fail
	return nil, errNoServer
}

func (d *slowDials) names() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]string(nil), d.begun...)
}

// manyListed is a folder with a list of n servers, every other one a program that is
// allowed.
func manyListed(t testing.TB, n int) (dir string) {
	dir = t.TempDir()
	var entries, notes []string
	for i := range n {
		entry := fmt.Sprintf(`"%d": {"url": "https://s%d.example/mcp"}`, i, i)
		if i%2 == 1 {
			v := mcpclient.Server{Kind: mcpclient.Stdio, Command: "program", Args: []string{fmt.Sprint(i)}}
			entry = fmt.Sprintf(`"%d": {"command": "program", "args": ["%d"]}`, i, i)
			notes = append(notes, fmt.Sprintf(`"%d": {"id": "id-%d", "allowed": "%s"}`, i, i, v.Place()))
		}
		entries = append(entries, entry)
	}
	text := `{"mcpServers": {` + strings.Join(entries, ",") + `}, "parley": {"servers": {` + strings.Join(notes, ",") + `}}}`
	must(t, os.WriteFile(filepath.Join(dir, config.FileName), []byte(text), 0o600))
	return dir
}

// TestStart_AFewServersAreConnectedToAtATime, programs among them; the others wait
// for their turn, but for the one the person opens.
func TestStart_AFewServersAreConnectedToAtATime(t *testing.T) {
	d := &slowDials{fail: make(chan struct{})}
	r := newRig(t, rigOptions{dir: manyListed(t, 40), dial: d.dial})
	defer close(d.fail)
	begun := func(n int) { r.wait(func() bool { return len(d.names()) >= n }) }
	begun(mcpclient.MaxAtOnce)
	if n := len(r.s.dialing.turns); n != mcpclient.MaxAtOnce {
		t.Fatalf("%d are connected to at a time", n)
	}
	waits := r.s.desk.servers[30]
	if !waits.queued || waits.tried || r.s.say(r.s.subtitleOf(waits)) != "waits for its turn" {
		t.Errorf("the 31st: queued %v, tried %v, %q", waits.queued, waits.tried, r.s.say(r.s.subtitleOf(waits)))
	}
	r.s.choose(route{section: sectionServer, id: waits.ID})
	begun(mcpclient.MaxAtOnce + 1)
	if got := d.names(); got[mcpclient.MaxAtOnce] != "30" || waits.queued {
		t.Errorf("the one that was opened waits; connected to are %v", got)
	}
	r.s.disconnect(r.s.desk.servers[35])
	for n := mcpclient.MaxAtOnce + 2; n <= 39; n++ { // each that ends lets one more come
		d.fail <- struct{}{}
		if len(r.s.dialing.turns) > mcpclient.MaxAtOnce {
			t.Fatalf("%d are connected to at a time", len(r.s.dialing.turns))
		}
		begun(n - 1) // the one that was opened had no turn of its own
	}
	d.fail <- struct{}{}
	begun(39)
	got := strings.Join(d.names(), " ")
	if n := len(d.names()); n != 39 || strings.Count(" "+got+" ", " 30 ") != 1 || strings.Contains(got, "35") {
		t.Errorf("%d were connected to: %s; want each once but the one that was given up", n, got)
	}
}

// TestStart_WhatIsNotAllowedAnyMoreIsNotStarted when its turn comes.
func TestStart_WhatIsNotAllowedAnyMoreIsNotStarted(t *testing.T) {
	d := &slowDials{fail: make(chan struct{})}
	r := newRig(t, rigOptions{dir: manyListed(t, mcpclient.MaxAtOnce+2), dial: d.dial})
	r.wait(func() bool { return len(d.names()) == mcpclient.MaxAtOnce })
	now := r.s.readList()
	program := now.servers[mcpclient.MaxAtOnce+1]
	now.servers[mcpclient.MaxAtOnce+1].Args, now.leave[program.ID] = []string{"--evil"}, config.LostLeave
	r.s.takeList(now)
	close(d.fail)
	r.wait(func() bool { return len(r.s.dialing.turns) == 0 && len(r.s.dialing.waiting) == 0 })
	for _, v := range r.s.desk.servers {
		r.wait(func() bool { return v.ID == program.ID || v.status.State == mcpclient.Lost })
	}
	if v := r.s.desk.server(program.ID); v.tried || v.status.State != "" && v.status.State != mcpclient.Closed {
		t.Errorf("it was started: %v", v.status)
	}
	if got := d.names(); len(got) != mcpclient.MaxAtOnce+1 {
		t.Errorf("connected to are %v", got)
	}
}

// TestStart_WhoWaitsForThePersonHoldsUpNobody: a server that wants a sign-in lets
// another come in its turn, before the person has decided anything.
func TestStart_WhoWaitsForThePersonHoldsUpNobody(t *testing.T) {
	p := newPlace(t, authtest.Options{}, authtest.ResourceOptions{})
	dir, entries := t.TempDir(), []string{}
	for i := range mcpclient.MaxAtOnce {
		entries = append(entries, fmt.Sprintf(`"private %d": {"url": %q}`, i, p.server.URL))
	}
	open := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(open.Close)
	entries = append(entries, fmt.Sprintf(`"open": {"url": %q}`, open.URL))
	list := `{"mcpServers": {` + strings.Join(entries, ",") + `}}`
	must(t, os.WriteFile(filepath.Join(dir, config.FileName), []byte(list), 0o600))
	r := newRig(t, rigOptions{dir: dir, secrets: &memorySecrets{}})
	last := r.s.desk.servers[mcpclient.MaxAtOnce]
	r.wait(func() bool { return last.status.State == mcpclient.Lost && len(r.s.signIns) == mcpclient.MaxAtOnce })
}
