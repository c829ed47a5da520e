package hostile

import (
	"maps"
	"sync"
	"testing"
)

// together is how many plays run at once: most of them only wait for the
// bounds of an ending.
const together = 12

// TestNoServerCanBreakIt plays every behaviour at every place where it makes
// sense: those that measure memory one by one, the others side by side.
func TestNoServerCanBreakIt(t *testing.T) {
	files := openFiles()
	var light, heavy []*play
	for _, b := range behaviours() {
		for _, p := range b.places() {
			if b.heavy {
				heavy = append(heavy, &play{behaviour: b, place: p})
			} else {
				light = append(light, &play{behaviour: b, place: p})
			}
		}
	}
	t.Logf("%d behaviours make %d plays", len(behaviours()), len(light)+len(heavy))
	run := func(p *play) {
		t.Run(p.name+"/"+p.place.String(), func(t *testing.T) {
			p.t = t
			alone(t, p.name+"/"+p.place.String(), p.perform)
		})
	}
	next := make(chan *play)
	var workers sync.WaitGroup
	for range together {
		workers.Go(func() {
			for p := range next {
				run(p)
			}
		})
	}
	for _, p := range light {
		next <- p
	}
	close(next)
	workers.Wait()
	for _, p := range heavy {
		run(p)
	}
	if !eventually(func() bool { return maps.Equal(files, openFiles()) }) {
		t.Errorf("open files: %v before, %v after", files, openFiles())
	}
	if left := childrenLeft(); left != "" {
		t.Errorf("programs run on: %s", left)
	}
}

// TestTheTableIsWhatItSaysItIs: names are unique, every behaviour is played
// somewhere, and there are enough of them.
func TestTheTableIsWhatItSaysItIs(t *testing.T) {
	seen := map[string]bool{}
	for _, b := range behaviours() {
		if seen[b.name] {
			t.Errorf("two behaviours are called %q", b.name)
		}
		seen[b.name] = true
		ways := 0
		for _, set := range []bool{b.say != nil, b.answer != nil, b.run != nil} {
			if set {
				ways++
			}
		}
		if ways != 1 || b.want == "" && b.on == "" || len(b.places()) == 0 {
			t.Errorf("%q is not a whole behaviour", b.name)
		}
	}
	if len(seen) < 20 {
		t.Errorf("there are %d behaviours, want 20 or more", len(seen))
	}
}
