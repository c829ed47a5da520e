package config

import (
	"strings"
	"testing"

	"parley/mcpclient"
)

// TestImport_WhatCanNeverWorkIsShownAndNotTicked: every entry and field that no
// system or server takes is named; what remains can be added and checks well.
func TestImport_WhatCanNeverWorkIsShownAndNotTicked(t *testing.T) {
	atLin(t)
	for entry, want := range map[string]string{
		`{"url": "https://a.test/", "headers": {"bad name": "x", "Good": "y"}}`: "header “bad name” is left out: “bad name” is not a valid name",
		`{"url": "https://a.test/", "headers": {"": "x"}}`:                      "header “” is left out",
		`{"url": "https://a.test/", "headers": {"Na(me": "x"}}`:                 "header “Na(me” is left out",
		`{"url": "https://a.test/", "headers": {"X": "a\r\nEvil: b"}}`:          "header “X” is left out: The value of the header “X” contains characters",
		`{"url": "https://a.test/", "headers": {"X": "a\u0000b"}}`:              "header “X” is left out",
		`{"url": "https://a.test/", "headers": {"Content-Length": "1"}}`:        "header “Content-Length” is left out: The header “Content-Length” is set by the connection itself",
		`{"url": "https://a.test/", "headers": {"X-A": "1", "x-a": "2"}}`:       "header “x-a” is left out: This name is there twice",
		`{"url": "https://a.test/", "headers": {"X-A": {"a": "canary"}}}`:       "“X-A” in “headers” is left out: its value is no text",
		`{"url": "https://a.test/", "headers": ["no pair"]}`:                    "Entry 1 of “headers” is left out",
		`{"command": "srv", "env": {"": "x", "B": "y"}}`:                        "environment variable “” is left out",
		`{"command": "srv", "env": {"A=B": "x"}}`:                               "environment variable “A=B” is left out: Enter a name without “=”",
		`{"command": "srv", "env": {"A": "x\u0000y"}}`:                          "environment variable “A” is left out: This cannot hold the character U+0000",
		`{"command": "srv", "env": {"A\u0000": "x"}}`:                           "environment variable “A",
		`{"command": "srv", "env": {"A": ["canary"]}}`:                          "“A” in “env” is left out",
		`{"command": "srv", "env": ["A"]}`:                                      "Entry 1 of “env” is left out",
		`{"command": "srv", "url": "https://a.test/"}`:                          "names a program and an address. The program is taken over",
		`{"type": "http", "command": "srv", "url": "https://a.test/"}`:          "names a program and an address. The address is taken over",
		`{"type": "ws", "url": "https://a.test/"}`:                              "The type “ws” is not known",
		`{"type": "stdio", "url": "https://a.test/"}`:                           "Its type is “stdio”, but it names an address",
		`{"type": "sse", "command": "srv"}`:                                     "Its type is “sse”, but it names a program",
		`{"command": "srv -x 'a b'"}`:                                           "“command” is a whole command line there",
		`{"command": "srv", "args": "-x 'a b'"}`:                                "“args” is a whole command line there",
		`{"command": "srv", "command": "other"}`:                                "“command” is there several times",
		`{"command": "srv", "env": {"A": "1", "A": "2"}}`:                       "“A” is there several times",
		`{"command": "srv", "args": ["~/x"]}`:                                   "Argument 1 holds ~, which a shell would replace",
		`{"command": "~/bin/srv"}`:                                              "The program holds ~",
		`{"command": "srv", "cwd": "$HOME/x"}`:                                  "The folder holds $HOME",
		`{"command": "srv", "args": ["%APPDATA%\\x"]}`:                          "Argument 1 holds %APPDATA%",
		`{"command": "srv", "args": ["$(id -u)"]}`:                              "Argument 1 holds $(…)",
		`{"command": "srv", "env": {"HOME": "~/x"}}`:                            "The environment variable HOME holds ~",
		`{"command": "srv", "sandboxEnabled": true, "sandbox": {}}`:             "There it runs in a sandbox",
		`{"url": "https://a.test/", "headersHelper": "/bin/x"}`:                 "There a program makes its headers",
		`{"command": "srv", "disabled": true}`:                                  "off",
	} {
		src, err := ReadText(`{"mcpServers": {"a": ` + entry + `}}`)
		said := drawn(src)
		if err != nil || len(src.Offers) != 1 || len(src.Offers[0].Doubts) == 0 && !src.Offers[0].Off || !strings.Contains(said, want) {
			t.Errorf("%s: %v\n%swant %q", entry, err, said, want)
			continue
		}
		if strings.Contains(said, "canary") {
			t.Errorf("%s: a value shows in\n%s", entry, said)
		}
		f := src.Offers[0].With(nil)
		d := DraftOf(f.Server)
		for i, v := range d.Env {
			d.Env[i].Value = f.Typed.Env[v.Name] + v.Value
		}
		for i, v := range d.Headers {
			d.Headers[i].Value = f.Typed.Headers[v.Name] + v.Value
		}
		if _, faults := d.Check(nil); faults != nil {
			t.Errorf("%s: what is offered has the faults %v", entry, faults)
		}
	}
	// Nothing of these could be used.
	for entry, want := range map[string]string{
		`{"command": "a\u0000b"}`: "“a” is left out: “command” holds the character U+0000", `{"command": "x", "args": ["\u0000"]}`: "“args” holds the character",
		`{"command": "x", "cwd": "\u0000"}`: "“cwd” holds the character", `{"url": "ftp://x"}`: "The address must begin with https://", `{"url": "https://"}`: "no valid host",
		`{"url": "https://a.test:99999/"}`: "port", `{"url": "not an address"}`: "address", `{"url": "unix:///x.sock"}`: "The address must begin with https://",
		`{"command": 5}`: "“command” is not text", `{"url": ["x"]}`: "“url” is not text", `{"command": "x", "args": {"a": 1}}`: "“args” is not a list of texts",
		`{"command": "x", "args": [{}]}`: "“args” is not a list of texts", `{"command": "x", "env": "A=b"}`: "“env” is not a table of texts", `{"command": "x", "cwd": 1}`: "“cwd” is not text",
		`{"type": "ws"}`: "The type “ws” is not known", `{"type": "http"}`: "neither a “command” nor a “url”", `"text"`: "not an object", `{"command": ""}`: "neither a “command”",
	} {
		src, err := ReadText(`{"mcpServers": {"a": ` + entry + `}}`)
		if err != nil || len(src.Offers) != 0 || len(src.Problems) != 1 || !strings.Contains(drawn(src), want) || !strings.Contains(drawn(src), "“a”") {
			t.Errorf("%s: %v\n%swant %q", entry, err, drawn(src), want)
		}
	}
}

