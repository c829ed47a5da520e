package ui

import (
	"testing"

	"fyne.io/fyne/v2"

	"parley/forms"
	"parley/forms/rawjson"
	"parley/ui/kit"
)

// everyArgument is the schema of a tool with an argument of every kind that
// holds others.
const everyArgument = `{"type":"object","$defs":{"Node":{"type":"object","title":"Branch","properties":{"name":{"type":"string","title":"Name"},"next":{"$ref":"#/$defs/Node"}}}},
"properties":{
	"people":{"type":"array","title":"Passengers","minItems":1,"maxItems":3,"items":{"type":"object","title":"Passenger","properties":{
		"name":{"type":"string","title":"Name","minLength":2},"seat":{"type":"string","title":"Seat","enum":["window","aisle"]}},"required":["name"]}},
	"pay":{"title":"Payment","oneOf":[
		{"title":"Card","type":"object","properties":{"by":{"const":"card"},"holder":{"type":"string","title":"Holder"}},"required":["by","holder"]},
		{"title":"Invoice","type":"object","properties":{"by":{"const":"invoice"},"to":{"type":"string","title":"To","format":"email"}},"required":["by","to"]}]},
	"labels":{"type":"object","title":"Labels","additionalProperties":{"type":"integer"},"propertyNames":{"pattern":"^[a-z]+$"}},
	"address":{"type":"object","title":"Address","properties":{"street":{"type":"string","title":"Street"},"zip":{"type":"string","title":"Zip"}},"required":["zip"]},
	"tree":{"$ref":"#/$defs/Node"},
	"limit":{"type":["integer","null"],"title":"Limit"},
	"extra":{"type":"object","title":"Extra"}
},"required":["people"]}`

// argumentPage opens the page of a tool with this schema.
func argumentPage(t testing.TB, schema string) (*rig, *runPage) {
	t.Helper()
	r := newRig(t, rigOptions{tools: map[string]tool{"book": nothing}})
	return r, r.argumentPage(schema)
}

// argumentPage gives all tools this schema and opens the page of the first.
func (r *rig) argumentPage(schema string) *runPage {
	r.t.Helper()
	v := r.connected()
	r.server.mu.Lock()
	r.server.schema = schema
	r.server.mu.Unlock()
	before := len(r.server.requests("tools/list"))
	r.s.relist(v)
	r.relisted(v, before+1)
	r.s.choose(route{section: sectionTool, id: v.ID, name: v.offer.tools[0].Name})
	r.wait(func() bool {
		p, ok := r.s.page.(*runPage)
		return ok && p.ready() && p.form != nil && p.form.builder.Idle()
	})
	return r.s.page.(*runPage)
}

// sent runs the tool and returns the arguments that reach the server.
func (r *rig) sent(p *runPage) string {
	r.t.Helper()
	before := len(r.server.requests("tools/call"))
	r.ctrlEnter()
	r.wait(func() bool { return len(r.server.requests("tools/call")) > before })
	calls := r.server.requests("tools/call")
	params, err := rawjson.Object(calls[len(calls)-1].Params)
	must(r.t, err)
	return string(rawjson.Get(params, "arguments"))
}

// fieldAt tells which field has the keyboard, "" for none.
func (r *rig) fieldAt(p *runPage) (at forms.Path) {
	f := r.s.win.Canvas().Focused()
	p.form.each(func(fv *fieldView) bool {
		for _, c := range []kit.Control{fv.control, fv.keyControl()} {
			if c != nil && f != nil && c.FocusTarget() == f {
				at = fv.path
				return false
			}
		}
		return true
	})
	return at
}

func (fv *fieldView) keyControl() kit.Control {
	if fv.key == nil {
		return nil
	}
	return fv.key.control
}

// tabTo goes on with Tab until the keyboard is on the button with these words.
func (r *rig) tabTo(words string) {
	r.t.Helper()
	for range 80 {
		r.tab()
		if b, ok := r.s.win.Canvas().Focused().(*kit.Button); ok && b.Text() == words && !b.Disabled() {
			return
		}
	}
	r.t.Fatalf("Tab does not come to %q on the page:\n%s", words, r.text())
}

// TestArguments_EveryKindIsAnsweredByKeyboardAlone adds, moves and removes
// entries, chooses an alternative, names keys, opens a group and a branch of a
// tree, and answers null.
func TestArguments_EveryKindIsAnsweredByKeyboardAlone(t *testing.T) {
	r, p := argumentPage(t, everyArgument)
	enter := func(words string) { r.tabTo(words); r.key(fyne.KeyReturn) }
	enter("Add Passenger")
	r.typing("Ann")
	r.tab()
	for _, k := range []fyne.KeyName{fyne.KeyDown, fyne.KeyDown, fyne.KeyDown, fyne.KeyReturn} {
		r.key(k)
	}
	enter("Add Passenger")
	r.typing("Bo")
	enter("Move up")
	if f, ok := r.s.win.Canvas().Focused().(*kit.Button); !ok || f.Text() != "Move down" {
		t.Errorf("after the entry came to the top, the keyboard is not on the way down")
	}
	for r.fieldAt(p) != "/pay" {
		r.tab()
	}
	for _, k := range []fyne.KeyName{fyne.KeyDown, fyne.KeyDown, fyne.KeyDown, fyne.KeyReturn} {
		r.key(k)
	}
	r.tab()
	r.typing("books@travel.example")
	enter("Add an entry")
	r.typing("red")
	r.tab()
	r.typing("1")
	enter("Add an entry")
	r.typing("blue")
	r.tab()
	r.typing("2")
	enter("Add Address")
	r.typing("Rambla 1")
	r.tab()
	r.typing("08002")
	enter("Add Branch")
	r.typing("root")
	enter("Add Branch")
	r.typing("leaf")
	for range 80 {
		r.tab()
		if c, ok := r.s.win.Canvas().Focused().(*kit.Check); ok && c != nil {
			break
		}
	}
	r.key(fyne.KeySpace)
	r.tab()
	r.typing(`{"a":1.0}`)
	if got, want := r.sent(p), `{"people":[{"name":"Bo"},{"name":"Ann","seat":"aisle"}],"pay":{"by":"invoice","to":"books@travel.example"},`+
		`"labels":{"red":1,"blue":2},"address":{"street":"Rambla 1","zip":"08002"},"tree":{"name":"root","next":{"name":"leaf"}},`+
		`"limit":null,"extra":{"a":1.0}}`; got != want {
		t.Errorf("the server got %s\nwant %s", got, want)
	}
}
