package stdio

import (
	"bufio"
	"io"
	"strings"
	"sync"

	"parley/mcpclient/wire"
)

// Bounds of what is kept of standard error.
const (
	maxLines = 200
	maxLine  = 4 << 10 // bytes
)

// ring keeps the last lines of standard error. The zero ring is empty.
type ring struct {
	mu    sync.Mutex
	kept  [maxLines]string
	count int // lines ever added
}

func (r *ring) add(line string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.kept[r.count%maxLines] = line
	r.count++
}

// lines returns what is kept, oldest first.
func (r *ring) lines() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []string
	for i := max(0, r.count-maxLines); i < r.count; i++ {
		out = append(out, r.kept[i%maxLines])
	}
	return out
}

// eachLine calls do for every line of in that is not blank, cut to maxLine,
// until in ends. An endless line costs no more memory than a short one.
func eachLine(in io.Reader, do func(string)) {
	r := bufio.NewReaderSize(in, maxLine)
	var line []byte
	for {
		piece, err := r.ReadSlice('\n')
		// One byte over the limit is enough for Clip to see that it cuts.
		line = append(line, piece[:min(len(piece), maxLine+1-len(line))]...)
		if err == bufio.ErrBufferFull {
			continue
		}
		if text := strings.TrimRight(string(line), "\r\n"); strings.TrimSpace(text) != "" {
			do(wire.Clip(text, maxLine))
		}
		line = line[:0]
		if err != nil {
			return
		}
	}
}
