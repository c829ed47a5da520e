package signintest

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"sync/atomic"
	"testing"

	"parley/mcpclient"
	"parley/mcpclient/auth"
	"parley/mcpclient/auth/authtest"
	"parley/mcpclient/keychain"
)

// TestProgramsThatRenewAtTheVeryInstantAskOnce: eight command lines beside the
// window, each a program of its own, find at one moment that the access token is
// over. The authority is careful: a refresh token that comes twice costs the
// sign-in (RFC 9700 section 4.14.2).
func TestProgramsThatRenewAtTheVeryInstantAskOnce(t *testing.T) {
	const programs, rounds = 8, 3
	w := newWorld(t, authtest.Options{Login: authtest.Grant}, authtest.ResourceOptions{})
	window := w.run(driven)
	first := window.connected()
	var others []*other
	for range programs {
		others = append(others, w.other())
	}
	for round := range rounds {
		var here, renewals atomic.Int32
		all := make(chan struct{})
		w.as.Set(func(o *authtest.Options) {
			o.Intercept = func(_ http.ResponseWriter, r *http.Request) bool {
				switch r.URL.Path {
				case "/.well-known/oauth-authorization-server": // after its token was refused
					if here.Add(1) == programs+1 {
						close(all)
					}
				case "/token":
					renewals.Add(1)
					select {
					case <-all:
					case <-r.Context().Done():
					}
				}
				return false
			}
		})
		w.as.Withdraw(false)
		call := window.starts(first.conn, "whoami")
		for _, o := range others {
			o.tell("whoami")
		}
		for i, o := range others {
			if got := o.says(); got != "Ann" {
				t.Errorf("round %d: program %d ends with %q", round, i, got)
			}
		}
		if got := window.ends(call); got != "Ann" {
			t.Errorf("round %d: the window ends with %q", round, got)
		}
		if n := renewals.Load(); n != 1 {
			t.Errorf("round %d: the authority was asked %d times to renew", round, n)
		}
	}
	if n := w.asked("/authorize"); n != 1 {
		t.Errorf("the browser was sent to sign in %d times", n)
	}
}

// otherVariable makes this program another Parley over the same keychain and server;
// its value is a setting.
const otherVariable = "SIGNINTEST_OTHER"

// setting is where another Parley is.
type setting struct {
	Server   mcpclient.Server
	Keychain string // the address of the keychain, see lend
	Locks    string
}

// beOther connects as a command line does and says "ready". For each line that it
// reads it calls the tool of that name, and says what that comes to.
func beOther(text string) error {
	var s setting
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		return err
	}
	accounts := auth.New(auth.Options{Secrets: borrowed(s.Keychain), Locks: s.Locks, Unattended: true})
	defer accounts.Close()
	client, err := mcpclient.New(mcpclient.Options{Authorizer: accounts.Authorizer})
	if err != nil {
		return err
	}
	defer client.Close(context.Background())
	ended := make(chan mcpclient.Call, 1)
	client.Watch(func(e mcpclient.Event) {
		if e.Call != nil && e.Call.State.Ended() {
			ended <- *e.Call
		}
	})
	conn, err := client.Connect(context.Background(), s.Server)
	if err != nil {
		return err
	}
	fmt.Println("ready")
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		conn.Start(mcpclient.CallRequest{Kind: mcpclient.CallTool, Name: lines.Text()})
		text, err := outcome(<-ended)
		if err != nil {
			return err
		}
		fmt.Println(text)
	}
	return nil
}

// other is another Parley that runs until the test ends.
type other struct {
	t   *testing.T
	in  io.Writer
	out *bufio.Scanner
}

// other starts one, which is connected when other returns.
func (w *world) other() *other {
	w.t.Helper()
	self, err := os.Executable()
	if err != nil {
		w.t.Fatal(err)
	}
	text, err := json.Marshal(setting{Server: w.server, Keychain: lend(w), Locks: w.locks})
	if err != nil {
		w.t.Fatal(err)
	}
	c := exec.Command(self)
	c.Env, c.Stderr = append(os.Environ(), otherVariable+"="+string(text)), os.Stderr
	in, err := c.StdinPipe()
	if err != nil {
		w.t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		w.t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() {
		in.Close()
		if err := c.Wait(); err != nil {
			w.t.Errorf("another Parley ended with %v", err)
		}
	})
	o := &other{t: w.t, in: in, out: bufio.NewScanner(out)}
	if said := o.says(); said != "ready" {
		w.t.Fatalf("another Parley says %q", said)
	}
	return o
}

func (o *other) tell(line string) { fmt.Fprintln(o.in, line) }

func (o *other) says() string {
	o.t.Helper()
	if !o.out.Scan() {
		o.t.Fatalf("another Parley says nothing: %v", o.out.Err())
	}
	return o.out.Text()
}

// deed is what one does with a keychain, and what comes of it.
type deed struct {
	Do    string // get, set or delete
	Key   keychain.Key
	Value string
	Found bool
}

// lend lets other programs use the keychain of w, at the address that it returns.
func lend(w *world) string {
	return start(w.t, func(string) http.Handler {
		return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			var d deed
			err := json.NewDecoder(r.Body).Decode(&d)
			switch {
			case err != nil:
			case d.Do == "get":
				var s keychain.Secret
				s, err = w.vault.Get(r.Context(), d.Key)
				d.Value, d.Found = s.Reveal(), err == nil
				if errors.Is(err, keychain.ErrNotFound) {
					err = nil
				}
			case d.Do == "set":
				err = w.vault.Set(r.Context(), d.Key, keychain.NewSecret(d.Value))
			case d.Do == "delete":
				err = w.vault.Delete(r.Context(), d.Key)
			}
			if err != nil {
				http.Error(rw, err.Error(), http.StatusInternalServerError)
				return
			}
			json.NewEncoder(rw).Encode(d)
		})
	})
}

// borrowed is a keychain that another program lends.
type borrowed string

func (b borrowed) ask(ctx context.Context, d deed) (deed, error) {
	body, err := json.Marshal(d)
	if err != nil {
		return d, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, string(b), bytes.NewReader(body))
	if err != nil {
		return d, err
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return d, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return d, fmt.Errorf("the keychain says %s", resp.Status)
	}
	err = json.NewDecoder(resp.Body).Decode(&d)
	return d, err
}

func (b borrowed) Get(ctx context.Context, k keychain.Key) (keychain.Secret, error) {
	d, err := b.ask(ctx, deed{Do: "get", Key: k})
	if err == nil && !d.Found {
		err = keychain.ErrNotFound
	}
	return keychain.NewSecret(d.Value), err
}

func (b borrowed) Fresh(ctx context.Context, k keychain.Key) (keychain.Secret, error) {
	return b.Get(ctx, k)
}

func (b borrowed) Set(ctx context.Context, k keychain.Key, s keychain.Secret) error {
	_, err := b.ask(ctx, deed{Do: "set", Key: k, Value: s.Reveal()})
	return err
}

func (b borrowed) Delete(ctx context.Context, k keychain.Key) error {
	_, err := b.ask(ctx, deed{Do: "delete", Key: k})
	return err
}

func (b borrowed) DeleteAll(context.Context, string) error {
	return errors.New("no server is removed from here")
}
