package kit

import (
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"parley/assets/i18n"
	"parley/consent/safetext"
)

// Bounds of the part of a text that a LongEntry has in its field, in bytes and
// lines. What Fyne does at a key takes longer with both: 4,000 bytes on one line 3
// ms, on 100 lines 2 ms, 20,000 bytes on 1,000 lines 59 ms, 140,000 on 10,000 lines
// seconds (2.8.1).
const (
	partBytes = wrapLine
	partLines = 100
)

// pastedRows is how high a field of one line becomes that text of several lines is
// pasted into.
const pastedRows = 3

// LongEntry is a text field for text of any length. As long as it is short this is
// a TextEntry. Of a longer one a part stands in the field, with a line below that
// says which and two buttons that go to the parts around it. The text it reports is
// always the whole, verbatim. "Select all" (Ctrl+A) means the whole too.
type LongEntry struct {
	widget.BaseWidget
	o    TextEntryOptions
	self fyne.Widget
	// entry holds the part; before and after are what stands around it, with the
	// line end that the part stands behind and the one that ends it.
	entry         *TextEntry
	before, after string
	// hidden is the part with the first hidden character around the entry, and
	// hides whether there is one; it is looked for when another part is shown only.
	hidden safetext.Text
	hides  bool
	// selected is the whole text while all of it is selected, which its part shows;
	// "" otherwise.
	selected string
	// swapped is what Fyne cannot undo; nil for nothing.
	swapped *swap
	// The line below; nil until the text was in parts.
	where    *Text
	back, on *Button
}

// swap is a change of the whole text.
type swap struct{ was, now string }

// NewLongEntry returns a text field for text of any length.
func NewLongEntry(o TextEntryOptions) *LongEntry {
	l := &LongEntry{}
	l.start(l, o)
	return l
}

// start sets l up for self, the widget it is or is embedded in.
func (l *LongEntry) start(self fyne.Widget, o TextEntryOptions) {
	l.o, l.self = o, self
	inner := o
	inner.Text, inner.OnChanged = "", l.changed
	l.entry = NewTextEntry(inner)
	l.entry.lost, l.entry.before, l.entry.edits = l.settle, l.typing, l.edits
	l.entry.beyond = func() (safetext.Text, bool) { return l.hidden, l.hides }
	l.ExtendBaseWidget(self)
	l.showFrom("", o.Text)
}

// Text is the whole text.
func (l *LongEntry) Text() string { return l.before + l.entry.Text + l.after }

// SetText replaces the whole text as if the person had: OnChanged is called, and it
// can be undone. The cursor stands behind it.
func (l *LongEntry) SetText(text string) {
	was := l.Text()
	if text == was {
		return
	}
	l.around(text, "")
	l.swapped = &swap{was, text}
	l.report()
}

// SetTextQuietly replaces the whole text without telling OnChanged, and shows its
// beginning. It cannot be undone.
func (l *LongEntry) SetTextQuietly(text string) {
	l.swapped = nil
	l.showFrom("", text)
}

// Parted reports whether only a part of the text stands in the field.
func (l *LongEntry) Parted() bool { return l.before != "" || l.after != "" }

// showFrom shows the first part of rest, which follows before.
func (l *LongEntry) showFrom(before, rest string) {
	n := firstPart(rest)
	l.show(before, rest[:n], rest[n:])
}

// showTo shows the last part of text, which after follows.
func (l *LongEntry) showTo(text, after string) {
	n := lastPart(text)
	l.show(text[:n], text[n:], after)
}

// show puts a part into the field.
func (l *LongEntry) show(before, part, after string) {
	l.before, l.after, l.selected = before, after, ""
	higher := !l.entry.MultiLine && !l.o.Masked && strings.Contains(before+part+after, "\n")
	if higher {
		l.entry.MultiLine = true
		l.entry.wrapFor(part)
		l.entry.SetMinRowsVisible(pastedRows)
	}
	if l.hidden, l.hides = hidden(before, l.entry.MultiLine); !l.hides {
		l.hidden, l.hides = hidden(after, l.entry.MultiLine)
	}
	if l.entry.Text != part {
		l.entry.SetTextQuietly(part)
	} else {
		l.entry.watched()
	}
	l.say()
	if higher {
		l.o.Env.relayout()
	}
}

