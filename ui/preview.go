package ui

import (
	"strings"
	"time"

	"fyne.io/fyne/v2"

	"parley/consent/safetext"
	"parley/forms"
	"parley/ui/kit"
)

// preview is "What will be sent": folded, and once open the exact JSON, kept
// true while the person types. Secrets in it stay masked until revealed there.
type preview struct {
	*surroundings
	env    *kit.Env
	fill   *fill
	toggle *kit.Button
	object *fyne.Container
	// resized lays the page out again after the preview has grown or shrunk.
	resized func()
	pause   func()
}

// previewAfter is how long after the last change the open preview follows.
const previewAfter = 150 * time.Millisecond

func newPreview(v *surroundings, env *kit.Env, f *fill, resized func()) *preview {
	p := &preview{surroundings: v, env: env, fill: f, resized: resized, object: kit.Column(gapSmall), pause: func() {}}
	p.toggle = kit.NewButton(kit.ButtonOptions{Env: env, Text: p.title(), Importance: kit.Quiet, EnterTaps: true, OnTapped: func() {
		f.preview = !f.preview
		p.toggle.SetText(p.title())
		p.draw()
	}})
	p.draw()
	return p
}

func (p *preview) title() string {
	if p.fill.preview {
		return "▾ " + p.t("ui.preview")
	}
	return "▸ " + p.t("ui.preview")
}

// stale follows a change of the draft, a moment later.
func (p *preview) stale() {
	if !p.fill.preview {
		return
	}
	p.pause()
	p.pause = p.clock.After(previewAfter, func() { p.do.Do(p.draw) })
}

func (p *preview) draw() {
	p.object.RemoveAll()
	if !p.fill.preview {
		p.object.Hide()
		p.resized()
		return
	}
	p.object.Show()
	text, errs := p.fill.draft.Preview(p.fill.reveal()...)
	if len(errs) > 0 {
		p.object.Add(kit.Sentence(p.notYet(errs), errorText))
		p.resized()
		return
	}
	p.object.Add(kit.NewLongText(safetext.Block(text, maxResult),
		kit.LongTextOptions{Env: p.env, Style: monoText, Lines: 10}))
	if notes := p.fill.draft.Notes(""); len(notes) > 0 {
		p.object.Add(kit.Sentence(p.sentences(notes), hintText))
	}
	if button := p.revealButton(); button != nil {
		p.object.Add(kit.Row(gap, button))
	}
	p.resized()
}

// previewErrors is how many errors are named at most.
const previewErrors = 5

// notYet says why there is nothing to show, field by field.
func (p *preview) notYet(errs []forms.FieldError) string {
	lines := []string{p.t("ui.preview.not_yet")}
	for i, e := range errs {
		if i == previewErrors {
			lines = append(lines, "…")
			break
		}
		why := p.say(e.Message)
		if f := p.fill.draft.Field(e.Path); f != nil {
			why = p.t("ui.preview.field", "Name", p.placeOf(p.fill.draft, f), "Why", why)
		}
		lines = append(lines, why)
	}
	return strings.Join(lines, "\n")
}

// revealButton shows or masks the secrets, nil when there are none.
func (p *preview) revealButton() fyne.CanvasObject {
	typed := p.fill.draft.SecretsTyped()
	if len(typed) == 0 {
		return nil
	}
	return revealToggle(p.surroundings, p.env, typed, p.fill.revealed, p.draw)
}

// revealToggle is the button that shows or masks secrets.
func revealToggle(v *surroundings, env *kit.Env, secrets []*forms.Field, revealed map[forms.Path]bool, then func()) *kit.Button {
	shown := revealed[secrets[0].Path]
	text := v.t("ui.secret.show")
	if shown {
		text = v.t("ui.secret.hide")
	}
	return kit.NewButton(kit.ButtonOptions{Env: env, Text: text, Importance: kit.Quiet, EnterTaps: true, OnTapped: func() {
		for _, f := range secrets {
			revealed[f.Path] = !shown
		}
		then()
	}})
}
