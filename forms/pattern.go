package forms

import (
	"sync"
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

// The bounds of what all patterns of a form may take together: a bound for
// each alone still lets a thousand of them, or one for each entry of a list,
// freeze the window. A form may spend maxPatternTime at once and wins back one
// part in patternShare of the time between checks, so that somebody who types
// never waits for long and the patterns of an honest form, which take
// microseconds, are always checked.
const (
	maxPatternTime = 250 * time.Millisecond
	patternShare   = 10
)

// patternTime is the time that patterns may still take. It is safe for
// concurrent use.
type patternTime struct {
	now func() time.Time

	mu   sync.Mutex
	left time.Duration
	at   time.Time // when left was counted
}

func newPatternTime(now func() time.Time) *patternTime {
	return &patternTime{now: now, left: maxPatternTime, at: now()}
}

// begin returns when the work it allows began; ok is false when there is not
// enough time left for it. Work that was allowed is ended with end.
func (p *patternTime) begin() (start time.Time, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	start = p.now()
	p.left = min(maxPatternTime, p.left+start.Sub(p.at)/patternShare)
	p.at = start
	return start, p.left >= patternBound
}

// end takes what the work since start cost; that time brings nothing back.
func (p *patternTime) end(start time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.at = p.now()
	p.left = max(0, p.left-p.at.Sub(start))
}

// pattern is a compiled "pattern" keyword: an ECMA-262 regular expression that
// is not anchored (JSON Schema 2020-12 validation, section 6.3.3).
type pattern struct {
	re   *regexp2.Regexp
	time *patternTime // of the whole form

	mu       sync.Mutex
	verdicts map[string]bool // of texts that were checked
}

// The bounds of the verdicts that a pattern remembers, so that a text which was
// refused once is not sent a moment later because the time is used up, and one
// that does not change costs nothing again.
const (
	maxVerdicts    = 256
	maxVerdictText = 1024 // bytes
)

// setPattern reads the pattern of a text. One that does not compile is a hint:
// it cannot be checked here, and the answer may still be right.
func (p *parser) setPattern(f *Field, n node) {
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
	if f.pattern = p.pattern(source); f.pattern == nil {
		f.Hints = append(f.Hints, i18n.M("forms.hint.patternUnchecked", "Pattern", excerpt(source)))
	}
}

// pattern compiles source, once however many fields have it; nil is a pattern
// that cannot be checked.
func (p *parser) pattern(source string) *pattern {
	if known, ok := p.patterns[source]; ok {
		return known
	}
	var made *pattern
	if start, ok := p.compiling.begin(); ok {
		made = compilePattern(source, p.form.patterns)
		p.compiling.end(start)
	}
	p.patterns[source] = made
	return made
}

// compilePattern returns nil for a pattern the engine does not understand.
func compilePattern(source string, time *patternTime) (p *pattern) {
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
	source, ok := fromECMA(source)
	if !ok {
		return nil
	}
	for _, options := range []regexp2.RegexOptions{regexp2.ECMAScript | regexp2.Unicode, regexp2.ECMAScript} {
		re, err := regexp2.Compile(source, options)
		if err == nil {
			re.MatchTimeout = patternBound
			return &pattern{re: re, time: time}
		}
	}
	return nil
}

// matches reports whether s fits. checked is false when the check ran over its
// bound or the form's patterns have had their time, which says nothing about s.
func (p *pattern) matches(s string) (ok, checked bool) {
	if len(s) > maxVerdictText {
		return p.match(s)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if ok, known := p.verdicts[s]; known {
		return ok, true
	}
	if ok, checked = p.match(s); !checked {
		return ok, false
	}
	if p.verdicts == nil || len(p.verdicts) >= maxVerdicts {
		p.verdicts = map[string]bool{}
	}
	p.verdicts[s] = ok
	return ok, true
}

// match is matches by the engine.
func (p *pattern) match(s string) (ok, checked bool) {
	start, ok := p.time.begin()
	if !ok {
		return false, false
	}
	defer p.time.end(start)
	defer func() {
		if recover() != nil {
			ok, checked = false, false
		}
	}()
	ok, err := p.re.MatchString(s)
	return ok, err == nil
}
