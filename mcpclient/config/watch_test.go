package config

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"parley/mcpclient"
)

const (
	listOfA = `{"mcpServers":{"a":{"command":"a"}}}`
	listOfB = `{"mcpServers":{"b":{"command":"b"}}}`
)

// edit writes the file as an editor does: over the old one, or by putting a new
// one in its place.
func edit(t *testing.T, s *Store, text string) {
	t.Helper()
	other := filepath.Join(s.Dir(), "editor.tmp")
	must(t, os.WriteFile(other, []byte(text), 0o600))
	must(t, os.Rename(other, s.Path()))
}

func TestWatch_AnEditFromOutsideIsNoticedWhileTheAppRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := open(t, listOfA)
		told := make(chan []string, 10)
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			s.Watch(ctx, func() {
				var names []string
				for _, v := range s.Servers() {
					names = append(names, v.Name)
				}
				told <- names
			})
			close(done)
		}()
		edit(t, s, listOfB)
		if got := <-told; len(got) != 1 || got[0] != "b" {
			t.Errorf("told of %v", got)
		}
		stop()
		<-done
	})
}

func TestWatch_OwnChangesAreNoEditsFromOutside(t *testing.T) {
	s := open(t, listOfA)
	_, err := s.Add(mcpclient.Server{Name: "b", Kind: mcpclient.Stdio, Command: "b"})
	must(t, err)
	if s.lookAgain() {
		t.Error("told of a change of the app's own")
	}
	edit(t, s, onDisk(t, s))
	if s.lookAgain() {
		t.Error("told of an edit that changed nothing")
	}
	t.Run("but an edit that a change took up is one", func(t *testing.T) {
		edit(t, s, listOfB)
		must(t, s.SetSettings(Settings{Language: "en"}))
		if !s.lookAgain() || s.lookAgain() {
			t.Error("it is not told once")
		}
	})
}

func TestWatch_AFileThatIsBeingWrittenCountsOnlyWhenItStaysBroken(t *testing.T) {
	s := open(t, listOfA)
	edit(t, s, `{"mcpServers":{`)
	if s.lookAgain() || s.Problems() != nil {
		t.Error("told of a file at the first look")
	}
	edit(t, s, listOfB)
	if !s.lookAgain() || byName(t, s, "b").Command != "b" {
		t.Error("the whole file is not taken")
	}
	edit(t, s, `{"mcpServers":{`)
	s.lookAgain()
	if !s.lookAgain() || !strings.Contains(problems(s), "edited outside Parley and cannot be read now") {
		t.Errorf("the problems are %q", problems(s))
	}
	if byName(t, s, "b").Command != "b" {
		t.Error("the list is lost")
	}
	if s.lookAgain() {
		t.Error("told twice")
	}
	t.Run("and is named until it is whole again", func(t *testing.T) {
		edit(t, s, listOfB)
		if !s.lookAgain() || s.Problems() != nil {
			t.Errorf("the problems are %q", problems(s))
		}
	})
}

func TestWatch_AFileThatIsGoneIsAnEmptyListAtTheSecondLook(t *testing.T) {
	s := open(t, listOfA)
	must(t, os.Remove(s.Path()))
	if s.lookAgain() || len(s.Servers()) != 1 {
		t.Error("it counts at the first look")
	}
	if !s.lookAgain() || len(s.Servers()) != 0 {
		t.Error("it does not count at the second")
	}
	if !strings.Contains(problems(s), "was deleted outside Parley") {
		t.Errorf("the problems are %q", problems(s))
	}
	if s.lookAgain() {
		t.Error("told twice")
	}
	t.Run("and is named until there is one again", func(t *testing.T) {
		edit(t, s, listOfB)
		if !s.lookAgain() || s.Problems() != nil {
			t.Errorf("the problems are %q", problems(s))
		}
	})
}

// TestWatch_AFileThatCannotBeReadAnyMoreIsSaid, and the list stays as it was.
func TestWatch_AFileThatCannotBeReadAnyMoreIsSaid(t *testing.T) {
	s := open(t, listOfA)
	must(t, os.Remove(s.Path()))
	must(t, os.Mkdir(s.Path(), 0o700))
	if s.lookAgain() || s.Problems() != nil {
		t.Error("it counts at the first look")
	}
	if !s.lookAgain() || len(s.Servers()) != 1 || !strings.Contains(problems(s), "cannot be read any more") {
		t.Errorf("the list is %v, the problems are %q", s.Servers(), problems(s))
	}
	if strings.Contains(problems(s), s.Dir()) {
		t.Error("the sentence repeats the folder")
	}
	if s.lookAgain() {
		t.Error("told twice")
	}
	must(t, os.Remove(s.Path()))
	edit(t, s, listOfB)
	if !s.lookAgain() || s.Problems() != nil || byName(t, s, "b").Command != "b" {
		t.Errorf("the file is whole again; the problems are %q", problems(s))
	}
}

// TestAChangeKeepsAFileAsideThatBrokeMeanwhile, and the list is what it was.
func TestAChangeKeepsAFileAsideThatBrokeMeanwhile(t *testing.T) {
	s := open(t, listOfA)
	edit(t, s, `{"mcpServers":{"my work": `)
	_, err := s.Add(mcpclient.Server{Name: "b", Kind: mcpclient.Stdio, Command: "b"})
	must(t, err)
	if v := reopen(t, s.Dir()).Servers(); len(v) != 2 || v[0].Name != "a" || v[1].Name != "b" {
		t.Errorf("the list is now %+v", v)
	}
	files, _ := filepath.Glob(s.Path() + ".broken-*")
	if len(files) != 1 || !strings.Contains(problems(s), filepath.Base(files[0])) {
		t.Fatalf("kept aside: %v; the problems are %q", files, problems(s))
	}
	if raw, _ := os.ReadFile(files[0]); !strings.Contains(string(raw), "my work") {
		t.Error("what was kept aside is not what was there")
	}
}
