package ui

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"

	"parley/consent"
	"parley/mcpclient/config"
	"parley/ui/kit"
)

// box is a part of the window.
type box struct{ left, top, right, bottom float32 }

func (b box) within(o box) box {
	return box{max(b.left, o.left), max(b.top, o.top), min(b.right, o.right), min(b.bottom, o.bottom)}
}

func boxOf(at fyne.Position, size fyne.Size) box {
	return box{at.X, at.Y, at.X + size.Width, at.Y + size.Height}
}

// look goes through all that is drawn in o and tells of each object where it
// is and through which part of the window it is seen.
func look(o fyne.CanvasObject, origin fyne.Position, through box, tell func(o fyne.CanvasObject, at, through box)) {
	if o == nil || !o.Visible() {
		return
	}
	origin = origin.Add(o.Position())
	at := boxOf(origin, o.Size())
	tell(o, at, through)
	switch o := o.(type) {
	case *fyne.Container:
		for _, c := range o.Objects {
			look(c, origin, through, tell)
		}
	case *container.Scroll:
		look(o.Content, origin, through.within(at), tell)
	case fyne.Widget:
		for _, c := range test.WidgetRenderer(o).Objects() {
			look(c, origin, through, tell)
		}
	}
}

// inView checks that the whole of what is chosen by is can be seen on the page.
func (r *rig) inView(what string, is func(fyne.CanvasObject) bool) (found box) {
	r.t.Helper()
	n := 0
	// Whatever stands right of the sidebar is the page's.
	window := boxOf(fyne.Position{}, r.s.win.Canvas().Size())
	look(r.s.win.Content(), fyne.Position{}, window, func(o fyne.CanvasObject, at, through box) {
		if !is(o) {
			return
		}
		n++
		found = at
		const slack = 1 // of sums of floats
		if at.top < through.top-slack || at.bottom > through.bottom+slack || at.left < through.left-slack || at.right > through.right+slack {
			r.t.Errorf("%s is at %v and seen through %v", what, at, through)
		}
	})
	if n == 0 {
		r.t.Errorf("%s is nowhere", what)
	}
	return found
}

// TestC24_NothingPushesTheWarningsOutOfView: however long the link or the
// message, whoever can press the button that opens sees the site, the gravest
// warning and the tick.
func TestC24_NothingPushesTheWarningsOutOfView(t *testing.T) {
	const plain = "http://plain.example/"
	long := strings.Repeat("Trust me. ", 6500)
	path := strings.Repeat("a", 6000)
	hosts := "https://" + strings.Repeat("accounts.google.com.", 8) + "evil.example/"
	usual, small := firstSize, fyne.NewSize(680, 430)
	for name, c := range map[string]struct {
		message, url string
		size         fyne.Size
	}{
		"all short":             {"Sign in.", plain, usual},
		"long link":             {"Sign in.", plain + path, usual},
		"long message":          {long, plain, usual},
		"many lines":            {strings.Repeat("\n", 100) + "Trust me.", plain, usual},
		"long both":             {long, plain + path, usual},
		"danger, short":         {"Sign in.", evilLink, usual},
		"danger, long both":     {long, evilLink + path, usual},
		"danger, long host":     {long, hosts + path, usual},
		"danger, no encryption": {long, "http://" + strings.TrimPrefix(hosts, "https://") + "?redirect_uri=https://other.example/&x=" + path, usual},
		"long site":             {"Sign in.", "https://" + strings.Repeat("w", 63) + ".example/", usual},
		"small window":          {long, plain + path, small},
		"small window, short":   {"Sign in.", plain, small},
		"small window, danger":  {"Sign in.", evilLink, small},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, rigOptions{tools: map[string]tool{"link": asking(`{"k":` + urlRequest(c.message, c.url) + `}`)}, http: true})
			r.s.win.Resize(c.size)
			r.run("link")
			sh := r.question()
			open := r.button("Open " + shortSite(sh.link.Button))
			if rest := r.button("Read the rest first"); open == nil && c.size == small {
				open = rest
			}
			if open == nil {
				t.Fatal("no button opens")
			}
			foot := r.inView("the button", func(o fyne.CanvasObject) bool { return o == fyne.CanvasObject(open) })
			first := r.s.say(sh.link.Sentences()[0].Text)
			warning := r.inView("the gravest warning", func(o fyne.CanvasObject) bool {
				text, ok := o.(*kit.Text)
				return ok && strings.HasPrefix(text.String(), first)
			})
			site := r.inView("the site", func(o fyne.CanvasObject) bool {
				piece, ok := o.(*canvas.Text)
				return ok && piece.TextStyle.Monospace && piece.TextStyle.Bold
			})
			if !(site.bottom <= warning.top && warning.bottom <= foot.top) {
				t.Errorf("the site ends at %v, the warning is from %v to %v, the buttons begin at %v", site.bottom, warning.top, warning.bottom, foot.top)
			}
			if !sh.mayOpen() && c.size == usual {
				r.inView("the tick", func(o fyne.CanvasObject) bool { _, ok := o.(*kit.Check); return ok })
			}
		})
	}
}

