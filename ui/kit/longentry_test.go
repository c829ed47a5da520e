package kit

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

// longTexts are texts that are edited in parts, and some that are not.
func longTexts() map[string]string {
	var numbered strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&numbered, "--argument-%d\n", i)
	}
	return map[string]string{
		"nothing":                    "",
		"a word":                     "word",
		"ten thousand lines":         numbered.String(),
		"one line of 128 KiB":        strings.Repeat("x", 128<<10),
		"letters of several bytes":   strings.Repeat("名前é👩", 4000),
		"empty lines":                strings.Repeat("\n", 1000),
		"a short line before a long": "a\n" + strings.Repeat("b", 9000) + "\nc",
		"as long as a part":          strings.Repeat("x", partBytes),
		"as many lines as a part":    strings.TrimSuffix(strings.Repeat("x\n", partLines), "\n"),
	}
}

// inBounds reports whether what stands in the field is short enough for Fyne.
func (l *LongEntry) inBounds() bool {
	return len(l.entry.Text) <= partBytes && strings.Count(l.entry.Text, "\n") < partLines+1
}

// TestLongEntry_GoesThroughAllOfATextAndLosesNothing, in parts that Fyne is quick
// with.
func TestLongEntry_GoesThroughAllOfATextAndLosesNothing(t *testing.T) {
	for name, text := range longTexts() {
		l := NewLongEntry(TextEntryOptions{Text: text, Lines: 5})
		newScene(t, Column(0, l), 400, 400)
		if short := len(text) <= partBytes && strings.Count(text, "\n") < partLines; l.Parted() == short {
			t.Errorf("%s: in parts: %v", name, l.Parted())
		}
		seen := 0
		for step := 0; ; step++ {
			if l.Text() != text || !l.inBounds() {
				t.Fatalf("%s, part %d: %d of %d bytes, %d in the field", name, step, len(l.Text()), len(text), len(l.entry.Text))
			}
			seen += len(l.entry.Text)
			if l.after == "" {
				break
			}
			if l.on.Press(); l.entry.CursorTextOffset() != 0 {
				t.Fatalf("%s, part %d: the cursor is at %d", name, step, l.entry.CursorTextOffset())
			}
		}
		if gaps := strings.Count(text, "\n"); seen < len(text)-gaps {
			t.Errorf("%s: %d of %d bytes were seen", name, seen, len(text))
		}
		for l.before != "" {
			before := len(l.before)
			l.back.Press()
			if l.Text() != text || !l.inBounds() || len(l.before) >= before {
				t.Fatalf("%s, on the way back: %d of %d bytes, %d in the field", name, len(l.Text()), len(text), len(l.entry.Text))
			}
		}
	}
}

// TestLongEntry_WhatIsEditedIsAPartOfTheWhole, whatever part it is, and what is
// reported is the whole.
func TestLongEntry_WhatIsEditedIsAPartOfTheWhole(t *testing.T) {
	var got string
	lines := strings.TrimSuffix(strings.Repeat("line\n", 1000), "\n")
	l := NewLongEntry(TextEntryOptions{Text: lines, Lines: 5, OnChanged: func(s string) { got = s }})
	s := newScene(t, Column(0, l), 400, 400)
	expect(t, "place", l.where.String(), "Lines 1 to 100 of 1,000")
	l.on.Press()
	expect(t, "place", l.where.String(), "Lines 101 to 200 of 1,000")
	s.typed("new ")
	all := strings.Split(lines, "\n")
	all[100] = "new line"
	expect(t, "after typing", got == strings.Join(all, "\n"), true)
	// All of the part taken away leaves no empty line.
	l.entry.SetText("")
	s.c.Unfocus()
	all = append(all[:100], all[200:]...)
	expect(t, "after deleting the part", got == strings.Join(all, "\n") && l.Text() == got, true)
	expect(t, "place", l.where.String(), "Lines 101 to 200 of 900")
}

// paste pastes into whatever has the keyboard.
func (s *scene) paste(text string) {
	clipboard := test.NewClipboard()
	clipboard.SetContent(text)
	s.c.Focused().(fyne.Shortcutable).TypedShortcut(&fyne.ShortcutPaste{Clipboard: clipboard})
}

// TestLongEntry_APasteOfAnyLengthIsTakenInAsItIs, at the cursor and in the place of
// what is selected.
func TestLongEntry_APasteOfAnyLengthIsTakenInAsItIs(t *testing.T) {
	for name, text := range longTexts() {
		for what, o := range map[string]TextEntryOptions{
			"many lines": {Lines: 5}, "one line": {KeepLines: true}, "masked": {Masked: true, KeepLines: true},
		} {
			var got string
			o.Text, o.OnChanged = "abcd", func(s string) { got = s }
			l := NewLongEntry(o)
			s := newScene(t, Column(0, l), 400, 400)
			s.focus(l.entry)
			l.cursorAt(2)
			s.paste(text)
			text := text
			if o.Lines == 0 && strings.Count(text, "\n") == 1 {
				text = strings.TrimSuffix(text, "\n")
			}
			if want := "ab" + text + "cd"; l.Text() != want || got != want && text != "" || !l.inBounds() {
				t.Fatalf("%s into %s: %d bytes, %d reported, %d in the field", name, what, len(l.Text()), len(got), len(l.entry.Text))
			}
			s.typed("|")
			if want := "ab" + text + "|cd"; l.Text() != want {
				t.Fatalf("%s into %s: what is typed on does not follow it", name, what)
			}
			l.entry.TypedShortcut(&fyne.ShortcutSelectAll{})
			s.paste("x\ny")
			if l.Text() != "x\ny" {
				t.Fatalf("%s into %s: what is selected is not replaced", name, what)
			}
		}
	}
}

