package ui

import (
	"slices"

	"parley/consent/safetext"
	"parley/forms"
	"parley/ui/kit"
)

// keyView is the key of an entry of a Map.
type keyView struct {
	row     *kit.FieldRow
	control kit.Control
	masked  bool // the value is, because the key names a secret
}

// keyOf makes the control for the key of the entry e of the Map fv: a picker
// where the server lists the keys.
func (v *formView) keyOf(fv, e *fieldView) {
	d, rule := v.fill.draft, fv.field.KeyRule
	key := &keyView{masked: e.field.Secret}
	set := func(s string) {
		d.SetKey(e.path, s)
		if f := d.Field(e.path); f != nil && f.Secret != key.masked {
			key.masked = f.Secret
			v.draw(e)
		}
		v.touched(e.path)
	}
	if rule != nil && rule.Kind == forms.Choice {
		at := slices.IndexFunc(rule.Options, func(o forms.Option) bool { return o.Value == d.Key(e.path) })
		key.control = kit.NewPicker(kit.PickerOptions{Env: v.env, Options: options(rule), Selected: at, Clearable: true, Required: true,
			OnChanged: func(i int) {
				if i < 0 {
					set("")
					return
				}
				set(rule.Options[i].Value)
			}})
	} else {
		key.control = kit.NewLongEntry(kit.TextEntryOptions{Env: v.env, Text: d.Key(e.path), OnChanged: set})
	}
	o := kit.FieldRowOptions{Env: v.env, Label: v.keyLabel(fv, len(fv.inside.views)-1), Required: true, Control: key.control}
	if fv.field.Entry.Kind.Structured() {
		o.Wide = true
	}
	key.row = kit.NewFieldRow(o)
	e.key = key
}

// keyLabel is what the key of entry i is called by.
func (v *formView) keyLabel(fv *fieldView, i int) safetext.Text {
	of := max(len(v.fill.draft.Rows(fv.path)), i+1)
	return line(v.t("ui.form.key", "N", i+1, "Of", of))
}

// keyLeft shows what is wrong with the keys of the other entries, which one key
// can put right or wrong.
func (v *formView) keyLeft(e *fieldView) {
	for _, other := range e.owner.inside.views {
		if other != e && (other.hasError() || v.fill.left[other.path]) {
			v.showFault(other)
		}
	}
}
