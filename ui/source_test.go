package ui

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// TestSource_UsesNothingThatHurts keeps the toolkit's traps out of the pages:
// links and Markdown open or load what a server wrote, dialogs close and cover
// each other, DoAndWait can lock the window for good.
func TestSource_UsesNothingThatHurts(t *testing.T) {
	banned := map[string]string{
		"DoAndWait": "deadlock", "NewHyperlink": "opens server text", "NewHyperlinkWithStyle": "opens server text",
		"NewRichTextFromMarkdown": "loads server text", "ParseMarkdown": "loads server text", "OpenURL": "bypasses consent",
		"NewLabel": "freezes on long text", "NewEntry": "has no Escape and no shortcuts", "NewSelect": "goes by label",
	}
	files, err := filepath.Glob("*.go")
	must(t, err)
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, name, nil, 0)
		must(t, err)
		for _, imp := range f.Imports {
			switch strings.Trim(imp.Path.Value, `"`) {
			case "fyne.io/fyne/v2/dialog", "fyne.io/fyne/v2/app", "fyne.io/fyne/v2/widget", "fyne.io/fyne/v2/lang":
				t.Errorf("%s imports %s", name, imp.Path.Value)
			}
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok && banned[sel.Sel.Name] != "" {
				t.Errorf("%s uses %s: %s", fset.Position(sel.Pos()), sel.Sel.Name, banned[sel.Sel.Name])
			} else if ok && sel.Sel.Name == "Clipboard" && name != "copy.go" {
				t.Errorf("%s copies by itself, so that no button says it has: see copy.go", fset.Position(sel.Pos()))
			}
			return true
		})
	}
}
