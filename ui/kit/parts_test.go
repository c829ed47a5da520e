package kit

import (
	"fmt"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
)

// drawnText returns all texts below o, one a line.
func drawnText(o fyne.CanvasObject) string {
	var out []string
	for _, c := range test.LaidOutObjects(o) {
		if t, ok := c.(*canvas.Text); ok && t.Visible() {
			out = append(out, t.Text)
		}
	}
	return strings.Join(out, "\n")
}

func TestURLViewShowsAllOfTheURLWithinItsWidth(t *testing.T) {
	long := "/" + strings.Repeat("a", 6000) + "?x=%E4%B8%AD"
	v := NewURLView([]Segment{{"https://accounts.google.com.", false}, {"evil.example", true}, {long, false}})
	newScene(t, NewReveal(Column(0, v)), 600, 500)
	expect(t, "shown", v.String(), "https://accounts.google.com.evil.example"+long)
	expect(t, "drawn", strings.ReplaceAll(drawnText(v.text), "\n", ""), v.String())
	for _, l := range v.text.lines {
		if l.width > v.Size().Width-2*urlPadX+1.5 {
			t.Fatalf("a line is %v wide in a view of %v", l.width, v.Size().Width)
		}
	}
}

// A site that fits on a line is never cut: one half of it would read as another.
func TestURLViewBreaksBeforeTheSite(t *testing.T) {
	for _, site := range []string{"evil.example", strings.Repeat("w", 63) + ".example"} {
		v := NewURLView([]Segment{{"https://accounts.google.com.", false}, {site, true}, {":8443/o/oauth2/v2/auth?client_id=7291", false}})
		fits := NewURLView([]Segment{{site, true}}).text.NaturalWidth()
		for width := float32(40); width < 900; width += 7 {
			v.HeightFor(width)
			pieces := 0
			for _, l := range v.text.lines {
				for _, p := range l.pieces {
					if v.text.runs[p.run].fill != "" {
						pieces++
					}
				}
			}
			if cut := pieces > 1; cut != (width-2*urlPadX < fits-1) {
				t.Errorf("%s at %v, which takes %v: in %d pieces", site, width-2*urlPadX, fits, pieces)
			}
		}
	}
}

func TestURLViewBringsOutTheSiteAlone(t *testing.T) {
	v := NewURLView([]Segment{{"https://a.", false}, {"evil.example", true}, {"/", false}})
	newScene(t, Column(0, v), 600, 100)
	var rest, site *canvas.Text
	fills := 0
	for _, o := range test.LaidOutObjects(v.text) {
		switch o := o.(type) {
		case *canvas.Text:
			if o.Text == "evil.example" {
				site = o
			} else {
				rest = o
			}
		case *canvas.Rectangle:
			fills++
		}
	}
	if site == nil || !site.TextStyle.Bold || !site.TextStyle.Monospace || site.TextSize <= rest.TextSize {
		t.Errorf("the site is drawn as %+v", site)
	}
	if rest.TextStyle.Bold || !rest.TextStyle.Monospace {
		t.Errorf("the rest is drawn as %+v", rest)
	}
	expect(t, "tinted fields", fills, 1)
}

func TestURLViewShowsWhatHidesOrReorders(t *testing.T) {
	v := NewURLView([]Segment{{"https://example.com/\u202emoc.live\u200b", true}})
	for _, r := range v.String() {
		if r == '\u202e' || r == '\u200b' {
			t.Errorf("%U is drawn as it is", r)
		}
	}
	refused := NewRefusedURL(safe("javascript:alert(1)"))
	expect(t, "refused", refused.String(), "javascript:alert(1)")
	for _, r := range refused.text.runs {
		expect(t, "a part of a refused URL is brought out", r.style.Bold || r.fill != "", false)
	}
}

func TestNoticesDifferInShapeAndColour(t *testing.T) {
	icons, looks := map[string]Level{}, map[noticeLook]Level{}
	for level, look := range noticeLooks {
		if other, ok := icons[look.icon.Name()]; ok {
			t.Errorf("levels %d and %d have the same icon", level, other)
		}
		look.icon = nil
		if other, ok := looks[look]; ok {
			t.Errorf("levels %d and %d have the same colours", level, other)
		}
		icons[noticeLooks[level].icon.Name()], looks[look] = level, level
	}
	n := NewNotice(Danger, "It begins with accounts.google.com.", strings.Repeat("It may be a trap. ", 30))
	newScene(t, Column(0, n), 300, 500)
	if got := drawnText(n); !strings.Contains(got, "accounts.google.com.") || strings.Count(got, "\n") < 8 {
		t.Errorf("the notice shows %q", got)
	}
}

