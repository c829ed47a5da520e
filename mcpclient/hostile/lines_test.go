package hostile

import (
	"strings"
)

// lines are behaviours about the bytes of one message: what is no JSON, or
// oddly written JSON.
var lines = []behaviour{
	{name: "garbage comes before the reply", say: first("garbage", "%PDF-1.7", "\x1b[31mred\x1b[0m", "}{"), want: "done", notice: "core.notice.stray"},
	{name: "JSON that is no message comes before the reply", say: first("7", "null", "true", `"text"`, "{}", "[]", `[7]`, `{"level":"info","msg":"started"}`), want: "done", notice: "core.notice.stray"},
	{name: "a byte order mark stands before the reply", say: says("\xEF\xBB\xBF" + fine), want: "done", only: everywhere},
	{name: "colours stand before the reply", say: says("\x1b[32m" + fine), want: "done", only: []string{"stdio"}, notice: "core.notice.stray"},
	{name: "lines end with CR and LF", say: says("\r\n\r\n" + fine + "\r\n\r\n"), want: "done", only: everywhere},
	{name: "NUL bytes come before the reply", say: first("\x00\x00\x00"), want: "done", notice: "core.notice.stray"},
	{name: "the reply holds invalid UTF-8", say: results("{\"content\":[{\"type\":\"text\",\"text\":\"a\xff\xfe\xc0\x80b\"}],\"\xff\":\"\xfe\"}"), want: "done", only: everywhere},
	{name: "the reply holds lone surrogates", say: results(`{"content":[{"type":"text","text":"\ud800\udc00\udc00\ud800"}],"\ud800":1,"\udfff":2}`), want: "done", only: everywhere},
	{name: "the reply nests 100,000 arrays", say: later(func() func(*talk) {
		return results(`{"content":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + `}`)
	}),
		want: "invalid client.transport.not_a_message", at: spoilt, only: everywhere},
	{name: "the reply opens 100,000 objects and closes none", say: later(func() func(*talk) { return results(`{"content":` + strings.Repeat(`{"a":`, 100_000)) }),
		want: "invalid client.transport.not_a_message", at: spoilt, only: everywhere},
	{name: "the reply holds a number of 100,000 digits", say: later(func() func(*talk) { return results(`{"content":[],"n":` + strings.Repeat("9", 100_000) + `}`) }), want: "done", only: everywhere},
	{name: "the reply holds numbers with huge exponents", say: results(`{"content":[],"n":1e999999999,"isError":-1e-999999999}`), want: "done", only: everywhere},
	{name: "the reply is no JSON: NaN, single quotes, a comma too many", want: "done",
		say: first(`{"jsonrpc":"2.0","method":"x","params":NaN}`, `{'jsonrpc':'2.0'}`, `{"jsonrpc":"2.0","method":"x",}`), notice: "core.notice.stray"},
	{name: "the reply is spread over lines", say: says("{\n  \"jsonrpc\": \"2.0\",\n  \"id\": $id,\n  \"result\": {\n    \"content\": []\n  }\n}"), want: "done", only: everywhere},
	{name: "messages stand on one line", say: later(func() func(*talk) {
		return says(strings.Repeat(`{"jsonrpc":"2.0","method":"notifications/x"}`, 100) + fine)
	}), want: "done", only: []string{"stdio"}},
	{name: "two objects begin and only one is a message", say: says(`{"jsonrpc":"2.0","id":1,"resu` + fine), want: "done", only: []string{"stdio"}, notice: "core.notice.stray"},
	{name: "the reply is one byte under the limit", say: sized(lightLimit - 1), want: "done", only: everywhere},
	{name: "the reply is exactly at the limit", say: sized(lightLimit), want: "done", only: everywhere},
	{name: "the reply is one byte over the limit", say: sized(lightLimit + 1), want: "invalid client.transport.too_large", only: everywhere},
	{name: "a notification is over the limit", say: func(t *talk) {
		t.say(`{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"` + strings.Repeat("x", 2*lightLimit) + `"}}`)
		t.fine()
	}, want: "done", notice: "core.notice.stray", at: map[string]string{"http": "invalid client.transport.too_large"}, only: []string{"stdio", "sse"}},
}

// spoilt is the end of a reply that can be seen to be one, where the transport
// is not a program's output.
var spoilt = map[string]string{"http": "invalid client.transport.reply.invalid", "sse": "invalid client.transport.reply.invalid"}

// fine is a good reply.
const fine = `{"jsonrpc":"2.0","id":$id,"result":` + fineResult + `}`

// sized is a good reply of n bytes.
func sized(n int) func(*talk) {
	return func(t *talk) {
		empty := strings.ReplaceAll(`{"jsonrpc":"2.0","id":$id,"result":{"content":[],"pad":""}}`, "$id", string(t.ID))
		t.result(`{"content":[],"pad":"` + strings.Repeat("x", n-len(empty)) + `"}`)
	}
}
