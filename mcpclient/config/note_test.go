package config

import (
	"strings"
	"testing"
	"time"

	"parley/mcpclient"
)

// withNote is a file with one server "a" and this note about it.
func withNote(note string) string {
	return `{"mcpServers":{"a":{"url":"https://a.example/mcp"}},"parley":{"servers":{"a":` + note + `}}}`
}

func TestSettingsOfOneServerAreReadAndKeepTheirSpelling(t *testing.T) {
	for note, want := range map[string]mcpclient.Server{
		`{}`:                           {},
		`{"maxMessage":"16 MiB"}`:      {MaxMessage: 16 << 20},
		`{"maxMessage":"1GiB"}`:        {MaxMessage: 1 << 30},
		`{"maxMessage":"1025 B"}`:      {MaxMessage: 1025},
		`{"logLevel":"warning"}`:       {LogLevel: "warning"},
		`{"logLevel":"off"}`:           {LogLevel: mcpclient.LogOff},
		`{"silence":"90s"}`:            {Silence: 90 * time.Second},
		`{"silence":null,"x":[1]}`:     {},
		`{"maxMessage":"16384 KiB"}`:   {MaxMessage: 16 << 20},
		`{"protocol":"2025-11-25"}`:    {Protocol: "2025-11-25"},
		`{"logLevel":"\u0064ebug"}`:    {LogLevel: "debug"},
		`{"maxMessage":"1048576 KiB"}`: {MaxMessage: 1 << 30},
	} {
		s := open(t, withNote(note))
		v := byName(t, s, "a")
		if v.MaxMessage != want.MaxMessage || v.LogLevel != want.LogLevel || v.Silence != want.Silence || v.Protocol != want.Protocol {
			t.Errorf("%s is read as %+v", note, v)
		}
		if s.Problems() != nil {
			t.Errorf("%s is a problem: %s", note, problems(s))
		}
		v.Name = "b"
		must(t, s.Update(v))
		for _, m := range mustObject(t, note) {
			if got := valueOf(s.doc.note("b"), m.Key); got != string(m.Value) {
				t.Errorf("%s: %q became %s", note, m.Key, got)
			}
		}
	}
}

func TestASettingThatCannotBeUnderstoodIsNamedAndStays(t *testing.T) {
	for note, says := range map[string]string{
		`{"maxMessage":"lots"}`:                  "“maxMessage” must be a size",
		`{"maxMessage":16}`:                      "“maxMessage” must be a size",
		`{"maxMessage":"-1 MiB"}`:                "“maxMessage” must be a size",
		`{"maxMessage":"+1 MiB"}`:                "“maxMessage” must be a size",
		`{"maxMessage":"1.5 MiB"}`:               "“maxMessage” must be a size",
		`{"maxMessage":"1023 B"}`:                "from 1 KiB to 1 GiB",
		`{"maxMessage":"2 GiB"}`:                 "from 1 KiB to 1 GiB",
		`{"maxMessage":"99999999999999999 GiB"}`: "from 1 KiB to 1 GiB",
		`{"maxMessage":"16 MB"}`:                 "“maxMessage” must be a size",
		`{"logLevel":"loud"}`:                    "“logLevel” must be one of debug, info,",
		`{"logLevel":""}`:                        "“logLevel” must be one of debug, info,",
		`{"silence":"soon"}`:                     "“silence” must be a time",
		`{"silence":"-1s"}`:                      "“silence” must be a time",
	} {
		s := open(t, withNote(note))
		v := byName(t, s, "a")
		if v.MaxMessage != 0 || v.LogLevel != "" || v.Silence != 0 {
			t.Errorf("%s is used: %+v", note, v)
		}
		if got := problems(s); !strings.Contains(got, says) || strings.Count(got, "\n") != 0 {
			t.Errorf("%s: the problems are %q", note, got)
		}
		must(t, s.Update(v))
		for _, m := range mustObject(t, note) {
			if got := valueOf(s.doc.note("a"), m.Key); got != string(m.Value) {
				t.Errorf("%s became %s", note, got)
			}
		}
	}
}

func TestSettingsAreWrittenSoThatTheyReadTheSame(t *testing.T) {
	s := open(t, withNote(`{"maxMessage":"lots"}`))
	for _, size := range []int64{1 << 10, 1025, 3 << 20, 1 << 30, 64<<20 + 1} {
		v := byName(t, s, "a")
		v.MaxMessage, v.LogLevel = size, "error"
		must(t, s.Update(v))
		if got := byName(t, reopen(t, s.Dir()), "a"); got.MaxMessage != size || got.LogLevel != "error" {
			t.Errorf("%d bytes are read back as %+v", size, got)
		}
	}
	v := byName(t, s, "a")
	v.MaxMessage, v.Silence, v.LogLevel = -1, -1, "loud"
	must(t, s.Update(v))
	if text := onDisk(t, s); strings.Contains(text, "maxMessage") || strings.Contains(text, "silence") || strings.Contains(text, "logLevel") {
		t.Errorf("values that nobody could read were written:\n%s", text)
	}
}

func mustObject(t *testing.T, text string) object {
	t.Helper()
	o, err := readObject([]byte(text))
	must(t, err)
	return o
}

// valueOf is the member key as it is spelt, "" if it is not there.
func valueOf(o object, key string) string {
	if i := o.index(key); i >= 0 {
		return string(o[i].Value)
	}
	return ""
}