// say says which part it is.
func (l *LongEntry) say() {
	parted := l.Parted()
	if l.where == nil {
		if !parted {
			return
		}
		l.where = NewText()
		l.back, l.on = l.button("kit.part_before", IconLeft, l.goBack), l.button("kit.part_after", IconRight, l.goOn)
	}
	was := l.where.IsEmpty()
	l.where.SetRuns()
	if parted {
		l.where.SetRuns(Own(l.words(), Style{Size: SizeHint, Color: ColorMuted}))
	}
	for b, none := range map[*Button]bool{l.back: l.before == "", l.on: l.after == ""} {
		b.Hidden = !parted
		if none {
			b.Disable()
		} else {
			b.Enable()
		}
	}
	if was == parted { // a line came or went
		l.Refresh()
		l.o.Env.relayout()
	}
}

func (l *LongEntry) button(words string, icon fyne.Resource, step func()) *Button {
	return NewButton(ButtonOptions{Env: l.o.Env, Text: l.o.Env.t(words), Icon: icon, Importance: Quiet, EnterTaps: true, OnTapped: step})
}

// words tell the place of the part: in lines, or in characters where there are none.
func (l *LongEntry) words() string {
	count := func(s string) int { return strings.Count(s, "\n") }
	from, in, rest := count(l.before), count(l.entry.Text), count(l.after)
	if from+in+rest == 0 {
		from, in, rest = utf8.RuneCountInString(l.before), utf8.RuneCountInString(l.entry.Text), utf8.RuneCountInString(l.after)
		return l.o.Env.t("kit.part_characters", "From", i18n.Grouped(from+1), "To", i18n.Grouped(from+in), "Of", i18n.Grouped(from+in+rest))
	}
	return l.o.Env.t("kit.part_lines", "From", i18n.Grouped(from+1), "To", i18n.Grouped(from+in+1), "Of", i18n.Grouped(from+in+rest+1))
}

// firstPart is where the first part of text ends: at a line end, if there is one.
func firstPart(text string) int {
	lines, end := 0, 0
	for i := 0; i < len(text) && i < partBytes; i++ {
		if text[i] == '\n' {
			lines, end = lines+1, i
			if lines == partLines {
				return end
			}
		}
	}
	switch {
	case len(text) <= partBytes:
		return len(text)
	case end > 0:
		return end
	}
	end = partBytes
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return end
}

// lastPart is where the last part of text begins.
func lastPart(text string) int {
	lines, begin := 0, len(text)
	for i := len(text); i > 0 && len(text)-i < partBytes; i-- {
		if text[i-1] == '\n' {
			lines, begin = lines+1, i
			if lines == partLines {
				return begin
			}
		}
	}
	switch {
	case len(text) <= partBytes:
		return 0
	case begin < len(text):
		return begin
	}
	begin = len(text) - partBytes
	for !utf8.RuneStart(text[begin]) {
		begin++
	}
	return begin
}

// typing is called before what is typed changes anything: the whole is selected as
// long as all of the part is.
func (l *LongEntry) typing() {
	if l.selected != "" && l.entry.SelectedText() != l.entry.Text {
		l.selected = ""
	}
}

// edits does what is more than the part with a shortcut, and reports whether that was
// all of it.
func (l *LongEntry) edits(s fyne.Shortcut) (used bool) {
	switch s := s.(type) {
	case *fyne.ShortcutPaste:
		return l.paste(s.Clipboard.Content())
	case *fyne.ShortcutSelectAll:
		if l.Parted() {
			l.selected = l.Text()
		}
	case *fyne.ShortcutCopy:
		if used = l.selected != "" && !l.entry.Password; used {
			s.Clipboard.SetContent(l.selected)
		}
	case *fyne.ShortcutCut:
		if used = l.selected != "" && !l.entry.Password && !l.Disabled(); used {
			s.Clipboard.SetContent(l.selected)
			l.SetText("")
		}
	case *fyne.ShortcutUndo:
		if used = l.swapped != nil && l.swapped.now == l.Text(); used {
			l.SetText(l.swapped.was)
			l.swapped = nil
		}
	}
	return used
}

