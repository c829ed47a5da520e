package ui

import (
	"strings"

	"fyne.io/fyne/v2"

	"parley/mcpclient"
	"parley/ui/kit"
)

// blocks draws what a call brought, piece by piece. All of it is server text:
// nothing in it can be clicked, and nothing is loaded from anywhere.
func (p *requestPage) blocks(v mcpclient.ResultView, structured string) fyne.CanvasObject {
	s := p.s
	var parts []fyne.CanvasObject
	if v.Description != "" {
		parts = append(parts, words(p.env, v.Description, mutedText, maxMessage))
	}
	for _, b := range v.Blocks {
		parts = append(parts, p.block(b))
	}
	if structured != "" {
		text := kit.NewLongText(block(structured, maxResult), kit.LongTextOptions{Env: p.env, Style: monoText, Lines: 16})
		// Beside text it says the same again, for programs.
		parts = append(parts, kit.NewFold(p.env, s.t("ui.result.structured"), text, len(parts) == 0, nil))
	}
	if len(parts) == 0 {
		parts = append(parts, kit.Sentence(s.t("ui.result.empty"), mutedText))
	}
	return kit.ServerArea(s.t("ui.from_server"), kit.Column(gap, parts...))
}

func (p *requestPage) block(b mcpclient.Block) fyne.CanvasObject {
	var out []fyne.CanvasObject
	if b.Role != "" {
		out = append(out, kit.Label(line(b.Role), hintText))
	}
	switch b.Kind {
	case mcpclient.BlockText:
		out = append(out, p.long(b.Text, bodyText))
	case mcpclient.BlockImage, mcpclient.BlockAudio:
		out = append(out, kit.Sentence(p.s.t("ui.result."+string(b.Kind), "MIME", b.MIME, "KB", kilobytes(b.Size)), mutedText))
	case mcpclient.BlockLink, mcpclient.BlockResource:
		if b.Name != "" {
			out = append(out, kit.Label(line(b.Name), boldText))
		}
		out = append(out, p.long(b.URI, monoText))
		switch {
		case b.Text != "":
			out = append(out, p.long(b.Text, bodyText))
		case b.Size > 0:
			out = append(out, kit.Sentence(p.s.t("ui.result.binary", "MIME", b.MIME, "KB", kilobytes(b.Size)), mutedText))
		}
	default:
		out = append(out, p.long(string(b.Raw), monoText))
	}
	return kit.Column(gapSmall, out...)
}

// long is a result's text; beyond a page it has rows of its own.
func (p *requestPage) long(text string, st kit.Style) fyne.CanvasObject {
	if len(text) <= longText {
		return kit.Label(block(text, maxResult), st)
	}
	shown := block(text, maxResult)
	return withRest(kit.NewLongText(shown, kit.LongTextOptions{Env: p.env, Style: st, Lines: 20}), p.env, shown, "ui.cut_copy")
}

// kilobytes is the size of data given in base64 characters, at least 1.
func kilobytes(base64 int) int { return max(1, base64*3/4/1000) }

// resultText is the text of a result for the clipboard, as the server sent it;
// where there is none, its structured part.
func resultText(v mcpclient.ResultView, structured string) string {
	var parts []string
	for _, b := range v.Blocks {
		if b.Text != "" {
			parts = append(parts, b.Text)
		}
	}
	if len(parts) == 0 {
		return structured
	}
	return strings.Join(parts, "\n")
}
