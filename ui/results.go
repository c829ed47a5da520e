package ui

import (
	"encoding/json"
	"strings"

	"fyne.io/fyne/v2"

	"parley/assets/i18n"
	"parley/consent"
	"parley/mcpclient"
	"parley/ui/kit"
)

// resultView is a result as the page shows it, made in the background.
type resultView struct {
	mcpclient.ResultView
	structured string     // indented
	links      [][]string // by block: the links in its text
}

// maxLinks is how many links of one result can be opened from its page.
const maxLinks = 50

func viewResult(kind mcpclient.CallKind, raw json.RawMessage) resultView {
	v := resultView{ResultView: mcpclient.ViewResult(kind, raw)}
	if len(v.Structured) > 0 {
		v.structured = indent(v.Structured)
	}
	left := maxLinks
	for _, b := range v.Blocks {
		links := consent.LinksIn(b.Text, left)
		left -= len(links)
		v.links = append(v.links, links)
	}
	return v
}

// blocks draws what a call brought, piece by piece. All of it is server text:
// nothing in it can be clicked, and nothing is loaded from anywhere. A link has
// a button beside it that leads to the page where it is judged.
func (p *requestPage) blocks(v resultView) fyne.CanvasObject {
	s := p.s
	var parts []fyne.CanvasObject
	if v.Description != "" {
		parts = append(parts, words(p.env, v.Description, mutedText, maxMessage))
	}
	for i, b := range v.Blocks {
		parts = append(parts, p.block(b), p.links(v.links[i]))
	}
	parts = nonNil(parts...)
	if v.structured != "" {
		text := kit.NewLongText(block(v.structured, maxResult), kit.LongTextOptions{Env: p.env, Style: monoText, Lines: 16})
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
		if isWeb(b.URI) && len(b.URI) <= longText {
			out = append(out, p.linkRow(b.URI))
		} else {
			out = append(out, p.long(b.URI, monoText))
		}
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

// links are the links in a text, each with its button; nil for none.
func (p *requestPage) links(links []string) fyne.CanvasObject {
	if len(links) == 0 {
		return nil
	}
	rows := []fyne.CanvasObject{kit.Sentence(p.s.t("ui.outside.links"), hintText)}
	for _, link := range links {
		rows = append(rows, p.linkRow(link))
	}
	return kit.Column(gapSmall, rows...)
}

func (p *requestPage) linkRow(raw string) fyne.CanvasObject {
	s, c := p.s, p.c
	return linkRow(p.env, raw, s.t("ui.outside.look"), func() {
		s.lookAt(&outsideLink{serverID: c.ServerID, identity: c.Identity, why: i18n.M("ui.outside.result", "Title", c.DisplayTitle())}, raw)
	})
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
