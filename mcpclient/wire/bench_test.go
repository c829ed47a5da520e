package wire_test

import (
	"strings"
	"testing"

	"parley/mcpclient/wire"
)

func BenchmarkDecode(b *testing.B) {
	for name, raw := range map[string][]byte{
		"small": []byte(`{"jsonrpc":"2.0","id":12,"result":{"resultType":"complete","content":[{"type":"text","text":"42"}]}}`),
		"1MiB":  []byte(`{"jsonrpc":"2.0","id":12,"result":{"content":[{"type":"text","text":"` + strings.Repeat("lorem ipsum ", 1<<20/12) + `"}]}}`),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := wire.Decode(raw); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkEncode(b *testing.B) {
	m := wire.Message{ID: wire.NumberID(12), Method: "tools/call", Params: []byte(`{"name":"echo","arguments":{"a":1,"b":"text"}}`)}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := wire.Encode(m); err != nil {
			b.Fatal(err)
		}
	}
}
