package ui

import (
	"bytes"
	"encoding/json"
	"slices"

	"fyne.io/fyne/v2"

	"parley/assets/i18n"
	"parley/forms"
	"parley/mcpclient"
	"parley/ui/kit"
)

// again tells what of a form was filled in from a request that failed.
type again int

const (
	againNothing again = iota
	againAll
	againWithoutSecrets // what looks like a secret was left out
)

// typedBefore is what the person typed into the same question when they last ran
// the same request and it failed, as a saved draft; nil for none. The same is: of
// the same server, of the same tool, and with a form that is the same to the byte.
// It is kept nowhere but in the request that failed, and goes with it.
func (s *shell) typedBefore(q mcpclient.Elicitation) json.RawMessage {
	now := s.desk.call(q.CallID)
	if now == nil || q.Mode == mcpclient.ModeURL {
		return nil
	}
	for i := len(s.desk.calls) - 1; i >= 0; i-- {
		c := s.desk.calls[i]
		if c.ID == now.ID || c.Kind != now.Kind || c.Name != now.Name || c.ServerID != now.ServerID || !sameServer(c.Identity, now.Identity) {
			continue
		}
		if c.State != mcpclient.CallFailed && !c.IsError {
			return nil // it went well since, or goes on
		}
		if sh := s.sameQuestion(c.ID, q); sh != nil {
			return sh.draft.Save()
		}
		return nil
	}
	return nil
}

// sameServer reports whether both are one place: a server of the list may have
// been moved to another address since.
func sameServer(a, b mcpclient.Identity) bool {
	return a.Transport == b.Transport && a.Origin == b.Origin && slices.Equal(a.Command, b.Command)
}

// sameQuestion is the question of a call that had the form of q and holds
// something that was typed and not refused: the one at its place if there are
// several, else the last.
func (s *shell) sameQuestion(callID string, q mcpclient.Elicitation) (found *sheet) {
	for _, other := range s.desk.ofCall(callID) {
		sh := s.sheets[other.ID]
		refused := other.Answer != nil && other.Answer.Action != mcpclient.Accept
		if sh == nil || sh.draft == nil || !sh.draft.Touched() || refused || !bytes.Equal(other.Schema, q.Schema) {
			continue
		}
		if found == nil || found.q.N != q.N {
			found = sh
		}
	}
	return found
}

// beginAgain makes f ready for the form with what was typed into the same form
// before, except what looks like a secret.
func (f *fill) beginAgain(form *forms.Form, typed json.RawMessage) {
	if f.begin(form, typed) != nil {
		f.startEmpty()
		return
	}
	f.again = againAll
	drop := func(secret *forms.Field) {
		if f.draft.State(secret.Path) != forms.Untouched {
			f.draft.Reset(secret.Path)
			f.again = againWithoutSecrets
		}
	}
	for _, leaf := range leaves(f.draft) {
		if leaf.Secret {
			drop(leaf)
		}
	}
	for _, secret := range f.draft.SecretsTyped() { // raw JSON with secrets in it too
		drop(secret)
	}
	if !f.draft.Touched() {
		f.again = againNothing
	}
}

// startEmpty begins the form anew.
func (f *fill) startEmpty() {
	f.again, f.tried = againNothing, false
	// A fresh draft has nothing to restore that could fail.
	_ = f.begin(f.form, nil)
}

// typedBeforeNotice says that the form is filled in, with a button that empties it;
// nil where it is not.
func (p *formPage) typedBeforeNotice() fyne.CanvasObject {
	s := p.s
	var words i18n.Message
	switch p.sh.again {
	case againAll:
		words = i18n.M("ui.question.again")
	case againWithoutSecrets:
		words = i18n.M("ui.question.again_secret")
	default:
		return nil
	}
	return kit.RowFill(gap, 0, kit.NewNotice(kit.Info, "", s.say(words)), p.answerButton(kit.ButtonOptions{
		Text: s.t("ui.question.start_empty"), EnterTaps: true, OnTapped: func() {
			p.sh.startEmpty()
			s.saveDraft(p.sh)
			s.choose(s.at)
		}}))
}
