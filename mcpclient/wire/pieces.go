package wire

// Pieces gathers the bytes of one message that arrives in parts of unknown
// number. Unlike a slice that grows, it moves nothing while it gathers: from
// the first byte to the whole message it takes memory of little more than
// twice the size. The zero Pieces is empty.
type Pieces struct {
	blocks [][]byte
	size   int
}

// firstBlock is the size, in bytes, of the smallest block of Pieces.
const firstBlock = 64 << 10

// Add appends a copy of b.
func (p *Pieces) Add(b []byte) {
	p.size += len(b)
	for len(b) > 0 {
		if n := len(p.blocks); n == 0 || len(p.blocks[n-1]) == cap(p.blocks[n-1]) {
			p.blocks = append(p.blocks, make([]byte, 0, max(firstBlock, p.size/8)))
		}
		last := &p.blocks[len(p.blocks)-1]
		n := min(len(b), cap(*last)-len(*last))
		*last = append(*last, b[:n]...)
		b = b[n:]
	}
}

// Len returns how many bytes there are.
func (p *Pieces) Len() int { return p.size }

// Each calls do with all bytes, in their order and in parts.
func (p *Pieces) Each(do func([]byte)) {
	for _, b := range p.blocks {
		do(b)
	}
}

// Take returns all bytes in one slice of its own, and empties p.
func (p *Pieces) Take() []byte {
	if p.size == 0 {
		p.Reset()
		return nil
	}
	whole := make([]byte, 0, p.size)
	for _, b := range p.blocks {
		whole = append(whole, b...)
	}
	p.Reset()
	return whole
}

// Reset empties p.
func (p *Pieces) Reset() { *p = Pieces{} }
