package cli

import (
	"context"
	"errors"

	"parley/assets/i18n"
	"parley/consent"
	"parley/forms"
	"parley/forms/rawjson"
	"parley/mcpclient"
)

// elicitation prints a question that opens and answers it as its SPEC says. A
// question that dies gets a sentence.
func (s *session) elicitation(ctx context.Context, e mcpclient.Elicitation) {
	switch e.State {
	case mcpclient.ElicitationOpen:
	case mcpclient.ElicitationDead:
		s.say(i18n.M("cli.question_gone", "Key", e.Key, "Reason", e.End))
		return
	default:
		return
	}
	s.asked++
	how := s.job.specs[min(s.asked, len(s.job.specs))-1]
	var answer mcpclient.Answer
	var errs []fieldPart
	if e.Mode == mcpclient.ModeURL {
		page := consent.Assess(e.URL, e.Identity.Asker())
		s.askPage(e, page)
		answer, errs = s.answerPage(ctx, e, page, how)
	} else {
		form := forms.Parse(e.Schema, forms.Options{})
		s.askForm(e, form)
		answer, errs = answerForm(s.loc, form, how)
	}
	switch {
	case ctx.Err() != nil:
		s.dismissed = true
		answer = mcpclient.Answer{Action: mcpclient.Cancel}
	case errs != nil:
		s.invalid = true
		s.line(invalidLine{"invalid", rawjson.Quote(e.Key), errs})
		answer = mcpclient.Answer{Action: mcpclient.Cancel}
	}
	s.answer(e, answer)
}

// answer sends an answer and prints what was sent. A question that has died in
// the meantime takes none; the event of its death says so.
func (s *session) answer(e mcpclient.Elicitation, a mcpclient.Answer) {
	switch err := s.client.Answer(e.ID, a); {
	case errors.Is(err, mcpclient.ErrNotOpen):
	case err != nil:
		s.say(i18n.M("cli.failed", "Reason", s.sentence(err)))
	default:
		s.line(answerLine{"answer", rawjson.Quote(e.Key), a.Action, a.Content})
	}
}

// askForm prints a form.
func (s *session) askForm(e mcpclient.Elicitation, form *forms.Form) {
	line := s.question(e)
	line.Fields = form.Describe(s.loc)
	for _, sentence := range form.Sentences(s.loc) {
		line.Problems = append(line.Problems, safe(sentence))
	}
	s.line(line)
}

// askPage prints a page to be opened.
func (s *session) askPage(e mcpclient.Elicitation, page consent.Assessment) {
	described := page.Line(e.URL, s.loc)
	line := s.question(e)
	line.URL = &described
	s.line(line)
}

// question is what forms and pages have in common. A question outside any
// round counts to the first.
func (s *session) question(e mcpclient.Elicitation) elicitationLine {
	return elicitationLine{
		Event: "elicitation", N: s.asked, Key: rawjson.Quote(e.Key), Mode: e.Mode,
		Round: max(e.Round, 1), Message: e.Message, Problems: []string{},
	}
}

// answerForm makes the answer that how describes, or says why it is invalid.
func answerForm(loc *i18n.Localizer, form *forms.Form, how spec) (mcpclient.Answer, []fieldPart) {
	answer := mcpclient.Answer{Action: how.action}
	if how.action != mcpclient.Accept {
		return answer, nil
	}
	draft := form.NewDraft()
	if how.acts != nil {
		if errs := draft.Apply(how.acts); len(errs) > 0 {
			return answer, fieldParts(loc, errs)
		}
	}
	content, errs := draft.Content(forms.Submit{ConfirmSecrets: how.sure})
	if len(errs) > 0 {
		return answer, fieldParts(loc, errs)
	}
	answer.Content = content
	return answer, nil
}

func fieldParts(loc *i18n.Localizer, errs []forms.FieldError) []fieldPart {
	parts := make([]fieldPart, len(errs))
	for i, e := range errs {
		parts[i] = fieldPart{e.Name, words(loc, e.Message)}
	}
	return parts
}

// answerPage makes the answer that how describes, or says why it is invalid:
// of the whole question. Accept means that the page was opened, or that the
// person consented to it (--no-open), and no more.
func (s *session) answerPage(ctx context.Context, e mcpclient.Elicitation, page consent.Assessment, how spec) (mcpclient.Answer, []fieldPart) {
	answer := mcpclient.Answer{Action: how.action}
	if how.action != mcpclient.Accept {
		return answer, nil
	}
	highest := consent.Caution
	if how.sure {
		highest = consent.Danger
	}
	switch {
	case how.acts != nil:
		return answer, s.whole(i18n.M("cli.object_for_page"))
	case page.Level == consent.Block:
		return answer, s.whole(i18n.M("cli.page_blocked"))
	case page.Level > highest:
		return answer, s.whole(i18n.M("cli.page_level", "Level", page.Level.String()))
	case s.job.noOpen:
		return answer, nil
	case !s.mayOpen(page):
		return answer, s.whole(i18n.M("cli.page_not_named", "Site", page.Button))
	}
	if now, ok := s.client.Elicitation(e.ID); !ok || now.State != mcpclient.ElicitationOpen {
		return answer, nil // it has died: nothing is opened, and answer says so
	}
	if err := s.opts.Opener.Open(ctx, page.Open); err != nil {
		var failed *consent.OpenError
		if errors.As(err, &failed) {
			return answer, s.whole(failed.Message())
		}
		return answer, s.whole(i18n.M("cli.browser_failed", "Reason", err.Error()))
	}
	return answer, nil
}

// mayOpen reports whether --open names the page's site.
func (s *session) mayOpen(page consent.Assessment) bool {
	for _, named := range s.job.open {
		if named.names(page) {
			return true
		}
	}
	return false
}

// whole is one error about a whole question.
func (s *session) whole(m i18n.Message) []fieldPart {
	return []fieldPart{{"", words(s.loc, m)}}
}