// changed takes in that the person has changed the part. One that they have typed far
// beyond its bounds is parted anew where they type.
func (l *LongEntry) changed(part string) {
	if was := l.selected; was != "" { // and what took its place is all there is
		l.show("", part, "")
		l.entry.SetTextQuietly(part) // which lets Fyne forget how to undo its part of it
		l.swapped = &swap{was, part}
	}
	if len(part) > typedOver*partBytes || strings.Count(part, "\n") > typedOver*partLines {
		chars := []rune(part)
		at := min(l.entry.CursorTextOffset(), len(chars))
		l.around(l.before+string(chars[:at]), string(chars[at:])+l.after)
	}
	l.report()
}

// typedOver is how many times the bounds of a part are typed over before it is parted
// anew.
const typedOver = 2

// report reports the whole.
func (l *LongEntry) report() {
	if l.Parted() {
		l.where.SetRuns(Own(l.words(), Style{Size: SizeHint, Color: ColorMuted}))
	}
	if l.o.OnChanged != nil {
		l.o.OnChanged(l.Text())
	}
}

// paste takes in what Fyne would not as it is, or not in time: line ends in a field
// of one line, and more than fits into a part. The part that ends with it is shown.
func (l *LongEntry) paste(text string) (used bool) {
	lines := strings.Contains(text, "\n") && !l.entry.MultiLine
	if lines {
		text = l.lineOf(text)
	}
	if !lines && len(text)+len(l.entry.Text) <= partBytes && strings.Count(text, "\n")+strings.Count(l.entry.Text, "\n") < partLines || l.Disabled() {
		return false
	}
	was := l.Text()
	if l.selected != "" {
		l.show("", "", "")
	} else if l.entry.SelectedText() != "" {
		l.entry.Entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDelete})
	}
	chars := []rune(l.entry.Text)
	at := min(l.entry.CursorTextOffset(), len(chars))
	l.around(l.before+string(chars[:at])+text, string(chars[at:])+l.after)
	l.swapped = &swap{was, l.Text()}
	l.report()
	return true
}

// lineOf is text as it goes into a field of one line. A line end behind the only line
// is the terminal's it was copied from, and none of the text.
func (l *LongEntry) lineOf(text string) string {
	if line := strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r"); !strings.Contains(line, "\n") {
		return line
	}
	if l.o.KeepLines {
		return text
	}
	return strings.NewReplacer("\r\n", " ", "\n", " ").Replace(text)
}

// around shows the part in which head ends and tail begins, with the cursor there.
func (l *LongEntry) around(head, tail string) {
	if l.showTo(head+tail, ""); len(l.before) >= len(head) { // it does not end in that part
		l.showTo(head, tail)
	}
	l.cursorAt(utf8.RuneCountInString(head) - utf8.RuneCountInString(l.before))
}

// cursorAt puts the cursor behind so many characters of the part.
func (l *LongEntry) cursorAt(at int) {
	e := l.entry
	e.entered = true
	e.CursorRow, e.CursorColumn = 0, 0
	for row := 1; ; row++ {
		was := e.CursorTextOffset()
		e.CursorRow = row
		if now := e.CursorTextOffset(); now <= was || now > at {
			e.CursorRow, e.CursorColumn = row-1, at-was
			break
		}
	}
	e.Refresh()
}

// settle parts the text anew once the keyboard has left the field, if the part has
// become too long or has gone as a whole.
func (l *LongEntry) settle() {
	part := l.entry.Text
	switch {
	case part == "" && strings.HasSuffix(l.before, "\n") && strings.HasPrefix(l.after, "\n"):
		l.showFrom(l.before, l.after[1:])
		l.changed(l.entry.Text)
	case firstPart(part) < len(part):
		l.showFrom(l.before, part+l.after)
	}
}

