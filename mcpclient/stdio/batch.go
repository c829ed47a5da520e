package stdio

import (
	"errors"
	"strings"
)

var errArguments = errors.New("an argument cannot be passed to a batch file")

// batchLine returns the command line that makes cmd.exe run the batch file
// script with args. Many programs that servers are started with, npx among
// them, are batch files on Windows, and cmd.exe reads a command line by other
// rules than programs do: outside quotes & | < > ^ are operators, and % stands
// for a variable even inside them.
//
// Each argument that holds anything but plainly harmless characters is quoted,
// quotes inside are doubled and backslashes before them too, and a % is made
// harmless by an expansion of nothing in front of it (%cd:~,% is the current
// directory cut to no characters). Line breaks and NUL cannot be passed at all
// and are errArguments.
func batchLine(script string, args []string) (string, error) {
	if strings.ContainsAny(script, "\"%\r\n\x00") || strings.HasSuffix(script, `\`) {
		return "", errArguments
	}
	var b strings.Builder
	// /d: no AutoRun commands; /e:on: the substring expansion used below;
	// /v:off: ! is an ordinary character.
	b.WriteString(`cmd.exe /e:ON /v:OFF /d /c ""` + script + `"`)
	for _, arg := range args {
		if strings.ContainsAny(arg, "\r\n\x00") {
			return "", errArguments
		}
		b.WriteByte(' ')
		appendBatchArgument(&b, arg)
	}
	b.WriteByte('"')
	return b.String(), nil
}

func appendBatchArgument(b *strings.Builder, arg string) {
	if harmless(arg) {
		b.WriteString(arg)
		return
	}
	b.WriteByte('"')
	slashes := 0
	for _, c := range arg {
		switch c {
		case '\\':
			slashes++
		case '"':
			b.WriteString(strings.Repeat(`\`, slashes))
			b.WriteByte('"')
			slashes = 0
		case '%':
			b.WriteString("%%cd:~,")
			slashes = 0
		default:
			slashes = 0
		}
		b.WriteRune(c)
	}
	b.WriteString(strings.Repeat(`\`, slashes))
	b.WriteByte('"')
}

// harmless reports whether arg means itself to cmd.exe without quotes.
func harmless(arg string) bool {
	for _, c := range arg {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if !letter && !strings.ContainsRune(`#$*+-./:?@\_`, c) {
			return false
		}
	}
	return arg != "" && !strings.HasSuffix(arg, `\`)
}