// TestC24_OpenWaitsUntilEveryWarningWasInView in a window too low for all of
// them: another button stands in its place, and leads there by the keyboard too.
func TestC24_OpenWaitsUntilEveryWarningWasInView(t *testing.T) {
	several := "http://accounts.google.com.evil.example/setup.exe?x=" + strings.Repeat("a", 3000)
	least := fyne.NewSize(leastWidth, leastHeight)
	for name, c := range map[string]struct {
		url   string
		size  fyne.Size
		scale float32
		once  bool
	}{
		"usual":                  {several, firstSize, 1, true},
		"usual, twice the scale": {several, firstSize, 2, true},
		"the least, one":         {goodLink, least, 1, false},
		"the least":              {several, least, 1, false},
		"the least, twice":       {several, least, 2, false},
		"low":                    {several, fyne.NewSize(680, 430), 1, false},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, rigOptions{tools: askLink(c.url), http: true})
			r.s.win.Canvas().(interface{ SetScale(float32) }).SetScale(c.scale)
			r.s.win.Resize(c.size)
			r.run("link")
			sh := r.question()
			page := r.s.page.(*linkPage)
			top, bottom := map[string]bool{}, map[string]bool{}
			watch := func() {
				window := boxOf(fyne.Position{}, r.s.win.Canvas().Size())
				look(r.s.win.Content(), fyne.Position{}, window, func(o fyne.CanvasObject, at, through box) {
					if text, ok := o.(*kit.Text); ok && text.String() != "" {
						top[text.String()] = top[text.String()] || at.top >= through.top-1 && at.top < through.bottom
						bottom[text.String()] = bottom[text.String()] || at.bottom <= through.bottom+1 && at.bottom > through.top
					}
				})
			}
			watch()
			if c.once != (r.button("Read the rest first") == nil) {
				t.Errorf("Open is offered at once: %v", !c.once)
			}
			for n := 0; r.button("Read the rest first") != nil; n++ {
				if sh.mayOpen() || r.button("Open "+shortSite(sh.link.Button)) != nil || n == 50 {
					t.Fatalf("after %d presses: may open %v", n, sh.mayOpen())
				}
				rest := r.button("Read the rest first")
				r.inView("the button", func(o fyne.CanvasObject) bool { return o == fyne.CanvasObject(rest) })
				r.s.win.Canvas().Focus(rest)
				r.key(fyne.KeyReturn)
				watch()
				r.pass(deafTime)
			}
			for _, f := range page.link.findings() {
				for _, o := range objectsOf(f) {
					if text, ok := o.(*kit.Text); ok && text.String() != "" && !(top[text.String()] && bottom[text.String()]) {
						t.Errorf("never seen whole: %q", text.String())
					}
				}
			}
			if sh.link.Level == consent.Danger && sh.mayOpen() {
				t.Error("opens without the tick")
			}
			if len(r.opener.urls()) != 0 {
				t.Error("reading opened the link")
			}
			sh.link.known = true
			if !sh.mayOpen() || r.button("Open "+shortSite(sh.link.Button)) == nil {
				t.Error("it can never be opened")
			}
		})
	}
}

