package config

import (
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"parley/assets/i18n"
)

// ReadText reads the servers of text that was pasted or typed: the text of such
// a file or a part of it, one server, the address of one, a link that installs
// one in an editor, the command that starts one, the command line that adds one to
// another app, several of these, a piece of a README with any of it, or the path
// of a file. The error is a *ReadError.
func ReadText(text string) (Source, error) {
	found, err := readText(text)
	if err != nil {
		return Source{}, &ReadError{"", err}
	}
	return found.source(), nil
}

func readText(text string) (found, error) {
	text = strings.TrimSpace(strings.TrimPrefix(text, "\ufeff"))
	if len(text) > maxSize {
		return found{}, errTooLarge
	}
	blocks := codeBlocks(text)
	if len(blocks) == 0 {
		return readPiece(text)
	}
	var all found
	var first error
	for _, block := range blocks {
		f, err := readPiece(block)
		if err != nil && first == nil {
			first = err
		}
		all.entries, all.inputs, all.problems = append(all.entries, f.entries...), append(all.inputs, f.inputs...), append(all.problems, f.problems...)
	}
	if len(all.entries) == 0 && first != nil {
		return found{}, first
	}
	return all, nil
}

// fence begins and ends a block of code in Markdown.
var fence = regexp.MustCompile("(?m)^[ \t]*(```+|~~~+)[^`\r\n]*$")

// codeBlocks are the blocks of code in Markdown. Text within one pair of "`" is
// one, too.
func codeBlocks(text string) []string {
	var out []string
	marks := fence.FindAllStringIndex(text, -1)
	for i := 0; i < len(marks); i += 2 {
		end := len(text)
		if i+1 < len(marks) {
			end = marks[i+1][0]
		}
		if block := strings.TrimSpace(text[marks[i][1]:end]); block != "" {
			out = append(out, block)
		}
	}
	if len(marks) == 0 && len(text) > 2 && text[0] == '`' && strings.IndexByte(text[1:], '`') == len(text)-2 {
		out = append(out, text[1:len(text)-1])
	}
	return out
}

// readPiece reads text without marks around it.
func readPiece(text string) (found, error) {
	text = strings.TrimSpace(text)
	if strings.TrimSpace(badge.ReplaceAllString(text, "")) == "" {
		text = strings.TrimSpace(badge.ReplaceAllString(text, "$1\n"))
	}
	if path, ok := filePath(text); ok {
		return readEntries(path)
	}
	switch {
	case text == "":
		return found{}, &fault{i18n.M("cli.import_empty")}
	case strings.HasPrefix(text, "{"), strings.HasPrefix(text, "[") && !tomlServers.MatchString(text) && !markdownLink.MatchString(text), strings.HasPrefix(text, "/*"), strings.HasPrefix(text, "//"):
		return orWithin(text, func() (found, error) { return findEntries([]byte(text)) })
	case pieceOfJSON.MatchString(text):
		// A piece out of the middle of a file.
		return findEntries([]byte("{" + text + "}"))
	}
	if found, ok, err := readLink(aroundAddress.ReplaceAllString(text, "$1")); ok {
		return found, err
	}
	switch {
	case tomlServers.MatchString(text):
		return found{}, &fault{i18n.M("cli.import_format", "Format", "TOML")}
	case yamlServers.MatchString(text):
		return found{}, &fault{i18n.M("cli.import_format", "Format", "YAML")}
	}
	return orWithin(text, func() (found, error) { return readCommands(text) })
}

// pieceOfJSON is a member of an object.
var pieceOfJSON = regexp.MustCompile(`^["“][^"“”\n]*["”]\s*:`)

var (
	// aroundAddress are the marks that often stand around an address.
	aroundAddress = regexp.MustCompile(`^(?:["'<]|\[[^\]\n]*\]\()([^\s"'<>]+)["'>)]$`)
	// badge is a picture that is a link, as projects have them on their page.
	badge        = regexp.MustCompile(`\[!\[[^\]\n]*\]\([^)\n]*\)\]\(([^\s)]+)\)`)
	markdownLink = regexp.MustCompile(`^\[[^\]\n]*\]\([^\s)]+\)$`)
	// tomlServers is a table of Codex's config.toml, yamlServers a list of servers
	// as Continue and Goose have it.
	tomlServers = regexp.MustCompile(`(?m)^\[+[\w."-]+\]+\s*$`)
	yamlServers = regexp.MustCompile(`(?m)^\s*(- )?(command|cmd|url|mcpServers|extensions):(\s+[^\s{].*)?$\n?`)
)

// memberBefore is the name of the object that follows.
var memberBefore = regexp.MustCompile(`"[^"\n]*"\s*:\s*$`)

// orWithin reads text, and where nothing can be read, the JSON within it: prose
// often stands around it.
func orWithin(text string, read func() (found, error)) (found, error) {
	f, err := read()
	if err == nil {
		return f, nil
	}
	from, to := strings.IndexByte(text, '{'), strings.LastIndexByte(text, '}')
	if from < 0 || to < from || from == 0 && to == len(text)-1 {
		return f, err
	}
	within := text[from : to+1]
	if m := memberBefore.FindString(text[:from]); m != "" {
		within = "{" + m + within + "}"
	}
	if found, errWithin := findEntries([]byte(within)); errWithin == nil {
		return found, nil
	}
	return f, err
}

// filePath is text as the path of a file, if it is a whole one of a file that may
// list servers.
func filePath(text string) (path string, ok bool) {
	text = strings.Trim(text, `"'`)
	if strings.ContainsAny(text, "\r\n") || !jsonFile.MatchString(text) {
		return "", false
	}
	if u, err := url.Parse(text); err == nil && u.Scheme == "file" && (u.Host == "" || u.Host == "localhost") {
		// "/C:/…" is that of Windows.
		path = filepath.FromSlash(u.Path)
		if volume := strings.TrimPrefix(path, string(filepath.Separator)); filepath.VolumeName(volume) != "" {
			path = volume
		}
		return path, filepath.IsAbs(path)
	}
	if rest, below := strings.CutPrefix(text, "~"+string(filepath.Separator)); below {
		home, err := os.UserHomeDir()
		return filepath.Join(home, rest), err == nil
	}
	return text, filepath.IsAbs(text) && !strings.Contains(text, " -")
}
