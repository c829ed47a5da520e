package kit

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

func TestHiddenCharactersOfATextAreFound(t *testing.T) {
	for _, c := range []struct {
		name, text string
		many       bool
		want       string // "" for none
	}{
		{"nothing", "", false, ""},
		{"ordinary text", "Lin Xiaolong, 李小龙, naïve, 👨\u200d👩\u200d👧, می\u200cخواهم", false, ""},
		{"an escape written out", "⟨U+202E⟩", false, ""},
		{"the tester's default", "d\u202ee\u200bf\x00g\th", false, "d⟨U+202E⟩e⟨U+200B⟩f⟨U+0000⟩g⟨U+0009⟩h"},
		{"a tab in one line", "a\tb", false, "a⟨U+0009⟩b"},
		{"a tab in many lines", "a\tb\nc", true, ""},
		{"a line end in one line", "a\nb", false, "a⏎b"},
		{"a line end of Windows in many lines", "a\r\nb", true, ""},
		{"RLO in many lines", "a\nb\u202ec", true, "a⏎b⟨U+202E⟩c"},
		{"a byte that is no text", "a\xff", false, "a⟨0xFF⟩"},
		{"late in a long text", strings.Repeat("李", 500) + "\u200b" + strings.Repeat("a", 500), false, "…" + strings.Repeat("李", 5) + "⟨U+200B⟩" + strings.Repeat("a", 67) + "…"},
	} {
		got, ok := hidden(c.text, c.many)
		if got.String() != c.want || ok != (c.want != "") {
			t.Errorf("%s: %q %v, want %q", c.name, got.String(), ok, c.want)
		}
	}
}

func TestAFieldSaysWhatCannotBeSeenInIt(t *testing.T) {
	for _, c := range []struct {
		name  string
		make  func(text string) Control
		text  string
		wants string
	}{
		{"text", func(s string) Control { return NewTextEntry(TextEntryOptions{Text: s}) }, "d\u202ee", "d⟨U+202E⟩e"},
		{"many lines", func(s string) Control { return NewTextEntry(TextEntryOptions{Text: s, Lines: 4}) }, "d\n\u200be", "d⏎⟨U+200B⟩e"},
		{"date", func(s string) Control { return NewDateField(DateFieldOptions{Text: s}) }, "2026\u200b", "2026⟨U+200B⟩"},
		{"date and time", func(s string) Control { return NewDateTimeField(DateTimeOptions{Text: s}) }, "2026\u200b", "2026⟨U+200B⟩"},
		{"masked: not the text", func(s string) Control { return NewTextEntry(TextEntryOptions{Text: s, Masked: true}) }, "canary\u200b", "Contains hidden characters."},
	} {
		t.Run(c.name, func(t *testing.T) {
			control := c.make(c.text)
			f := NewFieldRow(FieldRowOptions{Label: safe("Name"), Control: control})
			newScene(t, Column(0, NewFormGrid(nil, f)), 400, 200)
			entry := control.(interface{ textField() *TextEntry }).textField()
			expect(t, "text, which goes out as it is", entry.Text, c.text)
			if !strings.Contains(f.HiddenNote(), c.wants) || strings.Contains(f.HiddenNote(), "canary") {
				t.Errorf("it says %q, want %q", f.HiddenNote(), c.wants)
			}
			expect(t, "the sign is seen", f.sign.Visible(), true)
			with := f.HeightFor(400)
			entry.SetText("2026")
			expect(t, "said once they are gone", f.HiddenNote(), "")
			if f.HeightFor(400) >= with {
				t.Error("the line goes, its room stays")
			}
		})
	}
}

// TestHiddenCharactersAreSaidWhateverPartOfALongTextIsShown, until they are gone.
func TestHiddenCharactersAreSaidWhateverPartOfALongTextIsShown(t *testing.T) {
	l := NewLongEntry(TextEntryOptions{})
	f := NewFieldRow(FieldRowOptions{Label: safe("Name"), Control: l})
	s := newScene(t, Column(0, NewFormGrid(nil, f)), 400, 200)
	s.focus(l.entry)
	s.paste("begin\u202e" + strings.Repeat("x", 20_000))
	said := func() bool { return strings.Contains(f.HiddenNote(), "begin⟨U+202E⟩") }
	expect(t, "said at the end", said(), true)
	s.typed("y")
	expect(t, "said while it is typed on", said(), true)
	for l.before != "" {
		l.goBack()
		expect(t, "said in a part before", said(), true)
	}
	s.keys(fyne.KeyPageUp, fyne.KeyRight, fyne.KeyRight, fyne.KeyRight, fyne.KeyRight, fyne.KeyRight, fyne.KeyDelete)
	expect(t, "said once it is gone", f.HiddenNote(), "")
	l.goOn()
	expect(t, "said once it is gone, in another part", f.HiddenNote(), "")
}

// TestTheEyeIsNotBetweenTwoFields: a passphrase is typed, Tab, and typed again, and
// the first space of the second must not show the first. Ctrl+E is the eye.
func TestTheEyeIsNotBetweenTwoFields(t *testing.T) {
	entry := NewTextEntry(TextEntryOptions{Text: "a\u200b", Masked: true})
	again := NewTextEntry(TextEntryOptions{Masked: true})
	row := NewFieldRow(FieldRowOptions{Label: safe("Password"), Control: entry})
	s := newScene(t, Column(0, NewFormGrid(nil, row), again), 400, 200)
	s.focus(entry)
	s.c.(interface{ FocusNext() }).FocusNext()
	if s.c.Focused() != fyne.Focusable(again) {
		t.Fatalf("Tab leads to %T, not to the next field", s.c.Focused())
	}
	s.keys(fyne.KeySpace)
	s.typed("four words")
	expect(t, "the second field", again.Text, "four words")
	expect(t, "the first is masked", entry.Password, true)

	s.focus(entry)
	show := &desktop.CustomShortcut{KeyName: fyne.KeyE, Modifier: fyne.KeyModifierShortcutDefault}
	entry.TypedShortcut(show)
	expect(t, "masked after Ctrl+E", entry.Password, false)
	expect(t, "hidden characters are shown", strings.Contains(row.HiddenNote(), "a⟨U+200B⟩"), true)
	entry.TypedShortcut(show)
	expect(t, "masked after Ctrl+E again", entry.Password, true)
	expect(t, "the empty field says how", again.PlaceHolder, "Ctrl+E shows what is typed")

	entry.eye.Tapped(nil)
	expect(t, "masked after a click", entry.Password, false)
	expect(t, "a click goes on in the field", s.c.Focused() == fyne.Focusable(entry), true)
	entry.Disable()
	entry.TypedShortcut(show)
	expect(t, "masked after Ctrl+E while disabled", entry.Password, false)

	plain := NewTextEntry(TextEntryOptions{Text: "x"})
	plain.TypedShortcut(show)
	expect(t, "a plain field is never masked", plain.Password, false)
}

func TestWhatHasNoNameIsSaidToHaveNone(t *testing.T) {
	for label, want := range map[string]string{"": "(no name)", " \u3000 ": "(no name)", "a": "a", "\u200b": "⟨U+200B⟩"} {
		f := NewFieldRow(FieldRowOptions{Label: safe(label), Required: true})
		expect(t, "label", f.label.String(), want+" (required)")
	}
	expect(t, "option", labelRun(nil, Option{Label: safe("  ")}).text, "(only spaces: 2)")
}
