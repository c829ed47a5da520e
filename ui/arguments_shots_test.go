package ui

import (
	"testing"

	"fyne.io/fyne/v2"

	"parley/forms"
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

// TestShots_Kinds draws a question with a field of every kind of the
// specification, its lists and its calendar.
func TestShots_Kinds(t *testing.T) {
	shots(t, rigOptions{tools: askForm("Everything, please", everyKind), http: true}, func(s *shooter) {
		r := s.r
		r.run("ask")
		r.question()
		p := r.s.page.(*formPage)
		s.shot("85-kinds")
		p.form.bring(p.form.byPath["/day"].focus())
		r.key(fyne.KeyDown)
		s.shot("86-calendar")
		r.key(fyne.KeyEscape)
		r.s.win.Canvas().Focus(p.form.byPath["/when"].focus())
		r.typing("2026-06-15 09:30")
		r.tab()
		r.key(fyne.KeyDown)
		r.typing("asia/s")
		s.shot("87-zone")
		r.key(fyne.KeyEscape)
		r.s.win.Canvas().Focus(p.form.byPath["/fish"].focus())
		r.key(fyne.KeySpace)
		s.shot("88-more-kinds")
	})
}

// TestShots_Deep draws fields that lie deeper than is indented.
func TestShots_Deep(t *testing.T) {
	shots(t, rigOptions{tools: map[string]tool{"book": nothing}, http: true}, func(s *shooter) {
		r := s.r
		p := r.argumentPage(everyArgument)
		d := p.sheet().draft
		at := forms.Path("/tree")
		for _, name := range []string{"root", "stem", "bough", "limb", "twig", "leaf"} {
			d.Open(at)
			d.SetText(at+"/name", name)
			at += "/next"
		}
		r.s.show(r.s.at)
		p = r.s.page.(*runPage)
		r.wait(p.form.builder.Idle)
		p.form.bring(p.form.byPath["/tree/next/next/next/next/next/name"].focus())
		s.shot("89-deep")
	})
}