// TestLongEntry_StaysTheSameTextWhateverIsDone: pasting, typing and going through
// the parts in any order.
func TestLongEntry_StaysTheSameTextWhateverIsDone(t *testing.T) {
	rnd := rand.New(rand.NewPCG(6, 7))
	pieces := []string{"a", "\n", strings.Repeat("b\n", 300), strings.Repeat("é", 5000), "x\ny"}
	for range 30 {
		l := NewLongEntry(TextEntryOptions{Lines: 3})
		s := newScene(t, Column(0, l), 400, 400)
		s.focus(l.entry)
		want := ""
		for range 12 {
			switch rnd.IntN(3) {
			case 0:
				l.goOn()
			case 1:
				l.goBack()
			default:
				at := rnd.IntN(len([]rune(l.entry.Text)) + 1)
				l.cursorAt(at)
				if got := l.entry.CursorTextOffset(); got != at {
					t.Fatalf("the cursor is at %d, not at %d", got, at)
				}
				piece := pieces[rnd.IntN(len(pieces))]
				head := l.before + string([]rune(l.entry.Text)[:at])
				want = head + piece + l.Text()[len(head):]
				s.paste(piece)
			}
			if l.Text() != want {
				t.Fatalf("%d bytes, want %d", len(l.Text()), len(want))
			}
		}
	}
}

// TestLongEntry_OfOneLineTakesLinesOnlyWhereTheyMayStand: the line end that a terminal
// puts behind what is copied is none of it.
func TestLongEntry_OfOneLineTakesLinesOnlyWhereTheyMayStand(t *testing.T) {
	for text, want := range map[string][2]string{ // without and with KeepLines
		"token\n":   {"token", "token"},
		"token\r\n": {"token", "token"},
		"a\nb":      {"a b", "a\nb"},
		"a\r\nb\n":  {"a b ", "a\r\nb\n"},
		"\n":        {"", ""},
	} {
		for i, keep := range []bool{false, true} {
			for _, masked := range []bool{false, true} {
				l := NewLongEntry(TextEntryOptions{KeepLines: keep, Masked: masked})
				s := newScene(t, Column(0, l), 400, 400)
				s.focus(l.entry)
				s.paste(text)
				if l.Text() != want[i] {
					t.Errorf("%q, kept %v: %q, want %q", text, keep, l.Text(), want[i])
				}
			}
		}
	}
}

// shortcut does what the keyboard does with a shortcut.
func (s *scene) shortcut(c fyne.Shortcut) { s.c.Focused().(fyne.Shortcutable).TypedShortcut(c) }

// TestLongEntry_SelectAllMeansTheWholeText that stands in parts, whatever is done with
// it then, and what was done is undone as a whole.
func TestLongEntry_SelectAllMeansTheWholeText(t *testing.T) {
	whole := longTexts()["ten thousand lines"]
	clipboard := test.NewClipboard()
	for name, c := range map[string]struct {
		do   func(s *scene)
		want string
	}{
		"Delete":       {func(s *scene) { s.keys(fyne.KeyDelete) }, ""},
		"Backspace":    {func(s *scene) { s.keys(fyne.KeyBackspace) }, ""},
		"a letter":     {func(s *scene) { s.typed("a") }, "a"},
		"a paste":      {func(s *scene) { s.paste("short") }, "short"},
		"a long paste": {func(s *scene) { s.paste(whole[:90_000]) }, whole[:90_000]},
		"cut":          {func(s *scene) { s.shortcut(&fyne.ShortcutCut{Clipboard: clipboard}) }, ""},
		"copy":         {func(s *scene) { s.shortcut(&fyne.ShortcutCopy{Clipboard: clipboard}) }, whole},
	} {
		var got string
		l := NewLongEntry(TextEntryOptions{Text: whole, Lines: 3, OnChanged: func(text string) { got = text }})
		s := newScene(t, Column(0, l), 400, 400)
		s.focus(l.entry)
		l.on.Press()
		clipboard.SetContent("")
		s.shortcut(&fyne.ShortcutSelectAll{})
		c.do(s)
		if l.Text() != c.want || got != c.want && c.want != whole || !l.inBounds() {
			t.Errorf("%s leaves %d bytes and reports %d, want %d", name, len(l.Text()), len(got), len(c.want))
		}
		if kept := clipboard.Content(); (name == "cut" || name == "copy") != (kept == whole) {
			t.Errorf("%s leaves %d bytes in the clipboard", name, len(kept))
		}
		if c.want == whole {
			continue
		}
		if s.shortcut(&fyne.ShortcutUndo{}); l.Text() != whole || got != whole {
			t.Errorf("%s is undone to %d bytes, %d are reported", name, len(l.Text()), len(got))
		}
	}
	// An arrow ends it.
	l := NewLongEntry(TextEntryOptions{Text: whole, Lines: 3})
	s := newScene(t, Column(0, l), 400, 400)
	s.focus(l.entry)
	s.shortcut(&fyne.ShortcutSelectAll{})
	s.keys(fyne.KeyRight)
	s.typed("a")
	expect(t, "bytes after an arrow and a letter", len(l.Text()), len(whole)+1)
}

