package ui

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"parley/forms"
	"parley/ui/kit"
)

// everyText is a form with one of each field that text is typed into.
const everyText = `{"type":"object","properties":{
	"text":{"type":"string"},"lines":{"type":"string","maxLength":9000000},"email":{"type":"string","format":"email"},"address":{"type":"string","format":"uri"},
	"pattern":{"type":"string","pattern":"^(a+)+$"},"password":{"type":"string","format":"password"},
	"integer":{"type":"integer"},"number":{"type":"number"},"date":{"type":"string","format":"date"},"moment":{"type":"string","format":"date-time"},
	"list":{"type":"array","items":{"type":"string"}},"either":{"type":["string","null"]},
	"json":{},"map":{"type":"object","additionalProperties":{"type":"string"}},
	"options":{"type":"array","items":{"enum":["a1","a2","a3","a4","a5","a6","a7","a8","a9","a10","a11","a12","a13"]}}}}`

// inBounds fails unless every entry in o holds little enough text for Fyne to draw in
// time: it freezes for minutes with a megabyte.
func inBounds(t *testing.T, o fyne.CanvasObject, what string) {
	t.Helper()
	for _, o := range objectsOf(o) {
		if e, ok := o.(*kit.TextEntry); ok && (len(e.Text) > 10_000 || strings.Count(e.Text, "\n") > 250) {
			t.Errorf("%s: an entry holds %d bytes on %d lines", what, len(e.Text), strings.Count(e.Text, "\n")+1)
		}
	}
}

// pastes pastes text where the keyboard is.
func pastes(c fyne.Canvas, text string) {
	clip := test.NewClipboard()
	clip.SetContent(text)
	c.Focused().(fyne.Shortcutable).TypedShortcut(&fyne.ShortcutPaste{Clipboard: clip})
}

// TestB103_APasteOfAnySizeIsTakenInAsItIs by every field of a form and by the key of an
// entry, in bounds that Fyne is quick with.
func TestB103_APasteOfAnySizeIsTakenInAsItIs(t *testing.T) {
	w, v, queue := benchWindow(t)
	form := forms.Parse([]byte(everyText), forms.Options{Purpose: forms.Arguments})
	for _, text := range []string{strings.Repeat("x", 1<<20), strings.Repeat("0123456789", 6554)} {
		for _, field := range form.Fields {
			view := benchView(w, v, queue, form)
			at, kept := view.into(w.Canvas(), field)
			pastes(w.Canvas(), text)
			queue.Drain()
			inBounds(t, w.Content(), string(at))
			if got := kept(); got != text && field.Kind != forms.Checklist {
				t.Errorf("%s holds %d bytes, want %d", at, len(got), len(text))
			}
		}
	}
}

// into puts the keyboard into a field, the search of one to be ticked, or the key of a
// new entry, and returns what is typed there.
func (v *formView) into(c fyne.Canvas, field *forms.Field) (at forms.Path, typed func() string) {
	at = field.Path
	fv := v.byPath[at]
	if field.Kind == forms.Map {
		v.addEntry(fv)
		at = v.fill.draft.Rows(at)[0]
		c.Focus(v.byPath[at].entrance())
		return at, func() string { return v.fill.draft.Key(at) }
	}
	c.Focus(fv.focus())
	if list, ok := fv.control.(*kit.Checklist); ok {
		list.TypedRune('a')
	}
	return at, func() string { return v.fill.draft.Text(at) }
}

// TestB103_ALongAnswerGoesOutAsItWasPasted, to the byte.
func TestB103_ALongAnswerGoesOutAsItWasPasted(t *testing.T) {
	f := drawForm(t, `{"type":"object","properties":{"a":{"type":"string"},"p":{"type":"string","format":"password"},"l":{"type":"array","items":{"type":"string"}}}}`)
	text := strings.Repeat(" \u00e9\u674e\"\\", 20_000)
	for _, name := range []string{"a", "l"} {
		f.in(name)
		pastes(f.w.win.Canvas(), text)
	}
	f.submit()
	if want, _ := json.Marshal(text); string(f.w.answer.Content) != fmt.Sprintf(`{"a":%s,"l":[%s]}`, want, want) {
		t.Errorf("%d bytes go out", len(f.w.answer.Content))
	}
}

// BenchmarkPaste pastes 64 KiB and 1 MiB into each kind of field, types a key after it
// and leaves it, and gives the longest that any of it keeps the window waiting.
func BenchmarkPaste(b *testing.B) {
	w, v, queue := benchWindow(b)
	form := forms.Parse([]byte(everyText), forms.Options{Purpose: forms.Arguments})
	for _, size := range []int{64 << 10, 1 << 20} {
		for _, text := range []string{"0123456789", "words and ", "some lines\n"} {
			for _, field := range form.Fields {
				b.Run(fmt.Sprintf("%dKiB/%q/%s", size>>10, text, field.Path[1:]), func(b *testing.B) {
					pasted := strings.Repeat(text, size/len(text))
					var longest []time.Duration
					for b.Loop() {
						view := benchView(w, v, queue, form)
						c := w.Canvas()
						view.into(c, field)
						most := time.Duration(0)
						for _, do := range []func(){
							func() { pastes(c, pasted) },
							func() { c.Focused().TypedRune('1') },
							func() { c.Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyBackspace}) },
							c.Unfocus,
						} {
							begin := time.Now()
							do()
							most = max(most, time.Since(begin))
							for more := true; more; {
								begin := time.Now()
								more = queue.Step()
								most = max(most, time.Since(begin))
							}
						}
						longest = append(longest, most)
					}
					b.ReportMetric(0, "ns/op")
					b.ReportMetric(slices.Min(longest).Seconds()*1e3, "ms")
				})
			}
		}
	}
}
