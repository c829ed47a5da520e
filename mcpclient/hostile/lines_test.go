package hostile

import "strings"

// lines are behaviours about the bytes of one message: what is no JSON, or
// oddly written JSON.
var lines = []behaviour{
	{name: "garbage comes before the reply", say: first("garbage", "%PDF-1.7", "\x1b[31mred\x1b[0m"), want: "done", notice: "core.notice.stray"},
	{name: "a byte order mark stands before the reply", only: everywhere, want: "done",
		say: says("\xEF\xBB\xBF" + fine)},
	{name: "colours stand around the reply", say: says("\x1b[32m" + fine), want: "done",
		at: map[string]string{"http": "lost client.transport.reply.missing"}, notice: "core.notice.stray", never: []string{"sse"}},
	{name: "lines end with CR and LF", say: says("\r\n\r\n" + fine + "\r\n\r\n"), want: "done", only: everywhere},
	{name: "NUL bytes come before the reply", say: first("\x00\x00\x00"), want: "done", notice: "core.notice.stray"},
	{name: "the reply holds invalid UTF-8", say: results("{\"content\":[{\"type\":\"text\",\"text\":\"a\xff\xfe\xc0\x80b\"}]}"), want: "done", only: everywhere},
	{name: "the reply holds lone surrogates", say: results(`{"content":[{"type":"text","text":"\ud800\udc00\udc00\ud800"}],"\ud800":1,"\udfff":2}`), want: "done", only: everywhere},
	{name: "the reply nests 100,000 arrays", say: results(`{"content":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + `}`),
		want: "invalid client.transport.not_a_message", at: map[string]string{"http": "invalid client.transport.reply.invalid", "sse": "invalid client.transport.reply.invalid"}, only: everywhere},
	{name: "the reply opens 100,000 objects and closes none", say: results(`{"content":` + strings.Repeat(`{"a":`, 100_000)),
		want: "invalid client.transport.not_a_message", at: map[string]string{"http": "invalid client.transport.reply.invalid", "sse": "invalid client.transport.reply.invalid"}, only: everywhere},
	{name: "the reply holds a number of 100,000 digits", say: results(`{"content":[],"n":` + strings.Repeat("9", 100_000) + `}`), want: "done", only: everywhere},
	{name: "the reply holds a number with a huge exponent", say: results(`{"content":[],"n":1e999999999,"isError":-1e-999999999}`), want: "done", only: everywhere},
}

// fine is a good reply.
const fine = `{"jsonrpc":"2.0","id":$id,"result":` + fineResult + `}`
