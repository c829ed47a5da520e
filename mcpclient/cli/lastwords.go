package cli

import (
	"strings"

	"parley/assets/i18n"
	"parley/mcpclient"
	"parley/mcpclient/wire"
)

// Bounds of the lines of standard error that stand in a last line.
const (
	maxLastLines = 10
	maxLastLine  = 200 // bytes
)

// lastWords are the last lines that a program wrote to its standard error: when
// it is lost, mostly they say why.
type lastWords []string

// add keeps a line. The same one again is kept once: a program that ends at once
// is started twice, in either era.
func (l *lastWords) add(line string) {
	if line = wire.Clip(strings.TrimSpace(line), maxLastLine); line == "" || len(*l) > 0 && (*l)[len(*l)-1] == line {
		return
	}
	*l = append(*l, line)
	if n := len(*l); n > maxLastLines {
		*l = (*l)[n-maxLastLines:]
	}
}

// behind returns the sentence of f, and behind it, when nothing came from a
// program any more, the lines.
func (l lastWords) behind(f *mcpclient.Failure) i18n.Message {
	if len(l) == 0 || f.Kind != mcpclient.FailLost && f.Kind != mcpclient.FailTimeout {
		return f.Text
	}
	return i18n.M("cli.last_words", "What", f.Text, "Lines", strings.Join(l, "\n"))
}
