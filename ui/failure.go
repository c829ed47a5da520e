package ui

import (
	"fyne.io/fyne/v2"

	"parley/mcpclient"
	"parley/ui/kit"
)

// failure is why something came to nothing: our sentence, then the server's own
// words, marked as such. nil draws nothing.
func (s *shell) failure(env *kit.Env, f *mcpclient.Failure) []fyne.CanvasObject {
	level := kit.Danger
	if f != nil && f.Declined {
		level = kit.Info
	}
	return s.failureAs(level, env, f, "")
}

// failureAs is failure as grave as it is, with what is to say about it.
func (s *shell) failureAs(level kit.Level, env *kit.Env, f *mcpclient.Failure, more string) []fyne.CanvasObject {
	if f == nil {
		return nil
	}
	out := []fyne.CanvasObject{kit.NewNotice(level, s.say(f.Text), more)}
	var said []fyne.CanvasObject
	if f.Message != "" {
		said = append(said, words(env, f.Message, bodyText, maxMessage))
	}
	if len(f.Data) > 0 {
		data := words(env, string(f.Data), monoText, maxMessage)
		if f.Declined { // what the person has just been asked, for programs
			data = kit.NewFold(env, s.t("ui.request.error_data"), data, false, nil)
		}
		said = append(said, data)
	}
	if len(said) > 0 {
		title := s.t("ui.from_server")
		if f.Code != 0 {
			title = s.t("ui.request.server_error", "Code", f.Code)
		}
		out = append(out, kit.ServerArea(title, kit.Column(gapSmall, said...)))
	}
	return out
}
