package ui

import (
	"fmt"
	"testing"

	"parley/mcpclient"
	"parley/mcpclient/config"
	"parley/ui/kit"
)

// TestMany_TenThousandServersAreDrawnAsFarAsTheyAreInView when the list is edited
// outside, however often the window is told of changes after.
func TestMany_TenThousandServersAreDrawnAsFarAsTheyAreInView(t *testing.T) {
	r := newRig(t, rigOptions{})
	var l listed
	l.leave = map[string]config.Leave{}
	for i := range 10_000 {
		v := mcpclient.Server{ID: fmt.Sprint("id", i), Name: fmt.Sprint("Server ", i), Kind: mcpclient.HTTP, URL: fmt.Sprintf("https://s%d.example/mcp", i)}
		l.servers = append(l.servers, v)
		l.leave[v.ID] = config.HasLeave
	}
	drawn := func() (n int) {
		r.s.side.servers.Made(func(int, *kit.SideItem) { n++ })
		return n
	}
	r.s.takeList(l)
	r.wait(func() bool { return len(r.s.origins) == 10_000 })
	if n := drawn(); n == 0 || n > 100 {
		t.Errorf("%d rows of servers are drawn", n)
	}
	for _, i := range []int{9_999, 5_000, 0} {
		r.s.choose(route{section: sectionServer, id: l.servers[i].ID})
		row := r.s.side.servers.Selected()
		if row == nil {
			t.Fatalf("server %d is not marked in the sidebar", i)
		}
		if n := drawn(); n > 100 {
			t.Errorf("%d rows of servers are drawn", n)
		}
	}
	r.s.takeList(listed{servers: l.servers[:1], leave: l.leave})
	if n := drawn(); n != 1 {
		t.Errorf("%d rows are drawn of one server", n)
	}
}
