package kit

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
)

// hostile are texts a server may send to break what shows them.
var hostile = []string{
	"", " ", "\n", "\t", "\x00", strings.Repeat("\n", 500), strings.Repeat("W", 5000), strings.Repeat(" ", 5000),
	"\u202emoc.live", "\u200b\u2066\u2069\ufeff", "陈致逸 日本語 한국어 العربية हिन्दी 👩‍👩‍👧 \u202e\x00",
	strings.Repeat("e\u0301", 300), "a" + strings.Repeat("\u0301", 300), "\xff\xfe\xfd broken UTF-8",
	"\U0010ffff\U000e0001", "מַרְחַב مرحبا 123 شكرا", "{{.Name}} %s %d <b>![x](http://x.example/y.png)</b>",
}

func TestNoTextAndNoSizeBreaksAWidget(t *testing.T) {
	many := make([]Option, 0, len(hostile))
	for _, h := range hostile {
		many = append(many, Option{Label: safe(h), Detail: safe(h)})
	}
	for _, h := range hostile {
		text := safe(h)
		env := &Env{}
		picker := NewPicker(PickerOptions{Env: env, Options: many, Selected: 3})
		page := NewReveal(Column(4,
			NewBanner(BannerOptions{Env: env, Name: text, Origin: []Run{Server(text, Style{Bold: true})}, Icon: IconLock, SelfName: text}),
			NewNotice(Caution, text.String(), text.String()),
			NewURLView([]Segment{{h, false}, {h, true}, {h, false}}),
			ServerArea("FROM THE SERVER", Column(4, Label(text, Style{}), Message(env, text, Style{Mono: true}, func(*Button) {}), NewLongText(text, LongTextOptions{Env: env}))),
			NewFormGrid(env,
				NewFieldRow(FieldRowOptions{Env: env, Label: text, Required: true, Note: text.String(), Hint: []Run{Server(text, detailStyle)}, Control: picker}),
				NewFieldRow(FieldRowOptions{Env: env, Label: text, Control: NewChecklist(ChecklistOptions{Env: env, Options: many})}),
				NewFieldRow(FieldRowOptions{Env: env, Label: text, Control: NewTextEntry(TextEntryOptions{Env: env, Text: h, Lines: 3})}),
				NewFieldRow(FieldRowOptions{Env: env, Label: text, Control: NewDateField(DateFieldOptions{Env: env, Text: h, Day: isoDay})}),
				NewFieldRow(FieldRowOptions{Env: env, Label: text, Control: NewDateTimeField(DateTimeOptions{Env: env, Text: h, Zones: many})}),
			),
			Row(4, NewButton(ButtonOptions{Text: text.String()}), NewSideItem(SideItemOptions{Title: text, Subtitle: text, Count: 5}), NewCheck(env, text.String(), true, nil)),
			NewFold(env, text.String(), Label(text, Style{}), true, nil),
		))
		env.Reveal = page
		newScene(t, page, 400, 400)
		for _, size := range []fyne.Size{{}, fyne.NewSize(1, 1), fyne.NewSize(17, 3), fyne.NewSize(60, 40), fyne.NewSize(333, 20), fyne.NewSize(1300, 900)} {
			page.Resize(size)
			page.Refresh()
		}
		picker.open("")
		picker.list.popup.Resize(fyne.NewSize(40, 30))
		picker.list.popup.Resize(fyne.NewSize(400, 400))
		picker.list.popup.close()
	}
}

func FuzzTextFlow(f *testing.F) {
	for i, h := range hostile {
		f.Add(h, float32(i*20), i%2 == 0)
	}
	f.Fuzz(func(t *testing.T, s string, width float32, anywhere bool) {
		if len(s) > 2000 {
			return
		}
		o := NewText(Own(s, Style{Bold: true}))
		o.anywhere = anywhere
		o.MaxLines = len(s) % 4
		o.HeightFor(width)
		spans := flow(o.glyphs, o.breaks, width)
		at := 0
		for _, l := range spans {
			if l.start != at || l.end < l.start {
				t.Fatalf("line %v after %d in %q", l, at, s)
			}
			at = l.end
		}
		if at != len(o.glyphs) {
			t.Fatalf("the lines end at %d of %d in %q", at, len(o.glyphs), s)
		}
	})
}
