package ui

import (
	"fmt"
	"strings"
	"testing"

	"parley/forms"
	"parley/mcpclient"
	"parley/ui/kit"
	"parley/ui/kit/kittest"
)

// manyFields is a form of n text fields.
func manyFields(n int) string {
	fields := make([]string, n)
	for i := range fields {
		fields[i] = fmt.Sprintf(`"f%d":{"type":"string","title":"Field %d"}`, i, i)
	}
	return `{"type":"object","properties":{` + strings.Join(fields, ",") + `}}`
}

// TestLongForm_ComesInPieces, is complete in the end, and can be left and
// cancelled while it is still coming.
func TestLongForm_ComesInPieces(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Much", manyFields(300))})
	r.run("ask")
	r.wait(func() bool { return r.s.at.section == sectionQuestion })
	p := r.s.page.(*formPage)
	r.wait(func() bool { return p.form.builder.Idle() })
	if len(p.form.byPath) != 300 {
		t.Fatalf("%d of 300 fields stand", len(p.form.byPath))
	}
	sh := r.s.sheets[r.s.at.id]
	last := forms.Path("/f299")
	r.s.win.Canvas().Focus(p.form.byPath[last].control.FocusTarget())
	r.typing("end")
	r.pass(deafTime)
	r.ctrlEnter()
	if a := r.answered(sh); a.Action != mcpclient.Accept || string(a.Content) != `{"f299":"end"}` {
		t.Errorf("sent %s %s", a.Action, a.Content)
	}
	t.Run("left half drawn", func(t *testing.T) {
		r.ended()
		r.run("ask")
		r.wait(func() bool { return len(r.s.sheets) == 2 && r.s.at.section == sectionQuestion })
		half := r.s.page.(*formPage)
		r.s.choose(route{section: sectionRequests})
		r.queue.Drain()
		if n := len(half.form.byPath); n == 300 {
			t.Skip("the machine drew it all before it was left")
		}
		r.s.goToQuestions()
		whole := r.s.page.(*formPage)
		r.wait(func() bool { return whole.form.builder.Idle() })
		if len(whole.form.byPath) != 300 {
			t.Errorf("%d of 300 fields stand after coming back", len(whole.form.byPath))
		}
	})
}

// TestLongForm_ItsPiecesJoinWithoutAHole: no field stands alone on its line
// because a piece ended with it, wherever fields that take a whole line are.
func TestLongForm_ItsPiecesJoinWithoutAHole(t *testing.T) {
	for _, wide := range [][]int{nil, {2}, {0, 11, 12}, {11}, {5, 6, 23}} {
		schema := manyFields(40)
		for _, i := range wide {
			name := fmt.Sprintf(`"title":"Field %d"`, i)
			schema = strings.Replace(schema, name, name+`,"maxLength":2000`, 1)
		}
		w, _ := formWindowFor(t, schema)
		w.do.(*kittest.Queue).Drain()
		w.reveal.Relayout()
		var grids []*kit.FormGrid
		fields := 0
		for _, o := range objectsOf(w.form.box) {
			if g, ok := o.(*kit.FormGrid); ok {
				grids = append(grids, g)
				fields += len(g.Rows())
			}
		}
		if fields != 40 || len(grids) < 3 {
			t.Fatalf("%d fields stand in %d pieces", fields, len(grids))
		}
		for i, g := range grids[:len(grids)-1] {
			last := g.Rows()[len(g.Rows())-1]
			if last.Position().X == 0 && last.Size().Width < g.Size().Width {
				t.Errorf("with wide fields %v piece %d ends with a field alone on its line", wide, i+1)
			}
		}
	}
}

func BenchmarkFormPage(b *testing.B) {
	for _, n := range []int{20, 200} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			r := newRig(b, rigOptions{tools: askForm("Much", manyFields(n))})
			r.run("ask")
			r.wait(func() bool { return r.s.at.section == sectionQuestion })
			for b.Loop() {
				r.s.show(r.s.at)
				r.wait(func() bool { return r.s.page.(*formPage).form.builder.Idle() })
			}
		})
	}
}