// goOn and goBack show the part after and before, and give the keyboard to it.
func (l *LongEntry) goOn() {
	l.settle()
	if l.after == "" {
		return
	}
	before, after := l.before+l.entry.Text, l.after
	if strings.HasPrefix(after, "\n") {
		before, after = before+"\n", after[1:]
	}
	l.showFrom(before, after)
	l.entry.grabFocus()
	l.cursorAt(0)
}

func (l *LongEntry) goBack() {
	l.settle()
	if l.before == "" {
		return
	}
	before, after := l.before, l.entry.Text+l.after
	if strings.HasSuffix(before, "\n") {
		before, after = before[:len(before)-1], "\n"+after
	}
	l.showTo(before, after)
	l.entry.grabFocus()
	l.cursorAt(0)
}

// textField is the field that the part stands in.
func (l *LongEntry) textField() *TextEntry { return l.entry }

func (l *LongEntry) parts() []Control { return []Control{l.entry} }

// FocusTarget is the field.
func (l *LongEntry) FocusTarget() fyne.Focusable { return l.entry.FocusTarget() }

// SetInvalid shows or hides the red frame.
func (l *LongEntry) SetInvalid(invalid bool) { l.entry.SetInvalid(invalid) }

// Enable is Fyne's.
func (l *LongEntry) Enable() { l.entry.Enable() }

// Disable is Fyne's.
func (l *LongEntry) Disable() { l.entry.Disable() }

// Disabled is Fyne's.
func (l *LongEntry) Disabled() bool { return l.entry.Disabled() }

// partGap is the room between the field and the line below it.
const partGap = 4

// arrange calls place for every part of the widget and returns the height.
func (l *LongEntry) arrange(width float32, place func(o fyne.CanvasObject, x, y, w, h float32)) float32 {
	y := heightOf(l.entry, width)
	place(l.entry, 0, 0, width, y)
	if !l.Parted() || l.where == nil { // as long as what is typed is taken in
		return y
	}
	back, on := l.back.MinSize(), l.on.MinSize()
	y += partGap
	both := back.Width + fieldGapAction + on.Width
	if room := width - both - fieldGapAction; room >= l.where.NaturalWidth() {
		h := l.where.HeightFor(room)
		place(l.where, 0, y+(back.Height-h)/2, room, h)
		place(l.back, width-both, y, back.Width, back.Height)
		place(l.on, width-on.Width, y, on.Width, on.Height)
		return y + max(h, back.Height)
	}
	h := l.where.HeightFor(width)
	place(l.where, 0, y, width, h)
	y += h
	place(l.back, 0, y, min(back.Width, width), back.Height)
	x := both - on.Width
	if both > width {
		x = 0
		y += back.Height
	}
	place(l.on, x, y, min(on.Width, width), on.Height)
	return y + on.Height
}

// HeightFor is the height at a width.
func (l *LongEntry) HeightFor(width float32) float32 {
	return l.arrange(max(width, 1), func(fyne.CanvasObject, float32, float32, float32, float32) {})
}

func (l *LongEntry) objects() []fyne.CanvasObject {
	if l.where == nil {
		return []fyne.CanvasObject{l.entry}
	}
	return []fyne.CanvasObject{l.entry, l.where, l.back, l.on}
}

// CreateRenderer is Fyne's.
func (l *LongEntry) CreateRenderer() fyne.WidgetRenderer {
	r := &boxRenderer{objects: l.objects()}
	r.layout = func(size fyne.Size) {
		l.arrange(max(size.Width, 1), func(o fyne.CanvasObject, x, y, w, h float32) {
			o.Move(fyne.NewPos(x, y))
			o.Resize(fyne.NewSize(w, h))
		})
	}
	r.min = func() fyne.Size {
		m := l.entry.MinSize()
		if width := l.Size().Width; width > 0 {
			m.Height = l.HeightFor(width)
		}
		return m
	}
	r.refresh = func() {
		r.objects = l.objects()
		r.layout(l.Size())
		l.entry.Refresh()
		canvas.Refresh(l.self)
	}
	return r
}
