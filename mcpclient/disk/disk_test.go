package disk

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"testing"
	"time"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestReplace_IsForItsOwnerOnlyAndLeavesNothingBeside(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "folder")
	path := filepath.Join(dir, "a")
	for _, text := range []string{"one", "two"} {
		must(t, Replace(path, []byte(text)))
		if raw, err := os.ReadFile(path); err != nil || string(raw) != text {
			t.Errorf("it holds %q, %v; want %q", raw, err, text)
		}
	}
	if runtime.GOOS != "windows" { // which has no such modes
		info, err := os.Stat(path)
		must(t, err)
		if info.Mode().Perm() != 0o600 {
			t.Errorf("its mode is %v", info.Mode())
		}
	}
	if all, err := os.ReadDir(dir); err != nil || len(all) != 1 {
		t.Errorf("the folder holds %v, %v", all, err)
	}
}

func TestReplace_ThatFailsLeavesTheOldFileAndNothingBeside(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	must(t, os.MkdirAll(filepath.Join(path, "full"), 0o700)) // cannot be replaced by a file
	if err := Replace(path, []byte("x")); err == nil {
		t.Error("no error")
	}
	if all, err := os.ReadDir(dir); err != nil || len(all) != 1 {
		t.Errorf("the folder holds %v, %v", all, err)
	}
}

func TestKeepAside_NeverTakesANameThatIsTaken(t *testing.T) {
	path := filepath.Join(t.TempDir(), "servers.json")
	now := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	for i, want := range []string{"servers.json.broken-20260304-050607", "servers.json.broken-20260304-050607-2", "servers.json.broken-20260304-050607-3"} {
		must(t, os.WriteFile(path, []byte(strconv.Itoa(i)), 0o600))
		aside, err := KeepAside(path, now)
		must(t, err)
		if raw, err := os.ReadFile(aside); err != nil || string(raw) != strconv.Itoa(i) || filepath.Base(aside) != want {
			t.Errorf("%s holds %q, %v; want %d in %s", aside, raw, err, i, want)
		}
	}
}

// TestLock_LetsOneInAtATime counts in a file, which loses counts when two read
// it before either writes.
func TestLock_LetsOneInAtATime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sub", "count")
	var all sync.WaitGroup
	const callers, times = 8, 20
	for range callers {
		all.Go(func() {
			for range times {
				unlock, err := Lock(path)
				if err != nil {
					t.Error(err)
					return
				}
				raw, _ := os.ReadFile(path) // none at first
				n, _ := strconv.Atoi(string(raw))
				if err := os.WriteFile(path, []byte(strconv.Itoa(n+1)), 0o600); err != nil {
					t.Error(err)
				}
				unlock()
			}
		})
	}
	all.Wait()
	if raw, err := os.ReadFile(path); err != nil || string(raw) != strconv.Itoa(callers*times) {
		t.Errorf("counted %s, %v", raw, err)
	}
}