func TestBannerSaysWhoAsksAndMarksTheServersOwnWords(t *testing.T) {
	b := NewBanner(BannerOptions{
		Name: safe("Travel desk"), Icon: IconLock,
		Origin:   []Run{Own("https://mcp.", Style{}), Own("travel.example", Style{Bold: true})},
		SelfName: safe(strings.Repeat("I am your bank ", 50)),
	})
	s := newScene(t, Column(0, b), 800, 300)
	got := drawnText(b)
	for _, want := range []string{"T", "Travel desk", "https://mcp.", "travel.example", "the server calls itself"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not shown in\n%s", want, got)
		}
	}
	if h := b.Size().Height; h > 100 {
		t.Errorf("a server's own name makes the banner %v high", h)
	}
	s.w.Resize(fyne.NewSize(300, 300))
	if w := b.Size().Width; w > 300 {
		t.Errorf("in a window of 300 the banner is %v wide", w)
	}
}

func TestInitialOfAName(t *testing.T) {
	for name, want := range map[string]string{"travel desk": "T", "旅行服务台": "旅", "  «été»": "É", "🙂": "?", "": "?", "3D": "3"} {
		expect(t, name, initialOf(name), want)
	}
}

func TestBadgeCounts(t *testing.T) {
	b := NewBadge(0)
	expect(t, "a badge of 0 is seen", b.Visible(), false)
	for n, want := range map[int]string{1: "1", 99: "99", 100: "99+", 20000: "99+"} {
		b.SetCount(n)
		expect(t, "badge", b.text.String(), want)
		expect(t, "seen", b.Visible(), true)
	}
}

func TestDotsDifferInShape(t *testing.T) {
	type shape struct {
		filled bool
		radius float32
	}
	on, off, trouble := NewDot(DotOn), NewDot(DotOff), NewDot(DotTrouble)
	of := func(d *StatusDot) shape { return shape{d.back.Fill != "", d.back.Radius} }
	if of(on) == of(off) || of(on) == of(trouble) || of(off) == of(trouble) {
		t.Errorf("on %v, off %v, trouble %v", of(on), of(off), of(trouble))
	}
}

func TestSideItemsWorkByKeyboard(t *testing.T) {
	tapped := ""
	item := func(name string) *SideItem {
		return NewSideItem(SideItemOptions{Title: safe(name), Subtitle: safe("sub"), HasDot: true, OnTapped: func() { tapped += name }})
	}
	a, b := item("a"), item("b")
	s := newScene(t, Column(0, a, b), 200, 200)
	s.focus(a)
	s.keys(fyne.KeyReturn, fyne.KeyDown, fyne.KeySpace, fyne.KeyUp, fyne.KeyEnter)
	expect(t, "chosen", tapped, "aba")
	a.SetSelected(true)
	expect(t, "title of the selected row is bold", a.title.runs[0].style.Bold, true)
	a.SetTexts(safe("new"), safe(""))
	a.SetCount(3)
	a.SetDot(DotTrouble)
	if got := drawnText(a); !strings.Contains(got, "new") || !strings.Contains(got, "3") {
		t.Errorf("shows %q", got)
	}
}

func TestEverythingFollowsTheTheme(t *testing.T) {
	settings := fyne.CurrentApp().Settings()
	defer settings.SetTheme(NewTheme(Light, 1))
	env := &Env{}
	page := shotForm(env)
	s := newScene(t, page, 1280, 800)
	light := s.c.Capture()
	settings.SetTheme(NewTheme(Dark, 1))
	page.Refresh()
	dark := s.c.Capture()
	for _, p := range []struct {
		what string
		x, y int
	}{{"sidebar", 100, 500}, {"background", 700, 690}, {"banner", 900, 56}, {"area", 1100, 600}, {"field", 560, 250}} {
		if light.At(p.x, p.y) == dark.At(p.x, p.y) {
			t.Errorf("the %s keeps its light colour %v in the dark theme", p.what, dark.At(p.x, p.y))
		}
	}
}

