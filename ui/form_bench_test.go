package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"parley/forms"
	"parley/ui/kit"
	"parley/ui/kit/kittest"
)

// formWindowSize is the size of the window that the forms are laid out in.
var formWindowSize = fyne.NewSize(1000, 700)

// benchForm is a question with n text fields, parsed.
func benchForm(n int) *forms.Form { return forms.Parse([]byte(manyFields(n)), forms.Options{}) }

// benchView builds the view of a form and lays it out in w.
func benchView(w fyne.Window, v *surroundings, queue *kittest.Queue, form *forms.Form) *formView {
	f := &fill{}
	// A fresh draft has nothing to restore that could fail.
	_ = f.begin(form, nil)
	env := &kit.Env{Loc: v.loc}
	body := kit.Column(gap)
	env.Reveal = kit.NewReveal(body)
	view := newFormView(v, env, f, func() {}, func() { body.Refresh() })
	body.Add(view.box)
	w.SetContent(env.Reveal)
	for !view.builder.Idle() {
		queue.Drain()
	}
	env.Reveal.Relayout()
	return view
}

// fyneForm builds Fyne's own form with the same fields and lays it out in w.
func fyneForm(w fyne.Window, form *forms.Form) {
	items := make([]*widget.FormItem, len(form.Fields))
	for i, f := range form.Fields {
		items[i] = widget.NewFormItem(f.Label, widget.NewEntry())
	}
	w.SetContent(container.NewVScroll(widget.NewForm(items...)))
}

// BenchmarkFormView builds the view of a form and lays it out, and Fyne's own
// Form with as many entries in the same run. The goal for 20 and 200 fields is
// at most 1.5 times that Form ("×Form").
func BenchmarkFormView(b *testing.B) {
	for _, n := range []int{20, 200, 300} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			w, v, queue := benchWindow(b)
			form := benchForm(n)
			var ours, theirs []time.Duration
			benchView(w, v, queue, form) // reads the fonts, once for all windows
			for b.Loop() {
				begin := time.Now()
				benchView(w, v, queue, form)
				middle := time.Now()
				fyneForm(w, form)
				ours, theirs = append(ours, middle.Sub(begin)), append(theirs, time.Since(middle))
			}
			report(b, ours, theirs, "×Form")
		})
	}
}

// BenchmarkLargestPiece builds the view of 300 fields in the pieces that the
// window draws in between of, and gives the longest of them. The goal is 16 ms.
func BenchmarkLargestPiece(b *testing.B) {
	w, v, queue := benchWindow(b)
	form := benchForm(300)
	benchView(w, v, queue, form) // reads the fonts
	var largest []time.Duration
	pieces := 0
	for b.Loop() {
		f := &fill{}
		// A fresh draft has nothing to restore that could fail.
		_ = f.begin(form, nil)
		env := &kit.Env{Loc: v.loc}
		body := kit.Column(gap)
		env.Reveal = kit.NewReveal(body)
		w.SetContent(env.Reveal)
		most := time.Duration(0)
		piece := func(do func()) {
			begin := time.Now()
			do()
			most = max(most, time.Since(begin))
			pieces++
		}
		var view *formView
		piece(func() {
			view = newFormView(v, env, f, func() {}, func() { body.Refresh() })
			body.Add(view.box)
		})
		for !view.builder.Idle() {
			piece(func() { queue.Step() })
		}
		largest = append(largest, most)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median(largest).Seconds()*1e3, "ms-median")
	b.ReportMetric(slices.Min(largest).Seconds()*1e3, "ms-least")
	b.ReportMetric(float64(pieces)/float64(len(largest)), "pieces")
}

// report gives the least time of an operation, of the one it is compared with, and
// how often that goes into it. What else a machine does adds to a time, to a long
// one more than to a short one, and takes nothing away.
func report(b *testing.B, ours, theirs []time.Duration, ratio string) {
	ms := func(all []time.Duration) float64 { return slices.Min(all).Seconds() * 1e3 }
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(ms(ours), "ms")
	b.ReportMetric(ms(theirs), "ms-other")
	b.ReportMetric(ms(ours)/ms(theirs), ratio)
}

func median(all []time.Duration) time.Duration {
	return slices.Sorted(slices.Values(all))[len(all)/2]
}

// benchWindow is an empty window with all a form view needs.
func benchWindow(b testing.TB) (fyne.Window, *surroundings, *kittest.Queue) {
	app := testApp()
	wear(app, "light")
	queue := &kittest.Queue{}
	w := app.NewWindow("")
	w.Resize(formWindowSize)
	w.Show()
	b.Cleanup(w.Close)
	return w, &surroundings{loc: localizer("en", nil), do: queue, clock: &testClock{}}, queue
}

