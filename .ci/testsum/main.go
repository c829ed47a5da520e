// Command testsum runs go test and tells its outcome briefly: a line for each
// package, the whole output of what failed, the reason of what was skipped,
// and the counts.
//
//	testsum NAME go test -json ARG…    run, and keep the counts as NAME
//	testsum -total                     say the sum of all kept counts
//
// The counts lie in build/log/counts, which make empties before a run.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
)

const countsDir = "build/log/counts"

// event is one line of go test -json, see "go doc test2json".
type event struct {
	Action      string
	Package     string
	ImportPath  string
	Test        string
	Output      string
	Elapsed     float64
	FailedBuild string
}

// counts are tests and subtests by outcome.
type counts struct{ Passed, Failed, Skipped int }

func (c counts) String() string {
	return fmt.Sprintf("%d passed, %d failed, %d skipped", c.Passed, c.Failed, c.Skipped)
}

// summary gathers the events of one go test.
type summary struct {
	total    counts
	packages map[string]*counts
	output   map[[2]string][]string // by package and test, until it ends
	build    map[string][]string    // compiler output by import path
	skipped  map[string]int         // by reason
}

func main() {
	var code int
	var err error
	switch {
	case len(os.Args) == 2 && os.Args[1] == "-total":
		err = total()
	case len(os.Args) > 2:
		code, err = run(os.Args[1], os.Args[2:])
	default:
		err = errors.New("usage: testsum NAME COMMAND ARG… | testsum -total")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "testsum:", err)
		os.Exit(2)
	}
	os.Exit(code)
}

// run runs command and returns its exit code.
func run(name string, command []string) (int, error) {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, err
	}
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	s := &summary{
		packages: map[string]*counts{},
		output:   map[[2]string][]string{},
		build:    map[string][]string{},
		skipped:  map[string]int{},
	}
	r := bufio.NewReader(out)
	for {
		line, err := r.ReadString('\n')
		if line != "" {
			s.line(line)
		}
		if err != nil {
			break
		}
	}
	waitErr := cmd.Wait()
	s.reasons()
	fmt.Printf("%s: %s\n", name, s.total)
	if err := keep(name, s.total); err != nil {
		return 0, err
	}
	if exit := (*exec.ExitError)(nil); errors.As(waitErr, &exit) {
		return 1, nil
	}
	return 0, waitErr
}

// line takes one line of output. What is no event, such as a complaint of the
// go command itself, is passed on.
func (s *summary) line(line string) {
	var e event
	if json.Unmarshal([]byte(line), &e) != nil {
		fmt.Print(line)
		return
	}
	key := [2]string{e.Package, e.Test}
	switch e.Action {
	case "build-output":
		s.build[e.ImportPath] = append(s.build[e.ImportPath], e.Output)
	case "output":
		s.output[key] = append(s.output[key], e.Output)
	case "pass", "fail", "skip":
		if e.Test == "" {
			s.endPackage(e)
		} else {
			s.endTest(e)
		}
		delete(s.output, key)
	}
}

func (s *summary) endTest(e event) {
	c := s.packages[e.Package]
	if c == nil {
		c = &counts{}
		s.packages[e.Package] = c
	}
	output := s.output[[2]string{e.Package, e.Test}]
	switch e.Action {
	case "pass":
		c.Passed++
	case "fail":
		c.Failed++
		fmt.Print(strings.Join(output, ""))
	case "skip":
		c.Skipped++
		s.skipped[reason(output)]++
	}
}

func (s *summary) endPackage(e event) {
	c := s.packages[e.Package]
	if c == nil {
		c = &counts{}
	}
	if e.Action == "fail" {
		fmt.Print(strings.Join(s.build[e.FailedBuild], ""))
		fmt.Print(strings.Join(s.output[[2]string{e.Package, ""}], ""))
		s.unfinished(e.Package)
		if c.Failed == 0 { // it does not compile, or died outside a test
			c.Failed = 1
		}
		fmt.Printf("FAIL %s, %s, %.1f s\n", e.Package, c, e.Elapsed)
	} else if *c != (counts{}) {
		fmt.Printf("ok   %s, %s, %.1f s\n", e.Package, c, e.Elapsed)
	}
	s.total.Passed += c.Passed
	s.total.Failed += c.Failed
	s.total.Skipped += c.Skipped
}

// unfinished shows the output of tests that never ended, which is where a
// panic or a time-out is.
func (s *summary) unfinished(pkg string) {
	var keys [][2]string
	for k := range s.output {
		if k[0] == pkg && k[1] != "" {
			keys = append(keys, k)
		}
	}
	sort.Slice(keys, func(i, j int) bool { return keys[i][1] < keys[j][1] })
	for _, k := range keys {
		fmt.Print(strings.Join(s.output[k], ""))
	}
}

// reason is what a skipped test said, without the place.
func reason(output []string) string {
	for _, line := range output {
		if _, text, ok := strings.Cut(strings.TrimSpace(line), ".go:"); ok {
			if _, text, ok := strings.Cut(text, ": "); ok {
				return text
			}
		}
	}
	return "no reason given"
}

func (s *summary) reasons() {
	var all []string
	for r := range s.skipped {
		all = append(all, r)
	}
	sort.Strings(all)
	for _, r := range all {
		fmt.Printf("skipped %d: %s\n", s.skipped[r], r)
	}
}

func keep(name string, c counts) error {
	if err := os.MkdirAll(countsDir, 0o755); err != nil {
		return err
	}
	raw, err := json.Marshal(c)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(countsDir, name+".json"), raw, 0o644)
}

func total() error {
	var sum counts
	err := filepath.WalkDir(countsDir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var c counts
		if err := json.Unmarshal(raw, &c); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		sum.Passed += c.Passed
		sum.Failed += c.Failed
		sum.Skipped += c.Skipped
		return nil
	})
	if err != nil {
		return err
	}
	fmt.Println(sum)
	return nil
}
