package ui

import (
	"strings"

	"fyne.io/fyne/v2"

	"parley/assets/i18n"
	"parley/consent"
	"parley/mcpclient"
	"parley/ui/kit"
)

// visit is how a page that was opened in the browser stands among what its round
// asks for.
type visit struct {
	// n is which page of how many it is; of is 1 for one by itself.
	n, of int
	// left is how many of the pages the server has not called done.
	left int
	// next is an open question of the round, without whose answer the request
	// does not go on; "" for none.
	next string
}

// visit tells how the page of q stands. A round asks for all its pages at once, a
// -32042 for one after the other.
func (s *shell) visit(q *mcpclient.Elicitation) visit {
	v := visit{n: 1, of: 1}
	if q.CallID == "" || q.Via == mcpclient.ViaPush {
		return v
	}
	pages, done := 0, 0
	for _, other := range s.desk.ofCall(q.CallID) {
		open := other.State == mcpclient.ElicitationOpen
		switch {
		case other.Round != q.Round || other.Via != q.Via:
			continue
		case open && v.next == "":
			v.next = other.ID
		}
		opened := other.Answer != nil && other.Answer.Action == mcpclient.Accept
		if other.Mode != mcpclient.ModeURL || !open && !opened {
			continue
		}
		if pages++; other.ID == q.ID {
			v.n = pages
		}
		if other.Complete {
			done++
		}
	}
	v.of = max(pages, 1)
	if q.Via == mcpclient.ViaRequired {
		v.n, v.of = q.Index, max(q.Of, 1)
	}
	v.left = v.of - done
	return v
}

// waitingFor is what the request waits for, of the page of q, in a title and a
// sentence.
func (s *shell) waitingFor(q *mcpclient.Elicitation, v visit) fyne.CanvasObject {
	title, body := s.t("ui.wait.title"), s.t("ui.wait.body")
	if v.of > 1 {
		title, body = s.t("ui.wait.title_of", "N", v.n, "Of", v.of), s.t("ui.wait.body_all", "Of", v.of)
	}
	if q.Complete {
		title, body = s.t("ui.wait.complete"), s.t("ui.wait.complete_body")
		if v.of > 1 {
			title = s.t("ui.wait.complete_of", "N", v.n, "Of", v.of)
		}
		if v.left > 0 {
			body = s.say(i18n.N("ui.wait.complete_rest", v.left))
		}
	}
	if v.next != "" {
		body = s.t("ui.wait.next_body")
	}
	return kit.NewNotice(kit.Info, title, body)
}

// waitingForAll is what a request waits for in the browser.
func (s *shell) waitingForAll(callID string) fyne.CanvasObject {
	title := s.t("ui.wait.title")
	questions := s.desk.ofCall(callID)
	for i := len(questions) - 1; i >= 0; i-- {
		if sh := s.sheets[questions[i].ID]; sh == nil || !sh.waiting() {
			continue
		}
		switch v := s.visit(questions[i]); {
		case v.of > 1 && v.left == v.of:
			title = s.t("ui.wait.pages", "Of", v.of)
		case v.of > 1:
			title = s.t("ui.wait.pages_left", "Left", v.left, "Of", v.of)
		}
		break // what came before is over
	}
	return kit.NewNotice(kit.Info, title, s.t("ui.wait.body"))
}

// shortRest is how much of a link is shown behind its site where the whole of it
// stands elsewhere.
const shortRest = 60

// shortLink is a link in a line or two, with its site strong: all of it up to
// there, since what stands before a site can be made to look like another.
func shortLink(parts []consent.Part) fyne.CanvasObject {
	site := untilSite(parts)
	var rest strings.Builder
	for _, p := range parts[len(site):] {
		rest.WriteString(p.Text)
	}
	short := rest.String() // ASCII, as all parts of a link are
	if len(short) > shortRest {
		short = short[:shortRest] + "…"
	}
	return kit.NewURLText(append(segments(site), kit.Segment{Text: short}))
}
