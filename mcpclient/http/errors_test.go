package http

import (
	"strings"
	"testing"
	"time"

	"parley/assets/i18n"
)

// A sentence about a status says who answered, for a person may have many
// servers, and when it is worth another try.
func TestAStatusNamesTheHostAndTheTimeToWait(t *testing.T) {
	for _, e := range []*StatusError{
		{Status: 200, HTML: true}, {Status: 200, ContentType: "text/plain"}, {Status: 304}, {Status: 400}, {Status: 401}, {Status: 403},
		{Status: 404}, {Status: 405}, {Status: 413}, {Status: 429}, {Status: 500}, {Status: 503}, {Status: 799},
	} {
		sentences(t, e)
		for _, tag := range i18n.Languages {
			e.Host = "mcp.example.com:8080"
			if s := i18n.New(tag).Text(e.Sentence()); !strings.HasPrefix(s, e.Host) && !strings.Contains(s, e.Host+" ") {
				t.Errorf("%d: %q does not name the host", e.Status, s)
			}
		}
	}
	for _, test := range []struct {
		status int
		after  time.Duration
		want   string
	}{
		{429, 0, ""},
		{429, time.Second, "It asks to wait 1 second."},
		{429, 90 * time.Second, "It asks to wait 90 seconds."},
		{503, 91 * time.Second, "It asks to wait 2 minutes."},
		{503, 2 * time.Hour, "It asks to wait 2 hours."},
		{503, 100 * time.Hour, "It asks to wait 5 days."},
		{404, time.Hour, ""},
	} {
		e := &StatusError{Status: test.status, RetryAfter: test.after}
		sentences(t, e)
		s := i18n.New("en").Text(e.Sentence())
		if !strings.HasSuffix(s, test.want) || test.want == "" && strings.Contains(s, "asks to wait") {
			t.Errorf("%d after %v: %q, want it to end in %q", test.status, test.after, s, test.want)
		}
	}
}