// TestImport_WhatIsHarmlessIsReadAsItIsMeant, and ticked.
func TestImport_WhatIsHarmlessIsReadAsItIsMeant(t *testing.T) {
	atLin(t)
	for entry, want := range map[string]string{
		`{"command": "srv", "args": ["--port", 8080, true]}`:                           `start ["srv" "--port" "8080" "true"]`,
		`{"command": "srv", "env": {"PORT": 8080, "DEBUG": true, "RATIO": 1.5e3}}`:     `env PORT = "8080"`,
		`{"command": "srv", "env": {"DEBUG": null}}`:                                   "start",
		`{"command": "srv", "env": null, "args": null, "cwd": null, "type": null}`:     `start ["srv"]`,
		`{"command": "srv", "env": ["LOG_LEVEL=debug"]}`:                               `env LOG_LEVEL = "debug"`,
		`{"command": " srv ", "args": ""}`:                                             `start ["srv"]`,
		`{"url": " https://a.test/ "}`:                                                 "reach https://a.test/\n",
		`{"url": "https://a.test/", "headers": {" Accept-Language ": " de "}}`:         `header Accept-Language = "de"`,
		`{"url": "https://a.test/", "headers": {"Accept-Language": "de\n"}}`:           "Line ends around the value of the header “Accept-Language” are left out",
		`{"url": "https://a.test/", "headers": ["Accept-Language: de"]}`:               `header Accept-Language = "de"`,
		`{"type": "STDIO", "command": "srv"}`:                                          "(stdio)",
		`{"type": "streamable_http", "url": "https://a.test/"}`:                        "(http)",
		`{"type": "StreamableHTTP", "url": "https://a.test/"}`:                         "(http)",
		`{"transport": "sse", "url": "https://a.test/"}`:                               "(sse)",
		`{"url": "https://a.test/sse"}`:                                                "the older way (SSE)",
		`{"type": "http", "url": "https://a.test/sse"}`:                                "(http)",
		`{"command": "/opt/My App/srv"}`:                                               `start ["/opt/My App/srv"]`,
		`{"command": "sh", "args": ["-c", "exec ~/srv $HOME"]}`:                        `start ["sh" "-c" "exec ~/srv $HOME"]`,
		`{"command": "srv", "requestTimeout": 30000, "roots": [{"uri": "file:///x"}]}`: "Not taken over: roots.",
	} {
		src, err := ReadText(`{"mcpServers": {"a": ` + entry + `}}`)
		if err != nil || len(src.Offers) != 1 || len(src.Offers[0].Doubts) != 0 || !strings.Contains(drawn(src), want) {
			t.Errorf("%s: %v\n%swant %q", entry, err, drawn(src), want)
		}
	}
}

