package signintest

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"parley/mcpclient/auth/authtest"
	"parley/mcpclient/keychain"
)

// documented are the names of secrets that docs/design.md explains to whoever
// opens the encrypted file by hand.
func documented(t *testing.T) []*regexp.Regexp {
	t.Helper()
	doc, err := os.ReadFile("../../../docs/design.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(doc), "\n### Opening the encrypted file by hand\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var names []*regexp.Regexp
	for _, row := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\|").FindAllStringSubmatch(section, -1) {
		pattern := regexp.MustCompile(`[A-Z]{2,}`).ReplaceAllString(regexp.QuoteMeta(row[1]), `\S*`)
		names = append(names, regexp.MustCompile("^"+pattern+"$"))
	}
	if len(names) == 0 {
		t.Fatal("docs/design.md has no table of the names")
	}
	return names
}

// namedInTheDocs says which of the secrets that are kept docs/design.md has no row for.
func namedInTheDocs(t *testing.T, kept []keychain.Key) {
	t.Helper()
	if len(kept) == 0 {
		t.Error("nothing is kept, so nothing is known of its name")
	}
	names := documented(t)
	for _, k := range kept {
		if !slices.ContainsFunc(names, func(r *regexp.Regexp) bool { return r.MatchString(k.Name) }) {
			t.Errorf("a secret is kept as %q, which docs/design.md does not explain", k.Name)
		}
	}
}

// TestWhatIsKeptIsExplained_ForWhoeverOpensTheFileByHand: the docs name what an app that
// registers by itself keeps. What else there is has the test of the canaries.
func TestWhatIsKeptIsExplained_ForWhoeverOpensTheFileByHand(t *testing.T) {
	w := newWorld(t, authtest.Options{Login: authtest.Grant}, authtest.ResourceOptions{})
	w.run(driven).connected()
	namedInTheDocs(t, w.vault.Keys())
}
