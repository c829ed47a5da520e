package stdio

import (
	"strings"
	"testing"

	"parley/assets/i18n"
)

// What tells two servers of one interpreter apart is the script, and nothing
// that may be secret is named with it.
func TestTheScriptOfAnInterpreterIsNamed(t *testing.T) {
	for _, test := range []struct{ command, want string }{
		{"/usr/bin/python3 server.py --token canary", "server.py"},
		{"python3.12 -u -W ignore /srv/server.py", "/srv/server.py"},
		{`C:\Python\python.exe -m travel.server`, "travel.server"},
		{"python3 -c canary", ""},
		{"node --require canary server.js", "server.js"},
		{"node -e canary", ""},
		{"npx -y @scope/server canary", "@scope/server"},
		{"npx.cmd -y --registry canary server", "server"},
		{"npx git+https://canary@example.com/x", ""},
		{"uvx --from canary mcp-server", "mcp-server"},
		{"uv --directory canary run server.py", "server.py"},
		{"java -Dk=canary -jar server.jar", "server.jar"},
		{"bash TOKEN=canary", ""},
		{"sh -", ""},
		{"deno run --allow-net server.ts", "server.ts"},
		{"node", ""},
		{"server canary", ""},
		{"docker run -e TOKEN=canary image", ""},
	} {
		words := strings.Fields(test.command)
		if got := script(Command{Path: words[0], Args: words[1:]}); got != test.want {
			t.Errorf("%s: %q, want %q", test.command, got, test.want)
		}
	}
	long := script(Command{Path: "node", Args: []string{strings.Repeat("x", 5000)}})
	if len(long) > maxScript {
		t.Errorf("a script's name of %d bytes", len(long))
	}
}

func TestTheEndOfAnInterpreterNamesItsScript(t *testing.T) {
	for _, e := range []*ExitError{{Code: 3}, {Code: 0}, {Code: 127}, {Code: -1, Signal: "SIGSEGV"}, {OutputClosed: true}} {
		for _, tag := range i18n.Languages {
			e.Program, e.Script = "python3", "server.py"
			if s := i18n.New(tag).Text(e.Sentence()); !strings.Contains(s, "“python3 server.py”") {
				t.Errorf("%+v: %q does not name the script", e, s)
			}
			e.Script = ""
			if s := i18n.New(tag).Text(e.Sentence()); !strings.Contains(s, "“python3”") {
				t.Errorf("%+v: %q does not name the program alone", e, s)
			}
		}
	}
}

func TestACrashIsToldFromAnEndThatCameFromOutside(t *testing.T) {
	for signal, want := range map[string]string{
		"SIGSEGV": "client.transport.exit.crash", "SIGABRT": "client.transport.exit.crash",
		"SIGKILL": "client.transport.exit.signal", "SIGTERM": "client.transport.exit.signal", "SIGINT": "client.transport.exit.signal",
	} {
		if got := (&ExitError{Program: "p", Code: -1, Signal: signal}).Sentence().ID; got != want {
			t.Errorf("%s: %s, want %s", signal, got, want)
		}
	}
}