// TestImport_NamesThatAreNoneOrThereTwice are said, and nothing is lost.
func TestImport_NamesThatAreNoneOrThereTwice(t *testing.T) {
	src, err := ReadText(`{"mcpServers": {"": {"command": "npx", "args": ["-y", "files"]}, " ": {"url": "https://a.test/"}, " padded ": {"command": "x"},
		"twin": {"command": "one"}, "twin": {"command": "two"}}, "mcpServers": {"late": {"command": "three"}}}`)
	must(t, err)
	var names []string
	for _, o := range src.Offers {
		names = append(names, o.Server.Name+"="+o.Server.Command+o.Server.URL)
		said := drawn(Source{Offers: []Offer{o}})
		if twin := o.Server.Name == "twin"; strings.Contains(said, "! This name is there 2 times.") != twin {
			t.Errorf("it says\n%s", said)
		}
		if none := o.Server.Name == "files" || o.Server.Name == "a.test"; strings.Contains(said, "- It has no name there") != none {
			t.Errorf("it says\n%s", said)
		}
	}
	if got := strings.Join(names, " "); got != "files=npx a.test=https://a.test/ padded=x twin=one twin=two late=three" {
		t.Errorf("offered are %s", got)
	}
	s := open(t, "")
	for _, name := range []string{" ", "\t", "\u00a0", "\u3000"} {
		if _, err := s.Add(mcpclient.Server{Name: name, Kind: mcpclient.Stdio, Command: "x"}); err != ErrName {
			t.Errorf("a server called %q is added: %v", name, err)
		}
	}
}

// TestImport_OtherFormatsAreCalledByTheirNames.
func TestImport_OtherFormatsAreCalledByTheirNames(t *testing.T) {
	for raw, want := range map[string]string{"PK\x03\x04zip": "extension bundle of Claude Desktop"} {
		if _, err := ReadFile(written(t, raw)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", raw, err)
		}
	}
	for name, want := range map[string]string{"config.toml": "It is TOML.", "x.yaml": "It is YAML.", "x.YML": "It is YML.", "x.mcpb": "extension bundle", "x.dxt": "extension bundle"} {
		if err := otherFormat(name, []byte("a: b")); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := otherFormat("mcp.json", []byte("{}")); err != nil {
		t.Error(err)
	}
}
