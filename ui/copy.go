package ui

import (
	"time"

	"parley/ui/kit"
)

// copiedFor is how long a button says that it has copied.
const copiedFor = 2 * time.Second

// copied is the button whose text the clipboard holds, as long as it says so.
type copied struct {
	button *kit.Button
	stop   func() // ends the wait for its end
}

// copyButton is a button that copies what text returns when it is pressed, by
// Enter too, and says that it has. All buttons that copy are made here, or call
// toClipboard.
func (s *shell) copyButton(o kit.ButtonOptions, text func() string) *kit.Button {
	var b *kit.Button
	o.EnterTaps, o.OnTapped = true, func() { s.toClipboard(b, text()) }
	b = kit.NewButton(o)
	return b
}

// toClipboard copies text by the press of b, which says so for a moment. Only
// one button does at a time, since the clipboard holds one thing.
func (s *shell) toClipboard(b *kit.Button, text string) {
	s.app.Clipboard().SetContent(text)
	s.dropCopied()
	b.Say(s.t("ui.copied"))
	now := &copied{button: b}
	now.stop = s.clock.After(copiedFor, func() {
		s.do.Do(func() {
			if s.copied == now {
				s.dropCopied()
			}
		})
	})
	s.copied = now
}

// dropCopied gives the button that has copied its own words again.
func (s *shell) dropCopied() {
	if s.copied == nil {
		return
	}
	s.copied.stop()
	s.copied.button.Say("")
	s.copied = nil
}