// BenchmarkKeystroke types into the first and the last of 300 fields. The goal
// is at most 2 ms.
func BenchmarkKeystroke(b *testing.B) {
	for _, at := range []int{0, 299} {
		b.Run(fmt.Sprint("field ", at), func(b *testing.B) {
			w, v, queue := benchWindow(b)
			view := benchView(w, v, queue, benchForm(300))
			entry := view.byPath[forms.Path(fmt.Sprintf("/f%d", at))].focus().(*kit.TextEntry)
			w.Canvas().Focus(entry)
			i := 0
			for b.Loop() {
				if i++; i%40 == 0 {
					entry.SetText("")
				}
				entry.TypedRune('a')
				queue.Drain()
			}
		})
	}
	b.Run("field 299 with an error", func(b *testing.B) {
		w, v, queue := benchWindow(b)
		schema := strings.Replace(manyFields(300), `"title":"Field 299"`, `"title":"Field 299","minLength":60`, 1)
		view := benchView(w, v, queue, forms.Parse([]byte(schema), forms.Options{}))
		entry := view.byPath["/f299"].focus().(*kit.TextEntry)
		entry.SetText("a")
		view.lead(view.fill.submit(false).errors)
		w.Canvas().Focus(entry)
		i := 0
		for b.Loop() {
			if i++; i%40 == 0 {
				entry.SetText("")
			}
			entry.TypedRune('a')
			queue.Drain()
		}
	})
}

// BenchmarkPicker opens a picker of 5,000 options, searches and closes it, and
// one of 20 options in the same run. The goal is at most twice that ("×20").
func BenchmarkPicker(b *testing.B) {
	choice := func(n int) string {
		values := make([]string, n)
		for i := range values {
			values[i] = fmt.Sprintf(`"City %d"`, i)
		}
		return `{"type":"object","properties":{"p":{"type":"string","enum":[` + strings.Join(values, ",") + `]}}}`
	}
	w, v, queue := benchWindow(b)
	forms := []*forms.Form{forms.Parse([]byte(choice(5000)), forms.Options{}), forms.Parse([]byte(choice(20)), forms.Options{})}
	// Each time they are new: what a picker knows from the last time does not count.
	pickers := func() (pickers []*kit.Picker) {
		box := kit.Column(gap)
		for _, form := range forms {
			f := &fill{}
			// A fresh draft has nothing to restore that could fail.
			_ = f.begin(form, nil)
			view := newFormView(v, &kit.Env{Loc: v.loc}, f, func() {}, func() {})
			box.Add(view.box)
			pickers = append(pickers, view.byPath["/p"].control.(*kit.Picker))
		}
		w.SetContent(box)
		return pickers
	}
	use := func(p *kit.Picker) time.Duration {
		begin := time.Now()
		p.Tapped(nil)
		for _, r := range "y 1" {
			w.Canvas().Focused().TypedRune(r)
		}
		w.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
		queue.Drain()
		return time.Since(begin)
	}
	var many, few []time.Duration
	use(pickers()[1]) // reads the fonts
	for b.Loop() {
		p := pickers()
		many, few = append(many, use(p[0])), append(few, use(p[1]))
	}
	report(b, many, few, "×20")
}

// BenchmarkAddRow adds an entry to rows in a form that has 300 other fields.
func BenchmarkAddRow(b *testing.B) {
	schema := strings.Replace(manyFields(300), `"properties":{`,
		`"properties":{"rows":{"type":"array","items":{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}}}},`, 1)
	w, v, queue := benchWindow(b)
	view := benchView(w, v, queue, forms.Parse([]byte(schema), forms.Options{Purpose: forms.Arguments}))
	rows := view.byPath["/rows"]
	for b.Loop() {
		view.addEntry(rows)
		queue.Drain()
		if len(rows.inside.views) == 20 {
			b.StopTimer()
			view.fill.draft.Reset("/rows")
			view.draw(rows)
			b.StartTimer()
		}
	}
}

// BenchmarkLongText shows a message and a default of 64 KiB, and a result of
// 1 MiB, and lays them out.
func BenchmarkLongText(b *testing.B) {
	w, v, _ := benchWindow(b)
	env := &kit.Env{Loc: v.loc}
	for name, text := range map[string]string{
		"64 KiB message":     strings.Repeat("Where do you want to go? ", 64<<10/25),
		"64 KiB in one line": strings.Repeat("x", 64<<10),
		"1 MiB result":       strings.Repeat("The quick brown fox\n", 1<<20/20),
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				w.SetContent(words(env, text, bodyText, maxResult))
			}
		})
	}
	b.Run("64 KiB default", func(b *testing.B) {
		_, v, queue := benchWindow(b)
		schema := `{"type":"object","properties":{"a":{"type":"string","default":"` + strings.Repeat("words and ", 6553) + `"}}}`
		form := forms.Parse([]byte(schema), forms.Options{})
		for b.Loop() {
			benchView(w, v, queue, form)
		}
	})
}
