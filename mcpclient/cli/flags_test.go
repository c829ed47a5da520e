package cli

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"parley/assets/i18n"
	"parley/mcpclient"
)

func TestFlagsComeBeforeOperandsAndDashesEndThem(t *testing.T) {
	for _, c := range []struct {
		args   string
		want   string // what the flags got, then the operands
		dashed bool
	}{
		{"", "", false},
		{"a b", "| a b", false},
		{"--text x a", "text=x | a", false},
		{"--text=x a", "text=x | a", false},
		{"--text= a", "text= | a", false},
		{"--text=a=b", "text=a=b |", false},
		{"--text -- a", "text=-- | a", false}, // a value may look like anything
		{"--text --bare a", "text=--bare | a", false},
		{"--bare -- --text x", "bare | --text x", true},
		{"--text 1 --text 2", "text=1 text=2 |", false},
		{"- --bare", "| - --bare", false},
		{"a --bare", "| a --bare", false},
		{"a -- b", "| a -- b", false},
		{"--", "|", true},
	} {
		var got []string
		flags := []flag{
			{name: "text", set: func(v string) error { got = append(got, "text="+v); return nil }},
			{name: "bare", bare: true, set: func(string) error { got = append(got, "bare"); return nil }},
		}
		ops, err := parseFlags(strings.Fields(c.args), flags)
		if err != nil {
			t.Errorf("%q: %v", c.args, err)
			continue
		}
		want := strings.Fields(c.want)
		if got = append(append(got, "|"), ops.words...); len(want) == 0 {
			got = slices.DeleteFunc(got, func(s string) bool { return s == "|" })
		}
		if !slices.Equal(got, want) || ops.dashed != c.dashed {
			t.Errorf("%q: %q (after dashes: %v), want %q (%v)", c.args, got, ops.dashed, want, c.dashed)
		}
	}
}

func TestAMistakeInTheFlagsSaysWhatAndNeverRepeatsAValue(t *testing.T) {
	fault := errors.New("refused")
	for args, want := range map[string]string{
		"--unknown=canary": "There is no flag --unknown here.",
		"-text canary":     "There is no flag -text here.",
		"-tcanary=1":       "There is no flag -tcanary here.",
		"--bare=canary":    "--bare takes no value.",
		"--text":           "--text needs a value.",
		"--fault canary":   "refused",
	} {
		_, err := parseFlags(strings.Fields(args), []flag{
			{name: "text", set: func(string) error { return nil }},
			{name: "bare", bare: true, set: func(string) error { return nil }},
			{name: "fault", set: func(string) error { return fault }},
		})
		if err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %q", args, err, want)
		}
	}
}

func TestSpecs(t *testing.T) {
	for text, want := range map[string]spec{
		"accept":            {action: mcpclient.Accept},
		"accept!":           {action: mcpclient.Accept, sure: true},
		`accept:{"a":1.0}`:  {action: mcpclient.Accept, acts: []byte(`{"a":1.0}`)},
		`accept!:{}`:        {action: mcpclient.Accept, sure: true, acts: []byte(`{}`)},
		`accept:{"a":"b:"}`: {action: mcpclient.Accept, acts: []byte(`{"a":"b:"}`)},
		"decline":           {action: mcpclient.Decline},
		"cancel":            {action: mcpclient.Cancel},
	} {
		if got, err := parseSpec(text, 1); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v (%v), want %+v", text, got, err, want)
		}
	}
	for _, text := range []string{
		"", "yes", "Accept", "accept ", "accept:", "accept:canary", "accept:[]", `accept:"canary"`, "accept:null",
		`accept:{"canary":1}}`, `accept:{"canary":1`, "accept!!", "accept!{}", "decline:", "decline:{}", "cancel:{}",
		"decline!", "cancel!", "ask", "ask:{}", "ask!",
	} {
		_, err := parseSpec(text, 3)
		var u *usageError
		if !errors.As(err, &u) {
			t.Errorf("%q: %v, want a usage error", text, err)
			continue
		}
		for _, tag := range i18n.Languages {
			s := i18n.New(tag).Text(u.text)
			if strings.Contains(s, "canary") {
				t.Errorf("%q: its sentence repeats it: %s", text, s)
			}
			if text != "ask" && !strings.Contains(s, "3") {
				t.Errorf("%q: %q does not say which --answer", text, s)
			}
		}
	}
}

func TestTheLanguageIsThatOfTheLocale(t *testing.T) {
	for _, c := range []struct{ env, want string }{
		{"", "zh-Hans"}, // the system's
		{"LANG=zh_CN.UTF-8", "zh-Hans"},
		{"LANG=zh_CN", "zh-Hans"},
		{"LANG=de_DE.UTF-8", "en"},
		{"LANG=zh_CN.UTF-8 LC_ALL=C", "en"},
		{"LANG=zh_CN.UTF-8 LC_ALL=C.UTF-8", "en"},
		{"LANG=zh_CN.UTF-8 LC_MESSAGES=POSIX", "en"},
		{"LANG=en_US.UTF-8 LC_MESSAGES=zh_CN.UTF-8", "zh-Hans"},
		{"LANG=en_US.UTF-8 LANGUAGE=zh_CN:en", "zh-Hans"},
		{"LANG=C LANGUAGE=zh_CN", "en"},
	} {
		env := map[string]string{}
		for _, e := range strings.Fields(c.env) {
			name, val, _ := strings.Cut(e, "=")
			env[name] = val
		}
		if got := localizer(func(name string) string { return env[name] }, []string{"zh-CN"}).Tag(); got != c.want {
			t.Errorf("%q: %s, want %s", c.env, got, c.want)
		}
	}
}
