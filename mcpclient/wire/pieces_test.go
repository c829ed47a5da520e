package wire

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"
)

func TestPiecesAreTheWhole(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, size := range []int{0, 1, 511, 512, 513, 64 << 10, 1 << 20} {
		whole := make([]byte, size)
		for i := range whole {
			whole[i] = byte(random.Uint32())
		}
		var p Pieces
		for rest := whole; len(rest) > 0; {
			n := min(random.IntN(5000)+1, len(rest))
			p.Add(rest[:n])
			rest = rest[n:]
		}
		var each []byte
		p.Each(func(b []byte) { each = append(each, b...) })
		if p.Len() != size || !bytes.Equal(each, whole) || !bytes.Equal(p.Take(), whole) {
			t.Errorf("%d bytes did not come out as they went in", size)
		}
		if p.Len() != 0 || len(p.Take()) != 0 {
			t.Error("what was taken is still there")
		}
		for _, announced := range []int64{-1, 0, int64(size), 1 << 40} {
			p.Expect(announced)
			if err := p.Fill(iotest.HalfReader(bytes.NewReader(whole)), 2<<20); err != nil || !bytes.Equal(p.Take(), whole) {
				t.Errorf("%d bytes, %d announced, were not read as they are: %v", size, announced, err)
			}
		}
	}
}

func TestPiecesAreFilledLittleBeyondTheLimit(t *testing.T) {
	for _, test := range []struct {
		size  int
		whole bool
	}{{1000, true}, {1001, false}, {1 << 20, false}} {
		var p Pieces
		err := p.Fill(strings.NewReader(strings.Repeat("x", test.size)), 1000)
		if (p.Len() <= 1000) != test.whole || p.Len() > 3000 || err != nil {
			t.Errorf("of %d bytes %d were read: %v", test.size, p.Len(), err)
		}
	}
	broken := errors.New("broken")
	var p Pieces
	if err := p.Fill(io.MultiReader(strings.NewReader("ab"), iotest.ErrReader(broken)), 1000); err != broken || p.Len() != 2 {
		t.Errorf("read %d bytes and %v", p.Len(), err)
	}
}
