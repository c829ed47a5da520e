package consent

import (
	"strings"

	"parley/assets/i18n"
)

// rule is a row of the decision table: the level of a class and the key of its
// sentence. Classes that share a sentence share the key.
type rule struct {
	level Level
	key   string
}

// rules is the decision table. The two classes that have two levels each are
// raised by [raised].
var rules = map[string]rule{
	"empty":             {Block, "consent.not-web-page"},
	"scheme":            {Block, "consent.not-web-page"},
	"not-a-web-address": {Block, "consent.not-web-page"},
	"malformed-slashes": {Block, "consent.misleading"},
	"backslash":         {Block, "consent.misleading"},
	"control-character": {Block, "consent.hidden-characters"},
	"whitespace":        {Block, "consent.hidden-characters"},
	"hidden-character":  {Block, "consent.hidden-characters"},
	"bidi-control":      {Block, "consent.hidden-characters"},
	"userinfo":          {Block, "consent.userinfo"},
	"percent-host":      {Block, "consent.invalid-name"},
	"invalid-name":      {Block, "consent.invalid-name"},
	"malformed-host":    {Block, "consent.invalid-name"},
	"bad-encoding":      {Block, "consent.invalid-name"},
	"disguised-ip":      {Block, "consent.hidden-address"},
	"unusable-ip":       {Block, "consent.hidden-address"},
	"ipv6-zone":         {Block, "consent.hidden-address"},
	"metadata":          {Block, "consent.metadata"},
	"bad-port":          {Block, "consent.port"},
	"refused-port":      {Block, "consent.port"},
	"too-long":          {Block, "consent.too-long"},

	"idn-disguised-letters": {Danger, "consent.disguised-letters"},
	"idn-mixed-scripts":     {Caution, "consent.unusual-characters"},
	"idn-all-lookalikes":    {Danger, "consent.looks-like"},
	"idn-lookalike-name":    {Danger, "consent.looks-like"},
	"lookalike-name":        {Danger, "consent.looks-like"},
	"idn-code-imitates":     {Danger, "consent.code-imitates"},
	"idn-fake-punctuation":  {Danger, "consent.fake-characters"},
	"idn-fake-digits":       {Danger, "consent.fake-characters"},
	"idn-stacked-marks":     {Danger, "consent.fake-characters"},
	"embedded-name":         {Caution, "consent.embedded-other"},

	"idn-rare-script":     {Caution, "consent.unusual-characters"},
	"idn-symbols":         {Caution, "consent.unusual-characters"},
	"idn-joiner":          {Caution, "consent.unusual-characters"},
	"idn-unusual-letters": {Caution, "consent.unusual-characters"},
	"not-encrypted":       {Caution, "consent.not-encrypted"},
	"private-network":     {Caution, "consent.own-network"},
	"local-network-name":  {Caution, "consent.own-network"},
	"trailing-dot":        {Caution, "consent.trailing-dot"},
	"no-owner-part":       {Caution, "consent.no-owner-part"},
	"download":            {Caution, "consent.download"},

	"this-computer":  {Info, "consent.this-computer"},
	"ip-address":     {Info, "consent.ip-address"},
	"shared-hosting": {Info, "consent.shared-hosting"},
	"idn":            {Info, "consent.idn"},
	"very-long":      {Info, "consent.very-long"},
	"other-site":     {Info, "consent.other-site"},
}

// raised holds the rows of the decision table whose class appears twice in it, and
// the other sentence of a port that browsers do open but that no honest link
// writes so.
var raised = map[string]rule{
	"idn-mixed-scripts": {Danger, "consent.mixed-alphabets"},
	"embedded-name":     {Danger, "consent.embedded-brand"},
	"this-computer":     {Caution, "consent.this-computer-remote"},
	"bad-port":          {Block, "consent.misleading"},
}

// find makes the finding of a class; namesAndValues fill its sentence.
func find(code string, namesAndValues ...any) Finding {
	return rules[code].finding(code, namesAndValues)
}

// findWorse is find for the row of raised.
func findWorse(code string, namesAndValues ...any) Finding {
	return raised[code].finding(code, namesAndValues)
}

func (r rule) finding(code string, namesAndValues []any) Finding {
	return Finding{Code: code, Level: r.level, Text: i18n.M(r.key, namesAndValues...)}
}

// readable reports whether the name may be shown in Unicode: it is
// international, and being so is all that was found about its letters.
func readable(findings []Finding) bool {
	idn := false
	for _, f := range findings {
		if f.Code == "idn" {
			idn = true
		} else if strings.HasPrefix(f.Code, "idn-") {
			return false
		}
	}
	return idn
}
