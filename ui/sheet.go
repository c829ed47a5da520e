package ui

import (
	"parley/assets/i18n"
	"parley/mcpclient"
)

// sheet is one question as it lies before the person: what the server asked,
// what was entered so far, and where the conversation about answering stands.
// A page only draws it, so that leaving a page, a change of language or a
// second question loses nothing.
type sheet struct {
	q mcpclient.Elicitation
	fill
	// link is the judgement of a URL question; nil until it is there.
	link *judgedLink

	stage stage
	// openings counts how often the browser was to be started for the link. What
	// becomes of an opening that another, or an answer, has followed is no answer.
	openings int
	// trouble says why opening or answering did not work.
	trouble i18n.Message
}

// stage is where the conversation about answering a question stands.
type stage int

const (
	stageAsking  stage = iota
	stageLeave         // "Cancel this question? / Keep"
	stageSecret        // "This looks like a secret. Send it?"
	stageOpening       // the browser is being started; a no still counts
	stageFailed        // it could not be started; trouble says why
	stageSending       // the answer was handed over and is not yet confirmed
)

// escapeAct is what the Esc key does.
type escapeAct int

const (
	escapeNothing escapeAct = iota
	escapeBack              // takes back the in-page question that is open
	escapeAsk               // something was typed: ask first
	escapeCancel            // nothing was touched: cancel the question
	escapeClose             // the question is over: close its page
)

// escape tells what Esc does on s now (popups and the input method come first
// and never get here).
func (s *sheet) escape() escapeAct {
	switch {
	case s.q.State == mcpclient.ElicitationDead:
		return escapeClose
	case s.q.State == mcpclient.ElicitationAnswered:
		return escapeNothing
	}
	switch s.stage {
	case stageLeave, stageSecret:
		return escapeBack
	case stageSending:
		return escapeNothing
	}
	if s.draft != nil && s.draft.Touched() {
		return escapeAsk
	}
	return escapeCancel
}

// open reports whether the question can still be answered.
func (s *sheet) open() bool { return s.q.State == mcpclient.ElicitationOpen }

// busy reports whether an answer is on its way, so that no second one starts.
func (s *sheet) busy() bool { return s.stage == stageOpening || s.stage == stageSending }

// mayOpen reports whether the person's click may open the link now.
func (s *sheet) mayOpen() bool {
	return s.link != nil && s.open() && !s.busy() && s.link.mayOpen()
}

// waiting reports whether s is an accepted link whose page the person is at.
func (s *sheet) waiting() bool {
	return s.q.Mode == mcpclient.ModeURL && s.q.State == mcpclient.ElicitationAnswered &&
		s.q.Answer != nil && s.q.Answer.Action == mcpclient.Accept
}
