package ui

import (
	"strings"

	"fyne.io/fyne/v2"

	"parley/forms"
	"parley/ui/kit"
)

// variant draws the choice between alternatives and the one that is chosen. What
// was entered into the others stays in the draft.
func (v *formView) variant(fv *fieldView) []fyne.CanvasObject {
	d, f := v.fill.draft, fv.field
	fv.inside = &part{owner: fv, box: kit.Column(gap)}
	picker := kit.NewPicker(kit.PickerOptions{Env: v.env, Options: v.shapes(f.Variants), Selected: d.Chosen(f.Path), Clearable: true, Required: f.Required,
		OnChanged: func(i int) {
			d.Choose(f.Path, i)
			v.alternative(fv)
			v.touched(f.Path)
			v.relayout()
		}})
	fv.inside.wrap = fv.indent(fv.inside.box)
	objects := []fyne.CanvasObject{v.head(fv, picker, v.toJSON(fv)...), fv.inside.wrap}
	v.alternative(fv)
	return objects
}

// alternative draws the chosen alternative in the place of another.
func (v *formView) alternative(fv *fieldView) {
	part := fv.inside
	v.drop(fv)
	fv.inside = part
	part.views = nil
	part.box.RemoveAll()
	fields := v.fill.draft.Fields(fv.path)
	// The fields of an object stand right below the choice.
	if len(fields) == 1 && fields[0].Kind == forms.Group && !fields[0].Closed && !v.fill.draft.Null(fields[0].Path) {
		fields = v.fill.draft.Fields(fields[0].Path)
	}
	n := 0
	for _, f := range fields {
		if !f.Fixed {
			n++
		}
	}
	if n == 0 {
		part.wrap.Hide()
	} else {
		part.wrap.Show()
	}
	v.build(n, v.steps(part, fields)...)
	part.box.Refresh()
}

// shapes are alternatives by their titles; below stands what each looks like.
func (v *surroundings) shapes(variants []*forms.Field) []kit.Option {
	out := make([]kit.Option, len(variants))
	for i, f := range variants {
		shape := v.shapeOf(f)
		out[i].Label = line(f.Label)
		switch {
		case strings.TrimSpace(out[i].Label.String()) == "":
			out[i].Label = line(shape)
			out[i].Detail = line(f.Description)
		case f.Description != "":
			out[i].Detail = line(f.Description)
		default:
			out[i].Detail = line(shape)
		}
	}
	return out
}

// shapeMembers is how many members of an object are named to describe it.
const shapeMembers = 4

// shapeOf describes what a value looks like: the names of its fields, else its
// kind.
func (v *surroundings) shapeOf(f *forms.Field) string {
	if f.Kind != forms.Group {
		return v.say(f.KindName())
	}
	var names []string
	for _, c := range f.Children {
		if c.Fixed {
			continue
		}
		if len(names) == shapeMembers {
			names = append(names, "…")
			break
		}
		names = append(names, v.nameAmong(c, f.Children))
	}
	if len(names) == 0 {
		return v.say(f.KindName())
	}
	return v.t("ui.form.shape", "Names", strings.Join(names, ", "))
}
