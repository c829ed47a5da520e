package wire

// Peek looks through a message too large to keep, or cut off, for the request
// it answers. Bytes are written to it piece by piece; it keeps a few of them.
// The zero Peek is ready for use. What is no JSON leads to no answer.
type Peek struct {
	depth            int
	inString, escape bool
	inValue          bool   // at depth 1, after a colon
	key, value       []byte // of the current member at depth 1, bounded
	id               []byte
	method, reply    bool
}

// maxPeek bounds the keys and ids that a Peek keeps; longer ones are unknown.
const maxPeek = 256

// Write takes the next bytes. It never fails.
func (p *Peek) Write(b []byte) (int, error) {
	for _, c := range b {
		p.next(c)
	}
	return len(b), nil
}

// ReplyTo returns the id of the request that the message answers: it has an id
// and a result or an error, and no method, as far as it was seen.
func (p *Peek) ReplyTo() (ID, bool) {
	if !p.reply || p.method || len(p.id) == 0 {
		return ID{}, false
	}
	id, err := ParseID(p.id)
	return id, err == nil && !id.IsZero()
}

func (p *Peek) next(c byte) {
	if p.inString {
		p.keep(c)
		switch {
		case p.escape:
			p.escape = false
		case c == '\\':
			p.escape = true
		case c == '"':
			p.inString = false
		}
		return
	}
	switch c {
	case '"':
		p.inString = true
		p.keep(c)
	case '{', '[':
		p.depth++
	case '}', ']':
		if p.depth == 1 {
			p.endMember()
		}
		p.depth--
	case ':':
		if p.depth == 1 && !p.inValue {
			p.inValue = true
			p.startMember()
		}
	case ',':
		if p.depth == 1 {
			p.endMember()
		}
	case ' ', '\t', '\r', '\n':
	default:
		p.keep(c)
	}
}

// keep adds c to the key or value being read, if that is at depth 1.
func (p *Peek) keep(c byte) {
	if p.depth != 1 {
		return
	}
	to := &p.key
	if p.inValue {
		to = &p.value
	}
	if len(*to) <= maxPeek {
		*to = append(*to, c)
	}
}

// startMember notes the member whose value begins. One that is null would be
// read as absent, but such a message is neither large nor cut off.
func (p *Peek) startMember() {
	switch string(plainKey(p.key)) {
	case `"method"`:
		p.method = true
	case `"result"`, `"error"`:
		p.reply = true
	}
}

func (p *Peek) endMember() {
	if string(plainKey(p.key)) == `"id"` && len(p.value) <= maxPeek {
		p.id = append([]byte(nil), p.value...)
	}
	p.key, p.value, p.inValue = p.key[:0], p.value[:0], false
}
