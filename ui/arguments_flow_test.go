package ui

import (
	"strings"
	"testing"
	"time"

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
	r.tab() // "Write as JSON"
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

// pressNth presses the nth button of these words on the page, counted from 0.
func (r *rig) pressNth(words string, n int) {
	r.t.Helper()
	for _, o := range objectsOf(r.s.page.object()) {
		if b, ok := o.(*kit.Button); ok && b.Text() == words {
			if n--; n < 0 {
				b.Press()
				r.queue.Drain()
				return
			}
		}
	}
	r.t.Fatalf("too few buttons %q on the page", words)
}

// labels are the labels of all fields on the page, in order.
func (p *runPage) labels() (out []string) {
	p.form.each(func(fv *fieldView) bool { out = append(out, fv.label.String()); return true })
	return out
}

// TestRows_WhatIsTakenAwayCanBePutBack until something else is done.
func TestRows_WhatIsTakenAwayCanBePutBack(t *testing.T) {
	r, p := argumentPage(t, everyArgument)
	d := p.sheet().draft
	for _, name := range []string{"Ann", "Bo", "Cy"} {
		r.press("Add Passenger")
		r.typing(name)
	}
	if b := r.button("Add Passenger"); !b.Disabled() {
		t.Error("a fourth of at most three can be added")
	}
	r.pressNth("Remove", 1)
	if got := len(d.Rows("/people")); got != 2 || !strings.Contains(r.text(), "Passenger: 2 of 2") {
		t.Fatalf("%d entries are left; the page reads:\n%s", got, r.text())
	}
	if b, ok := r.s.win.Canvas().Focused().(*kit.Button); !ok || b.Text() != "Remove" {
		t.Error("after an entry went, the keyboard is not on the next one's way out")
	}
	r.press("Undo")
	rows := p.sheet().draft.Rows("/people")
	if len(rows) != 3 || p.sheet().draft.Text(rows[1]+"/name") != "Bo" || r.button("Undo") != nil {
		t.Fatalf("Undo did not put it back:\n%s", r.text())
	}
	r.pressNth("Remove", 1)
	r.s.win.Canvas().Focus(p.form.byPath["/limit"].focus())
	r.typing("7")
	if r.button("Undo") != nil {
		t.Error("Undo would take back more than the removal")
	}
	r.press("Add Address")
	r.typing("Rambla")
	for _, b := range []string{"Remove", "Undo"} {
		r.pressNth(b, map[string]int{"Remove": 2}[b])
	}
	if got := p.sheet().draft.Text("/address/street"); got != "Rambla" {
		t.Errorf("the group that was put back has the street %q", got)
	}
}

// TestRows_SubmitLeadsToTheFirstErrorInThem, and each error stands at its field.
func TestRows_SubmitLeadsToTheFirstErrorInThem(t *testing.T) {
	r, p := argumentPage(t, everyArgument)
	r.ctrlEnter()
	if e := p.form.byPath["/people"].row.Error(); !strings.Contains(e, "1") {
		t.Errorf("without an entry the rows say %q", e)
	}
	if b, ok := r.s.win.Canvas().Focused().(*kit.Button); !ok || b.Text() != "Add Passenger" {
		t.Error("submitting does not lead to the button that mends it")
	}
	r.key(fyne.KeyReturn)
	if e := p.form.byPath["/people"].row.Error(); e != "" {
		t.Errorf("with an entry the rows still say %q", e)
	}
	r.typing("A")
	r.press("Add Passenger")
	r.typing("Bo")
	d := p.sheet().draft
	for _, key := range []string{"red", "red"} {
		row := d.Add("/labels")
		d.SetKey(row, key)
		d.SetText(row, "1")
	}
	d.Open("/address")
	r.s.show(r.s.at)
	p = r.s.page.(*runPage)
	r.ctrlEnter()
	rows, labels := d.Rows("/people"), d.Rows("/labels")
	if e := p.form.byPath[rows[0]+"/name"]; e.row.Error() == "" || r.fieldAt(p) != e.path {
		t.Errorf("the name that is too short says %q, and the keyboard is at %s", e.row.Error(), r.fieldAt(p))
	}
	if e := p.form.byPath[labels[1]]; e.row.Error() != "" || !strings.Contains(e.key.row.Error(), "red") {
		t.Errorf("the key that is there twice says %q, its value %q", e.key.row.Error(), e.row.Error())
	}
	r.typing("nn")
	if e := p.form.byPath[rows[0]+"/name"].row.Error(); e != "" {
		t.Errorf("the mended name still says %q", e)
	}
	r.s.win.Canvas().Focus(p.form.byPath[labels[1]].key.control.FocusTarget())
	r.typing("blue")
	if e := p.form.byPath[labels[1]].key.row.Error(); e != "" {
		t.Errorf("the mended key still says %q", e)
	}
}

// TestRows_WhatIsWrongShowsWhenAnEntryIsLeft, not while the keyboard goes from
// field to field in it: what is missing, and the entry as a whole.
func TestRows_WhatIsWrongShowsWhenAnEntryIsLeft(t *testing.T) {
	r, p := argumentPage(t, `{"type":"object","properties":{"people":{"type":"array","title":"People","uniqueItems":true,"items":{"type":"object","title":"Person",
		"properties":{"nick":{"type":"string"},"name":{"type":"string","minLength":1}},"required":["nick","name"]}},"note":{"type":"string"}}}`)
	says := func(at forms.Path) string { return p.form.byPath[at].row.Error() }
	for range 2 {
		r.press("Add Person")
		r.typing("Ann")
	}
	rows := p.sheet().draft.Rows("/people")
	if e := says(rows[0] + "/name"); e != "This is required." {
		t.Errorf("in the entry that was left the missing name says %q", e)
	}
	r.tab()
	if e := says(rows[1]+"/name") + says(rows[1]) + says("/people"); e != "" {
		t.Errorf("within the entry it says %q", e)
	}
	r.typing("Lee")
	p.sheet().draft.SetText(rows[0]+"/name", "Lee")
	r.s.win.Canvas().Focus(p.form.byPath["/note"].focus())
	r.queue.Drain()
	if e := says(rows[1]); !strings.Contains(e, "the same") {
		t.Errorf("after all was left the entry that is there twice says %q", e)
	}
}

// TestArguments_TheCheckOfTheWholeIsShown at the field it is about, else above
// the buttons.
func TestArguments_TheCheckOfTheWholeIsShown(t *testing.T) {
	r, p := argumentPage(t, `{"type":"object","properties":{"a":{"type":"string","title":"A"},"b":{"type":"string","title":"B"}},
		"dependentRequired":{"a":["b"]},"minProperties":1}`)
	r.ctrlEnter()
	if len(p.rest) == 0 || !strings.Contains(r.text(), "This cannot be run as it stands.") {
		t.Fatalf("the page does not say what is wrong with the whole:\n%s", r.text())
	}
	r.s.win.Canvas().Focus(p.form.byPath["/a"].focus())
	r.typing("x")
	if strings.Contains(r.text(), "This cannot be run as it stands.") {
		t.Error("it is still said after something was changed")
	}
	r.ctrlEnter()
	if !strings.Contains(r.text(), "B") || len(r.server.requests("tools/call")) != 0 {
		t.Errorf("what the schema refuses was sent; the page reads:\n%s", r.text())
	}
	r.s.win.Canvas().Focus(p.form.byPath["/b"].focus())
	r.typing("y")
	if got := r.sent(p); got != `{"a":"x","b":"y"}` {
		t.Errorf("the server got %s", got)
	}
}

// TestArguments_WhatIsEnteredSurvivesTheLanguage: fields in fields too.
func TestArguments_WhatIsEnteredSurvivesTheLanguage(t *testing.T) {
	r, p := argumentPage(t, everyArgument)
	r.press("Add Passenger")
	r.typing("Ann")
	r.press("Add Branch")
	r.press("Add Branch")
	r.typing("leaf")
	d := p.sheet().draft
	d.Choose("/pay", 0)
	d.SetText("/pay/0/holder", "A. Nyone")
	before := len(p.labels())
	r.s.loc = localizer("zh-Hans", nil)
	r.s.show(r.s.at)
	p = r.s.page.(*runPage)
	r.wait(p.form.builder.Idle)
	if now := len(p.labels()); now != before+1 {
		t.Errorf("%d fields stand in the other language, %d before and one of the alternative", now, before)
	}
	if got := r.sent(p); got != `{"people":[{"name":"Ann"}],"pay":{"by":"card","holder":"A. Nyone"},"tree":{"next":{"name":"leaf"}}}` {
		t.Errorf("the server got %s", got)
	}
}

// TestVariant_WhatWasTypedIntoAnotherAlternativeIsKept.
func TestVariant_WhatWasTypedIntoAnotherAlternativeIsKept(t *testing.T) {
	r, p := argumentPage(t, everyArgument)
	r.s.win.Canvas().Focus(p.form.byPath["/pay"].focus())
	pick := func(downs int) {
		r.s.win.Canvas().Focus(p.form.byPath["/pay"].focus())
		r.key(fyne.KeyDown)
		for range max(downs, -downs) {
			if downs < 0 {
				r.key(fyne.KeyUp)
			} else {
				r.key(fyne.KeyDown)
			}
		}
		r.key(fyne.KeyReturn)
	}
	pick(1)
	r.s.win.Canvas().Focus(p.form.byPath["/pay/0/holder"].focus())
	r.typing("Ann")
	pick(1)
	if p.form.byPath["/pay/0/holder"] != nil || p.form.byPath["/pay/1/to"] == nil {
		t.Fatal("the fields of another alternative stand on the page")
	}
	pick(-1)
	entry, ok := p.form.byPath["/pay/0/holder"].control.(*kit.LongEntry)
	if !ok || entry.Text() != "Ann" {
		t.Error("what was typed into the first alternative is gone")
	}
	pick(-1)
	if p.form.byPath["/pay/0/holder"] != nil || p.sheet().draft.Chosen("/pay") >= 0 {
		t.Error("the choice cannot be taken back")
	}
}

// TestNull_KeepsWhatItTakesThePlaceOf.
func TestNull_KeepsWhatItTakesThePlaceOf(t *testing.T) {
	r, p := argumentPage(t, `{"type":"object","properties":{"n":{"type":["integer","null"],"title":"N"},
		"l":{"type":["array","null"],"title":"L","items":{"type":"object","properties":{"a":{"type":"string"}}}}}}`)
	r.press("Add an entry")
	r.typing("x")
	r.s.win.Canvas().Focus(p.form.byPath["/n"].focus())
	r.typing("12")
	both := func() {
		p.form.byPath["/n"].control.(*kit.OrNull).Check().TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace})
		p.form.byPath["/l"].null.TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace})
		r.queue.Drain()
	}
	both()
	d := p.sheet().draft
	if !d.Null("/n") || !d.Null("/l") || r.button("Add an entry") != nil {
		t.Errorf("null is not the answer; the page reads:\n%s", r.text())
	}
	both()
	if got := r.sent(p); got != `{"n":12,"l":[{"a":"x"}]}` {
		t.Errorf("after null was taken back the server got %s", got)
	}
}