// TestLongEntry_AMaskedTextIsNeitherCopiedNorSeen in parts either.
func TestLongEntry_AMaskedTextIsNeitherCopiedNorSeen(t *testing.T) {
	l := NewLongEntry(TextEntryOptions{Masked: true})
	s := newScene(t, Column(0, l), 400, 400)
	s.focus(l.entry)
	s.paste(strings.Repeat("hunter2 ", 8<<10))
	clipboard := test.NewClipboard()
	clipboard.SetContent("before")
	s.shortcut(&fyne.ShortcutSelectAll{})
	s.shortcut(&fyne.ShortcutCopy{Clipboard: clipboard})
	s.shortcut(&fyne.ShortcutCut{Clipboard: clipboard})
	expect(t, "the clipboard", clipboard.Content(), "before")
	expect(t, "bytes", len(l.Text()), 64<<10)
	if strings.Contains(test.RenderToMarkup(s.c), "hunter2") {
		t.Error("the masked text is on the screen")
	}
}

// TestLongEntry_ALongPasteIsUndone: what was selected and gone stands there again.
func TestLongEntry_ALongPasteIsUndone(t *testing.T) {
	var got string
	l := NewLongEntry(TextEntryOptions{Text: "before", OnChanged: func(text string) { got = text }})
	s := newScene(t, Column(0, l), 400, 400)
	s.focus(l.entry)
	s.shortcut(&fyne.ShortcutSelectAll{})
	s.paste(strings.Repeat("x", 10_000))
	s.typed("ab")
	expect(t, "bytes", len(got), 10_002)
	for range 3 {
		s.shortcut(&fyne.ShortcutUndo{})
	}
	expect(t, "undone", [2]string{l.Text(), got}, [2]string{"before", "before"})
	l.SetTextQuietly("new")
	s.shortcut(&fyne.ShortcutUndo{})
	expect(t, "what the program put there", l.Text(), "new")
}

// TestLongEntry_TypingIsPartedToo: whoever never leaves the field types into no line
// that Fyne is slow with.
func TestLongEntry_TypingIsPartedToo(t *testing.T) {
	l := NewLongEntry(TextEntryOptions{Text: strings.Repeat("x", typedOver*partBytes-3)})
	s := newScene(t, Column(0, l), 400, 400)
	s.focus(l.entry)
	l.entry.SetTextQuietly(strings.Repeat("x", typedOver*partBytes-3)) // as if it had been typed
	l.before, l.after = "", ""
	l.cursorAt(100)
	s.typed("abcdefg")
	if want := strings.Repeat("x", 100) + "abcdefg" + strings.Repeat("x", typedOver*partBytes-103); l.Text() != want || !l.Parted() {
		t.Errorf("%d bytes of %d, in parts: %v", len(l.Text()), len(want), l.Parted())
	}
}

// TestLongEntry_NothingBelowTheFieldIsCut in a form, a column or a narrow list.
func TestLongEntry_NothingBelowTheFieldIsCut(t *testing.T) {
	for _, width := range []float32{900, 380, 200, 130} {
		l := NewLongEntry(TextEntryOptions{Text: longTexts()["one line of 128 KiB"]})
		newScene(t, Column(0, l), width, 400)
		below := l.entry.Size().Height
		for _, o := range []fyne.CanvasObject{l.where, l.back, l.on} {
			if o.Position().Y < below || o.Position().X+o.Size().Width > width || o.Position().X < 0 || o.Size().Width < o.MinSize().Width && o != fyne.CanvasObject(l.where) || o.Position().Y+o.Size().Height > l.HeightFor(width) {
				t.Errorf("%v wide: %T lies at %v, %v large", width, o, o.Position(), o.Size())
			}
		}
		if apart := l.on.Position().Subtract(l.back.Position()); apart.X < l.back.Size().Width && apart.Y < l.back.Size().Height {
			t.Errorf("%v wide: the buttons lie on each other", width)
		}
	}
}

// BenchmarkLongEntry types a key into ten thousand lines.
func BenchmarkLongEntry(b *testing.B) {
	l := NewLongEntry(TextEntryOptions{Text: longTexts()["ten thousand lines"], Lines: 5, Mono: true})
	w := test.NewTempWindow(b, Column(0, l))
	w.Resize(fyne.NewSize(800, 400))
	w.Canvas().Focus(l.entry)
	for b.Loop() {
		l.entry.TypedRune('a')
		l.entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyBackspace})
	}
}
