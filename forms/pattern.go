package forms

import (
	"sync/atomic"
	"time"

	"github.com/dlclark/regexp2"

	"parley/assets/i18n"
	"parley/forms/rawjson"
)

// patternBound is how long one check against a pattern may take. A pattern is
// the server's and may be made to run for ever.
const patternBound = 50 * time.Millisecond

// maxPattern bounds a pattern's length in bytes.
const maxPattern = 4096

func init() {
	// The library looks at its clock this often, every 100 ms unless told,
	// which would stretch the bound to twice its length. The clock's goroutine
	// is the library's; it ends about a second after the last check.
	regexp2.SetTimeoutCheckPeriod(10 * time.Millisecond)
}

// maxOverruns is how many checks of one form may run over. Then none of its
// patterns is checked any more: three hundred such fields would freeze the
// window for as long as somebody types.
const maxOverruns = 6

// pattern is a compiled "pattern" keyword: an ECMA-262 regular expression that
// is not anchored (JSON Schema 2020-12 validation, section 6.3.3).
type pattern struct {
	re       *regexp2.Regexp
	overruns *atomic.Int32 // of the whole form
}

// setPattern reads the pattern of a text. One that does not compile is a hint:
// it cannot be checked here, and the answer may still be right.
func (f *Field) setPattern(n node, overruns *atomic.Int32) {
	raw := n.get("pattern")
	if raw == nil {
		return
	}
	source, ok := rawjson.String(raw)
	if !ok {
		f.badLimit("pattern", raw)
		return
	}
	f.Limits.Pattern = source
	if f.pattern = compilePattern(source, overruns); f.pattern == nil {
		f.Hints = append(f.Hints, i18n.M("forms.hint.patternUnchecked", "Pattern", excerpt(source)))
	}
}

// compilePattern returns nil for a pattern the engine does not understand.
func compilePattern(source string, overruns *atomic.Int32) (p *pattern) {
	if len(source) > maxPattern {
		return nil
	}
	// The engine is not ours and reads a stranger's text: a fault in it must
	// cost one check, not the app.
	defer func() {
		if recover() != nil {
			p = nil
		}
	}()
	for _, options := range []regexp2.RegexOptions{regexp2.ECMAScript | regexp2.Unicode, regexp2.ECMAScript} {
		re, err := regexp2.Compile(source, options)
		if err == nil {
			re.MatchTimeout = patternBound
			return &pattern{re, overruns}
		}
	}
	return nil
}

// matches reports whether s fits. checked is false when the check ran over its
// bound or was not begun, which says nothing about s.
func (p *pattern) matches(s string) (ok, checked bool) {
	if p.overruns.Load() >= maxOverruns {
		return false, false
	}
	defer func() {
		if recover() != nil {
			ok, checked = false, false
		}
	}()
	ok, err := p.re.MatchString(s)
	if err != nil {
		p.overruns.Add(1)
	}
	return ok, err == nil
}
