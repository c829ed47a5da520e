package consent

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// vector is a line of testdata/url_vectors.jsonl.
type vector struct {
	URL         string `json:"url"`
	Class       string `json:"class"`
	Expect      string `json:"expect"`
	HostDisplay string `json:"host_display"`
	Registrable string `json:"registrable"`
	Why         string `json:"why"`
	Open        string `json:"open"`
	Ctx         string `json:"ctx"`
	BrowserHost string `json:"browser_host"`
}

func (v vector) asker() Asker { return Asker{Remote: v.Ctx == "remote"} }

func (v vector) name(i int) string {
	return fmt.Sprintf("%03d %s", i+1, strings.ReplaceAll(v.Class, "/", " "))
}

func readVectors(t testing.TB, file string) []vector {
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []vector
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var v vector
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		out = append(out, v)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestC24_SuspiciousURLsAreWarnedOf runs the vectors of the URL policy: level,
// the exact string to open, site, the name as shown, and the class of the
// finding; a benign link has no finding above info.
func TestC24_SuspiciousURLsAreWarnedOf(t *testing.T) {
	vectors := readVectors(t, "testdata/url_vectors.jsonl")
	if len(vectors) < 266 {
		t.Fatalf("only %d vectors", len(vectors))
	}
	for i, v := range vectors {
		t.Run(v.name(i), func(t *testing.T) {
			a := Assess(v.URL, v.asker())
			if a.Level.String() != v.Expect {
				t.Errorf("%+q (%s): level %s, want %s; findings %v", v.URL, v.Why, a.Level, v.Expect, codes(a))
			}
			if a.Open != v.Open && v.Expect != "block" || a.Open != "" && v.Expect == "block" {
				t.Errorf("%+q: opens %q, want %q", v.URL, a.Open, v.Open)
			}
			if a.Site != v.Registrable {
				t.Errorf("%+q: site %q, want %q", v.URL, a.Site, v.Registrable)
			}
			shown := a.ReadsAs
			if shown == "" {
				shown = a.Host
			}
			if shown != v.HostDisplay {
				t.Errorf("%+q: shown as %q, want %q; findings %v", v.URL, shown, v.HostDisplay, codes(a))
			}
			if strings.HasPrefix(v.Class, "benign/") {
				if a.Level > Info {
					t.Errorf("%+q is benign, but %v", v.URL, codes(a))
				}
			} else if !slices.Contains(codes(a), v.Class) {
				t.Errorf("%+q: findings %v lack %s", v.URL, codes(a), v.Class)
			}
		})
	}
}

func codes(a Assessment) []string {
	var out []string
	for _, f := range a.Findings {
		out = append(out, f.Code)
	}
	return out
}
