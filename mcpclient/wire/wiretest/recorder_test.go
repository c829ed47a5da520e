package wiretest

import (
	"strings"
	"testing"
)

// observer is a testing.TB that notes errors and runs cleanups when told.
type observer struct {
	testing.TB
	cleanups []func()
	errors   int
}

func (o *observer) Helper()               {}
func (o *observer) Cleanup(f func())      { o.cleanups = append(o.cleanups, f) }
func (o *observer) Errorf(string, ...any) { o.errors++ }

func TestNoLeaksSeesAGoroutineThatIsLeft(t *testing.T) {
	old, leak := make(chan bool), make(chan bool)
	go func() { <-old }()
	defer close(old)
	o := &observer{TB: t}
	NoLeaks(o, "parley/mcpclient/wire/wiretest")
	go func() { <-leak }()
	o.cleanups[0]()
	if o.errors != 1 {
		t.Errorf("%d errors with a goroutine left, want 1", o.errors)
	}
	close(leak)
	o.cleanups[0]()
	if o.errors != 1 {
		t.Error("an error though nothing new is left")
	}
	for _, stack := range stacks("parley/mcpclient/wire/wiretest") {
		if strings.Contains(stack, "testing.tRunner(") {
			t.Error("the test itself counts")
		}
	}
}
