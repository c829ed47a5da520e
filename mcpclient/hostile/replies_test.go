package hostile

import "strings"

// replies are behaviours about the members of a JSON-RPC message, and about
// which request it answers.
var replies = []behaviour{
	{name: "the result stands twice in the reply", say: says(`{"jsonrpc":"2.0","id":$id,"result":7,"result":` + fineResult + `}`), want: "done", only: everywhere},
	{name: "the id stands twice in the reply", say: says(`{"jsonrpc":"2.0","id":"other","id":$id,"result":` + fineResult + `}`), want: "done", only: everywhere},
	{name: "it replies to unknown ids", want: "done",
		say: first(`{"jsonrpc":"2.0","id":999999,"result":{}}`, `{"jsonrpc":"2.0","id":-1,"error":{"code":1,"message":"m"}}`, `{"jsonrpc":"2.0","id":"","result":{}}`)},
	{name: "it replies twice", say: first(fine), want: "done"},
	{name: "it replies a thousand times", say: first(strings.Split(strings.Repeat(fine+"\n", 999)+fine, "\n")...), want: "done"},
	{name: "a reply has both a result and an error", say: says(`{"jsonrpc":"2.0","id":$id,"result":{},"error":{"code":1,"message":"m"}}`),
		want: "invalid client.transport.not_a_message", at: map[string]string{"http": "invalid client.transport.reply.invalid", "sse": "invalid client.transport.reply.invalid"}, only: everywhere},
	{name: "a reply has neither a result nor an error", say: says(`{"jsonrpc":"2.0","id":$id}`),
		want: "invalid client.transport.not_a_message", at: map[string]string{"http": "invalid client.transport.reply.invalid", "sse": "invalid client.transport.reply.invalid"}, only: everywhere},
	{name: "the result is null", say: results("null"), want: "invalid core.invalid.result", only: everywhere},
	{name: "the result is an array", say: results("[]"), want: "invalid core.invalid.result", only: everywhere},
	{name: "the code of an error is text", say: says(`{"jsonrpc":"2.0","id":$id,"error":{"code":"E_FAIL","message":"m"}}`), want: "rpc core.rpc.error", only: everywhere},
	{name: "the code of an error is huge", say: says(`{"jsonrpc":"2.0","id":$id,"error":{"code":1e400,"message":"m"}}`), want: "rpc core.rpc.error", only: everywhere},
	{name: "an error has no message", say: says(`{"jsonrpc":"2.0","id":$id,"error":{"code":-32000}}`), want: "rpc core.rpc.error", only: everywhere},
}
