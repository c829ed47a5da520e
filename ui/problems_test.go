package ui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"parley/mcpclient"
	"parley/mcpclient/config"
	"parley/ui/kit"
)

// barText is what the line above the page says.
func (r *rig) barText() string { return textOf(r.s.problems.box) }

// barButton is a button of it.
func (r *rig) barButton(words string) *kit.Button {
	r.t.Helper()
	for _, o := range objectsOf(r.s.problems.box) {
		if b, ok := o.(*kit.Button); ok && b.Text() == words {
			return b
		}
	}
	r.t.Fatalf("no button %q in the line; it reads %q", words, r.barText())
	return nil
}

// TestProblems_OfTheListAreSaidOnWhateverPageOneIs: broken outside, kept aside at the
// next save, deleted, a folder in its place.
func TestProblems_OfTheListAreSaidOnWhateverPageOneIs(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm)})
	r.connected()
	r.s.choose(route{section: sectionAdd})
	if r.barText() != "" {
		t.Fatalf("nothing is wrong, and it says %q", r.barText())
	}
	r.typing("https://mcp.calendar.exam")
	must(t, os.WriteFile(r.store.Path(), []byte(`{"mcpServers": {`), 0o600))
	r.wait(func() bool { return strings.Contains(r.barText(), "was edited outside Parley and cannot be read now") })
	if f, ok := r.s.win.Canvas().Focused().(fyne.CanvasObject); !ok || r.s.at.section != sectionAdd || f != r.s.page.first().(fyne.CanvasObject) {
		t.Error("the line takes the keyboard or the page")
	}
	r.typing("ple/mcp")
	r.ctrlEnter()
	r.wait(func() bool { return r.s.at.section == sectionServer })
	r.queue.Drain()
	if !strings.Contains(r.barText(), "kept aside as servers.json.broken-") || strings.Contains(r.barText(), "cannot be read now") {
		t.Fatalf("after the save it says %q", r.barText())
	}
	t.Run("the settings name the file", func(t *testing.T) {
		r.barButton("Details").Press()
		if r.s.at.section != sectionSettings || r.barText() != "" {
			t.Fatalf("it leads to %v, and says %q there too", r.s.at, r.barText())
		}
		aside, err := filepath.Glob(r.store.Path() + ".broken-*")
		if err != nil || len(aside) != 1 || !strings.Contains(r.text(), aside[0]) {
			t.Fatalf("%v %v; the page reads:\n%s", aside, err, r.text())
		}
		r.press("Copy its path")
		if got := r.app.Clipboard().Content(); got != aside[0] {
			t.Errorf("copied %q", got)
		}
	})
	t.Run("what was taken note of is not said again, something new is", func(t *testing.T) {
		r.s.choose(route{section: sectionRequests})
		r.barButton("Dismiss").Press()
		r.s.choose(route{section: sectionQuestions})
		if r.barText() != "" {
			t.Errorf("it says %q", r.barText())
		}
		must(t, os.Remove(r.store.Path()))
		r.wait(func() bool { return r.barText() != "" })
		if got := r.barText(); !strings.Contains(got, "The server list was deleted outside Parley, so it is empty now.") || strings.Contains(got, "aside") {
			t.Errorf("it says %q", got)
		}
		r.s.settings.Language = "zh-Hans"
		r.s.apply()
		if got := r.barText(); !strings.Contains(got, "被删除") {
			t.Errorf("in the other language it says %q", got)
		}
	})
	t.Run("what is over is not said any more", func(t *testing.T) {
		must(t, os.WriteFile(r.store.Path(), []byte(`{"mcpServers": {}}`), 0o600))
		r.wait(func() bool { return r.barText() == "" })
	})
}

// TestProblems_PushNoButtonOffTheWindow, however small it is and however long the
// sentence: the line stays one line, and a question's buttons stay in view.
func TestProblems_PushNoButtonOffTheWindow(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm)})
	r.run("ask")
	r.question()
	must(t, os.WriteFile(r.store.Path(), []byte(`{"mcpServers": {`), 0o600))
	_, err := r.store.Add(mcpclient.Server{Name: "b", Kind: mcpclient.Stdio, Command: "b"})
	must(t, err)
	r.s.tell(&changes{})
	for _, size := range []fyne.Size{fyne.NewSize(leastWidth, leastHeight), fyne.NewSize(640, 400), fyne.NewSize(1280, 800)} {
		r.s.win.Resize(size)
		box := r.s.problems.box
		if h := box.Size().Height; h == 0 || h > 60 {
			t.Errorf("at %v the line is %v high", size, h)
		}
		for _, words := range []string{"Cancel", "Decline", "Submit"} {
			b := r.button(words)
			if b == nil {
				t.Fatalf("no button %s", words)
			}
			at := r.app.Driver().AbsolutePositionForObject(b)
			if at.Y < 0 || at.Y+b.Size().Height > size.Height || at.X+b.Size().Width > size.Width {
				t.Errorf("at %v the button %s is at %v", size, words, at)
			}
		}
	}
}

// TestProblems_AreBoundedOnTheSettingsPage.
func TestProblems_AreBoundedOnTheSettingsPage(t *testing.T) {
	dir := t.TempDir()
	entries := make([]string, 1000)
	for i := range entries {
		entries[i] = `"x` + strings.Repeat("y", i) + `": 7`
	}
	must(t, os.WriteFile(filepath.Join(dir, config.FileName), []byte(`{"mcpServers": {`+strings.Join(entries, ",")+`}}`), 0o600))
	r := newRig(t, rigOptions{dir: dir})
	if r.s.at.section != sectionSettings || !strings.Contains(r.text(), "There are 980 more.") {
		t.Errorf("the page is %v:\n%.3000s", r.s.at, r.text())
	}
}

// TestOutside_SettingsAreTakenIn by the open window; what is typed stays.
func TestOutside_SettingsAreTakenIn(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm)})
	r.connected()
	r.editing()
	r.typing(" 2")
	text := strings.Replace(r.onDisk(), `"language": "en"`, `"language": "zh-Hans", "theme": "dark"`, 1)
	must(t, os.WriteFile(r.store.Path(), []byte(text), 0o600))
	r.wait(func() bool { return r.s.settings.Language == "zh-Hans" })
	p, ok := r.s.page.(*editPage)
	if !ok || !strings.Contains(r.text(), "取消") || p.form.sh.draft.Name != "Travel desk 2" {
		t.Fatalf("the page reads:\n%s", r.text())
	}
	if r.s.settings.Theme != config.ThemeDark {
		t.Errorf("the theme is %q", r.s.settings.Theme)
	}
	t.Run("but what the person has just chosen is not taken back", func(t *testing.T) {
		r.s.settings.Language = "en" // chosen, and not written yet
		r.s.takeSettings(config.Settings{Language: "zh-Hans", Theme: config.ThemeDark})
		if r.s.settings.Language != "en" {
			t.Errorf("the language is %q", r.s.settings.Language)
		}
	})
}
