package forms

import (
	"slices"
	"testing"
)

// TestDraftStates: untouched, cleared and answered are three states, and
// taking back leads to the first.
func TestDraftStates(t *testing.T) {
	f := parseForm(t, kindsSchema)
	for name, answer := range map[Path]func(*Draft){
		"/text":    func(d *Draft) { d.SetText("/text", "y") },
		"/boolean": func(d *Draft) { d.SetBool("/boolean", true) },
		"/enum":    func(d *Draft) { d.Pick("/enum", 0) },
		"/multi":   func(d *Draft) { d.Tick("/multi", 0, true) },
	} {
		d := f.NewDraft()
		if d.State(name) != Untouched || d.Touched() {
			t.Errorf("%s starts as %v", name, d.State(name))
		}
		answer(d)
		if d.State(name) != Answered || !d.Touched() {
			t.Errorf("%s answered is %v", name, d.State(name))
		}
		d.Clear(name)
		if d.State(name) != Cleared || !d.Touched() {
			t.Errorf("%s cleared is %v", name, d.State(name))
		}
		d.Reset(name)
		if d.State(name) != Untouched || d.Touched() {
			t.Errorf("%s taken back is %v", name, d.State(name))
		}
	}
}

// TestDraftShowsWhatStands: a cleared control shows nothing, default or not.
func TestDraftShowsWhatStands(t *testing.T) {
	d := parseForm(t, kindsSchema).NewDraft()
	for _, f := range d.Form().Fields {
		d.Clear(f.Path)
	}
	yes, ok := d.Bool("/boolean")
	if d.Text("/text") != "" || d.Picked("/enum") != -1 || d.Ticked("/multi") != nil || yes || ok {
		t.Errorf("cleared controls show %q, %d, %v, %t", d.Text("/text"), d.Picked("/enum"), d.Ticked("/multi"), ok)
	}
}

// TestDraftTicksStartFromTheDefault: the first tick of a person changes what
// they see, it does not start anew; the last tick taken away clears.
func TestDraftTicksStartFromTheDefault(t *testing.T) {
	d := parseForm(t, kindsSchema).NewDraft()
	d.Tick("/titledMulti", 0, false)
	if got := d.Ticked("/titledMulti"); !slices.Equal(got, []int{1}) {
		t.Errorf("ticked %v", got)
	}
	d.Tick("/titledMulti", 1, false)
	if d.State("/titledMulti") != Cleared {
		t.Errorf("nothing ticked is %v", d.State("/titledMulti"))
	}
	d.SetTicks("/titledMulti", 1, 0, 1)
	if got := d.Ticked("/titledMulti"); !slices.Equal(got, []int{0, 1}) {
		t.Errorf("ticked %v", got)
	}
}

// TestDraftIgnoresWhatDoesNotFit: a late or mistaken call changes nothing.
func TestDraftIgnoresWhatDoesNotFit(t *testing.T) {
	f := parseProperties(t, `"t":{"type":"string"},"c":{"enum":["a"]},"k":{"type":"array","items":{"enum":["a"]}},"b":{"type":"boolean"},"u":{"type":"object"}`)
	d := f.NewDraft()
	for _, call := range []func(){
		func() { d.SetText("/none", "x") }, func() { d.SetText("/c", "a") }, func() { d.Pick("/c", 1) }, func() { d.Pick("/c", -1) },
		func() { d.Pick("/t", 0) }, func() { d.Tick("/k", 7, true) }, func() { d.Tick("/c", 0, true) }, func() { d.SetTicks("/t", 0) },
		func() { d.SetBool("/t", true) }, func() { d.SetLines("/t", "x") }, func() { d.Clear("/u") }, func() { d.Clear("/none") }, func() { d.Reset("/none") },
	} {
		call()
	}
	d.Reset("/k") // Tick of an option that is not there leaves none ticked
	if d.Touched() {
		t.Errorf("draft %s", d.Save())
	}
	if d.Notes("/none") != nil || d.CheckField("/none") != nil || d.Text("/none") != "" || d.Picked("/none") != -1 {
		t.Error("a field that is not there has an answer")
	}
}

// TestDraftTextIsUnicode: bytes that are no UTF-8 cannot be sent as JSON.
func TestDraftTextIsUnicode(t *testing.T) {
	d := parseProperties(t, `"t":{"type":"string"}`).NewDraft()
	d.SetText("/t", "a\xffb")
	if content, _ := d.Content(Submit{}); string(content) != `{"t":"a`+"\uFFFD"+`b"}` {
		t.Errorf("sent %s", content)
	}
}

// TestDraftEqualOptions: of two options with one value each can be ticked, and
// the value is sent once; acts, which go by value, mean the first.
func TestDraftEqualOptions(t *testing.T) {
	f := parseProperties(t, `"k":{"type":"array","maxItems":1,"items":{"enum":["a","a"]}},"c":{"enum":["a","a"]}`)
	d := f.NewDraft()
	d.SetTicks("/k", 0, 1)
	if content, errors := d.Content(Submit{}); string(content) != `{"k":["a"]}` {
		t.Errorf("sent %s, errors %s", content, sentences(errors))
	}
	if errors := d.Apply([]byte(`{"c":"a"}`)); len(errors) > 0 || d.Picked("/c") != 0 {
		t.Errorf("picked %d, errors %s", d.Picked("/c"), sentences(errors))
	}
}

// TestB21_IntegerDefaultIsShownAsSent: 5.0 stands in the control as 5.
func TestB21_IntegerDefaultIsShownAsSent(t *testing.T) {
	d := parseProperties(t, `"i":{"type":"integer","default":5.0}`).NewDraft()
	if got := d.Text("/i"); got != "5" {
		t.Errorf("shows %q", got)
	}
}