func TestANarrowBannerKeepsTheServersOwnNameForTheOneWhoOpensIt(t *testing.T) {
	b := NewBanner(BannerOptions{Name: safe("Travel desk"), SelfName: safe("TravelBot 2.1")})
	s := newScene(t, Column(0, b), 800, 300)
	if b.self.Position().X <= b.name.Position().X+b.name.Size().Width {
		t.Error("in a wide window the server's own name is not aside")
	}
	expect(t, "wide: folded", b.IsFolded(), false)
	s.w.Resize(fyne.NewSize(320, 300))
	expect(t, "narrow: folded", b.IsFolded(), true)
	expect(t, "narrow: the server's own name is seen", b.self.Visible() || b.whole.Visible(), false)
	b.more.TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace})
	expect(t, "open: folded", b.IsFolded(), false)
	expect(t, "open: all is seen", b.whole.Visible() && !b.name.Visible(), true)
	expect(t, "all", b.whole.content.(*Text).String(), "Travel desk\nthe server calls itself “TravelBot 2.1”")
}

func TestABannerStaysLowAndShowsWhoseServerItIs(t *testing.T) {
	long := strings.Repeat("sub", 80)
	b := NewBanner(BannerOptions{Name: safe(strings.Repeat("Travel desk ", 25)), Icon: IconLock, SelfName: safe("Me"),
		Origin: []Run{Own("https://"+long+".", Style{}), Own("travel.example", Style{Bold: true})},
		Short:  []Run{Own("https://…", Style{}), Own("travel.example", Style{Bold: true})}})
	s := newScene(t, Column(0, b), 800, 600)
	for width, most := range map[float32]float32{296: 90, 800: 120} {
		s.w.Resize(fyne.NewSize(width, 600))
		if h := b.HeightFor(width); h > most {
			t.Errorf("%v wide the banner is %v high", width, h)
		}
		expect(t, "the short origin stands in", b.short.Visible() && !b.origin.Visible() && !b.short.isCut(), true)
	}
	b.more.Tapped(nil)
	if h := b.Size().Height; h > 200 {
		t.Errorf("opened, it is %v high", h)
	}
	before := b.scroll.Offset()
	s.w.Resize(fyne.NewSize(296, 600))
	b.more.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	expect(t, "the arrow scrolls the open banner", b.scroll.Offset() > before, true)
}

func TestActionBarWrapsWhereItIsNarrow(t *testing.T) {
	button := func(text string) *Button { return NewButton(ButtonOptions{Text: text}) }
	left, cancel, submit := button("Copy link"), button("Cancel"), button("Open "+strings.Repeat("evil.example", 20))
	bar := ActionBar([]fyne.CanvasObject{left}, []fyne.CanvasObject{cancel, submit})
	d := fyne.CurrentApp().Driver()
	s := newScene(t, Frame(nil, bar, nil, nil, Spacer(1, 1)), 900, 300)
	y := func(b *Button) float32 { return d.AbsolutePositionForObject(b).Y }
	expect(t, "height of the left button in a wide window", y(left), y(submit))
	if w := submit.MinSize().Width; w > buttonMost {
		t.Errorf("a long text makes a button ask for %v", w)
	}
	s.w.Resize(fyne.NewSize(560, 300))
	if y(left) >= y(submit) {
		t.Errorf("in a narrow window the left button is at %v and the right one at %v", y(left), y(submit))
	}
	right := d.AbsolutePositionForObject(submit).X + submit.Size().Width
	if right > 561 {
		t.Errorf("the right button ends at %v in a window of 560", right)
	}
	for _, width := range []float32{420, 300, 200} {
		s.w.Resize(fyne.NewSize(width, 300))
		end := fyne.Position{} // of the one before
		for _, b := range []*Button{left, cancel, submit} {
			at := d.AbsolutePositionForObject(b)
			if at.X < 0 || at.X+b.Size().Width > width+1 || at.Y < end.Y && at.X < end.X || at.Y+b.Size().Height > 301 {
				t.Errorf("in a window of %v a button is at %v, %v large; the one before ends at %v", width, at, b.Size(), end)
			}
			end = at.Add(b.Size())
		}
	}
}

