package ui

import (
	"fyne.io/fyne/v2"

	"parley/forms"
	"parley/mcpclient"
	"parley/ui/kit"
)

// answers draws what a form holds, in words, for reading and copying: after it
// was answered, and of a question that died. redraw is called when the person
// reveals or masks its secrets.
func (s *shell) answers(env *kit.Env, sh *sheet, redraw func()) fyne.CanvasObject {
	if sh.draft == nil {
		return kit.Column(0)
	}
	sent := sh.q.Answer != nil && sh.q.Answer.Action == mcpclient.Accept
	return s.filled(env, &sh.fill, sent, redraw)
}

// filled draws what a form holds; of one that was sent also what was empty.
func (s *shell) filled(env *kit.Env, f *fill, sent bool, redraw func()) fyne.CanvasObject {
	es := s.entries(f.draft)
	if !sent {
		es = filledIn(es)
	}
	if len(es) == 0 {
		return kit.Sentence(s.t("ui.answers.none"), hintText)
	}
	var rows []fyne.CanvasObject
	var secrets []*forms.Field
	if len(es) > maxAnswers {
		text := copyText(es, f.revealed)
		rows = append(rows, kit.NewLongText(block(text, len(text)), kit.LongTextOptions{Env: env, Style: bodyText, Lines: 20}))
	}
	for _, e := range es {
		value := e.value
		if e.secret {
			secrets = append(secrets, f.draft.Field(e.path))
			if !f.revealed[e.path] {
				value = forms.Mask
			}
		}
		if len(es) > maxAnswers {
			continue
		}
		rows = append(rows, kit.Column(1, kit.Sentence(e.label, hintText), words(env, value, bodyText, maxMessage)))
	}
	if len(secrets) > 0 {
		rows = append(rows, kit.Row(0, revealToggle(&s.surroundings, env, secrets, f.revealed, redraw)))
	}
	return kit.Column(gap, rows...)
}

// maxAnswers is how many answers are drawn one by one; more are one text that draws
// only what is in view.
const maxAnswers = 200

// died says why a question died, and what became of what was entered.
func (s *shell) died(sh *sheet) string {
	if sh.draft == nil || len(filledIn(s.entries(sh.draft))) == 0 {
		return s.say(sh.q.End)
	}
	return s.t("ui.question.unsent", "Why", sh.q.End)
}

// copyAnswers is the button that copies what was typed; none when nothing was.
func (s *shell) copyAnswers(env *kit.Env, sh *sheet) []fyne.CanvasObject {
	if sh.draft == nil {
		return nil
	}
	es := filledIn(s.entries(sh.draft))
	if len(es) == 0 {
		return nil
	}
	return []fyne.CanvasObject{s.copyButton(kit.ButtonOptions{Env: env, Text: s.t("ui.answers.copy"), Icon: kit.IconCopy},
		func() string { return copyText(es, sh.revealed) })}
}
