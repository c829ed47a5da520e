package cli

import (
	"io"
	"os"
	"strings"
)

// maxHeader bounds a header value read from a file, in bytes. Servers refuse
// far shorter ones.
const maxHeader = 64 << 10

// parseHeader reads a --header, 'K: V' or 'K: @FILE'. Its error never repeats
// the value. Of a file one line end at its end is not part of the value.
func parseHeader(s string) (name, val string, err error) {
	name, val, found := strings.Cut(s, ":")
	if !found || !isToken(name) {
		return "", "", misuse("cli.header_malformed")
	}
	val = strings.Trim(val, " \t")
	if path, isFile := strings.CutPrefix(val, "@"); isFile {
		if val, err = readHeader(path); err != nil {
			return "", "", misuse("cli.header_file", "Name", name, "Reason", err.Error())
		}
		val = strings.Trim(strings.TrimSuffix(strings.TrimSuffix(val, "\n"), "\r"), " \t")
	}
	if !isFieldValue(val) {
		return "", "", misuse("cli.header_value", "Name", name)
	}
	return name, val, nil
}

func readHeader(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, maxHeader))
	return string(raw), err
}

// isToken reports whether s can be the name of a header (RFC 9110 section 5.6.2).
func isToken(s string) bool {
	for _, r := range s {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		if !letter && !strings.ContainsRune("!#$%&'*+-.^_`|~", r) {
			return false
		}
	}
	return s != ""
}

// isFieldValue reports whether s can be the value of a header (RFC 9110
// section 5.5): visible characters, spaces and tabs.
func isFieldValue(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < ' ' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return true
}
