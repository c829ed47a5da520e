package ui

import (
	"context"
	"encoding/json"

	"fyne.io/fyne/v2"

	"parley/forms"
	"parley/mcpclient"
	"parley/mcpclient/config"
	"parley/ui/kit"
)

// FormOptions are the circumstances of a form in a window of its own.
type FormOptions struct {
	// Languages are those the system wants, most wanted first.
	Languages []string
	// Language and Theme are the person's settings; "" follows the system.
	Language string
	Theme    config.Theme
}

// FormWindow shows one requestedSchema in a window and returns the answer once
// it was given; a window that is closed, and the end of ctx, are a cancel. It
// is called on the main goroutine and runs the app there.
func FormWindow(ctx context.Context, a fyne.App, schema json.RawMessage, o FormOptions) (mcpclient.Answer, error) {
	wear(a, o.Theme)
	w := newFormWindow(a, schema,
		surroundings{loc: localizer(o.Language, o.Languages), do: newLoop(), clock: realClock{}})
	stop := context.AfterFunc(ctx, func() { w.do.Do(w.win.Close) })
	defer stop()
	w.win.Show()
	a.Run()
	return w.answer, nil
}

// formWindow is a window that holds one form and nothing else.
type formWindow struct {
	surroundings
	win    fyne.Window
	fill   fill
	env    *kit.Env
	form   *formView
	prev   *preview
	reveal *kit.Reveal
	foot   *fyne.Container
	whole  fyne.CanvasObject
	stage  stage
	// rest is what is wrong with the answers as a whole.
	rest   []forms.FieldError
	answer mcpclient.Answer
}

func newFormWindow(a fyne.App, schema json.RawMessage, v surroundings) *formWindow {
	form := forms.Parse(schema, forms.Options{})
	w := &formWindow{surroundings: v, answer: mcpclient.Answer{Action: mcpclient.Cancel}, foot: kit.Column(gap)}
	// A fresh draft has nothing to restore that could fail.
	_ = w.fill.begin(form, nil)
	w.env = &kit.Env{Loc: v.loc, Now: v.clock.Now, OnEscape: w.escape, OnShortcut: w.shortcut}
	w.env.OnKey = w.env.Scroll
	w.win = a.NewWindow("Parley")
	w.win.SetMaster()
	w.win.SetPadded(false)
	w.win.Resize(fyne.NewSize(880, 680))
	body := kit.Column(gap)
	w.reveal = kit.NewReveal(kit.Pad(0, pageSide, gapLarge, pageSide, body))
	w.env.Reveal = w.reveal
	w.form = newFormView(&w.surroundings, w.env, &w.fill, w.changed, func() { body.Refresh() })
	for _, notice := range w.warnings(form) {
		body.Add(notice)
	}
	head := kit.Column(gapSmall)
	if form.Title != "" {
		head.Add(words(w.env, form.Title, titleText, maxMessage))
	}
	if form.Description != "" {
		head.Add(words(w.env, form.Description, bodyText, maxMessage))
	}
	body.Add(kit.ServerArea(w.t("ui.from_file"), kit.Column(gap, head, w.form.box)))
	w.whole = pageFrame(nil, w.reveal, w.foot)
	w.drawFoot()
	w.win.SetContent(w.whole)
	w.win.SetCloseIntercept(w.closing)
	c := w.win.Canvas()
	c.SetOnTypedKey(func(k *fyne.KeyEvent) {
		if k.Name == fyne.KeyEscape {
			w.escape()
			return
		}
		w.env.Scroll(k)
	})
	for _, enter := range []fyne.KeyName{fyne.KeyReturn, fyne.KeyEnter} {
		c.AddShortcut(kit.SubmitWith(enter), func(sc fyne.Shortcut) { w.shortcut(sc) })
	}
	return w
}

