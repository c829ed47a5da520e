package cli

import (
	"fmt"
	"strings"
	"testing"

	"parley/assets/i18n"
	"parley/mcpclient"
)

func TestTheLastWordsAreTheLastLinesAndBounded(t *testing.T) {
	var l lastWords
	for i := range 100 {
		l.add(fmt.Sprintf("line %d ", i) + strings.Repeat("x", 5000))
	}
	l.add(" \t")
	l.add("the end")
	l.add("the end")
	if len(l) != maxLastLines || l[len(l)-1] != "the end" || !strings.HasPrefix(l[0], "line 91 ") {
		t.Errorf("kept %q", l)
	}
	for _, line := range l {
		if len(line) > maxLastLine {
			t.Errorf("a line of %d bytes", len(line))
		}
	}
	said := words(i18n.New("en"), l.behind(&mcpclient.Failure{Kind: mcpclient.FailLost, Text: i18n.M("cli.interrupted")}))
	if !strings.HasSuffix(said, "⏎the end") || strings.Contains(said, "\n") {
		t.Errorf("said %q", said)
	}
}

// What a server answered is not explained by what its program wrote.
func TestTheLastWordsExplainALossOnly(t *testing.T) {
	text := i18n.M("cli.interrupted")
	for kind, want := range map[mcpclient.FailureKind]bool{
		mcpclient.FailLost: true, mcpclient.FailTimeout: true,
		mcpclient.FailInvalid: false, mcpclient.FailRPC: false, mcpclient.FailCancelled: false,
	} {
		if got := (lastWords{"x"}).behind(&mcpclient.Failure{Kind: kind, Text: text}).ID != text.ID; got != want {
			t.Errorf("%s: %v, want %v", kind, got, want)
		}
	}
}
