package ui

import (
	"encoding/json"
	"strings"

	"parley/assets/i18n"
	"parley/forms"
)

// fill is a form being filled in: by a question, by the arguments of a tool, or
// by `parley form`.
type fill struct {
	form  *forms.Form
	draft *forms.Draft
	// left are the fields the focus was in and has left: their errors show.
	left map[forms.Path]bool
	// tried tells that submitting was tried: all errors show.
	tried bool
	// preview tells that "What will be sent" is unfolded, revealed which
	// secrets in it are shown.
	preview  bool
	revealed map[forms.Path]bool
	// again tells what was filled in from an earlier request.
	again again
}

// begin makes f ready for the form.
func (f *fill) begin(form *forms.Form, saved json.RawMessage) error {
	f.form, f.draft = form, form.NewDraft()
	f.left, f.revealed = map[forms.Path]bool{}, map[forms.Path]bool{}
	if saved == nil {
		return nil
	}
	return f.draft.Restore(saved)
}

// fault is the error to show beside the field at p, nil for none: errors wait
// until the field was left or submitting was tried.
func (f *fill) fault(p forms.Path) *forms.FieldError {
	if !f.tried && !f.left[p] {
		return nil
	}
	return f.wrong(p)
}

// wrong is what is wrong with the field at p itself: neither with what lies in
// it nor in a group that is left out.
func (f *fill) wrong(p forms.Path) *forms.FieldError {
	owner := f.draft.Field(outside(p))
	for q := owner; q != nil; q = f.draft.Field(outside(q.Path)) {
		if q.Kind == forms.Group && !f.draft.Opened(q.Path) {
			return nil
		}
	}
	if e := f.draft.CheckField(p); e != nil && e.Path == p {
		return e
	}
	// What is wrong with an entry beside its fellows, its owner says.
	if owner != nil && (owner.Kind == forms.Rows || owner.Kind == forms.Map) {
		if e := f.draft.CheckField(owner.Path); e != nil && e.Path == p {
			return e
		}
	}
	return nil
}

// outside is the path of the field around the one at p, "" at the top.
func outside(p forms.Path) forms.Path {
	return p[:max(strings.LastIndexByte(string(p), '/'), 0)]
}

// outcome is what came of trying to submit a form.
type outcome struct {
	content json.RawMessage    // the exact bytes to send
	errors  []forms.FieldError // why nothing can be sent, in the form's order
	secrets []*forms.Field     // a second yes is needed for these
}

// submit tries to make the answer. sure is the second yes for secrets.
func (f *fill) submit(sure bool) outcome {
	f.tried = true
	if errs := f.draft.Check(); len(errs) > 0 {
		return outcome{errors: errs}
	}
	if secrets := f.draft.SecretsTyped(); len(secrets) > 0 && !sure {
		return outcome{secrets: secrets}
	}
	content, errs := f.draft.Content(forms.Submit{ConfirmSecrets: sure})
	return outcome{content: content, errors: errs}
}

// reveal returns the paths whose values the preview shows in the clear.
func (f *fill) reveal() []forms.Path {
	var out []forms.Path
	for p, on := range f.revealed {
		if on {
			out = append(out, p)
		}
	}
	return out
}

// leaves are the fields that hold values, in order: those that stand in others
// now included. A field that holds others and is answered as a whole, with null
// or raw JSON, is one of them.
func leaves(d *forms.Draft) []*forms.Field {
	return fieldsOf(d, func(*forms.Field) bool { return false })
}

// fieldsOf are the leaves, and those that hold others of which also is true, each
// before what stands in it.
func fieldsOf(d *forms.Draft, also func(*forms.Field) bool) []*forms.Field {
	var out []*forms.Field
	var walk func(fields []*forms.Field)
	walk = func(fields []*forms.Field) {
		for _, f := range fields {
			switch inside := d.Fields(f.Path); {
			case f.Fixed:
			case f.Kind.Structured() && !d.Null(f.Path) && !d.Raw(f.Path):
				if also(f) {
					out = append(out, f)
				}
				walk(inside)
			default:
				out = append(out, f)
			}
		}
	}
	walk(d.Fields(""))
	return out
}

// messagesOf are the sentences of errors.
func messagesOf(errs []forms.FieldError) []i18n.Message {
	out := make([]i18n.Message, len(errs))
	for i, e := range errs {
		out[i] = e.Message
	}
	return out
}