func (w *formWindow) button(text, key string, im kit.Importance, do func()) *kit.Button {
	return kit.NewButton(kit.ButtonOptions{Env: w.env, Text: text, Shortcut: key, Importance: im, EnterTaps: im != kit.Primary, OnTapped: do})
}

func (w *formWindow) drawFoot() {
	switch w.stage {
	case stageLeave:
		keep := w.button(w.t("ui.ask.keep"), "", kit.Plain, w.back)
		w.foot.Objects = []fyne.CanvasObject{kit.Sentence(w.t("ui.ask.leave_window"), boldText),
			kit.ActionBar(nil, []fyne.CanvasObject{keep, w.button(w.t("ui.ask.leave_window_yes"), "", kit.Grave, func() { w.end(mcpclient.Cancel, nil) })})}
		defer w.win.Canvas().Focus(keep)
	case stageSecret:
		back := w.button(w.t("ui.ask.back"), "", kit.Plain, w.back)
		w.foot.Objects = []fyne.CanvasObject{kit.NewNotice(kit.Danger, w.t("ui.run.secret"), w.placesOf(w.fill.draft, w.fill.draft.SecretsTyped())),
			kit.ActionBar(nil, []fyne.CanvasObject{back, w.button(w.t("ui.ask.secret_yes"), "", kit.Grave, func() { w.send(true) })})}
		defer w.win.Canvas().Focus(back)
	default:
		w.prev = newPreview(&w.surroundings, w.env, &w.fill, w.whole.Refresh)
		submit := w.button(w.t("ui.answer.submit"), "Ctrl ↵", kit.Primary, func() { w.send(false) })
		if !w.fill.form.Answerable() {
			submit.Disable()
		}
		w.foot.Objects = nonNil(wholeNotice(&w.surroundings, "ui.answer.not_sent", w.rest), w.prev.object, kit.ActionBar([]fyne.CanvasObject{w.prev.toggle}, []fyne.CanvasObject{
			w.button(w.t("ui.answer.cancel"), "Esc", kit.Plain, w.escape),
			w.button(w.t("ui.answer.decline"), "", kit.Plain, func() { w.end(mcpclient.Decline, nil) }), submit}))
	}
	w.whole.Refresh()
}

func (w *formWindow) changed() {
	if w.rest != nil {
		w.rest = nil
		w.drawFoot()
	}
	if w.prev != nil {
		w.prev.stale()
	}
}

func (w *formWindow) setStage(st stage) {
	w.stage = st
	w.drawFoot()
}

func (w *formWindow) back() {
	w.setStage(stageAsking)
	if f := w.form.last(); f != nil {
		w.win.Canvas().Focus(f)
	}
}

func (w *formWindow) shortcut(sc fyne.Shortcut) bool {
	if !kit.IsSubmit(sc) {
		return false
	}
	if w.stage == stageAsking {
		w.send(false)
	}
	return true
}

func (w *formWindow) escape() {
	switch {
	case w.stage != stageAsking:
		w.back()
	case w.fill.draft.Touched():
		w.setStage(stageLeave)
	default:
		w.end(mcpclient.Cancel, nil)
	}
}

// closing is the window being closed: what was typed is not thrown away unasked.
func (w *formWindow) closing() {
	if !w.fill.draft.Touched() {
		w.end(mcpclient.Cancel, nil)
		return
	}
	w.setStage(stageLeave)
}

func (w *formWindow) send(sure bool) {
	if !w.fill.form.Answerable() {
		return
	}
	out := w.fill.submit(sure)
	switch {
	case len(out.errors) > 0:
		w.rest = w.form.lead(out.errors)
		w.setStage(stageAsking)
	case len(out.secrets) > 0:
		w.setStage(stageSecret)
	default:
		w.end(mcpclient.Accept, out.content)
	}
}

// end gives the answer and closes the window, which ends the app's run.
func (w *formWindow) end(a mcpclient.Action, content json.RawMessage) {
	w.answer = mcpclient.Answer{Action: a, Content: content}
	w.form.close()
	w.win.Close()
}
