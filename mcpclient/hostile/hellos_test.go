package hostile

import "strings"

// hellos are behaviours about the first words: what server/discover and
// initialize are answered with. Each of these servers, asked for it, knows
// initialize too.
var hellos = []behaviour{
	{name: "discover is answered with null", on: "server/discover", say: results(`null`), want: "connected legacy", only: []string{"stdio", "stream", "body"}},
	{name: "discover is answered with an empty object", on: "server/discover", say: results(`{}`), want: "connected legacy"},
	{name: "discover is answered with an array", on: "server/discover", say: results(`["2026-07-28"]`), want: "connected legacy"},
	{name: "discover is answered as initialize is", on: "server/discover", say: results(initialized), want: "connected legacy"},
	{name: "discover is answered with a need for input", on: "server/discover", say: results(needs(`"k":`+formAsk, `"s"`)), want: "lost core.invalid.discover"},
	{name: "discover is answered with an error without a code", on: "server/discover", say: fails(`"what?"`), want: "connected legacy"},
	{name: "discover is answered with a need for pages", on: "server/discover", say: fails(required(onePage)), want: "connected legacy"},
	{name: "discover is answered with rubbish first", on: "server/discover", say: func(t *talk) {
		t.say("rubbish", `{"jsonrpc":"2.0","id":null,"method":"ping"}`)
		t.result(discovered)
	}, want: "connected modern"},
	{name: "discover is answered twice, differently", on: "server/discover", say: func(t *talk) {
		t.result(discovered)
		t.result(`{}`)
	}, want: "connected modern"},
	{name: "discover is answered with a spoilt reply", on: "server/discover", say: says(`{"jsonrpc":"2.0","id":$id,"result":{},"error":{"code":1}}`),
		want: "lost client.transport.not_a_message", at: map[string]string{"http": "lost client.transport.reply.invalid"}},
	{name: "supportedVersions is a number", on: "server/discover", say: results(`{"supportedVersions":20260728,"capabilities":{}}`), want: "connected legacy"},
	{name: "supportedVersions is empty", on: "server/discover", say: results(`{"supportedVersions":[],"capabilities":{}}`), want: "connected legacy"},
	{name: "supportedVersions has 100 entries of every kind", on: "server/discover", want: "connected modern",
		say: later(func() func(*talk) {
			return results(`{"supportedVersions":[` + many(30, `null,$n,"v$n"`) + `,"2026-07-28"],"capabilities":{"tools":{}}}`)
		})},
	{name: "supportedVersions has 60,000 entries", on: "server/discover", want: "lost core.connect.nocommon",
		say: later(func() func(*talk) {
			return results(`{"supportedVersions":[` + many(60_000, `"v$n"`) + `,"2026-07-28"],"capabilities":{}}`)
		})},
	{name: "supportedVersions names only what nobody speaks", on: "server/discover", want: "lost core.connect.nocommon",
		say: later(func() func(*talk) {
			return results(`{"supportedVersions":["3000-01-01","` + strings.Repeat(`\u202e`, 50<<10) + `"],"capabilities":{}}`)
		})},
	{name: "capabilities are null, and the server's name is a number", on: "server/discover", want: "connected modern",
		say: results(`{"supportedVersions":["2026-07-28"],"capabilities":null,"instructions":7,"_meta":{"io.modelcontextprotocol/serverInfo":7}}`)},
	{name: "capabilities are text, and the instructions have 900 KiB", on: "server/discover", want: "connected modern",
		say: later(func() func(*talk) {
			return results(`{"supportedVersions":["2026-07-28"],"capabilities":"all","instructions":"` + strings.Repeat("x", 900<<10) + `","_meta":[]}`)
		})},
	{name: "it does not speak what it says it speaks", on: "server/discover", want: "lost core.connect.contradicts",
		say: fails(`{"code":-32022,"message":"m","data":{"supported":["2026-07-28"]}}`)},
	{name: "it speaks no revision and does not say which", on: "server/discover", want: "lost core.connect.nonoffered",
		say: fails(`{"code":-32022,"message":"m","data":null}`)},
	{name: "it offers revisions that are no text", on: "server/discover", want: "lost core.connect.nonoffered",
		say: fails(`{"code":-32022,"message":"m","data":{"supported":[7,null,{}]}}`)},
	{name: "it offers only revisions of 2025", on: "server/discover", want: "connected legacy",
		say: fails(`{"code":-32022,"message":"m","data":{"supported":["2025-11-25"]}}`)},
	{name: "it wants capabilities that nobody has", on: "server/discover", want: "lost core.rpc.capability",
		say: later(func() func(*talk) {
			return fails(`{"code":-32021,"message":"m","data":{"requiredCapabilities":{"sampling":{},"` + strings.Repeat("x", 100<<10) + `":{}}}}`)
		})},
	{name: "it wants capabilities and does not say which", on: "server/discover", want: "lost core.rpc.unnamed", say: fails(`{"code":-32021,"message":"m","data":7}`)},
	{name: "it says that the headers are wrong", on: "server/discover", want: "lost core.rpc.header", say: fails(`{"code":-32020,"message":"m"}`)},

	{name: "initialize is answered with null", on: "initialize", say: results(`null`), want: "lost core.invalid.initialize", only: everywhere},
	{name: "initialize is answered with an array", on: "initialize", say: results(`[]`), want: "lost core.invalid.initialize"},
	{name: "initialize is answered as discover is", on: "initialize", say: results(discovered), want: "lost core.connect.nocommon"},
	{name: "initialize is answered with a need for input", on: "initialize", say: results(needs(`"k":`+formAsk, `"s"`)), want: "lost core.connect.nocommon"},
	{name: "initialize is answered with a need for pages", on: "initialize", say: fails(required(onePage)), want: "lost core.rpc.url"},
	{name: "initialize is refused", on: "initialize", say: fails(`{"code":-32603,"message":"no"}`), want: "lost core.rpc.error", only: everywhere},
	{name: "protocolVersion is a number", on: "initialize", say: results(`{"protocolVersion":20251125,"capabilities":{}}`), want: "lost core.connect.nocommon"},
	{name: "protocolVersion is that of another era", on: "initialize", say: results(`{"protocolVersion":"2026-07-28","capabilities":{}}`), want: "lost core.connect.nocommon"},
	{name: "protocolVersion has 900 KiB", on: "initialize", say: later(func() func(*talk) {
		return results(`{"protocolVersion":"` + strings.Repeat(`\n`, 450<<10) + `","capabilities":{}}`)
	}), want: "lost core.connect.nocommon"},
	{name: "capabilities of 2025 are an array, and its name is null", on: "initialize", say: results(`{"protocolVersion":"2025-11-25","capabilities":["tools"],"serverInfo":null,"instructions":{}}`), want: "connected legacy", only: everywhere},
	{name: "initialize is answered twice", on: "initialize", say: func(t *talk) {
		t.result(initialized)
		t.result(`{"protocolVersion":"2025-03-26","capabilities":{}}`)
	}, want: "connected legacy"},
	{name: "initialized is followed by rubbish and requests", on: "notifications/initialized", only: []string{"stdio", "sse"}, want: "connected", notice: "core.notice.unoffered", say: func(t *talk) {
		t.say("rubbish", `{"jsonrpc":"2.0","id":1,"result":{}}`, `{"jsonrpc":"2.0","id":"x","method":"sampling/createMessage","params":{}}`,
			`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
	}},
}