// TestActionBarSharesALineWhereThatSavesOne: in a low window every line counts,
// and what ends the question stays at the right.
func TestActionBarSharesALineWhereThatSavesOne(t *testing.T) {
	button := func(text string) *Button { return NewButton(ButtonOptions{Text: text}) }
	left, cancel, decline, open := button("Copy link"), button("Cancel"), button("Decline"), button("Read the rest first")
	bar := ActionBar([]fyne.CanvasObject{left}, []fyne.CanvasObject{cancel, decline, open})
	d := fyne.CurrentApp().Driver()
	s := newScene(t, Frame(nil, bar, nil, nil, Spacer(1, 1)), 900, 300)
	for _, c := range []struct {
		width float32
		lines int
	}{{900, 1}, {470, 2}, {304, 2}, {210, 3}, {150, 4}} {
		s.w.Resize(fyne.NewSize(c.width, 300))
		rows := map[float32]bool{}
		for _, b := range []*Button{left, cancel, decline, open} {
			rows[d.AbsolutePositionForObject(b).Y] = true
		}
		expect(t, fmt.Sprintf("lines in a window of %v", c.width), len(rows), c.lines)
		at := d.AbsolutePositionForObject(open)
		if right := at.X + open.Size().Width; right < c.width-1 || right > c.width+1 {
			t.Errorf("in a window of %v what goes on ends at %v", c.width, right)
		}
		if h := float32(c.lines)*left.Size().Height + float32(c.lines-1)*barGap; bar.Objects[1].Size().Height != h {
			t.Errorf("%d lines are %v high, want %v", c.lines, bar.Objects[1].Size().Height, h)
		}
	}
}

// TestActionBarSharesTheLastLineOfManyExtras, in the order of reading, and no button
// lies on another.
func TestActionBarSharesTheLastLineOfManyExtras(t *testing.T) {
	button := func(text string, i Importance) *Button { return NewButton(ButtonOptions{Text: text, Importance: i}) }
	all := []*Button{button("Edit…", Quiet), button("Remove server", Quiet), button("Access token…", Quiet), button("Connect again", Plain), button("Allow my own network…", Primary)}
	var objects []fyne.CanvasObject
	for _, b := range all {
		objects = append(objects, b)
	}
	bar := ActionBar(objects[:3], objects[3:])
	d := fyne.CurrentApp().Driver()
	s := newScene(t, Frame(nil, bar, nil, nil, Spacer(1, 1)), 1200, 300)
	middle := func(b *Button) float32 { return d.AbsolutePositionForObject(b).Y + b.Size().Height/2 }
	for width, lines := range map[float32]int{1200: 1, 290: 3, 200: 4, 130: 5} {
		s.w.Resize(fyne.NewSize(width, 300))
		rows, end := map[float32]bool{}, fyne.Position{}
		for _, b := range all {
			rows[middle(b)] = true
			at := d.AbsolutePositionForObject(b)
			if at.X < end.X && middle(b) < end.Y || at.X+b.Size().Width > width+1 || at.Y+b.Size().Height > 301 {
				t.Errorf("in a window of %v %q lies at %v; the one before ends at %v", width, b.Text(), at, end)
			}
			end = at.Add(b.Size())
		}
		expect(t, fmt.Sprintf("lines in a window of %v", width), len(rows), lines)
	}
}

func TestPickerShowsALongPickOnSeveralLines(t *testing.T) {
	env := &Env{}
	p := NewPicker(PickerOptions{Env: env, Options: optionsOf("short", strings.Repeat("a long label ", 25)), Selected: 0})
	page := NewReveal(Column(4, p, Line()))
	env.Reveal = page
	newScene(t, page, 300, 300)
	one := p.Size().Height
	p.SetSelected(1)
	if p.Size().Height <= one || len(p.text.lines) != pickerLines {
		t.Errorf("a long pick is %v high on %d lines, a short one %v", p.Size().Height, len(p.text.lines), one)
	}
}

func TestRightClickCopiesAMessage(t *testing.T) {
	m := Message(nil, safe("Your code is 4711"), Style{}, nil).(*copyText)
	s := newScene(t, Column(0, m), 300, 300)
	test.TapSecondary(m)
	if s.overlays() != 1 {
		t.Fatal("a right click opens no menu")
	}
	s.keys(fyne.KeyDown, fyne.KeyReturn)
	expect(t, "clipboard", fyne.CurrentApp().Clipboard().Content(), "Your code is 4711")
}
