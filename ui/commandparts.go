package ui

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"fyne.io/fyne/v2"

	"parley/consent/safetext"
	"parley/mcpclient"
	"parley/mcpclient/config"
	"parley/ui/kit"
)

// commandParts shows the program with its file, every argument on a line of its own with its
// number, the folder and the environment: the values of what is no secret, and
// the names of what is, or seems to be. builder draws what is long in pieces, calls drawn, which may be
// nil, behind the last of them, and is to be stopped when its page is left.
func (s *shell) commandParts(env *kit.Env, v mcpclient.Server, file *programFile, drawn func()) (parts *fyne.Container, builder *kit.Builder) {
	mono := kit.Style{Size: kit.SizeBody, Mono: true}
	parts, builder = kit.Column(gap), kit.NewBuilder(s.do, drawn)
	part := func(title string, content ...fyne.CanvasObject) {
		parts.Objects = append(parts.Objects, kit.Column(2, append([]fyne.CanvasObject{kit.Sentence(title, hintText)}, content...)...))
	}
	part(s.t("ui.allow.program"), exactText(env, argument(v.Command), mono))
	parts.Objects = append(parts.Objects, file.line)
	args := []fyne.CanvasObject{kit.Sentence(s.t("ui.allow.none"), mutedText)}
	if len(v.Args) > 0 {
		args[0] = listOf(env, builder, len(v.Args), func(i int) []kit.Run {
			return []kit.Run{kit.Own(s.t("ui.allow.argument", "N", i+1)+"  ", hintText), kit.Server(argument(v.Args[i]), mono)}
		})
	}
	part(s.t("ui.allow.arguments"), append(args, s.readingPart(v)...)...)
	part(s.t("ui.allow.folder"), s.folderOf(v))
	if len(v.Env)+len(v.SecretEnv) > 0 {
		var names []string
		part(s.t("ui.allow.env"), listOf(env, builder, len(v.Env)+len(v.SecretEnv), func(i int) []kit.Run {
			if names == nil {
				names = slices.Sorted(maps.Keys(v.Env))
			}
			if i < len(names) && config.Veiled(v, names[i]) {
				return []kit.Run{kit.Server(whole(names[i]), mono), kit.Own("  "+s.t("ui.allow.veiled"), hintText)}
			}
			if i < len(names) {
				return []kit.Run{kit.Server(whole(names[i]+"="+v.Env[names[i]]), mono)}
			}
			return []kit.Run{kit.Server(whole(v.SecretEnv[i-len(names)]), mono), kit.Own("  "+s.t("ui.allow.secret"), hintText)}
		}))
	}
	return parts, builder
}

// readingPart says who reads the arguments, where a person could be mistaken.
func (s *shell) readingPart(v mcpclient.Server) []fyne.CanvasObject {
	telling := func(a string) bool { return strings.ContainsAny(a, shellCharacters) }
	switch reading := v.Reading(); {
	case reading == mcpclient.ReadByShell:
		return []fyne.CanvasObject{kit.Pad(gapSmall, 0, 0, 0, kit.NewNotice(kit.Caution, s.t("ui.allow.by_shell"), s.t("ui.allow.by_shell_body")))}
	case reading == mcpclient.ReadAsCode:
		return []fyne.CanvasObject{kit.Pad(gapSmall, 0, 0, 0, kit.NewNotice(kit.Caution, s.t("ui.allow.as_code"), s.t("ui.allow.as_code_body")))}
	case reading == mcpclient.ReadAsWords && (telling(v.Command) || slices.ContainsFunc(v.Args, telling)):
		return []fyne.CanvasObject{kit.Sentence(s.t("ui.allow.no_shell"), hintText)}
	}
	return nil
}

// exactText is text of a command, whole: a long one in a box that scrolls.
func exactText(env *kit.Env, text safetext.Text, style kit.Style) fyne.CanvasObject {
	if len(text.String()) > longText {
		return kit.NewLongText(text, kit.LongTextOptions{Env: env, Style: style, Lines: 6, Anywhere: true})
	}
	return kit.Label(text, style)
}

// folderOf is the folder that a program starts in, as a whole path.
func (s *shell) folderOf(v mcpclient.Server) fyne.CanvasObject {
	folder := v.Folder()
	if folder == "" {
		return kit.Sentence(s.t("ui.allow.no_folder"), mutedText)
	}
	runs := []kit.Run{kit.Server(whole(folder), kit.Style{Size: kit.SizeBody, Mono: true})}
	if v.Dir == "" {
		runs = append(runs, kit.Own("  "+s.t("ui.allow.usual_folder"), hintText))
	}
	return kit.NewText(runs...)
}

// shellCharacters mean something to a shell, and nothing where none reads them.
const shellCharacters = "|&;<>()$`*?~{}[]#!"

// argument is one argument on a line of its own. Quotes are put only around one
// whose ends could not be seen, or that holds something that cannot be seen.
func argument(a string) safetext.Text {
	unseen := func(r rune) bool { return r != ' ' && !unicode.IsPrint(r) }
	if a == "" || a != strings.TrimSpace(a) || strings.ContainsFunc(a, unseen) {
		return exactCommand([]string{a})
	}
	return whole(a)
}

// exactCommand is a command in one line, from which every piece can be told: one
// that holds spaces, quotes, something that cannot be seen or what a shell would take
// for more than text stands in quotes.
func exactCommand(command []string) safetext.Text {
	pieces := make([]string, len(command))
	for i, c := range command {
		pieces[i] = c
		if quoted := strconv.Quote(c); c == "" || strings.ContainsFunc(c, unicode.IsSpace) || strings.ContainsAny(c, shellCharacters) || quoted != `"`+c+`"` {
			pieces[i] = quoted
		}
	}
	return whole(strings.Join(pieces, " "))
}

// whole is a piece of a command, never cut: what is started is what is shown. A
// character that cannot be seen is written as up to a dozen that can.
func whole(s string) safetext.Text { return safetext.Line(s, 12*len(s)+1) }