// TestZone_IsNamedAndCanBeChanged: what is typed stays, and what will be sent
// stands below.
func TestZone_IsNamedAndCanBeChanged(t *testing.T) {
	r, p := argumentPage(t, `{"type":"object","properties":{"t":{"type":"string","format":"date-time","title":"When"}}}`)
	r.typing("2026-06-15 09:30")
	r.tab()
	zone, ok := r.s.win.Canvas().Focused().(*kit.Picker)
	if !ok {
		t.Fatal("there is no zone beside the time")
	}
	r.key(fyne.KeyDown)
	r.typing("tokyo")
	r.key(fyne.KeyReturn)
	if got := p.fill().draft.Zone("/t"); zone.IsOpen() || got.String() != "Asia/Tokyo" {
		t.Fatalf("the zone is %v", got)
	}
	if !strings.Contains(r.text(), "+09:00") {
		t.Errorf("what will be sent does not stand there:\n%s", r.text())
	}
	if got := r.sent(p); got != `{"t":"2026-06-15T09:30:00+09:00"}` {
		t.Errorf("the server got %s", got)
	}
}

func (p *runPage) fill() *fill { return &p.sheet().fill }

// TestZone_CanBeChangedAgainAfterARun, in the form as it was run.
func TestZone_CanBeChangedAgainAfterARun(t *testing.T) {
	r, p := argumentPage(t, `{"type":"object","properties":{"t":{"type":"string","format":"date-time","title":"When"}}}`)
	r.typing("2026-06-15 09:30")
	kiritimati, err := time.LoadLocation("Pacific/Kiritimati")
	must(t, err)
	p.fill().draft.SetZone("/t", kiritimati)
	again := p.fill().copy()
	if got := again.draft.Zone("/t"); got.String() != kiritimati.String() {
		t.Fatalf("the copy of the form has the zone %v", got)
	}
	zone, err := time.LoadLocation("Asia/Tokyo")
	must(t, err)
	again.draft.SetZone("/t", zone)
	if text, _ := again.draft.Preview(); !strings.Contains(text, "+09:00") {
		t.Errorf("it sends %s", text)
	}
}

// TestZones_AllCanBeLoaded, and each is found again.
func TestZones_AllCanBeLoaded(t *testing.T) {
	for i, name := range zones() {
		if zone := zoneAt(i + 1); zone == nil || zoneIndex(zone) != i+1 {
			t.Errorf("%s: option %d is the zone %v", name, i+1, zone)
		}
	}
}
