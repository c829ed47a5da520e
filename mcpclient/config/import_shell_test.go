package config

import (
	"runtime"
	"slices"
	"strings"
	"testing"
)

// words is what a command line starts, quoted where that tells something, and
// the first words of what is said of it.
func started(t *testing.T, text string) (words []string, doubts, notes string) {
	t.Helper()
	src, err := ReadText(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if len(src.Offers) != 1 {
		t.Fatalf("%s: %d offers\n%s", text, len(src.Offers), drawn(src))
	}
	o := src.Offers[0]
	for _, m := range o.Doubts {
		if m.ID != "cli.import_foreign" { // which depends on the computer
			doubts += english.Text(m) + "\n"
		}
	}
	for _, m := range o.Notes {
		notes += english.Text(m) + "\n"
	}
	return append([]string{o.Server.Command}, o.Server.Args...), doubts, notes
}

// TestCommandLine_IsReadRightOrNotAtAll: nothing in a pasted line changes without
// a word. Each is read as its shell does, stands as it is with a doubt, or is
// refused by the name of what no program does for itself.
func TestCommandLine_IsReadRightOrNotAtAll(t *testing.T) {
	atLin(t)
	const looks, shell, windows = "word processor", "A shell might put something else in the place of", "command line of Windows"
	for text, c := range map[string]struct {
		words       []string
		doubt, note string
	}{
		// Backslashes of Windows, on whatever computer.
		`claude mcp add x -- C:\foo\bar.exe C:\My`:                  {[]string{`C:\foo\bar.exe`, `C:\My`}, "", windows},
		`C:\tools\srv.exe --dir "C:\My Files\"" x`:                  {[]string{`C:\tools\srv.exe`, "--dir", `C:\My Files"`, "x"}, "", windows},
		`node dist\index.js`:                                        {[]string{"node", `dist\index.js`}, "", windows},
		`\\server\share\srv.exe \\server\data`:                      {[]string{`\\server\share\srv.exe`, `\\server\data`}, "", windows},
		`"C:\Program Files\nodejs\node.exe" "C:\a b\x.js"`:          {[]string{`C:\Program Files\nodejs\node.exe`, `C:\a b\x.js`}, "", windows},
		`srv "\\server\my share"`:                                   {[]string{"srv", `\\server\my share`}, "", windows},
		`.\srv.exe -x ..\data`:                                      {[]string{`.\srv.exe`, "-x", `..\data`}, "", windows},
		`uv --directory=C:\src\weather run weather.py`:              {[]string{"uv", `--directory=C:\src\weather`, "run", "weather.py"}, "", windows},
		`npx srv C:\My\ Files`:                                      {[]string{"npx", "srv", `C:\My\`, "Files"}, windows, ""},
		`cmd /c npx -y @scope/srv`:                                  {[]string{"cmd", "/c", "npx", "-y", "@scope/srv"}, "", ""},
		`wsl npx -y srv`:                                            {[]string{"wsl", "npx", "-y", "srv"}, "", ""},
		`PS C:\Users\lin> npx -y srv 'a b' 'it''s'`:                 {[]string{"npx", "-y", "srv", "a b", "it's"}, "", windows},
		`C:\Users\lin>npx -y srv it's`:                              {[]string{"npx", "-y", "srv", "it's"}, "", windows},
		`npx srv --dir %APPDATA%\srv`:                               {[]string{"npx", "srv", "--dir", `${env:APPDATA}\srv`}, "", windows},
		`npx srv --dir "%APPDATA%"`:                                 {[]string{"npx", "srv", "--dir", `${env:APPDATA}`}, "", windows},
		`npx srv $env:DATA_DIR`:                                     {[]string{"npx", "srv", "${env:DATA_DIR}"}, "", windows},
		`npx srv C:\a;C:\b`:                                         {[]string{"npx", "srv", `C:\a;C:\b`}, shell + " ;", windows},
		`npx srv ^a C:\b`:                                           {[]string{"npx", "srv", "^a", `C:\b`}, shell + " ^", windows},
		`npx srv ~\data`:                                            {[]string{"npx", "srv", `~\data`}, shell + " ~", windows},
		"npx ^\n  -y ^\n  srv":                                      {[]string{"npx", "-y", "srv"}, "", windows},
		"npx `\r\n  -y `\r\n  srv":                                  {[]string{"npx", "-y", "srv"}, "", windows},
		`srv "a \"b\" c" C:\x`:                                      {[]string{"srv", `a "b" c`, `C:\x`}, "", windows},
		`srv https://a.test/%E4%BD%A0%E5%A5%BD`:                     {[]string{"srv", "https://a.test/%E4%BD%A0%E5%A5%BD"}, "", ""},
		`claude mcp add-json x '{"command":"C:\\foo\\bar.exe"}'`:    {[]string{`C:\foo\bar.exe`}, "", ""},
		`code --add-mcp "{\"name\":\"x\",\"command\":\"C:\\\\b\"}"`: {[]string{`C:\b`}, "", ""},

		// POSIX shells.
		`srv My\ Files \"q\" a\\b`:   {[]string{"srv", "My Files", `"q"`, `a\b`}, "", ""},
		`srv --re 'a\.b' "c\d"`:      {[]string{"srv", "--re", `a\.b`, `c\d`}, "", ""},
		`srv $HOME/x ~/y A=~/z a~b`:  {[]string{"srv", "${HOME}/x", "/home/lin/y", "A=/home/lin/z", "a~b"}, "", ""},
		`srv *.js a?b --x={a,b}`:     {[]string{"srv", "*.js", "a?b", "--x={a,b}"}, shell + " * ? {…}", ""},
		`srv '*' "?" https://a/?b=c`: {[]string{"srv", "*", "?", "https://a/?b=c"}, "", ""},
		`srv -x # and so on`:         {[]string{"srv", "-x"}, "", "after “#” is left out"},
		`srv a#b '#c'`:               {[]string{"srv", "a#b", "#c"}, "", ""},
		`srv foo@^1.2 100% a$`:       {[]string{"srv", "foo@^1.2", "100%", "a$"}, "", ""},
		"srv \\\r\n -x":              {[]string{"srv", "-x"}, "", ""},
		`env -i npx srv`:             {[]string{"env", "-i", "npx", "srv"}, "", ""},

		// Word processors.
		`claude mcp add “x” — npx foo`:            {[]string{"npx", "foo"}, looks, ""},
		`npx foo –y —header “X-Key: a b”`:         {[]string{"npx", "foo", "-y", "--header", "X-Key: a b"}, looks, ""},
		`npx foo ––y –-header=‘a b’`:              {[]string{"npx", "foo", "--y", "--header=a b"}, looks, ""},
		`npx foo ‘it’ 'Lin’s – files' "a—b"`:      {[]string{"npx", "foo", "it", "Lin’s – files", "a—b"}, looks, ""},
		"npx\u00a0foo\u3000-y":                    {[]string{"npx", "foo", "-y"}, looks, ""},
		`npx foo 'Lin’s files' a–b`:               {[]string{"npx", "foo", "Lin’s files", "a–b"}, "", ""},
		`claude mcp add-json x “{"command":"y"}”`: {[]string{"y"}, looks, ""},
		`{“command”: “npx”, “args”: [“-y”]}`:      {[]string{"npx", "-y"}, looks, ""},
		`“files”: {“command”: “npx”}`:             {[]string{"npx"}, looks, ""},
	} {
		words, doubts, notes := started(t, text)
		if !slices.Equal(words, c.words) {
			t.Errorf("%s starts %q; want %q", text, words, c.words)
		}
		if !strings.Contains(doubts, c.doubt) || (c.doubt == "") != (doubts == "") && !strings.Contains(doubts, "holds") {
			t.Errorf("%s: the doubts are %q; want %q", text, doubts, c.doubt)
		}
		if !strings.Contains(notes, c.note) || (c.note == "") != (notes == "") {
			t.Errorf("%s: the notes are %q; want %q", text, notes, c.note)
		}
	}
	for text, want := range map[string]string{
		`npx $'a\nb'`: "needs a shell ($'…')", `npx $"a"`: `needs a shell ($"…")`, "npx a && b": "(&&)", "npx a || b": "(||)", "npx a | b": "(|)",
		"npx a > b": "(>)", "npx a >> b": "(>>)", "npx a 2>&1": "(>)", "npx a < b": "(<)", "npx a << b": "(<<)", "npx $(b)": "($(…))", "npx `b`": "(`)", "npx a; b": "(;)",
		"npx $1": "($1)", "npx $@": "($@)", "npx $$": "($$)", "npx ~other/x": "(~other)", "npx (a)": "(()",
		`C:\a.exe | more`: "(|)", `C:\a.exe && b`: "(&&)", "C:\\a.exe `b": "(`)", `C:\a.exe $(b)`: "($(…))", `C:\a.exe "b`: "not closed",
		"claude mcp add --transport ws x wss://a": "The transport “ws” is not known", "claude mcp add x wss://a": "cannot be reached at wss://",
		"claude mcp add --what x https://a.test/": "“--what” is not known", "wss://a.test/": "cannot be reached at wss://", "npx://x": "cannot be reached at npx://",
		"claude mcp add --callback-port x y https://a.test/": "“--callback-port” is not known here, or its value is none",
	} {
		src, err := ReadText(text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %q\n%s", text, err, want, drawn(src))
		}
	}
}

// TestCommandLine_OfAnotherSystemIsNotTicked here, and says why.
func TestCommandLine_OfAnotherSystemIsNotTicked(t *testing.T) {
	for _, text := range []string{`cmd /c npx x`, `wsl npx x`, `C:\a\b.exe`, `\\server\b.exe -x`, `.\b.exe`, `powershell -File x.ps1`} {
		src, err := ReadText(text)
		must(t, err)
		v := src.Offers[0].Server
		if said := ofOtherSystem(v, "linux"); len(said) != 1 || !strings.Contains(english.Text(said[0]), v.Command) {
			t.Errorf("%s: on Linux it says %v", text, said)
		}
		if said := ofOtherSystem(v, "windows"); said != nil {
			t.Errorf("%s: on Windows it says %v", text, said)
		}
		if got := len(src.Offers[0].Doubts) > 0; got != (runtime.GOOS != "windows") {
			t.Errorf("%s: doubted: %v", text, got)
		}
	}
	src, err := ReadText("cmdline-server --x")
	must(t, err)
	if len(src.Offers[0].Doubts) != 0 {
		t.Errorf("a program of any system is doubted: %s", drawn(src))
	}
}
