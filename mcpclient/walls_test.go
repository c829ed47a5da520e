package mcpclient_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The walls of the house, from docs/design.md: dependencies point one way,
// main -> ui -> mcpclient -> forms, consent; no toolkit below ui/; the official
// SDK serves the demo server and sign-in only; what bypasses consent or blocks
// the toolkit's thread is used nowhere. The test lies here, since it must run
// without a C compiler, which package main needs.

// pkg is what "go list -json" says of a package.
type pkg struct {
	ImportPath, Dir                    string
	Module                             *struct{ Main bool }
	Imports, TestImports, XTestImports []string
}

// house is every package of the module and all that they reach.
type house map[string]pkg

// systems are built on different files, so each has walls of its own.
var systems = []string{"linux", "windows", "darwin"}

// list asks the go command about the module as built for one system. Errors of
// single packages are let pass (-e): without cgo the window driver has no files.
func list(t *testing.T, goos string) house {
	t.Helper()
	cmd := exec.Command("go", "list", "-e", "-deps", "-json=ImportPath,Dir,Module,Imports,TestImports,XTestImports", "./...")
	cmd.Dir = ".."
	cmd.Env = append(os.Environ(), "GOOS="+goos, "GOARCH=amd64", "CGO_ENABLED=0")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr.String())
	}
	h := house{}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pkg
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return h
		} else if err != nil {
			t.Fatal(err)
		}
		h[p.ImportPath] = p
	}
}

// own are the module's packages in and under the folders; all where none is named.
func (h house) own(folders ...string) []pkg {
	var found []pkg
	for _, p := range h {
		if p.Module == nil || !p.Module.Main {
			continue
		}
		if len(folders) == 0 || slices.ContainsFunc(folders, func(f string) bool { return within(p.ImportPath, f) }) {
			found = append(found, p)
		}
	}
	slices.SortFunc(found, func(a, b pkg) int { return strings.Compare(a.ImportPath, b.ImportPath) })
	return found
}

// within reports whether path is the package root or lies under it.
func within(path, root string) bool {
	return path == root || strings.HasPrefix(path, strings.TrimSuffix(root, "/")+"/")
}

// road is a chain of imports from the package, its tests included, to the first
// package that is within one of the roots; nil where there is none.
func (h house) road(from pkg, roots ...string) []string {
	seen := map[string]bool{}
	var walk func(path string) []string
	walk = func(path string) []string {
		if seen[path] {
			return nil
		}
		seen[path] = true
		if slices.ContainsFunc(roots, func(r string) bool { return within(path, r) }) {
			return []string{path}
		}
		for _, next := range h[path].Imports {
			if rest := walk(next); rest != nil {
				return append([]string{path}, rest...)
			}
		}
		return nil
	}
	for _, next := range slices.Concat(from.Imports, from.TestImports, from.XTestImports) {
		if rest := walk(next); rest != nil {
			return append([]string{from.ImportPath}, rest...)
		}
	}
	return nil
}

const (
	fyne  = "fyne.io"
	goSDK = "github.com/modelcontextprotocol/go-sdk"
)

func TestWalls_NothingReachesWhatLiesAboveIt(t *testing.T) {
	walls := []struct {
		rule   string
		rooms  []string
		beyond []string
	}{
		{"the rooms below ui/ know no toolkit", []string{"parley/forms", "parley/consent", "parley/mcpclient", "parley/assets"}, []string{fyne}},
		{"forms and consent know no protocol and no window", []string{"parley/forms", "parley/consent"}, []string{"parley/mcpclient", "parley/ui"}},
		{"mcpclient knows no window", []string{"parley/mcpclient"}, []string{"parley/ui"}},
		{"the widgets know nothing of MCP", []string{"parley/ui/kit"}, []string{"parley/mcpclient"}},
		{"assets are leaves", []string{"parley/assets"}, []string{"parley/forms", "parley/consent", "parley/mcpclient", "parley/ui"}},
	}
	for _, goos := range systems {
		h := list(t, goos)
		if h.road(h["parley/ui/kit"], fyne) == nil {
			t.Fatalf("%s: no road leads from ui/kit to the toolkit: the search is broken", goos)
		}
		for _, w := range walls {
			for _, p := range h.own(w.rooms...) {
				if road := h.road(p, w.beyond...); road != nil {
					t.Errorf("%s: %s, but %s", goos, w.rule, strings.Join(road, " imports "))
				}
			}
		}
	}
}

