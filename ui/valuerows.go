package ui

import (
	"slices"

	"fyne.io/fyne/v2"

	"parley/assets/i18n"
	"parley/mcpclient/config"
	"parley/ui/kit"
)

// values are the environment variables or headers of a server. A value is masked
// and goes to the keychain unless the person says that it is no secret.
func (f *serverForm) values(field string, list *[]config.DraftValue) fyne.CanvasObject {
	s := f.s
	head := kit.Column(2, kit.Sentence(s.t("ui.values."+field), boldText), kit.Sentence(s.t("ui.values."+field+"_hint"), hintText))
	add := kit.Row(gap, kit.NewButton(kit.ButtonOptions{Env: f.env, Icon: kit.IconPlus, Text: s.t("ui.values." + field + "_add"), EnterTaps: true, OnTapped: func() {
		*list = append(*list, config.DraftValue{Secret: true})
		f.redraw()
		f.focusOn(valueField(field, len(*list)-1, true))
	}}))
	rows := kit.Column(gap)
	shown := f.shownValues(field, *list)
	var steps []func()
	for some := range slices.Chunk(shown, fewValues) {
		steps = append(steps, func() {
			for _, i := range some {
				if len(rows.Objects) > 0 {
					rows.Objects = append(rows.Objects, kit.Line())
				}
				rows.Objects = append(rows.Objects, f.value(field, list, i))
			}
			f.came(rows)
		})
	}
	f.builder.Add(steps...)
	parts := []fyne.CanvasObject{head, rows}
	if left := len(*list) - len(shown); left > 0 {
		parts = append(parts, kit.Sentence(s.say(i18n.N("ui.values.left", left)), mutedText))
	}
	return kit.Card(kit.Column(gap, append(parts, add)...))
}

// Of the values of a server the first and the last are drawn, maxValues of them, and
// those with something wrong in them; fewValues at a time.
const (
	maxValues = 100
	fewValues = 8
)

// shownValues are the values that are drawn, by their index.
func (f *serverForm) shownValues(field string, list []config.DraftValue) []int {
	faulty := map[int]bool{}
	for _, fault := range f.sh.faults {
		faulty[fault.Row] = faulty[fault.Row] || fault.Field == field
	}
	var shown []int
	for i := range list {
		if i < maxValues/2 || i >= len(list)-maxValues/2 || faulty[i] && len(shown) < 2*maxValues {
			shown = append(shown, i)
		}
	}
	return shown
}

// came lays the page out with rows that were drawn later than it, and gives the
// keyboard to the one that is to have it.
func (f *serverForm) came(rows *fyne.Container) {
	if f.drawing {
		return
	}
	rows.Refresh()
	f.env.Reveal.Relayout()
	if f.focus[f.wanted] != nil {
		f.focusOn(f.wanted)
		f.wanted = ""
	}
}

// value is one of them: its name and value, whether it is a secret, and a button
// that takes it away.
func (f *serverForm) value(field string, list *[]config.DraftValue, i int) fyne.CanvasObject {
	s, v := f.s, &(*list)[i]
	hint := ""
	if f.sh.draft.Kept(*v) {
		hint = s.t("ui.values.kept")
	}
	name := f.text(valueField(field, i, true), config.Longest(config.FieldName), &v.Name, kit.TextEntryOptions{Mono: true})
	value := f.text(valueField(field, i, false), config.Longest(field), &v.Value, kit.TextEntryOptions{Masked: v.Secret, Mono: !v.Secret})
	grid := kit.NewFormGrid(f.env,
		f.row(valueField(field, i, true), s.t("ui.values."+field+"_name"), "", false, name, false),
		f.row(valueField(field, i, false), s.t("ui.values.value"), hint, false, value, false))
	check := kit.NewCheck(f.env, s.t("ui.values.secret", "Kept", s.kept()), v.Secret, func(secret bool) {
		v.Secret = secret
		f.redraw()
		f.focusOn(valueField(field, i, false))
	})
	f.secretChecks = append(f.secretChecks, check)
	remove := kit.NewButton(kit.ButtonOptions{Env: f.env, Text: s.t("ui.values.remove"), Importance: kit.Quiet, EnterTaps: true, OnTapped: func() {
		*list = slices.Delete(*list, i, i+1)
		f.sh.faults = nil
		f.redraw()
	}})
	return kit.Column(6, grid, kit.RowFill(gap, 0, fyne.CanvasObject(check), remove))
}
