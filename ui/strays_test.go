package ui

import (
	"os"
	"slices"
	"strings"
	"testing"

	"parley/mcpclient"
	"parley/mcpclient/keychain"
)

// strayRig is the window on a list of one server, whose encrypted file holds
// secrets of it and of others that were taken out of the list by hand.
func strayRig(t *testing.T) (*rig, *fakePlace, *fakeAccounts, *serverState) {
	t.Helper()
	place := &fakePlace{st: keychain.State{Mode: keychain.Vault}}
	f := &fakeAccounts{}
	r := newRig(t, rigOptions{tools: map[string]tool{"a": nothing}, accounts: f, place: place})
	v := r.connected()
	gone, err := r.store.Add(mcpclient.Server{Name: "Old desk", Kind: mcpclient.Stdio, Command: "old"})
	must(t, err)
	raw, err := os.ReadFile(r.store.Path())
	must(t, err)
	// Somebody renames the entry: the note about the old one stays.
	text := strings.Replace(string(raw), `"Old desk": {`, `"New desk": {`, 1)
	must(t, os.WriteFile(r.store.Path(), []byte(text), 0o600))
	place.held = map[string]int{v.ID: 3, gone.ID: 2, "another": 1}
	return r, place, f, v
}

// sought waits for what the settings page finds.
func (r *rig) sought() {
	r.t.Helper()
	r.settings()
	r.wait(func() bool { return r.s.secrets.strays.done == r.s.secrets.strays.run })
	r.queue.Drain()
}

func TestStrays_AreRemovedOnlyByThePersonsSecondClick(t *testing.T) {
	r, place, f, _ := strayRig(t)
	r.sought()
	r.wantText("The file holds 3 secrets of servers that are no longer in the list.", "Their servers, where known: “Old desk”.")
	r.click("Remove them…")
	r.wantText("Delete them from the file for good?", "Old desk", "it finds its secrets again")
	r.ctrlEnter() // deletes nothing
	r.press("Keep them")
	if got := f.forgotten(); len(got) > 0 {
		t.Fatalf("%v are gone", got)
	}
	r.press("Remove them…")
	r.press("Delete them")
	r.idle()
	got := f.forgotten()
	if slices.Sort(got); len(got) != 2 || !slices.Contains(got, "another") {
		t.Errorf("removed are the secrets of %v", got)
	}
	r.wantText("They are deleted.")
	place.mu.Lock()
	place.held = nil
	place.mu.Unlock()
	r.s.choose(route{section: sectionAdd})
	r.sought()
	if strings.Contains(r.text(), "no longer in the list") {
		t.Errorf("they are still offered:\n%s", r.text())
	}
}

// TestStrays_OfAListThatIsBrokenOrAwayAreNone: its servers come back, and want
// their secrets.
func TestStrays_OfAListThatIsBrokenOrAwayAreNone(t *testing.T) {
	for name, spoil := range map[string]func(t *testing.T, path string){
		"broken": func(t *testing.T, path string) { must(t, os.WriteFile(path, []byte(`{"mcpServers":{`), 0o600)) },
		"empty":  func(t *testing.T, path string) { must(t, os.WriteFile(path, nil, 0o600)) },
		"away":   func(t *testing.T, path string) { must(t, os.Remove(path)) },
	} {
		t.Run(name, func(t *testing.T) {
			r, _, f, _ := strayRig(t)
			r.sought()
			r.press("Remove them…") // while it was whole
			spoil(t, r.store.Path())
			r.press("Delete them")
			r.idle()
			r.wait(func() bool { return r.s.secrets.strays.done == r.s.secrets.strays.run })
			if got := f.forgotten(); len(got) > 0 {
				t.Errorf("the secrets of %v are gone", got)
			}
			r.queue.Drain()
			if strings.Contains(r.text(), "They are deleted.") || strings.Contains(r.text(), "no longer in the list.") {
				t.Errorf("the page reads\n%s", r.text())
			}
		})
	}
}

func TestStrays_AServerThatIsBackKeepsItsSecrets(t *testing.T) {
	r, _, f, _ := strayRig(t)
	r.sought()
	r.press("Remove them…")
	raw, err := os.ReadFile(r.store.Path())
	must(t, err)
	must(t, os.WriteFile(r.store.Path(), []byte(strings.Replace(string(raw), `"New desk": {`, `"Old desk": {`, 1)), 0o600))
	r.press("Delete them")
	r.idle()
	if got := f.forgotten(); len(got) != 1 || got[0] != "another" {
		t.Errorf("removed are the secrets of %v", got)
	}
}

func TestStrays_AreNotLookedForWhereTheFileIsNotOpen(t *testing.T) {
	r, place, _, _ := strayRig(t)
	for _, st := range []keychain.State{lockedFile, noKeychain, {Mode: keychain.Available}} {
		place.be(st)
		r.sought()
		if strings.Contains(r.text(), "no longer in the list") {
			t.Errorf("%v: the page reads\n%s", st.Mode, r.text())
		}
	}
}
