package ui

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"parley/mcpclient"
	"parley/mcpclient/config"
	"parley/mcpclient/keychain"
)

// keptWords are what the pages say of where secrets go, by mode.
var keptWords = map[keychain.Mode]string{
	keychain.Untried:     "kept in this computer’s keychain",
	keychain.Available:   "kept in this computer’s keychain",
	keychain.SessionOnly: "kept only until you quit Parley",
	keychain.Vault:       "kept in your encrypted file",
	keychain.VaultLocked: "kept until you quit Parley, and in your encrypted file once you unlock it",
}

// TestKept_EveryPageSaysWhereASecretReallyGoes, also one that is shown when that
// changes, and none speaks of a keychain where it is none.
func TestKept_EveryPageSaysWhereASecretReallyGoes(t *testing.T) {
	const list = `{"mcpServers":{"tickets":{"url":"https://tickets.test/mcp","headers":{"Authorization":"Bearer ${input:key}","X-Key":"s3cr3t-value-9"},
		"oauth":{"clientId":"app","clientSecret":"s3cr3t-value-9"}}},
		"inputs":[{"id":"key","type":"promptString","password":true}]}`
	for page, open := range map[string]func(*rig, *serverState){
		"add an address": func(r *rig, _ *serverState) {
			r.s.adding.draft.Headers = []config.DraftValue{{Secret: true}}
			r.s.adding.more = true
			r.s.choose(route{section: sectionAdd})
		},
		"edit":             func(r *rig, v *serverState) { r.s.choose(route{section: sectionEdit, id: v.ID}) },
		"access token":     func(r *rig, v *serverState) { r.s.toToken(v) },
		"sign-in settings": func(r *rig, v *serverState) { r.s.toSetup(v, "") },
		"import": func(r *rig, _ *serverState) {
			r.s.choose(route{section: sectionImport})
			r.typing(list)
			r.ctrlEnter()
			r.wait(func() bool { return r.s.importing.read })
			r.queue.Drain()
		},
	} {
		t.Run(page, func(t *testing.T) {
			place := &fakePlace{}
			v := mcpclient.Server{Name: "Travel desk", Kind: mcpclient.HTTP, URL: "https://mcp.travel.example/mcp", SecretHeaders: []string{"X-Key"}}
			r := newRig(t, rigOptions{tools: map[string]tool{"a": nothing}, as: &v, accounts: &fakeAccounts{}, place: place,
				secrets: &memorySecrets{}})
			state := r.s.desk.servers[0]
			sheet := r.s.sheetOf(state)
			sheet.more = true
			open(r, state)
			for mode, want := range keptWords {
				place.be(keychain.State{Mode: mode})
				r.queue.Drain()
				said := strings.Count(r.text(), want)
				if said == 0 || mode != keychain.Untried && mode != keychain.Available && strings.Contains(r.text(), "keychain") {
					t.Errorf("%v: the page reads\n%s", mode, r.text())
				}
				for other, words := range keptWords {
					if words != want && strings.Contains(r.text(), words) {
						t.Errorf("%v: it speaks of %v too:\n%s", mode, other, r.text())
					}
				}
			}
		})
	}
}

// TestKept_IsFoundOutBeforeAnyPageSaysIt: nothing has to be stored first.
func TestKept_IsFoundOutBeforeAnyPageSaysIt(t *testing.T) {
	place := &fakePlace{found: &noKeychain}
	r := newRig(t, rigOptions{tools: map[string]tool{"a": nothing}, accounts: &fakeAccounts{}, place: place})
	r.s.choose(route{section: sectionAdd})
	r.wait(func() bool { return strings.Contains(r.text(), keptWords[keychain.SessionOnly]) })
}

func TestKept_TheKeyboardStaysWhereItIsWhenThePlaceChanges(t *testing.T) {
	place := &fakePlace{}
	r := newRig(t, rigOptions{tools: map[string]tool{"a": nothing}, accounts: &fakeAccounts{}, place: place})
	r.s.choose(route{section: sectionAdd})
	r.typing("https://travel")
	place.be(noKeychain)
	r.queue.Drain()
	r.typing(".example/mcp")
	if got := r.s.adding.draft.URL; got != "https://travel.example/mcp" {
		t.Errorf("the address is %q", got)
	}
	r.s.choose(route{section: sectionImport})
	r.typing(`{"mcpServers":{"a":{"command":"npx"},"b":{"command":"uvx","env":{"API_KEY":"s3cr3t-value-9"}}}}`)
	r.ctrlEnter()
	r.wait(func() bool { return r.s.importing.read })
	r.tab()
	r.tab()
	place.be(lockedFile)
	r.queue.Drain()
	r.key(fyne.KeySpace)
	if rows := r.s.importing.rows; !rows[0].ticked || rows[1].ticked {
		t.Error("Space did not untick the second server, where the keyboard was")
	}
}