func TestWalls_SomePackagesAreForFewOnly(t *testing.T) {
	doors := []struct {
		rule    string
		guarded string
		holders []string // who may import it
		tests   bool     // whether any test may, too
	}{
		{"only main starts the toolkit's app, so that all else builds without cgo", "fyne.io/fyne/v2/app", []string{"parley"}, false},
		{"only mcpclient speaks HTTP: a form or a link never causes traffic", "net/http", []string{"parley/mcpclient"}, true},
		{"the official SDK serves the demo server and sign-in only", goSDK, []string{"parley/mcpclient/demo", "parley/mcpclient/auth"}, true},
		{"sign-in takes the SDK's helpers for OAuth, and neither its client nor its server", goSDK + "/mcp", []string{"parley/mcpclient/demo"}, true},
		{"only sign-in speaks OAuth", "golang.org/x/oauth2", []string{"parley/mcpclient/auth"}, false},
	}
	for _, goos := range systems {
		h := list(t, goos)
		for _, d := range doors {
			for _, p := range h.own() {
				imports := p.Imports
				if !d.tests {
					imports = slices.Concat(imports, p.TestImports, p.XTestImports)
				}
				holds := slices.ContainsFunc(d.holders, func(holder string) bool {
					return p.ImportPath == holder || holder != "parley" && within(p.ImportPath, holder)
				})
				if !holds && slices.ContainsFunc(imports, func(i string) bool { return within(i, d.guarded) }) {
					t.Errorf("%s: %s, but %s imports %s", goos, d.rule, p.ImportPath, d.guarded)
				}
			}
		}
	}
}

func TestWalls_WhatBypassesConsentOrTheCatalogueOrBlocksIsNotUsed(t *testing.T) {
	banned := map[string]string{
		"DoAndWait":               "it deadlocks when called from the toolkit's own thread",
		"NewRichTextFromMarkdown": "Markdown fetches images and makes links of server text",
		"ParseMarkdown":           "Markdown fetches images and makes links of server text",
		"NewHyperlink":            "a tap on it opens any address without consent",
		"NewHyperlinkWithStyle":   "a tap on it opens any address without consent",
		"HyperlinkSegment":        "a tap on it opens any address without consent",
		"OpenURL":                 "it opens any address without consent and says nothing when it fails",
	}
	looked := 0
	for _, p := range list(t, "linux").own() {
		names, err := filepath.Glob(filepath.Join(p.Dir, "*.go")) // those of all systems and tags
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			files := token.NewFileSet()
			f, err := parser.ParseFile(files, name, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			looked++
			ast.Inspect(f, func(n ast.Node) bool {
				sel, ok := n.(*ast.SelectorExpr)
				if !ok {
					return true
				}
				if why := banned[sel.Sel.Name]; why != "" {
					t.Errorf("%s uses %s: %s", files.Position(n.Pos()), sel.Sel.Name, why)
				}
				if x, ok := sel.X.(*ast.Ident); ok && x.Name == "lang" && sel.Sel.Name != "SystemLocale" {
					t.Errorf("%s uses lang.%s: Fyne's own translations cannot switch at run time", files.Position(n.Pos()), sel.Sel.Name)
				}
				return true
			})
		}
	}
	if looked == 0 {
		t.Fatal("no file was looked at: go list found no package")
	}
}
