package hostile

import "strings"

// replies are behaviours about the members of a JSON-RPC message, and about
// which request it answers.
var replies = []behaviour{
	{name: "the result stands twice in the reply", say: says(`{"jsonrpc":"2.0","id":$id,"result":7,"result":` + fineResult + `}`), want: "done", only: everywhere},
	{name: "the id stands twice in the reply", say: says(`{"jsonrpc":"2.0","id":"other","id":$id,"result":` + fineResult + `}`), want: "done", only: everywhere},
	{name: "members differ from those of a reply in case alone", say: first(`{"jsonrpc":"2.0","ID":$id,"Result":{}}`), want: "done"},
	{name: "it replies to unknown ids", want: "done",
		say: first(`{"jsonrpc":"2.0","id":999999,"result":{}}`, `{"jsonrpc":"2.0","id":-1,"error":{"code":1,"message":"m"}}`, `{"jsonrpc":"2.0","id":"","result":{}}`)},
	{name: "it replies twice", say: first(fine), want: "done"},
	{name: "it replies a thousand times", say: later(func() func(*talk) { return first(strings.Split(strings.Repeat(fine+"\n", 999)+fine, "\n")...) }), want: "done"},
	{name: "it replies with a result, then with an error", say: says(fine, `{"jsonrpc":"2.0","id":$id,"error":{"code":1,"message":"m"}}`), want: "done"},
	{name: "a reply has both a result and an error", say: says(`{"jsonrpc":"2.0","id":$id,"result":{},"error":{"code":1,"message":"m"}}`),
		want: "invalid client.transport.not_a_message", at: spoilt, only: everywhere},
	{name: "a reply has neither a result nor an error", say: says(`{"jsonrpc":"2.0","id":$id}`),
		want: "invalid client.transport.not_a_message", at: spoilt, only: everywhere},
	{name: "a reply has a result and an error that is null", say: says(`{"jsonrpc":"2.0","id":$id,"error":null,"result":` + fineResult + `}`), want: "done", only: everywhere},
	{name: "a reply has a method too", say: first(`{"jsonrpc":"2.0","id":$id,"method":"x","result":{}}`), want: "done"},
	{name: "the id of a reply is text", say: first(`{"jsonrpc":"2.0","id":"$id","result":{}}`), want: "done"},
	{name: "the id of a reply is a fraction that is none", say: says(`{"jsonrpc":"2.0","id":$id.000,"result":` + fineResult + `}`), want: "done", only: everywhere},
	{name: "the id of a reply is a fraction, an exponent or a huge number", want: "done",
		say: later(func() func(*talk) {
			return first(`{"jsonrpc":"2.0","id":$id.5,"result":{}}`, `{"jsonrpc":"2.0","id":$ide0,"result":{}}`, `{"jsonrpc":"2.0","id":1e400,"result":{}}`, `{"jsonrpc":"2.0","id":`+strings.Repeat("9", 5000)+`,"result":{}}`)
		})},
	{name: "the id of a reply is null", say: first(`{"jsonrpc":"2.0","id":null,"result":{}}`), want: "done"},
	{name: "the id of an error is null", say: first(`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"m"}}`), want: "done",
		at: map[string]string{"http": "rpc core.rpc.error"}},
	{name: "the id of a reply is an object, an array or true", want: "done", notice: "core.notice.stray",
		say: first(`{"jsonrpc":"2.0","id":{"a":$id},"result":{}}`, `{"jsonrpc":"2.0","id":[$id],"result":{}}`, `{"jsonrpc":"2.0","id":true,"result":{}}`)},
	{name: "jsonrpc is missing in the reply", say: says(`{"id":$id,"result":` + fineResult + `}`), want: "done", only: everywhere},
	{name: "jsonrpc is 1.0 in the reply", say: says(`{"jsonrpc":"1.0","id":$id,"result":` + fineResult + `}`), want: "done", only: everywhere},
	{name: "jsonrpc is a number in the reply", say: says(`{"jsonrpc":2.0,"id":$id,"result":` + fineResult + `}`), want: "done", only: everywhere},
	{name: "the result is null", say: results("null"), want: "invalid core.invalid.result", only: everywhere},
	{name: "the result is an array", say: results("[]"), want: "invalid core.invalid.result", only: everywhere},
	{name: "the result is a number", say: results("7"), want: "invalid core.invalid.result", only: everywhere},
	{name: "the result is text of 900 KiB", say: later(func() func(*talk) { return results(`"` + strings.Repeat("x", 900<<10) + `"`) }), want: "invalid core.invalid.result", only: everywhere},
	{name: "isError is text", say: results(`{"content":[],"isError":"true"}`), want: "done", only: everywhere},
	{name: "content is none of what content is", say: results(`{"content":[null,7,[],{"type":7},{"type":"image","data":7,"mimeType":[]},{"type":"resource","resource":null}]}`), want: "done", only: everywhere,
		check: viewed},

	{name: "the code of an error is text", say: fails(`{"code":"E_FAIL","message":"m"}`), want: "rpc core.rpc.error", only: everywhere},
	{name: "the code of an error is huge", say: fails(`{"code":1e400,"message":"m"}`), want: "rpc core.rpc.error", only: everywhere},
	{name: "the code of an error is a fraction", say: fails(`{"code":-32601.5,"message":"m"}`), want: "rpc core.rpc.error", only: everywhere},
	{name: "an error has no message", say: fails(`{"code":-32000}`), want: "rpc core.rpc.error", only: everywhere},
	{name: "an error has a message that is an object", say: fails(`{"code":-32000,"message":{"a":1}}`), want: "rpc core.rpc.error", only: everywhere},
	{name: "an error is only text", say: fails(`"it went wrong"`), want: "rpc core.rpc.error", only: everywhere},
	{name: "an error is an empty object", say: fails(`{}`), want: "invalid client.transport.not_a_message", at: spoilt, only: everywhere},
	{name: "an error is a number", say: fails(`7`), want: "invalid client.transport.not_a_message", at: spoilt, only: everywhere},
	{name: "the message of an error has 900 KiB", say: later(func() func(*talk) {
		return fails(`{"code":-32000,"message":"` + strings.Repeat(`\u202e\u001b`, 75<<10) + `"}`)
	}), want: "rpc core.rpc.error", only: everywhere},
	{name: "an error says that the method is not known", say: fails(`{"code":-32601,"message":"m"}`), want: "rpc core.rpc.method", only: everywhere},
	{name: "an error repeats the secret it was sent", want: "rpc core.rpc.error",
		say: fails(`{"code":-32000,"message":"your key is ` + secret + `"}`), only: []string{"stream", "body"}},

	{name: "the reply comes in a batch", say: says(`[` + fine + `]`), want: "done", only: everywhere},
	{name: "the reply comes first in a batch of 100,000", say: later(func() func(*talk) { return says(`[` + fine + strings.Repeat(",{}", 100_000) + `]`) }), want: "done", only: everywhere},
	{name: "the reply comes last in a batch of 100,000", say: later(func() func(*talk) { return first(`[` + strings.Repeat("7,", 100_000) + fine + `]`) }), want: "done", notice: "core.notice.stray", only: []string{"stdio", "stream", "sse"}},
	{name: "a batch is empty", say: first(`[]`), want: "done", notice: "core.notice.stray"},
	{name: "a batch lies in a batch", say: first(`[[` + fine + `]]`), want: "done", notice: "core.notice.stray"},
	{name: "a batch holds a request, a reply and rubbish", say: says(`[{"jsonrpc":"2.0","id":"p","method":"ping"},7,null,` + fine + `,{"jsonrpc":"2.0"}]`), want: "done", only: everywhere},
}

// fails is a behaviour that replies with an error.
func fails(e string) func(*talk) { return says(`{"jsonrpc":"2.0","id":$id,"error":` + e + `}`) }
