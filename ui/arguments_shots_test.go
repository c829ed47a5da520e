package ui

import (
	"fmt"
	"strings"
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
		r.pressIn(p, "/address", r.s.t("ui.form.as_json"))
		s.shot("95-as-json")
	})
}

// shotKinds is a question with a field of every kind that a question has, in the
// states in which they look different.
func shotKinds() string {
	cities := make([]string, 5000)
	for i := range cities {
		cities[i] = fmt.Sprintf(`{"const":"c%d","title":"City %d"}`, i, i)
	}
	cities[7], cities[8] = `{"const":"es","title":"Santiago"}`, `{"const":"cl","title":"Santiago"}`
	extras := make([]string, 20)
	for i := range extras {
		extras[i] = fmt.Sprintf(`"Extra %d"`, i+1)
	}
	return `{"type":"object","properties":{
	"name":{"type":"string","title":"Full name","description":"As it stands in the passport","minLength":2,"maxLength":40},
	"mail":{"type":"string","format":"email","title":"E-mail"},
	"site":{"type":"string","format":"uri","title":"Web site"},
	"count":{"type":"integer","title":"Travellers","minimum":1,"maximum":9,"default":2},
	"price":{"type":"number","title":"Budget","minimum":0},
	"agree":{"type":"boolean","title":"Insurance"},
	"day":{"type":"string","format":"date","title":"Departure"},
	"when":{"type":"string","format":"date-time","title":"Pick-up"},
	"seat":{"type":"string","title":"Seat","enum":["window","aisle"],"default":"aisle"},
	"city":{"type":"string","title":"Destination","oneOf":[` + strings.Join(cities, ",") + `]},
	"meals":{"type":"array","title":"Meals","maxItems":2,"items":{"anyOf":[{"const":"v","title":"Vegetarian"},{"const":"h","title":"Halal"},{"const":"k","title":"Kosher"}]}},
	"extras":{"type":"array","title":"Extras","items":{"type":"string","enum":[` + strings.Join(extras, ",") + `]}},
	"notes":{"type":"string","title":"Notes","maxLength":1000},
	"others":{"type":"array","title":"Fellow travellers","items":{"type":"string"}},
	"password":{"type":"string","title":"Password"},
	"plan":{"type":"object","title":"Seat plan"}
},"required":["name","mail","agree","day"]}`
}

// TestShots_Kinds draws a question with a field of every kind: untouched, filled
// in, with errors, and with its lists and its calendar open.
func TestShots_Kinds(t *testing.T) {
	schema := shotKinds()
	shots(t, rigOptions{tools: askForm("Please tell us who is travelling, and when.", schema), http: true}, func(s *shooter) {
		r := s.r
		r.run("ask")
		sh := r.question()
		p := r.s.page.(*formPage)
		r.wait(p.form.builder.Idle)
		in := func(p *formPage, at forms.Path) { p.form.bring(p.form.byPath[at].focus()); r.pass(frameTime) }
		s.shot("85-kinds")
		p.reveal.ScrollTo(1 << 20)
		s.shot("86-more-kinds")
		in(p, "/city")
		r.key(fyne.KeyDown)
		s.shot("87-picker")
		r.typing("santi")
		s.shot("88-equal-labels")
		r.key(fyne.KeyEscape)
		in(p, "/day")
		r.key(fyne.KeyDown)
		s.shot("90-calendar")
		r.key(fyne.KeyEscape)
		in(p, "/when")
		r.typing("2026-06-15 09:30")
		r.tab()
		r.key(fyne.KeyDown)
		r.typing("asia/s")
		s.shot("91-zone")
		r.key(fyne.KeyEscape)
		fillDraft(sh.draft, map[forms.Path]string{"/name": "李", "/mail": "lin@travel", "/site": "travel", "/price": "1200,50", "/count": "12",
			"/notes": "Two of us need a ramp.\n我们需要素食。", "/others": "Ann\nBo", "/password": "hunter2", "/day": "2026-06-15"})
		sh.draft.Pick("/city", 8)
		sh.draft.SetTicks("/meals", 0, 1, 2)
		sh.draft.SetTicks("/extras", 2, 3)
		r.s.show(r.s.at)
		p = r.s.page.(*formPage)
		r.wait(p.form.builder.Idle)
		r.pass(deafTime)
		r.ctrlEnter()
		s.shot("92-errors")
		p.reveal.ScrollTo(1 << 20)
		s.shot("93-filled-in")
		r.s.win.Resize(fyne.NewSize(firstSize.Width, 2*firstSize.Height))
		p.reveal.ScrollTo(0)
		s.shot("94-high")
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
