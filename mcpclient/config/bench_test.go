package config

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// BenchmarkLongList reads a list of programs and asks of each whether it may
// start, as the window does when it opens.
func BenchmarkLongList(b *testing.B) {
	for _, n := range []int{1_000, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var entries, notes []string
			for i := range n {
				entries = append(entries, fmt.Sprintf(`"server %d":{"command":"/opt/server","args":["--port","%d"]}`, i, i))
				notes = append(notes, fmt.Sprintf(`"server %d":{"id":"s-%d","allowed":"sha256:none"}`, i, i))
			}
			dir := b.TempDir()
			file := `{"mcpServers":{` + strings.Join(entries, ",") + `},"parley":{"servers":{` + strings.Join(notes, ",") + `}}}`
			if err := os.WriteFile(filepath.Join(dir, FileName), []byte(file), 0o600); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				s, err := Open(dir)
				if err != nil {
					b.Fatal(err)
				}
				list := s.Servers()
				if len(list) != n {
					b.Fatalf("%d servers, want %d: %v", len(list), n, s.Problems())
				}
				for _, v := range list {
					if s.Allowed(v) {
						b.Fatal("allowed by nobody")
					}
				}
			}
		})
	}
}
