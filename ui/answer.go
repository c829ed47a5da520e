package ui

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"parley/assets/i18n"
	"parley/consent"
	"parley/forms"
	"parley/mcpclient"
)

// syncSheets takes the new state of questions into their sheets and makes
// ready those that are new.
func (s *shell) syncSheets(ch *changes) {
	for _, q := range s.desk.questions {
		id := q.ID
		if !ch.questions[id] {
			continue
		}
		if sh := s.sheets[id]; sh != nil {
			sh.q = *q
			if !sh.open() {
				sh.stage = stageAsking
			}
			continue
		}
		if q.State == mcpclient.ElicitationDead && q.CallID == "" {
			continue // it came and went before anybody could see it
		}
		s.prepare(*q)
	}
}

// forgetQuestions drops the questions that the client keeps no longer, except
// the one on the screen and those that hold what somebody typed.
func (s *shell) forgetQuestions(ch *changes) {
	for _, id := range ch.forgotten {
		sh := s.sheets[id]
		typed := sh != nil && sh.q.State == mcpclient.ElicitationDead && sh.draft != nil && sh.draft.Touched()
		if typed || s.at == (route{section: sectionQuestion, id: id}) {
			continue
		}
		delete(s.sheets, id)
		s.desk.forgetQuestion(id)
		mark(&ch.questions, id)
	}
}

// prepare reads a new question in the background: a form's schema is parsed, a
// link judged. Then it is put before the person.
func (s *shell) prepare(q mcpclient.Elicitation) {
	by, typed := s.asker(q.Identity, q.ServerID), s.typedBefore(q)
	s.work.queued(&s.work.reading, func() {
		sh := &sheet{q: q}
		parts := originParts(q.Identity.Origin)
		var restore error
		switch {
		case q.Mode == mcpclient.ModeURL:
			sh.link = &judgedLink{Assessment: consent.Assess(q.URL, by)}
		case q.Draft == nil && typed != nil:
			sh.beginAgain(forms.Parse(q.Schema, forms.Options{}), typed)
		default:
			restore = sh.begin(forms.Parse(q.Schema, forms.Options{}), q.Draft)
		}
		s.do.Do(func() { s.prepared(sh, parts, restore) })
	})
}

func (s *shell) prepared(sh *sheet, parts []consent.Part, restore error) {
	if s.closing || s.sheets[sh.q.ID] != nil {
		return
	}
	now := s.desk.question(sh.q.ID)
	if now == nil {
		return // forgotten meanwhile
	}
	sh.q = *now
	if restore != nil {
		sh.trouble = i18n.M("ui.question.draft_lost")
	}
	s.sheets[sh.q.ID] = sh
	s.origins[sh.q.Identity.Origin] = parts
	var ch changes
	mark(&ch.questions, sh.q.ID)
	s.tell(&ch)
	if sh.open() {
		s.arrived(sh)
	}
}

// saveDraft hands what was typed to the client. The draft is turned into bytes
// here, on its own thread, and kept in the background.
func (s *shell) saveDraft(sh *sheet) {
	id, draft := sh.q.ID, sh.draft.Save()
	s.background(func() {
		// The one error is that the question is no longer open; the text is
		// still in its sheet.
		_ = s.client.SaveDraft(id, draft)
	}, nil)
}

// answer hands an answer to the client and goes on when it was taken. While the
// browser is being started a no is an answer: it wins, whatever becomes of the
// browser.
func (s *shell) answer(sh *sheet, a mcpclient.Answer) {
	if sh.stage == stageSending || sh.stage == stageOpening && a.Action == mcpclient.Accept || !sh.open() {
		return
	}
	var draft json.RawMessage
	if sh.draft != nil {
		draft = sh.draft.Save()
	}
	sh.stage, sh.trouble = stageSending, i18n.Message{}
	s.touchQuestion(sh.q.ID)
	id := sh.q.ID
	var err error
	s.background(func() {
		if draft != nil {
			_ = s.client.SaveDraft(id, draft)
		}
		err = s.client.Answer(id, a)
	}, func() { s.answered(sh, a, err) })
}

