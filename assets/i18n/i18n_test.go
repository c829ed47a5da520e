package i18n_test

import (
	"testing"

	"parley/assets/i18n"
)

func TestMatch_FindsTheLanguageThatServesBest(t *testing.T) {
	for _, c := range []struct {
		wanted []string
		tag    string
	}{
		{nil, "en"},
		{[]string{""}, "en"},
		{[]string{"en"}, "en"},
		{[]string{"en_GB.UTF-8"}, "en"},
		{[]string{"zh"}, "zh-Hans"},
		{[]string{"zh-CN"}, "zh-Hans"},
		{[]string{"zh_CN.UTF-8"}, "zh-Hans"},
		{[]string{"zh_SG@pinyin"}, "zh-Hans"},
		{[]string{"C"}, "en"},
		{[]string{"C.UTF-8"}, "en"},
		{[]string{"POSIX"}, "en"},
		{[]string{"fr_FR.UTF-8"}, "en"},
		{[]string{"fr", "zh_CN"}, "zh-Hans"},
		{[]string{"not a tag at all"}, "en"},
	} {
		if got := i18n.Match(c.wanted...); got != c.tag {
			t.Errorf("Match(%q) = %q, want %q", c.wanted, got, c.tag)
		}
		if got := i18n.New(c.wanted...).Tag(); got != c.tag {
			t.Errorf("New(%q).Tag() = %q, want %q", c.wanted, got, c.tag)
		}
	}
}

func TestText_OfNothingIsNothingAndOfAnUnknownKeyIsTheKey(t *testing.T) {
	l := i18n.New("en")
	if got := l.Text(i18n.Message{}); got != "" {
		t.Errorf("the zero Message renders as %q", got)
	}
	if got := l.T("ui.there_is_no_such_key"); got != "ui.there_is_no_such_key" {
		t.Errorf("an unknown key renders as %q", got)
	}
}

func TestM_RefusesAValueThatIsMissing(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("M took a name without a value")
		}
	}()
	i18n.M("ui.any", "Name")
}

func TestCountsStandInGroups(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1951424: "1,951,424", -1234: "-1,234", -123: "-123"} {
		if got := i18n.Grouped(n); got != want {
			t.Errorf("%d is written %s, want %s", n, got, want)
		}
	}
}
