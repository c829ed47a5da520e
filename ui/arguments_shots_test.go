package ui

import (
	"testing"

	"fyne.io/fyne/v2"
)

// TestShots_Arguments draws a tool's arguments of every kind: untouched, filled
// in, and with errors.
func TestShots_Arguments(t *testing.T) {
	shots(t, rigOptions{tools: map[string]tool{"book": nothing}, http: true}, func(s *shooter) {
		r := s.r
		r.s.win.Resize(fyne.NewSize(firstSize.Width, firstSize.Height))
		p := r.argumentPage(everyArgument)
		s.shot("80-arguments")
		d := p.sheet().draft
		for _, name := range []string{"李小龙", "A", "Bo"} {
			row := d.Add("/people")
			d.SetText(row+"/name", name)
		}
		d.Choose("/pay", 1)
		d.SetText("/pay/1/to", "books@travel.example")
		for _, key := range []string{"red", "red"} {
			row := d.Add("/labels")
			d.SetKey(row, key)
			d.SetText(row, "1")
		}
		d.Open("/address")
		d.Open("/tree")
		d.SetText("/tree/name", "root")
		d.Open("/tree/next")
		d.Open("/tree/next/next")
		d.SetText("/tree/next/next/name", "leaf")
		d.SetNull("/limit")
		r.s.show(r.s.at)
		s.shot("81-filled")
		p = r.s.page.(*runPage)
		r.ctrlEnter()
		s.shot("82-errors")
		p.form.bring(p.form.byPath["/labels"].focus())
		s.shot("83-more-errors")
		r.s.win.Resize(fyne.NewSize(firstSize.Width, 2*firstSize.Height))
		p.reveal.ScrollTo(1 << 20)
		s.shot("84-high")
	})
}