func (s *shell) answered(sh *sheet, a mcpclient.Answer, err error) {
	sh.stage = stageAsking
	switch {
	case errors.Is(err, mcpclient.ErrNotOpen):
		// The question died on the way; its own event says why.
		s.touchQuestion(sh.q.ID)
		return
	case err != nil:
		sh.trouble = i18n.M("ui.question.not_sent", "Why", err.Error())
		s.touchQuestion(sh.q.ID)
		return
	}
	// The event that confirms it may still be on its way.
	sh.q.State, sh.q.Answer = mcpclient.ElicitationAnswered, &a
	if q := s.desk.question(sh.q.ID); q != nil {
		q.State, q.Answer = sh.q.State, sh.q.Answer
	}
	if s.at != (route{section: sectionQuestion, id: sh.q.ID}) {
		s.touchQuestion(sh.q.ID)
		return
	}
	if sh.waiting() {
		s.touchQuestion(sh.q.ID)
		return
	}
	s.touchQuestion(sh.q.ID)
	s.afterAnswer(sh.q)
}

// openLink is the person's consent: the browser gets exactly the string that
// was shown, and only when it started is the question accepted. again opens
// the page of a question that was accepted before and answers nothing.
func (s *shell) openLink(sh *sheet, again bool) {
	if sh.link == nil || sh.link.Open == "" || sh.busy() || !again && !sh.mayOpen() || again && !s.away(sh) {
		return
	}
	url := sh.link.Open
	sh.stage, sh.trouble = stageOpening, i18n.Message{}
	sh.openings++
	opening := sh.openings
	s.touchQuestion(sh.q.ID)
	s.work.apart(func(ctx context.Context) {
		err := s.o.Opener.Open(ctx, url)
		s.do.Do(func() { s.linkOpened(sh, opening, again, err) })
	})
}

// away reports whether the person is at the page of an accepted link while its
// request goes on: as long as it does, the consent holds.
func (s *shell) away(sh *sheet) bool {
	c := s.desk.call(sh.q.CallID)
	return sh.waiting() && c != nil && !c.State.Ended()
}

// linkOpened tells that an opening is over, with the error it had.
func (s *shell) linkOpened(sh *sheet, opening int, again bool, err error) {
	if err == nil {
		s.rememberSite(sh.q.ServerID, sh.q.Identity, sh.link.Button)
	}
	if sh.openings != opening || !again && sh.stage != stageOpening {
		return // answered meanwhile, or over
	}
	sh.stage = stageAsking
	if err != nil {
		sh.stage, sh.trouble = stageFailed, openTrouble(err)
		s.touchQuestion(sh.q.ID)
		return
	}
	if again || !sh.open() {
		s.touchQuestion(sh.q.ID)
		return
	}
	s.answer(sh, mcpclient.Answer{Action: mcpclient.Accept})
}

// openedMyself is the person's word that they opened the page on their own.
func (s *shell) openedMyself(sh *sheet) {
	if sh.stage != stageFailed {
		return
	}
	sh.stage = stageAsking
	s.rememberSite(sh.q.ServerID, sh.q.Identity, sh.link.Button)
	if sh.open() {
		s.answer(sh, mcpclient.Answer{Action: mcpclient.Accept})
		return
	}
	s.touchQuestion(sh.q.ID)
}

// rememberSite keeps, for as long as the server stands as it does, that a page
// of the site was opened for it. The rest of the link is not kept. by is who led
// there: nothing is kept of what the server is not any more.
func (s *shell) rememberSite(serverID string, by mcpclient.Identity, site string) {
	v := s.desk.server(serverID)
	if v == nil {
		return
	}
	server, known := v.as(by)
	if !known {
		return
	}
	key := openedBy(server)
	if slices.Contains(s.sites[key], site) {
		return
	}
	s.sites[key] = append(s.sites[key], site)
	s.background(func() { s.o.Store.RememberOpened(server, site) }, nil)
}

// openedBy is where shell.sites has the sites opened for v: one that is moved to
// another address starts anew.
func openedBy(v mcpclient.Server) string { return v.ID + " " + v.Place() }

// openTrouble is why the browser did not start.
func openTrouble(err error) i18n.Message {
	var said interface{ Message() i18n.Message }
	if errors.As(err, &said) {
		return said.Message()
	}
	return i18n.M("ui.link.not_opened", "Why", err.Error())
}

func (s *shell) touchQuestion(id string) {
	var ch changes
	mark(&ch.questions, id)
	s.tell(&ch)
}

// cancelCall cancels a request by the person's wish.
func (s *shell) cancelCall(id string) {
	s.background(func() { s.client.Cancel(id) }, nil)
}

// continueCall tells a request that the person is back from the browser.
func (s *shell) continueCall(id string) {
	s.background(func() {
		// A request that waits for nobody any more has moved on by itself.
		_ = s.client.Continue(id)
	}, nil)
}
