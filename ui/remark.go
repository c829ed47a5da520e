package ui

import (
	"errors"

	"fyne.io/fyne/v2"

	"parley/assets/i18n"
	"parley/mcpclient/keychain"
	"parley/ui/kit"
)

// remark is what is said of a deed that was done: what came of it, a reservation, if
// any, and how grave it is. The zero remark says nothing.
type remark struct {
	text, more i18n.Message
	level      kit.Level
}

func (r remark) isZero() bool { return r.text.IsZero() }

// remarkDrawn is what is seen of a remark.
type remarkDrawn struct {
	text, more string
	level      kit.Level
}

func (r remark) drawn(s *shell) remarkDrawn {
	return remarkDrawn{s.say(r.text), s.say(r.more), r.level}
}

// notice is the remark on a page; nil for none.
func (r remark) notice(s *shell) fyne.CanvasObject {
	switch {
	case r.isZero():
		return nil
	case r.more.IsZero():
		return kit.NewNotice(r.level, "", s.say(r.text))
	}
	return kit.NewNotice(r.level, s.say(r.text), s.say(r.more))
}

// secretRemark is the remark on a secret that could not be kept or removed. passing
// tells that its place could not be reached, so that it is kept for this run, and that
// trying again may help.
func secretRemark(err error) (r remark, passing bool) {
	r = remark{text: secretTrouble(err), level: kit.Danger}
	if _, passing = errors.AsType[*keychain.Unavailable](err); passing {
		r.level = kit.Caution
	}
	return r, passing
}
