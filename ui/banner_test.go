package ui

import (
	"fmt"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"parley/consent"
	"parley/mcpclient"
	"parley/ui/kit"
)

// TestNoPartOfAPageLiesOnAnother puts the longest of everything into the
// smallest windows: of 600 by 360, and of a screen of 1280 by 800 at twice the
// size.
func TestNoPartOfAPageLiesOnAnother(t *testing.T) {
	var arguments []string
	for i := range 20 {
		arguments = append(arguments, fmt.Sprintf("--directory=/home/someone/projects/company/a-long-folder-name/%d", i))
	}
	for name, v := range map[string]mcpclient.Server{
		"a long command": {Name: "Files", Kind: mcpclient.Stdio, Command: "travel", Args: arguments},
		"a long origin":  {Name: "Travel", Kind: mcpclient.HTTP, URL: "https://" + strings.Repeat("aaaaaaaaa.", 23) + "travel.example/mcp"},
		"a long name":    {Name: strings.Repeat("Travel desk ", 25), Kind: mcpclient.Stdio, Command: "travel"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, rigOptions{tools: map[string]tool{"book": asking(`{"k":` + formRequest("Who?", nameForm) + `}`)}, as: &v})
			r.run("book")
			r.question()
			for _, size := range []fyne.Size{fyne.NewSize(600, 360), fyne.NewSize(640, 400)} {
				r.s.win.Resize(size)
				r.queue.Drain()
				apart(t, r, size, "question")
				if b := r.banner(); b.IsFolded() {
					b.Toggle()
					apart(t, r, size, "question, banner open")
					b.Toggle()
				} else {
					t.Error("nothing is folded")
				}
			}
			r.s.choose(route{section: sectionServer, id: r.s.desk.servers[0].ID})
			r.queue.Drain()
			apart(t, r, fyne.NewSize(640, 400), "server")
		})
	}
}

// banner is the banner on the page.
func (r *rig) banner() *kit.Banner {
	r.t.Helper()
	for _, o := range objectsOf(r.s.page.object()) {
		if b, ok := o.(*kit.Banner); ok {
			return b
		}
	}
	r.t.Fatal("no banner on the page")
	return nil
}

// apart checks that head, middle and foot of the page lie below each other
// within the window and that something of each can be seen.
func apart(t *testing.T, r *rig, size fyne.Size, what string) {
	t.Helper()
	frame := r.s.page.object().(*fyne.Container)
	var end float32
	for i, least := range []float32{leastHead, 16, 1} {
		o := frame.Objects[i]
		if o.Position().Y < end || o.Size().Height < least {
			t.Errorf("%s at %v: part %d is at %v, %v high; the one above ends at %v", what, size, i, o.Position().Y, o.Size().Height, end)
		}
		if need := o.MinSize().Height; i == 2 && o.Size().Height < need {
			t.Errorf("%s at %v: the buttons have %v of %v", what, size, o.Size().Height, need)
		}
		end = o.Position().Y + o.Size().Height
	}
	if end > size.Height+0.5 {
		t.Errorf("%s at %v: the page ends at %v", what, size, end)
	}
}

func TestTheShortOriginShowsTheSite(t *testing.T) {
	r := newRig(t, rigOptions{})
	parts := []consent.Part{{Text: "https://"}, {Text: strings.Repeat("login.", 40)}, {Text: "evil.example", Role: consent.Site}, {Text: ":8443"}}
	text := kit.NewText(shortOrigin(&r.s.surroundings, mcpclient.Identity{Transport: mcpclient.HTTP}, parts)...).String()
	if want := "https://logi…login.evil.example:8443"; text != want {
		t.Errorf("the short origin is %q, want %q", text, want)
	}
	text = kit.NewText(shortOrigin(&r.s.surroundings, mcpclient.Identity{Transport: mcpclient.Stdio,
		Command: []string{"/home/someone/.local/share/versions/3.11.7/bin/python3", "a b"}}, nil)...).String()
	if want := "program: /home/som…s/3.11.7/bin/python3 \"a b\""; text != want {
		t.Errorf("the short command is %q, want %q", text, want)
	}
}
