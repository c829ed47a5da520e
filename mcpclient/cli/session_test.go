package cli

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// noBrowser fails the test when a browser is started.
func noBrowser(t *testing.T) openerFunc {
	return func(_ context.Context, url string) error {
		t.Errorf("a browser was started for %s", url)
		return nil
	}
}

// took runs f with the clock in hand and wants it to last exactly d.
func took(t *testing.T, d time.Duration, f func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		f(t)
		if got := time.Since(start); got != d {
			t.Errorf("it took %v, want %v", got, d)
		}
	})
}

// A URL byte-equal to one accepted earlier in the same call is no new question:
// "state" is printed, accept is sent again after pauses of 1, 2, 4 … up to
// 10 s, nothing is opened, no SPEC is used.
func TestARepeatedPageIsNoNewQuestion(t *testing.T) {
	took(t, (1+2+4+8+10+10)*time.Second, func(t *testing.T) {
		opened := 0
		script := called + strings.Repeat(askPage+called, 7) + askForm + called + done
		r := callScript(t.Context(), t, script, func(context.Context, string) error { opened++; return nil },
			"--tool", "t", "--answer", "accept", "--answer", "decline", "--open", "example.com")
		r.want(0, "connected ask1 accept"+strings.Repeat(" browser", 6)+" ask2 decline result")
		if opened != 1 {
			t.Errorf("the page was opened %d times, want once", opened)
		}
		if n := strings.Count(r.wire, `"inputResponses":{"a":{"action":"accept"}}`); n != 7 {
			t.Errorf("accept was sent %d times, want 7", n)
		}
	})
}

// --timeout also bounds the total time spent on rounds that ask nothing new.
func TestRoundsThatAskNothingNewAreBounded(t *testing.T) {
	for name, round := range map[string]string{
		"the same page": askPage,
		"a state only":  `> {"jsonrpc":"2.0","id":$ID,"result":{"resultType":"input_required","requestState":"s"}}` + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				r := callScript(t.Context(), t, called+strings.Repeat(round+called, 1000), noBrowser(t),
					"--tool", "t", "--answer", "accept", "--no-open", "--timeout", "30s")
				if r.code != 5 || !strings.HasSuffix(r.events(), " error") {
					t.Errorf("exit %d: %s, want 5 and an error at last", r.code, r.events())
				}
				if d := time.Since(start); d > 30*time.Second || d < 15*time.Second {
					t.Errorf("it went on for %v, want up to 30s", d)
				}
			})
		})
	}
}

// --timeout is the longest silence of the server, connecting included.
func TestASilentServerEndsTheCall(t *testing.T) {
	for name, script := range map[string]string{"calling": called, "listing": "< tools/list"} {
		t.Run(name, func(t *testing.T) {
			took(t, 7*time.Second, func(t *testing.T) {
				flags := []string{"--timeout", "7s", "--tool", "t"}
				if name == "listing" {
					flags = []string{"--timeout", "7s", "--list"}
				}
				callScript(t.Context(), t, script, noBrowser(t), flags...).want(5, "connected error")
			})
		})
	}
}

// B43: a question that is open for long costs no time: the silence is counted
// only while none is open.
func TestB43_TheClockStopsWhileAQuestionIsOpen(t *testing.T) {
	long := func(context.Context, string) error {
		<-time.After(5 * time.Minute)
		return nil
	}
	for name, script := range map[string]string{
		"in a round": called + askPage + called + done,
		"pushed":     "era legacy\n" + called + `> {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":` + onePage + "}\n< response\n" + done,
	} {
		t.Run(name, func(t *testing.T) {
			took(t, 5*time.Minute, func(t *testing.T) {
				callScript(t.Context(), t, script, long, "--tool", "t", "--answer", "accept", "--open", "example.com", "--timeout", "10s").
					want(0, "connected ask1 accept result")
			})
		})
	}
}

// After all URLs of a -32042 are accepted, the call waits at most 5 s for their
// elicitation/complete, then is repeated.
func TestAfterRequiredPagesTheCallIsRepeated(t *testing.T) {
	const second = "after 1s\n"
	for name, c := range map[string]struct {
		complete string
		takes    time.Duration
	}{
		"both complete":        {second + complete1 + second + complete2, 2 * time.Second},
		"in the other order":   {second + complete2 + second + complete1, 2 * time.Second},
		"one never completes":  {second + complete1, 5 * time.Second},
		"one completes twice":  {second + complete1 + complete1, 5 * time.Second},
		"an unknown completes": {second + strings.ReplaceAll(complete1+complete2, `"e`, `"unknown`), 5 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			took(t, c.takes, func(t *testing.T) {
				callScript(t.Context(), t, "era legacy\n"+called+required+c.complete+called+done, noBrowser(t),
					"--tool", "t", "--answer", "accept", "--no-open").
					want(0, "connected ask1 accept ask2 accept browser result")
			})
		})
	}
}

// The questions of a -32042 have its elicitationIds as keys and are numbered in
// array order; a page that is not accepted ends the call with the error.
func TestARequiredPageThatIsNotAcceptedEndsTheCall(t *testing.T) {
	for answer, want := range map[string]string{
		"decline": "connected ask1 accept ask2 decline error",
		"cancel":  "connected ask1 accept ask2 cancel error",
	} {
		r := callScript(t.Context(), t, "era legacy\n"+called+required+called+done, noBrowser(t),
			"--tool", "t", "--no-open", "--answer", "accept", "--answer", answer)
		r.want(4, want)
		for _, part := range []string{`"n":1,"key":"e1","mode":"url"`, `"n":2,"key":"e2","mode":"url"`, `"code":-32042,"message":"pages","data":{`} {
			if !strings.Contains(r.stdout, part) {
				t.Errorf("%s is missing in\n%s", part, r.stdout)
			}
		}
		if n := strings.Count(r.wire, "tools/call"); n != 1 {
			t.Errorf("the call was sent %d times, want once", n)
		}
	}
}

