package config

import (
	"regexp"
	"slices"
	"strings"

	"parley/assets/i18n"
	"parley/mcpclient"
)

// READMEs show <your-api-key> where something of the reader's belongs. What was
// left standing so is asked for, as what a file leaves open with ${…} is.

var (
	// standIn is one within a text, standInWhole all of one.
	standIn      = regexp.MustCompile(`<([A-Za-z][\w .-]*)>|\b(YOUR[_-][A-Z0-9_-]*[A-Z0-9]|your[_-][a-z0-9_-]*[a-z0-9])\b`)
	standInWhole = regexp.MustCompile(`(?i)^(<[^<>]+>|your[-_ ].*|(insert|enter|replace)[-_ ].*|x{4,}|\.{3}|…|change[-_]?me|todo|.*[-_ ]here)$`)
	standInHere  = regexp.MustCompile(`^<[A-Za-z][\w .-]*>`)
	// standInPath is a path that only shows how one looks.
	standInPath = regexp.MustCompile(`(?i)(^|=)(/|[A-Z]:[\\/])((absolute|full|your)[\\/])?path[\\/]to([\\/]|$)`)
)

// askForStandIns makes placeholders of what stands for something else.
func (e *foundEntry) askForStandIns() {
	v := &e.server
	for name, value := range v.Env {
		if standInWhole.MatchString(strings.TrimSpace(value)) && envName.MatchString(name) {
			v.Env[name] = "${env:" + name + "}"
		}
	}
	for name, value := range v.Headers {
		v.Headers[name] = opened(value)
	}
	v.URL = standIn.ReplaceAllStringFunc(v.URL, func(s string) string {
		if s[0] == '<' {
			return opened(s) // words with "your" in them may be of the address
		}
		return s
	})
	v.Args = slices.Clone(v.Args)
	for i, a := range v.Args {
		if i > 0 && shellFlag.MatchString(v.Args[i-1]) {
			continue // there it may be a redirection
		}
		v.Args[i] = opened(a)
		if standInPath.MatchString(a) {
			e.doubts = append(e.doubts, i18n.M("cli.import_stand_in", "Where", i18n.M("cli.import_where_argument", "N", i+1)))
		}
	}
	if v.Kind == mcpclient.Stdio && standInPath.MatchString(v.Command) {
		e.doubts = append(e.doubts, i18n.M("cli.import_stand_in", "Where", i18n.M("cli.import_where_program")))
	}
}

// opened is text with placeholders for the stand-ins in it.
func opened(text string) string {
	return standIn.ReplaceAllStringFunc(text, func(s string) string { return "${" + strings.Trim(s, "<>") + "}" })
}
