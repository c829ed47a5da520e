package wire

import "io"

// Pieces gathers the bytes of one message that arrives in parts of unknown
// number. Unlike a slice that grows, it moves nothing while it gathers: from
// the first byte to the whole message it takes memory of little more than
// twice the size. The zero Pieces is empty.
type Pieces struct {
	full [][]byte
	last []byte // what the next bytes are added to
	size int
}

// Bounds, in bytes, of a block that is as large as all before it. Later ones
// are an eighth of that, so that little is taken in vain.
const (
	firstBlock = 512
	largeBlock = 64 << 10
)

// Expect says how many bytes somebody has announced, before any came. That is
// believed only as far as it costs little.
func (p *Pieces) Expect(n int64) {
	// One byte more than there will be, for meeting the end without growing.
	p.last = make([]byte, 0, min(max(n+1, firstBlock), largeBlock))
}

// grow makes room for at least one byte more.
func (p *Pieces) grow() {
	if len(p.last) < cap(p.last) {
		return
	}
	if p.size > 0 {
		p.full = append(p.full, p.last)
	}
	p.last = make([]byte, 0, max(min(max(p.size, firstBlock), largeBlock), p.size/8))
}

// Add appends a copy of b.
func (p *Pieces) Add(b []byte) {
	p.size += len(b)
	for len(b) > 0 {
		p.grow()
		n := min(len(b), cap(p.last)-len(p.last))
		p.last = append(p.last, b[:n]...)
		b = b[n:]
	}
}

// Fill appends what comes from r until its end, or until there are more than
// limit bytes. The error is that of r, nil for io.EOF.
func (p *Pieces) Fill(r io.Reader, limit int64) error {
	for int64(p.size) <= limit {
		p.grow()
		n, err := r.Read(p.last[len(p.last):cap(p.last)])
		p.last = p.last[:len(p.last)+n]
		p.size += n
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Len returns how many bytes there are.
func (p *Pieces) Len() int { return p.size }

// Each calls do with all bytes, in their order and in parts.
func (p *Pieces) Each(do func([]byte)) {
	for _, b := range p.full {
		do(b)
	}
	do(p.last)
}

// Take returns all bytes in one slice that nothing else uses, and empties p.
func (p *Pieces) Take() []byte {
	whole := p.last
	if len(p.full) > 0 {
		whole = make([]byte, 0, p.size)
		p.Each(func(b []byte) { whole = append(whole, b...) })
	}
	p.Reset()
	return whole
}

// Reset empties p.
func (p *Pieces) Reset() { *p = Pieces{} }
