package kit

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
)

// linesOf returns what a text draws, line by line.
func linesOf(t *Text) []string {
	var out []string
	for _, l := range t.lines {
		var b strings.Builder
		for _, p := range l.pieces {
			b.WriteString(p.text)
		}
		out = append(out, b.String())
	}
	return out
}

func TestTextBreaksWhereItsScriptAllowsIt(t *testing.T) {
	newScene(t, Spacer(1, 1), 10, 10)
	for _, c := range []struct {
		name, text string
		// never are strings no line may begin with.
		never []string
	}{
		{"words", "The quick brown fox jumps over the lazy dog and runs on", []string{"uick", "rown", "azy", " "}},
		{"Chinese commas and brackets", "服务器可以发送任意长度的消息，包括很长的句子（例如这个），文字都会自动换行。", []string{"，", "）", "。"}},
		{"Chinese beside Latin", "请访问 example.com 并登录 mcp.travel.example 以继续预订行程", []string{"xample", "ravel"}},
		{"numbers", "It costs 1,234,567.89 in total for 12 travellers of the group", []string{",", ".", "3"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := Sentence(c.text, Style{})
			text.HeightFor(120)
			lines := linesOf(text)
			if len(lines) < 3 {
				t.Fatalf("only %d lines at 120 units: %q", len(lines), lines)
			}
			for _, l := range lines {
				for _, n := range c.never {
					if strings.HasPrefix(l, n) {
						t.Errorf("a line begins with %q: %q", n, lines)
					}
				}
			}
		})
	}
}

func TestTextStaysInsideItsWidth(t *testing.T) {
	newScene(t, Spacer(1, 1), 10, 10)
	for _, text := range []string{
		strings.Repeat("W", 5000),
		strings.Repeat("陈", 500),
		strings.Repeat("iiii WWWW ", 200),
		"AVAVAVAV To Ty Wa " + strings.Repeat("fi ffl ", 100),
		strings.Repeat("e\u0301\u0302\u0303", 300),
		strings.Repeat("👩‍👩‍👧 ", 60),
		"\n\n\nx\n\n",
	} {
		for _, style := range []Style{{}, {Bold: true}, {Mono: true}, {Size: SizeHeading}} {
			o := Sentence(text, style)
			for _, width := range []float32{30, 200, 701} {
				o.HeightFor(width)
				for _, l := range o.lines {
					// One character is shown however narrow the column is; a
					// pixel and a half is what adding up may be wrong by.
					if l.width > width+1.5 && len(l.pieces) == 1 && len([]rune(l.pieces[0].text)) > 1 {
						t.Errorf("%.20q at %v: a line is %v wide: %q", text, width, l.width, l.pieces[0].text)
						break
					}
				}
			}
		}
	}
}

func TestTextKeepsEveryCharacter(t *testing.T) {
	newScene(t, Spacer(1, 1), 10, 10)
	for _, text := range []string{
		"one two  three   four", "多行\n文字\n\n结束", strings.Repeat("abc def ", 300), "", " ", "\n",
	} {
		o := Sentence(text, Style{})
		o.HeightFor(90)
		squeeze := func(s string) string { return strings.Join(strings.Fields(s), "") }
		if got := squeeze(strings.Join(linesOf(o), "")); got != squeeze(text) {
			t.Errorf("%.30q shows as %.60q", text, got)
		}
	}
}

func TestTextHeightFollowsWidth(t *testing.T) {
	o := Sentence(strings.Repeat("word ", 100), Style{})
	page := NewReveal(Column(0, o, Line()))
	s := newScene(t, page, 300, 400)
	narrow := o.Size().Height
	s.w.Resize(fyne.NewSize(900, 400))
	if wide := o.Size().Height; wide >= narrow || wide <= 0 {
		t.Errorf("height is %v at width 900 and %v at 300", wide, narrow)
	}
}

func TestTextMaxLinesEndsInAnEllipsis(t *testing.T) {
	newScene(t, Spacer(1, 1), 10, 10)
	o := Sentence(strings.Repeat("a long label ", 30), Style{})
	o.MaxLines = 2
	o.HeightFor(200)
	lines := linesOf(o)
	if len(lines) != 2 || !strings.HasSuffix(lines[1], "…") {
		t.Errorf("two lines at most, the last with an ellipsis, but: %q", lines)
	}
}

func TestTextSharesABaseline(t *testing.T) {
	o := NewText(Own("small ", Style{Size: SizeTag}), Own("LARGE", Style{Size: SizeHeading}), Own(" small", Style{Mono: true}))
	newScene(t, o, 600, 60)
	bottoms := map[float32]bool{}
	for _, obj := range test.TempWidgetRenderer(t, o).Objects() {
		c := obj.(*canvas.Text)
		_, ascent := fyne.CurrentApp().Driver().RenderedTextSize(c.Text, c.TextSize, c.TextStyle, nil)
		bottoms[c.Position().Y+ascent] = true
	}
	if len(bottoms) != 1 {
		t.Errorf("the pieces of one line have several baselines: %v", bottoms)
	}
}