// A server may push a question as soon as the handshake is through: it is
// printed after "connected".
func TestAQuestionBeforeTheCallIsAsked(t *testing.T) {
	push := `> {"jsonrpc":"2.0","id":"early","method":"elicitation/create","params":{"message":"m"}}` + "\n"
	script := "era legacy\n< notifications/initialized\n" + push + "< response\n" + called + done
	r := callScript(t.Context(), t, script, noBrowser(t), "--tool", "t", "--answer", "accept")
	if got := r.events(); r.code != 0 || !strings.HasPrefix(got, "connected ") || !strings.Contains(got, "ask1 accept") {
		t.Errorf("exit %d: %s, want the early question answered after connected\n%s", r.code, got, r.stdout)
	}
	if !strings.Contains(r.wire, `"id":"early","result":{"action":"accept","content":{}}`) {
		t.Errorf("the answer did not reach the server:\n%s", r.wire)
	}
}

// A question that its server takes back is not answered, and no browser is
// started for it.
func TestADeadQuestionIsNotAnswered(t *testing.T) {
	push := func(id, url string) string {
		return `> {"jsonrpc":"2.0","id":` + id + `,"method":"elicitation/create","params":{"mode":"url","message":"m","url":"` + url + `"}}` + "\n"
	}
	cancel := func(id string) string {
		return `> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `}}` + "\n"
	}
	script := "era legacy\n" + called + push("1", "https://example.com/1") + push("2", "https://example.com/2") +
		"after 1s\n" + cancel("1") + cancel("2") + "after 2m\n" + done
	synctest.Test(t, func(t *testing.T) {
		opened := 0
		slow := func(context.Context, string) error {
			opened++
			<-time.After(time.Minute)
			return nil
		}
		r := callScript(t.Context(), t, script, slow, "--tool", "t", "--answer", "accept", "--open", "example.com", "--timeout", "10m")
		r.want(0, "connected ask1 ask2 result")
		if opened != 1 {
			t.Errorf("a browser was started %d times, want for the first only", opened)
		}
		if strings.Contains(r.wire, `"action"`) {
			t.Errorf("a dead question was answered:\n%s", r.wire)
		}
		if n := strings.Count(r.stderr, "ended without an answer"); n != 2 {
			t.Errorf("%d sentences about dead questions, want 2:\n%s", n, r.stderr)
		}
	})
}

// interruptAfter is a context that is interrupted after d.
func interruptAfter(t *testing.T, d time.Duration) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(d, cancel)
	return ctx
}

// untilInterrupted is a browser that does not start before the interrupt.
func untilInterrupted(ctx context.Context, _ string) error {
	<-ctx.Done()
	return ctx.Err()
}

// Interrupt: open questions get cancel, exit 130.
func TestAnInterruptCancelsOpenQuestions(t *testing.T) {
	push := `> {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":` + onePage + "}\n"
	for name, c := range map[string]struct {
		script, events string
		takes          time.Duration
	}{
		"the server ends the call": {called + askPage + called + done, "connected ask1 cancel result", time.Second},
		"the server goes on asking": {called + askPage + called + askForm + called + done,
			"connected ask1 cancel ask2 cancel result", time.Second},
		"the server does not end it": {called + askPage + called, "connected ask1 cancel error", 3 * time.Second},
		"a pushed question":          {"era legacy\n" + called + push + "< response\n" + done, "connected ask1 cancel result", time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			took(t, c.takes, func(t *testing.T) {
				r := callScript(interruptAfter(t, time.Second), t, c.script, untilInterrupted,
					"--tool", "t", "--answer", "accept", "--open", "example.com")
				r.want(130, c.events)
				if !strings.Contains(r.wire, `"action":"cancel"`) {
					t.Errorf("the server got no cancel:\n%s", r.wire)
				}
			})
		})
	}
}

// With no question open an interrupt ends the call at once.
func TestAnInterruptEndsWhatRuns(t *testing.T) {
	for name, c := range map[string]struct {
		script, flag, events string
	}{
		"a call":        {called, "--tool=t", "connected error"},
		"a list":        {"< tools/list", "--list", "connected error"},
		"a pause":       {called + `> {"jsonrpc":"2.0","id":$ID,"result":{"resultType":"input_required","requestState":"s"}}` + "\n" + called + `> {"jsonrpc":"2.0","id":$ID,"result":{"resultType":"input_required","requestState":"s"}}` + "\n" + called, "--tool=t", "connected waiting waiting error"},
		"a page opened": {called + askPage + called + askPage + called, "--tool=t", "connected ask1 accept browser error"},
	} {
		t.Run(name, func(t *testing.T) {
			took(t, time.Second, func(t *testing.T) {
				callScript(interruptAfter(t, time.Second), t, c.script, noBrowser(t), c.flag, "--answer", "accept", "--no-open").
					want(130, c.events)
			})
		})
	}
}

// An interrupt before anything is there connects to nothing more.
func TestAnInterruptEndsConnecting(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	callScript(ctx, t, called, noBrowser(t), "--tool", "t").want(130, "error")
}
