package wire_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"parley/mcpclient/wire"
	"parley/mcpclient/wire/wiretest"
)

// told is what r was told so far, as "text×count".
func told(r *wiretest.Recorder) []string {
	_, _, notices, _ := r.Rest()
	var found []string
	for _, n := range notices {
		found = append(found, fmt.Sprintf("%s×%d", n.Text, n.Count))
	}
	return found
}

func TestNoticesThatComeSlowlyAreToldAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &wiretest.Recorder{}
		n := wire.NewNotices(r)
		defer n.Stop()
		const many = 1000
		for i := range many {
			n.Tell(wire.NoticeStderr, fmt.Sprint(i))
			if got := told(r); len(got) != i+1 || got[i] != fmt.Sprintf("%d×1", i) {
				t.Fatalf("after %d there are %d, the last %s", i, len(got), got[len(got)-1])
			}
			<-time.After(60 * time.Millisecond)
		}
	})
}

func TestNoticesThatComeTooFastAreCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &wiretest.Recorder{}
		n := wire.NewNotices(r)
		for i := range 1000 {
			n.Tell(wire.NoticeStray, fmt.Sprint(i))
		}
		n.Tell(wire.NoticeStderr, "of another kind") // is not held up
		if got := told(r); len(got) != 201 || got[0] != "0×1" || got[199] != "199×1" || got[200] != "of another kind×1" {
			t.Fatalf("%d were told at once", len(got))
		}
		<-time.After(time.Second)
		synctest.Wait()
		if got := told(r); len(got) != 202 || got[201] != "999×800" {
			t.Fatalf("after a second %d were told, the last %s", len(got), got[len(got)-1])
		}
		for i := range 100 { // a second has made room for twenty
			n.Tell(wire.NoticeStray, fmt.Sprint("again ", i))
		}
		n.Stop()
		n.Stop()
		if got := told(r); len(got) != 223 || got[221] != "again 19×1" || got[222] != "again 99×80" {
			t.Errorf("at the end %d were told, the last %s", len(got), got[len(got)-1])
		}
		n.Tell(wire.NoticeStray, "too late")
		<-time.After(time.Hour)
		synctest.Wait()
		if got := told(r); len(got) != 223 {
			t.Errorf("%d more were told after the end", len(got)-223)
		}
	})
}

func TestANoticeIsShort(t *testing.T) {
	r := &wiretest.Recorder{}
	n := wire.NewNotices(r)
	n.Tell(wire.NoticeStray, strings.Repeat("é", 1<<20))
	if got := r.NextNotice(t, wire.NoticeStray).Text; len(got) > 4<<10 || !strings.HasSuffix(got, "é…") {
		t.Errorf("a notice of %d bytes", len(got))
	}
}

func TestNoticesOfManyGoroutinesAreAllCounted(t *testing.T) {
	r := &wiretest.Recorder{}
	n := wire.NewNotices(r)
	var wg sync.WaitGroup
	for range 10 {
		wg.Go(func() {
			for range 1000 {
				n.Tell(wire.NoticeStderr, "x")
			}
		})
	}
	wg.Wait()
	n.Stop()
	_, _, notices, _ := r.Rest()
	total := 0
	for _, x := range notices {
		total += x.Count
	}
	if total != 10_000 {
		t.Errorf("%d were counted, want 10000", total)
	}
}
