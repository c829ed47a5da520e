package hostile

import (
	"maps"
	"runtime/debug"
	"sync"
	"testing"
)

// together is how many plays run at once: most of them only wait for the
// bounds of an ending.
const together = 12

// scene is a behaviour at one of its places.
type scene struct {
	behaviour
	place
}

// TestNoServerCanBreakIt plays every behaviour: those that measure memory one by
// one, the others side by side.
func TestNoServerCanBreakIt(t *testing.T) {
	warm(t)
	files := openFiles()
	var light, heavy []scene
	for _, b := range behaviours() {
		for i, p := range b.chosen() {
			if b.heavy && i > 0 && raced {
				continue
			}
			if b.heavy {
				heavy = append(heavy, scene{b, p})
			} else {
				light = append(light, scene{b, p})
			}
		}
	}
	t.Logf("%d behaviours make %d plays", len(behaviours()), len(light)+len(heavy))
	run := func(s scene) {
		t.Run(s.name+"/"+s.place.String(), func(t *testing.T) {
			alone(t, s.name+"/"+s.place.String(), (&play{behaviour: s.behaviour, place: s.place, t: t}).perform)
		})
	}
	next := make(chan scene)
	var workers sync.WaitGroup
	for range together {
		workers.Go(func() {
			for p := range next {
				run(p)
			}
		})
	}
	for _, s := range light {
		next <- s
	}
	close(next)
	workers.Wait()
	// The collector runs whenever the heap has grown by a tenth.
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	for _, s := range heavy {
		run(s)
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
	if len(seen) < 60 {
		t.Errorf("there are %d behaviours, want 60 or more", len(seen))
	}
}
