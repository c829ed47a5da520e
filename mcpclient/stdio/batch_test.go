package stdio

import (
	"errors"
	"testing"
)

// B70: arguments survive the way through cmd.exe.
func TestB70_ArgumentsOfBatchFilesMeanThemselves(t *testing.T) {
	tests := []struct {
		args []string
		want string
	}{
		{nil, ``},
		{[]string{"-y", "pkg@1"}, ` -y pkg@1`},
		{[]string{`C:\My Docs\a&b`}, ` "C:\My Docs\a&b"`},
		{[]string{""}, ` ""`},
		{[]string{`say "hi"`}, ` "say ""hi"""`},
		{[]string{`end\`}, ` "end\\"`},
		{[]string{`a\" & calc`}, ` "a\\"" & calc"`},
		{[]string{"%PATH%"}, ` "%%cd:~,%PATH%%cd:~,%"`},
		{[]string{"名前"}, ` "名前"`},
		{[]string{"a|b", "c^d", "e>f"}, ` "a|b" "c^d" "e>f"`},
	}
	for _, test := range tests {
		got, err := batchLine(`C:\Program Files\npx.cmd`, test.args)
		want := `cmd.exe /e:ON /v:OFF /d /c ""C:\Program Files\npx.cmd"` + test.want + `"`
		if err != nil || got != want {
			t.Errorf("%q: %s, %v\n want %s", test.args, got, err, want)
		}
	}
	for _, bad := range []string{"a\nb", "a\rb", "a\x00b"} {
		if line, err := batchLine("npx.cmd", []string{bad}); !errors.Is(err, errArguments) {
			t.Errorf("%q was passed as %s", bad, line)
		}
	}
}
