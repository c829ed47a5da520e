package ui

import (
	"slices"

	"fyne.io/fyne/v2"

	"parley/mcpclient/config"
	"parley/ui/kit"
)

// values are the environment variables or headers of a server. A value is masked
// and goes to the keychain unless the person says that it is no secret.
func (f *serverForm) values(field string, list *[]config.DraftValue) fyne.CanvasObject {
	s := f.s
	head := kit.Column(2, kit.Sentence(s.t("ui.values."+field), boldText), kit.Sentence(s.t("ui.values."+field+"_hint"), hintText))
	add := kit.NewButton(kit.ButtonOptions{Env: f.env, Icon: kit.IconPlus, Text: s.t("ui.values." + field + "_add"), EnterTaps: true, OnTapped: func() {
		*list = append(*list, config.DraftValue{Secret: true})
		f.sh.bringValue(field, len(*list)-1)
		f.redraw()
		f.focusOn(valueField(field, len(*list)-1, true))
	}})
	from, to := f.shownValues(field, len(*list))
	rows := kit.Column(gap)
	var steps []func()
	for begin := from; begin < to; begin += fewValues {
		steps = append(steps, func() {
			for i := begin; i < min(begin+fewValues, to); i++ {
				if len(rows.Objects) > 0 {
					rows.Objects = append(rows.Objects, kit.Line())
				}
				rows.Objects = append(rows.Objects, f.value(field, list, i))
			}
			f.came(rows)
		})
	}
	if to-from > 2*fewValues {
		f.builder.AddLater(steps...)
	} else {
		f.builder.Add(steps...)
	}
	left, right := []fyne.CanvasObject{add}, []fyne.CanvasObject{}
	if len(*list) > maxValues {
		left = append(left, kit.Sentence(s.t("ui.values.place", "From", from+1, "To", to, "Of", len(*list)), mutedText))
		right = append(right, f.toValues("kit.part_before", kit.IconLeft, field, from-maxValues, from > 0), f.toValues("kit.part_after", kit.IconRight, field, to, to < len(*list)))
	}
	return kit.Card(kit.Column(gap, head, rows, kit.Ends(left, right)))
}

// Of the values of a server maxValues are drawn at a time, fewValues in one step. Two
// buttons lead to those before and after.
const (
	maxValues = 40
	fewValues = 2
)

// shownValues are the values that are drawn, by their index.
func (f *serverForm) shownValues(field string, n int) (from, to int) {
	from = min(f.sh.from[field], max(n-1, 0)/maxValues*maxValues)
	return from, min(from+maxValues, n)
}

// toValues is a button that draws the values from an index on.
func (f *serverForm) toValues(words string, icon fyne.Resource, field string, from int, there bool) *kit.Button {
	b := kit.NewButton(kit.ButtonOptions{Env: f.env, Text: f.s.t(words), Icon: icon, Importance: kit.Quiet, EnterTaps: true, OnTapped: func() {
		f.sh.bringValue(field, from)
		f.redraw()
		f.focusOn(valueField(field, from, true))
	}})
	if !there {
		b.Disable()
	}
	return b
}

// bringValue lets the value at an index be among those that are drawn.
func (sh *serverSheet) bringValue(field string, row int) {
	if sh.from == nil {
		sh.from = map[string]int{}
	}
	sh.from[field] = max(row, 0) / maxValues * maxValues
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
	exposed := f.sh.draft.Exposed(*v)
	switch {
	case f.sh.draft.Kept(*v):
		hint = s.t("ui.values.kept")
	case exposed:
		hint = s.exposedHint()
	}
	name := f.text(&v.Name, kit.TextEntryOptions{Mono: true})
	value := f.text(&v.Value, kit.TextEntryOptions{Masked: v.Secret || exposed, Mono: !v.Secret && !exposed, KeepLines: field == config.FieldEnv})
	grid := kit.NewFormGrid(f.env,
		f.row(valueField(field, i, true), s.t("ui.values."+field+"_name"), "", false, name, false),
		f.row(valueField(field, i, false), s.t("ui.values.value"), hint, false, value, false))
	if exposed {
		f.exposed = append(f.exposed, f.rows[valueField(field, i, false)])
	}
	check := kit.NewCheck(f.env, s.t("ui.values.secret", "Kept", s.kept()), v.Secret, func(secret bool) {
		v.SetSecret(secret)
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

// exposedHint says of a value that it may be a secret, and what can be done about it.
func (s *shell) exposedHint() string {
	move, why := s.wayOutOfFile()
	if move != "" {
		why = "ui.values.exposed_tick"
	}
	return s.t("ui.values.exposed", "File", config.FileName) + " " + s.t(why)
}