// TestLowWindow_TheSiteAndTheGravestWarningAreRead without scrolling, in the
// smallest window too: the message is what gives way.
func TestLowWindow_TheSiteAndTheGravestWarningAreRead(t *testing.T) {
	for _, language := range []string{"en", "zh-Hans"} {
		r := newRig(t, rigOptions{tools: askLink(evilLink), http: true, settings: config.Settings{Language: language}})
		r.s.win.Resize(fyne.NewSize(leastWidth, leastHeight))
		r.run("link")
		sh := r.question()
		gravest := r.s.say(sh.link.Sentences()[0].Text)
		warning := r.inView("the gravest warning", func(o fyne.CanvasObject) bool {
			text, ok := o.(*kit.Text)
			return ok && text.String() == gravest
		})
		site := r.inView("the site", func(o fyne.CanvasObject) bool {
			piece, ok := o.(*canvas.Text)
			return ok && piece.TextStyle.Monospace && piece.TextStyle.Bold
		})
		if site.bottom > warning.top {
			t.Errorf("the site ends at %v, the warning begins at %v", site.bottom, warning.top)
		}
	}
}

// TestLowWindow_TheTickStandsBelowTheWarnings in their scroller, and Tab brings
// it into view.
func TestLowWindow_TheTickStandsBelowTheWarnings(t *testing.T) {
	for name, size := range map[string]fyne.Size{"small": fyne.NewSize(680, 430), "the least": fyne.NewSize(leastWidth, leastHeight)} {
		r, sh := linkRig(t, evilLink)
		r.s.win.Resize(size)
		r.queue.Drain()
		list := r.s.page.(*linkPage).link.list
		var tick *kit.Check
		for _, o := range objectsOf(list) {
			if c, ok := o.(*kit.Check); ok {
				tick = c
			}
		}
		if tick == nil {
			t.Fatalf("%s: no tick below the warnings", name)
		}
		r.s.win.Canvas().Focus(tick)
		if list.Offset() == 0 {
			t.Errorf("%s: the tick has the keyboard and is not in view", name)
		}
		r.key(fyne.KeySpace)
		if !sh.mayOpen() {
			t.Errorf("%s: the tick cannot be set", name)
		}
	}
}

// TestLongLink_CanBeReadToItsEnd by scrolling in it, with its beginning in view.
func TestLongLink_CanBeReadToItsEnd(t *testing.T) {
	r, _ := linkRig(t, "http://plain.example/"+strings.Repeat("a", 6000)+"end")
	r.s.win.Resize(firstSize)
	r.queue.Drain()
	for _, o := range objectsOf(r.s.page.object()) {
		scroll, ok := o.(*container.Scroll)
		if !ok || len(objectsOf(scroll.Content)) == 0 {
			continue
		}
		if _, ok := scroll.Content.(*kit.URLView); !ok {
			continue
		}
		if scroll.Offset.Y != 0 || scroll.Size().Height >= scroll.Content.Size().Height {
			t.Fatalf("the link's box is %v high, at %v of %v", scroll.Size().Height, scroll.Offset.Y, scroll.Content.Size().Height)
		}
		scroll.ScrollToBottom()
		r.inView("the link's end", func(o fyne.CanvasObject) bool {
			piece, ok := o.(*canvas.Text)
			return ok && piece.TextStyle.Monospace && strings.HasSuffix(piece.Text, "end")
		})
		return
	}
	t.Error("the link does not scroll")
}

// TestUsualLink_StandsAsDrawn: what fits is not scrolled; the warnings stand
// right below the link.
func TestUsualLink_StandsAsDrawn(t *testing.T) {
	r, sh := linkRig(t, evilLink)
	r.s.win.Resize(firstSize)
	r.queue.Drain()
	link := r.inView("the link", func(o fyne.CanvasObject) bool { _, ok := o.(*kit.URLView); return ok })
	first := r.s.say(sh.link.Sentences()[0].Text)
	warning := r.inView("the warning", func(o fyne.CanvasObject) bool {
		text, ok := o.(*kit.Text)
		return ok && text.String() == first
	})
	if room := warning.top - link.bottom; room < gap || room > 2*gap {
		t.Errorf("the warning stands %v below the link", room)
	}
	r.inView("the promise", func(o fyne.CanvasObject) bool {
		text, ok := o.(*kit.Text)
		return ok && strings.HasPrefix(text.String(), "Nothing has been opened")
	})
}