func TestBoldChineseIsDrawnHeavier(t *testing.T) {
	o := Sentence("姓名 Name", Style{Bold: true})
	newScene(t, o, 300, 60)
	n := map[string]int{}
	for _, obj := range test.TempWidgetRenderer(t, o).Objects() {
		n[strings.TrimSpace(obj.(*canvas.Text).Text)]++
	}
	expect(t, "copies of the Chinese part", n["姓名"], 2)
	expect(t, "copies of the Latin part", n["Name"], 1)
}

func TestB102_B103_LongTextIsBrokenAndDrawnInPart(t *testing.T) {
	for _, c := range []struct {
		name, text string
	}{
		{"B102 5,000 characters on one line", strings.Repeat("x", 5000)},
		{"64 KiB on one line", strings.Repeat("0123456789abcdef", 4096)},
		{"B103 1 MiB in lines", strings.Repeat(strings.Repeat("line of text ", 6)+"\n", 13000)},
		{"B103 1 MiB of JSON on one line", strings.Repeat(`{"a":[1,2,3]},`, 75000)},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := NewLongText(safe(c.text), LongTextOptions{})
			s := newScene(t, NewReveal(Column(0, l)), 500, 600)
			if n := len(l.rows.visible); n == 0 || n > 40 {
				t.Errorf("%d rows are drawn, want those in view", n)
			}
			if h := l.Size().Height; h <= 0 || h > 600 {
				t.Errorf("the box is %v high", h)
			}
			s.focus(l)
			s.keys(fyne.KeyEnd)
			if l.rows.visible[len(l.lines)-1] == nil {
				t.Error("End does not show the last line")
			}
			s.keys(fyne.KeyHome, fyne.KeyPageDown)
			if l.rows.visible[l.o.Lines] == nil {
				t.Error("Page Down does not go on by a page")
			}
		})
	}
}

func TestACutLineIsFilledWithinAWord(t *testing.T) {
	text := NewText(Own("Open "+strings.Repeat("w", 200)+".example\nnext", Style{}))
	text.MaxLines = 1
	newScene(t, text, 300, 40)
	got := text.lines[0].pieces[0].text
	if len(got) < 20 || !strings.HasSuffix(got, "w…") || text.lines[0].width > 300 {
		t.Errorf("%q is shown, %v wide", got, text.lines[0].width)
	}
}

func TestMessageChoosesByLength(t *testing.T) {
	newScene(t, Spacer(1, 1), 10, 10)
	if _, ok := Message(nil, safe("Please sign in."), Style{}, nil).(*copyText); !ok {
		t.Error("an ordinary message is not shown in full")
	}
	for _, text := range []string{strings.Repeat("x", messageChars+1), strings.Repeat("\n", messageLines+1)} {
		if _, ok := Message(nil, safe(text), Style{}, nil).(*LongText); !ok {
			t.Errorf("a message of %d bytes is not put in a box", len(text))
		}
	}
}

func TestB104_ForeignScriptsNeedNoSystemFont(t *testing.T) {
	for _, style := range []fyne.TextStyle{{}, {Bold: true}, {Italic: true}, {Bold: true, Italic: true}, {Monospace: true}} {
		if face := NewTheme(Light, 1).Font(style); face != fontFallback {
			t.Errorf("style %+v asks %s first, which has no Chinese", style, face.Name())
		}
	}
	if face := NewTheme(Light, 1).Font(fyne.TextStyle{Monospace: true, Bold: true}); face != fontMonoBold {
		t.Errorf("bold fixed width asks %s", face.Name())
	}
}

// TestBoldOfTheFallbackIsSeenEverywhere: the second copy lies a whole number of
// pixels, one at least, beside the first.
func TestBoldOfTheFallbackIsSeenEverywhere(t *testing.T) {
	for _, size := range []fyne.ThemeSizeName{SizeTag, SizeHint, SizeBody, SizeTitle, SizeHeading} {
		text := NewText(Own("Full name：此项必填。", Style{Bold: true, Size: size}))
		newScene(t, text, 400, 60)
		var at []float32
		for _, o := range test.WidgetRenderer(text).Objects() {
			if c, ok := o.(*canvas.Text); ok && strings.Contains(c.Text, "此") {
				at = append(at, c.Position().X)
			}
		}
		if len(at) != 2 || at[1]-at[0] < .99 || at[1]-at[0] > 1.01 {
			t.Errorf("%s: the copies lie at %v", size, at)
		}
	}
}

// TestSpacesAtTheStartOfALineAreAsWideAsOthers: the font that Fyne asks first has
// another space, and an outline of JSON lives on them.
func TestSpacesAtTheStartOfALineAreAsWideAsOthers(t *testing.T) {
	mono := Style{Mono: true}
	text := Sentence("n\n    n\nnnnn n", mono)
	newScene(t, text, 400, 200)
	text.layout(400)
	digit := mono.ruler(text.Theme()).width('n')
	if got := text.lines[1].pieces[0]; got.text != "n" || got.x < 4*digit-.5 || got.x > 4*digit+.5 {
		t.Errorf("after four spaces %q stands at %v, and a letter is %v wide", got.text, got.x, digit)
	}
	expect(t, "text to copy", text.String(), "n\n    n\nnnnn n")
}
