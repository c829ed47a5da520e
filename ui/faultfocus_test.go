package ui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"parley/mcpclient/auth"
	"parley/mcpclient/config"
)

// TestForms_AfterAFaultTheKeyboardIsInTheField, with a button pressed by the mouse,
// and what is typed there is not what was wrong.
func TestForms_AfterAFaultTheKeyboardIsInTheField(t *testing.T) {
	for name, c := range map[string]struct {
		open         func(*rig, *serverState)
		type_, press string
		where        string
	}{
		"an access token": {func(r *rig, v *serverState) {
			r.s.show(route{section: sectionServer, id: v.ID})
			r.click("Access token…")
		},
			"two words", "Keep and use", "Access token"},
		"no access token": {func(r *rig, v *serverState) {
			r.s.show(route{section: sectionServer, id: v.ID})
			r.click("Access token…")
		},
			"", "Keep and use", "Access token"},
		"sign-in settings": {func(r *rig, v *serverState) { r.s.toSetup(v, auth.SetupPort) }, "x", "Save", "Port"},
		"a token of a new server": {func(r *rig, _ *serverState) {
			r.s.choose(route{section: sectionAdd})
			r.typing("https://new.example/mcp")
			r.s.page.(*addPage).form.focusOn(tokenField)
		}, "two words", "Add and connect", "Access token (optional)"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, rigOptions{tools: map[string]tool{"a": nothing}, as: &clientAt, accounts: &fakeAccounts{}})
			v := r.connected()
			c.open(r, v)
			r.queue.Drain()
			if got := r.where(); got != c.where {
				t.Fatalf("opened, the keyboard is at %q", got)
			}
			if c.type_ != "" {
				r.typing(c.type_)
			}
			r.click(c.press)
			if got := r.where(); got != c.where || r.error(c.where) == "" {
				t.Fatalf("the keyboard is at %q, which has wrong: %q", got, r.error(c.where))
			}
			r.typing("1")
			if got := r.error(c.where); got != "" || r.where() != c.where {
				t.Errorf("while it is typed anew it says %q, with the keyboard at %q", got, r.where())
			}
		})
	}
}

// TestForms_WhatIsWrongWithAServerIsTrueOfWhatIsTyped, in the field and in one that
// it depends on.
func TestForms_WhatIsWrongWithAServerIsTrueOfWhatIsTyped(t *testing.T) {
	r := newRig(t, rigOptions{tools: map[string]tool{"a": nothing}})
	r.connected()
	r.s.choose(route{section: sectionAdd})
	r.typing("htt")
	r.ctrlEnter()
	const address = "Address (required)"
	if r.where() != address || r.error(address) == "" {
		t.Fatalf("the keyboard is at %q, which has wrong: %q", r.where(), r.error(address))
	}
	r.typing("p")
	r.judged()
	if r.error(address) == "" {
		t.Error("it is still no address")
	}
	r.typing("s://new.example/mcp")
	r.judged()
	if said := r.error(address); said != "" {
		t.Errorf("it is an address, and the page says %q", said)
	}
	p := r.s.page.(*addPage)
	p.form.focusOn(config.FieldName)
	r.typing("Travel desk")
	r.ctrlEnter()
	const name = "Your name for it"
	if r.error(name) == "" {
		t.Fatalf("there is one of this name already:\n%s", r.text())
	}
	r.s.show(r.s.at) // which draws it anew
	r.s.page.(*addPage).form.focusOn(config.FieldName)
	r.typing("2")
	r.judged()
	if said := r.error(name); said != "" {
		t.Errorf("there is none of this name, and the page says %q", said)
	}
	r.s.show(r.s.at)
	if said := r.error(name); said != "" {
		t.Errorf("drawn anew, it says %q", said)
	}
}

// TestImport_TheKeyboardStaysInThePastedText: the files of other apps are found
// while something is typed, and what cannot be read is mended where it stands.
func TestImport_TheKeyboardStaysInThePastedText(t *testing.T) {
	r := newRig(t, rigOptions{tools: map[string]tool{"a": nothing}})
	r.connected()
	r.s.choose(route{section: sectionAdd})
	r.click("Import…")
	r.typing("npx ")
	r.s.showImport() // as when the files are found
	r.typing("-y")
	if got := r.s.importing.pasted; got != "npx -y" || !strings.HasPrefix(r.where(), "Paste") {
		t.Errorf("what was pasted is %q, the keyboard at %q", got, r.where())
	}
	r.s.importing.pasted = `{"mcpServers":{`
	r.s.choose(route{section: sectionImport})
	r.click(r.s.t("ui.import.read"))
	r.wait(func() bool { return !r.s.importing.reading })
	r.queue.Drain()
	if r.s.importing.trouble.IsZero() || !strings.HasPrefix(r.where(), "Paste") {
		t.Errorf("the trouble is %v, the keyboard at %q", r.s.importing.trouble.ID, r.where())
	}
}

// TestImport_TheKeyboardIsOnNothingThatIsGone: what was read stands there instead, and
// the keys that scroll scroll it.
func TestImport_TheKeyboardIsOnNothingThatIsGone(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	path := filepath.Join(home, ".cursor", "mcp.json")
	must(t, os.MkdirAll(filepath.Dir(path), 0o700))
	must(t, os.WriteFile(path, []byte(importFile), 0o600))
	for name, read := range map[string]func(*rig){
		"pasted": func(r *rig) {
			r.typing(importFile)
			r.ctrlEnter()
		},
		"found": func(r *rig) {
			p := r.s.page.(*importPage)
			r.wait(func() bool { return len(p.files) == 1 })
			r.s.win.Canvas().Focus(p.files[0])
			r.key(fyne.KeyReturn)
		},
		"by its button": func(r *rig) {
			r.s.importing.pasted = importFile
			p := r.s.page.(*importPage)
			p.count()
			r.s.win.Canvas().Focus(p.add)
			r.key(fyne.KeyReturn)
		},
	} {
		r := newRig(t, rigOptions{})
		r.s.win.Resize(fyne.NewSize(600, 360))
		r.s.choose(route{section: sectionImport})
		read(r)
		r.wait(func() bool { return r.s.importing.read })
		r.queue.Drain()
		if f := r.s.win.Canvas().Focused(); f != nil {
			t.Errorf("%s: the keyboard is on a %T that is gone", name, f)
		}
		if r.key(fyne.KeyPageDown); r.s.pageEnv.Reveal.Offset() == 0 {
			t.Errorf("%s: Page Down does not scroll what was read", name)
		}
	}
}
