package config

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// KnownFile is a file of another app, found on this computer.
type KnownFile struct {
	App  string // what the app calls itself
	Path string
}

// KnownFiles looks for the files in which other apps keep their servers, where
// they document to keep them. It only asks whether they are there.
func KnownFiles() []KnownFile {
	home, err := os.UserHomeDir()
	if err != nil {
		return nil
	}
	config, err := os.UserConfigDir()
	if err != nil {
		return nil
	}
	return knownFiles(home, config, runtime.GOOS)
}

func knownFiles(home, config, system string) []KnownFile {
	var out []KnownFile
	for _, f := range possibleFiles(home, config, system) {
		if info, err := os.Stat(f.Path); err == nil && info.Mode().IsRegular() && info.Size() > 0 {
			out = append(out, f)
		}
	}
	return out
}

// possibleFiles are all that may be there.
func possibleFiles(home, config, system string) []KnownFile {
	at := func(parts ...string) string { return filepath.Join(parts...) }
	code := func(editor string) string { return at(config, editor, "User") }
	storage := func(editor, extension, file string) string {
		return at(code(editor), "globalStorage", extension, "settings", file)
	}
	zed := at(config, "zed", "settings.json")
	if system == "darwin" {
		zed = at(home, ".config", "zed", "settings.json")
	}
	return []KnownFile{
		{"Claude Desktop", at(config, "Claude", "claude_desktop_config.json")},
		{"Claude Code", at(home, ".claude.json")},
		{"Visual Studio Code", at(code("Code"), "mcp.json")},
		{"Visual Studio Code", at(code("Code"), "settings.json")},
		{"Visual Studio Code Insiders", at(code("Code - Insiders"), "mcp.json")},
		{"VSCodium", at(code("VSCodium"), "mcp.json")},
		{"Cursor", at(home, ".cursor", "mcp.json")},
		{"Cline", storage("Code", "saoudrizwan.claude-dev", "cline_mcp_settings.json")},
		{"Cline", at(home, ".cline", "data", "settings", "cline_mcp_settings.json")},
		{"Roo Code", storage("Code", "rooveterinaryinc.roo-cline", "mcp_settings.json")},
		{"Windsurf", at(home, ".codeium", "windsurf", "mcp_config.json")},
		{"LM Studio", at(home, ".lmstudio", "mcp.json")},
		{"Gemini CLI", at(home, ".gemini", "settings.json")},
		{"GitHub Copilot", at(home, ".copilot", "mcp-config.json")},
		{"MCP Inspector", at(home, ".mcp-inspector", "mcp.json")},
		{"OpenCode", at(home, ".config", "opencode", "opencode.json")},
		{"Amp", at(home, ".config", "amp", "settings.json")},
		{"Zed", zed},
	}
}

// ownFiles end the paths of files that are each of one app, for a person or in a
// project.
var ownFiles = []struct{ end, app string }{
	{"claude_desktop_config.json", "Claude Desktop"},
	{".claude.json", "Claude Code"},
	{".mcp.json", "Claude Code"},
	{"Code/User/mcp.json", "Visual Studio Code"},
	{"Code/User/settings.json", "Visual Studio Code"},
	{".vscode/mcp.json", "Visual Studio Code"},
	{"Code - Insiders/User/mcp.json", "Visual Studio Code Insiders"},
	{"VSCodium/User/mcp.json", "VSCodium"},
	{".cursor/mcp.json", "Cursor"},
	{"cline_mcp_settings.json", "Cline"},
	{"rooveterinaryinc.roo-cline/settings/mcp_settings.json", "Roo Code"},
	{".roo/mcp.json", "Roo Code"},
	{"windsurf/mcp_config.json", "Windsurf"},
	{".lmstudio/mcp.json", "LM Studio"},
	{".gemini/settings.json", "Gemini CLI"},
	{".copilot/mcp-config.json", "GitHub Copilot"},
	{".mcp-inspector/mcp.json", "MCP Inspector"},
	{"opencode.json", "OpenCode"},
	{"amp/settings.json", "Amp"},
	{"zed/settings.json", "Zed"},
	{".zed/settings.json", "Zed"},
}

// FileTitle is what the file at path is called: the app that keeps its servers there,
// told by the names at the end of the path alone, or the name of the file.
func FileTitle(path string) string {
	slashed := "/" + filepath.ToSlash(path)
	for _, f := range ownFiles {
		if strings.HasSuffix(slashed, "/"+f.end) {
			return f.app
		}
	}
	return filepath.Base(path)
}

// shownPath is path as people write it, with "~" for the home folder.
func shownPath(path string) string {
	home, err := os.UserHomeDir()
	if err != nil {
		return path
	}
	if below, ok := strings.CutPrefix(path, filepath.Clean(home)+string(filepath.Separator)); ok {
		return "~" + string(filepath.Separator) + below
	}
	return path
}
