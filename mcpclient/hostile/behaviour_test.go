package hostile

import (
	"os"
	"slices"
	"strings"
	"time"

	"parley/mcpclient"
)

// place is where a behaviour is played.
type place struct {
	transport string // stdio, stream, body or sse
	era       mcpclient.Era
}

// The transports of a place: a program; Streamable HTTP with replies in event
// streams; the same with replies as JSON bodies; HTTP+SSE of 2024-11-05.
const (
	overStdio  = "stdio"
	overStream = "stream"
	overBody   = "body"
	overSSE    = "sse"
)

func (p place) String() string { return p.transport + " " + string(p.era) }

// places are all there are.
var places = []place{
	{overStdio, mcpclient.Modern}, {overStdio, mcpclient.Legacy},
	{overStream, mcpclient.Modern}, {overStream, mcpclient.Legacy},
	{overBody, mcpclient.Modern}, {overBody, mcpclient.Legacy},
	{overSSE, mcpclient.Legacy},
}

// behaviour is one way in which a server misbehaves. Exactly one of say, answer
// and run is set; it says on which transports the behaviour exists.
type behaviour struct {
	// name states what the server does.
	name string
	// on is where it does so: a method; "listening" when the client listens for
	// what comes outside requests (2025 era); "" is a call of the tool attack.
	on string
	// say sends messages, by whatever transport there is.
	say func(*talk)
	// answer speaks HTTP itself.
	answer func(*exchange)
	// run is a program of its own from the first byte on.
	run func(*program)

	// only and never choose places by words of their names ("legacy", "stream
	// legacy"); only is any of them, "" is everywhere but over the JSON body.
	only, never []string

	// want is what becomes of what the person wanted: see outcome. Places named
	// in at want something else; the longest name that fits counts.
	want string
	at   map[string]string
	// questions is how many questions are asked; they are declined, or
	// answered by reply.
	questions int
	reply     func(mcpclient.Elicitation) *mcpclient.Answer
	// after is what an ordinary call comes to afterwards; "" is done.
	after string
	// notice is the sentence of a notice that the person must be given.
	notice string
	// check looks at what was left when all is over, but for the closing.
	check func(*play) error

	// trapped behaviours try to lead the client to another address, where
	// nothing may arrive.
	trapped bool
	// setUp changes the server as the person set it up.
	setUp func(*mcpclient.Server)
	// polling lets the call repeat rounds by itself, and quiet bounds how long.
	polling bool
	quiet   time.Duration
	// cancels lets the person cancel the call when the server has begun, which
	// it says by a line of its log; there is no ordinary call then.
	cancels bool
	// heavy behaviours are about size: their peak of memory is measured.
	heavy bool
	// slow keeps whoever watches from taking events until the act is over.
	slow bool
}

// anyNumber is for questions: as many as the client lets through.
const anyNumber = -1

// fits reports whether all words of name are of the place.
func (p place) fits(name string) bool {
	for word := range strings.FieldsSeq(name) {
		if word == "http" && p.transport != overStdio && p.transport != overSSE {
			continue
		}
		if word != p.transport && word != string(p.era) {
			return false
		}
	}
	return true
}

// places are where b is played.
func (b behaviour) places() []place {
	return slices.DeleteFunc(slices.Clone(places), func(p place) bool {
		switch {
		case b.run != nil && p.transport != overStdio,
			b.answer != nil && b.only == nil && p.transport != overStream,
			b.on == "listening" && p.era != mcpclient.Legacy,
			b.on == "initialize" && p.era != mcpclient.Legacy,
			b.on == "DELETE" && p.era != mcpclient.Legacy,
			b.on == "notifications/initialized" && p.era != mcpclient.Legacy,
			b.on == "server/discover" && p.era != mcpclient.Modern,
			slices.ContainsFunc(b.never, p.fits):
			return true
		case b.only == nil:
			return p.transport == overBody || p.transport == overSSE
		}
		return !slices.ContainsFunc(b.only, p.fits)
	})
}

// chosen are the places where b is played in an ordinary run: one of each
// transport. Where both eras have it they take turns from behaviour to
// behaviour. With PARLEY_FULL=1 it is played everywhere.
func (b behaviour) chosen() []place {
	all := b.places()
	if os.Getenv("PARLEY_FULL") == "1" {
		return all
	}
	turn := mcpclient.Modern
	if len(b.name)%2 == 0 {
		turn = mcpclient.Legacy
	}
	var some []place
	for _, p := range all {
		other := place{p.transport, mcpclient.Modern}
		if p.era == mcpclient.Modern {
			other.era = mcpclient.Legacy
		}
		if p.era == turn || !slices.Contains(all, other) {
			some = append(some, p)
		}
	}
	return some
}

// wants is what must become of b at p.
func (b behaviour) wants(p place) string {
	best, want := -1, b.want
	for name, w := range b.at {
		n := 2 * len(strings.Fields(name))
		if strings.Contains(name, "http") {
			n-- // two of the transports
		}
		if p.fits(name) && n > best {
			best, want = n, w
		}
	}
	return want
}

// everywhere is for only: with the JSON body and the old transport, too.
var everywhere = []string{"stdio", "stream", "body", "sse"}

// behaviours are all of them.
func behaviours() []behaviour {
	return slices.Concat(lines, replies, lists, rounds, pushes, hellos, answers, statuses(), redirects, streams, listeners, programs, sizes)
}

// named returns the behaviour with the name.
func named(name string) behaviour {
	for _, b := range behaviours() {
		if b.name == name {
			return b
		}
	}
	panic("there is no behaviour " + name)
}
