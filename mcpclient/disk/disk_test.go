package disk

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
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

// lockOf names a file that this test binary locks, when it is set, until it is
// killed.
const lockOf = "PARLEY_TEST_LOCK"

func TestMain(m *testing.M) {
	if path := os.Getenv(lockOf); path != "" {
		if _, err := Lock(path); err != nil {
			panic(err)
		}
		fmt.Println("locked")
		select {}
	}
	os.Exit(m.Run())
}

// TestLock_IsThatOfAllProgramsAndFreeWhenItsProgramDied, in whatever way.
func TestLock_IsThatOfAllProgramsAndFreeWhenItsProgramDied(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	self, err := os.Executable()
	must(t, err)
	other := exec.Command(self)
	other.Env = append(os.Environ(), lockOf+"="+path)
	said, err := other.StdoutPipe()
	must(t, err)
	must(t, other.Start())
	defer other.Process.Kill()
	if line, err := bufio.NewReader(said).ReadString('\n'); line != "locked\n" || err != nil {
		t.Fatalf("the other program says %q, %v", line, err)
	}
	late, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	cancel(enough)
	if _, err := LockWithin(late, path); !errors.Is(err, enough) {
		t.Errorf("while another program has it: %v", err)
	}
	must(t, other.Process.Kill())
	_ = other.Wait() // it was killed
	unlock, err := LockWithin(t.Context(), path)
	must(t, err)
	if _, err := LockWithin(late, path); !errors.Is(err, enough) {
		t.Errorf("while this program has it: %v", err)
	}
	unlock()
	unlock, err = LockWithin(late, path)
	must(t, err) // it is free, and so there is nothing to wait for
	unlock()
}
