package kit

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

func checklistScene(t *testing.T, o ChecklistOptions) (*scene, *Checklist, *[][]int) {
	t.Helper()
	var reports [][]int
	o.OnChanged = func(ticked []int) { reports = append(reports, slices.Clone(ticked)) }
	c := NewChecklist(o)
	s := newScene(t, Column(0, c), 400, 600)
	s.focus(c)
	return s, c, &reports
}

func TestChecklistWorksByKeyboard(t *testing.T) {
	for _, c := range []struct {
		name string
		keys []fyne.KeyName
		want []int
	}{
		{"Space ticks the first", []fyne.KeyName{fyne.KeySpace}, []int{0}},
		{"Down moves, Enter ticks too", []fyne.KeyName{fyne.KeyDown, fyne.KeyReturn, fyne.KeyDown, fyne.KeySpace}, []int{1, 2}},
		{"Space twice unticks", []fyne.KeyName{fyne.KeySpace, fyne.KeySpace}, []int{}},
		{"the order is that of the options", []fyne.KeyName{fyne.KeyEnd, fyne.KeySpace, fyne.KeyHome, fyne.KeySpace}, []int{0, 4}},
		{"Up at the first stays", []fyne.KeyName{fyne.KeyUp, fyne.KeyUp, fyne.KeySpace}, []int{0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, list, reports := checklistScene(t, ChecklistOptions{Options: manyOptions(5)})
			s.keys(c.keys...)
			if got := list.Ticked(); !slices.Equal(got, c.want) {
				t.Errorf("ticked %v, want %v", got, c.want)
			}
			if last := (*reports)[len(*reports)-1]; !slices.Equal(last, c.want) {
				t.Errorf("reported %v, want %v", last, c.want)
			}
		})
	}
}

func TestB100_ChecklistKeepsEqualLabelsApart(t *testing.T) {
	s, c, _ := checklistScene(t, ChecklistOptions{Options: optionsOf("same", "same", "")})
	s.keys(fyne.KeyDown, fyne.KeySpace, fyne.KeyDown, fyne.KeySpace)
	if got := c.Ticked(); !slices.Equal(got, []int{1, 2}) {
		t.Errorf("ticked %v, want [1 2]", got)
	}
}

func TestChecklistOfTwelveCanBeSearched(t *testing.T) {
	_, short, _ := checklistScene(t, ChecklistOptions{Options: manyOptions(searchFrom - 1)})
	expect(t, "rows of a short list", len(short.rows.visible), searchFrom-1)
	expect(t, "a short list has a search field", short.search != nil, false)
	_, long, _ := checklistScene(t, ChecklistOptions{Options: manyOptions(searchFrom)})
	expect(t, "a long list has a search field", long.search != nil, true)
}

func TestChecklistOfThousandsDrawsThoseInView(t *testing.T) {
	s, c, reports := checklistScene(t, ChecklistOptions{Options: manyOptions(5000), Ticked: []int{4321, 7, 9999, -1}})
	if n := len(c.rows.visible); n == 0 || n > 40 {
		t.Errorf("%d rows are made", n)
	}
	s.focus(c.search.entry)
	s.typed("4999")
	s.keys(fyne.KeyReturn)
	if got := c.Ticked(); !slices.Equal(got, []int{7, 4321, 4999}) {
		t.Errorf("ticked %v, want those given and the one found", got)
	}
	s.keys(fyne.KeyEscape)
	expect(t, "the search after Escape", c.search.Text(), "")
	expect(t, "options shown", len(c.shown), 5000)
	expect(t, "reports", len(*reports), 1)
}

// tapRow clicks on a row in view.
func tapRow(c *Checklist, i int) {
	at := c.rows.Position().Add(c.rows.visible[i].Position()).AddXY(1, 1)
	if c.rows.scroll != nil {
		at = at.Add(c.rows.scroll.Position()).Subtract(c.rows.scroll.Offset)
	}
	test.TapAt(c, at)
}

func TestChecklistByMouse(t *testing.T) {
	_, c, reports := checklistScene(t, ChecklistOptions{Options: manyOptions(5), Ticked: []int{2}})
	tapRow(c, 3)
	tapRow(c, 2)
	if got := c.Ticked(); !slices.Equal(got, []int{3}) {
		t.Errorf("ticked %v, want [3]", got)
	}
	expect(t, "reports", len(*reports), 2)
}

func TestChecklistSetTickedIsQuiet(t *testing.T) {
	_, c, reports := checklistScene(t, ChecklistOptions{Options: manyOptions(5)})
	c.SetTicked([]int{4, 1, 99})
	if got := c.Ticked(); !slices.Equal(got, []int{1, 4}) {
		t.Errorf("ticked %v", got)
	}
	expect(t, "reports", len(*reports), 0)
}

func TestDisabledChecklistKeepsItsTicks(t *testing.T) {
	_, c, reports := checklistScene(t, ChecklistOptions{Options: manyOptions(5), Ticked: []int{1}})
	c.Disable()
	c.TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace})
	tapRow(c, 0)
	if got := c.Ticked(); !slices.Equal(got, []int{1}) || len(*reports) != 0 {
		t.Errorf("ticked %v after %d reports", got, len(*reports))
	}
}

func TestChecklistTypingSearchesALongList(t *testing.T) {
	var ticked []int
	c := NewChecklist(ChecklistOptions{Env: &Env{}, Options: manyOptions(60), OnChanged: func(now []int) { ticked = now }})
	s := newScene(t, Column(0, c), 400, 600)
	s.focus(c)
	s.typed("Option 49")
	expect(t, "ticked while searching", len(ticked), 0)
	expect(t, "searched for", c.search.Text(), "Option 49")
	s.keys(fyne.KeyReturn)
	if !slices.Equal(ticked, []int{49}) {
		t.Errorf("ticked %v, want [49]", ticked)
	}
}
