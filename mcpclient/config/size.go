package config

import (
	"fmt"
	"strconv"
	"strings"
)

// The sizes that a message of a server may be limited to, in bytes.
const (
	minSize = 1 << 10
	topSize = 1 << 30
)

// units are the words after the number of a size, the largest first.
var units = []struct {
	word  string
	bytes int64
}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"B", 1}}

// parseSize reads a size as it stands in the file: a whole number and its unit,
// "16 MiB". ok is false for anything else, and for one that is out of bounds.
func parseSize(s string) (bytes int64, ok bool) {
	for _, u := range units {
		digits, found := strings.CutSuffix(s, u.word)
		if !found {
			continue
		}
		n, err := strconv.ParseUint(strings.TrimSuffix(digits, " "), 10, 32)
		if err != nil || int64(n) > topSize/u.bytes {
			return 0, false
		}
		bytes = int64(n) * u.bytes
		return bytes, bytes >= minSize
	}
	return 0, false
}

// formatSize writes a size for the file, in the largest unit that keeps it
// whole.
func formatSize(bytes int64) string {
	u := units[len(units)-1]
	for _, larger := range units {
		if bytes%larger.bytes == 0 {
			u = larger
			break
		}
	}
	return fmt.Sprintf("%d %s", bytes/u.bytes, u.word)
}
