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
	box := kit.Column(gap, kit.Column(2, kit.Sentence(s.t("ui.values."+field), boldText), kit.Sentence(s.t("ui.values."+field+"_hint"), hintText)))
	for i := range *list {
		if i > 0 {
			box.Add(kit.Line())
		}
		box.Add(f.value(field, list, i))
	}
	box.Add(kit.Row(gap, kit.NewButton(kit.ButtonOptions{Env: f.env, Icon: kit.IconPlus, Text: s.t("ui.values." + field + "_add"), EnterTaps: true, OnTapped: func() {
		*list = append(*list, config.DraftValue{Secret: true})
		f.redraw()
		f.focusOn(valueField(field, len(*list)-1, true))
	}})))
	return kit.Card(box)
}

// value is one of them: its name and value, whether it is a secret, and a button
// that takes it away.
func (f *serverForm) value(field string, list *[]config.DraftValue, i int) fyne.CanvasObject {
	s, v := f.s, &(*list)[i]
	hint := ""
	if f.sh.draft.Kept(*v) {
		hint = s.t("ui.values.kept")
	}
	name := f.mono(&v.Name, 0)
	value := kit.NewTextEntry(kit.TextEntryOptions{Env: f.env, Text: v.Value, Masked: v.Secret, Mono: !v.Secret, OnChanged: f.taker(&v.Value)})
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
