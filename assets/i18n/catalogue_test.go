package i18n_test

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"text/template"
	"text/template/parse"

	"parley/assets"
	"parley/assets/i18n"
)

// moduleRoot is the repository as seen from this package's folder.
const moduleRoot = "../.."

// sentence is one entry of a catalogue file: its forms by plural category, the
// only form of a sentence without plurals under "other".
type sentence struct {
	plural bool
	forms  map[string]string
}

// catalogue reads all files of one language, by key. A sentence that is drawn
// around something else lies in two halves, x.before and x.after; which half
// names a value is a matter of the language, so both count as the whole.
func catalogue(t *testing.T, tag string) map[string]sentence {
	t.Helper()
	names, err := fs.Glob(assets.Translations, "translations/*."+tag+".json")
	if err != nil || len(names) == 0 {
		t.Fatalf("no catalogue files of %s (%v)", tag, err)
	}
	all := map[string]sentence{}
	for _, name := range names {
		raw, err := assets.Translations.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var entries map[string]json.RawMessage
		if err := json.Unmarshal(raw, &entries); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		room, _, _ := strings.Cut(filepath.Base(name), ".")
		for key, raw := range entries {
			if !strings.HasPrefix(key, room+".") {
				t.Errorf("%s: the key %q belongs to another room's file", name, key)
			}
			s := sentence{forms: map[string]string{}}
			var one string
			if json.Unmarshal(raw, &one) == nil {
				s.forms["other"] = one
			} else if err := json.Unmarshal(raw, &s.forms); err != nil {
				t.Errorf("%s: %s is neither a sentence nor a set of plural forms", name, key)
			} else {
				s.plural = true
			}
			all[key] = s
		}
	}
	for key, before := range all {
		if whole, ok := strings.CutSuffix(key, ".before"); ok {
			if after, ok := all[whole+".after"]; ok {
				text := before.forms["other"] + after.forms["other"]
				before.forms["other"], after.forms["other"] = text, text
			}
		}
	}
	return all
}

// placeholders are the values a sentence names, sorted.
func placeholders(text string) ([]string, error) {
	tmpl, err := template.New("").Parse(text)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, n := range tmpl.Root.Nodes {
		switch n := n.(type) {
		case *parse.TextNode:
		case *parse.ActionNode:
			if len(n.Pipe.Cmds) != 1 || len(n.Pipe.Cmds[0].Args) != 1 {
				return nil, fmt.Errorf("%s is more than a value", n)
			}
			field, ok := n.Pipe.Cmds[0].Args[0].(*parse.FieldNode)
			if !ok || len(field.Ident) != 1 {
				return nil, fmt.Errorf("%s is more than a value", n)
			}
			seen[field.Ident[0]] = true
		default:
			return nil, fmt.Errorf("%s is more than a value", n)
		}
	}
	return slices.Sorted(maps.Keys(seen)), nil
}

func TestCatalogue_EveryLanguageSaysTheSameThings(t *testing.T) {
	reference := catalogue(t, i18n.Languages[0])
	for _, tag := range i18n.Languages {
		own := catalogue(t, tag)
		for key, want := range reference {
			got, ok := own[key]
			if !ok {
				t.Errorf("%s lacks %s", tag, key)
				continue
			}
			if got.plural != want.plural {
				t.Errorf("%s: %s has plural forms in one language only", tag, key)
			}
			if strings.TrimSpace(got.forms["other"]) == "" {
				t.Errorf("%s: %s is empty", tag, key)
			}
			values, err := placeholders(want.forms["other"])
			if err != nil {
				continue // said by the round of the reference itself
			}
			for form, text := range got.forms {
				have, err := placeholders(text)
				if err != nil {
					t.Errorf("%s: %s (%s): %v", tag, key, form, err)
					continue
				}
				missing := slices.DeleteFunc(slices.Clone(values), func(v string) bool {
					return slices.Contains(have, v) || v == "PluralCount" && form != "other"
				})
				if len(missing) > 0 {
					t.Errorf("%s: %s (%s) lacks the values %v", tag, key, form, missing)
				}
				for _, v := range have {
					if !slices.Contains(values, v) {
						t.Errorf("%s: %s (%s) names the value %s, which %s does not", tag, key, form, v, i18n.Languages[0])
					}
				}
			}
		}
		for key := range own {
			if _, ok := reference[key]; !ok {
				t.Errorf("%s has %s, which %s lacks", tag, key, i18n.Languages[0])
			}
		}
	}
}

// use is a call that names a key, and the values it passes by name.
type use struct {
	where  string
	key    string
	method string          // M, N or T
	names  map[string]bool // nil where they are not all written out
}

// usage is what the module's own code (tests aside) has to do with keys.
type usage struct {
	uses     []use
	literals map[string]bool // every string in the code
	prefixes []string        // strings that a key's last part is added to
}

// scan reads every Go file of the module that is no test.
func scan(t *testing.T) usage {
	t.Helper()
	u := usage{literals: map[string]bool{}}
	files := token.NewFileSet()
	err := filepath.WalkDir(moduleRoot, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			name := d.Name()
			if path != moduleRoot && (name == "testdata" || name == "build" || name == "node_modules" || name[0] == '.' || name[0] == '_') {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(files, path, raw, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(f, func(n ast.Node) bool { u.node(files, n); return true })
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// node records what one node of the syntax tree says of keys.
func (u *usage) node(files *token.FileSet, n ast.Node) {
	switch n := n.(type) {
	case *ast.BasicLit:
		if s, ok := text(n); ok {
			u.literals[s] = true
		}
	case *ast.BinaryExpr:
		if s, ok := text(n.X); ok && n.Op == token.ADD && strings.HasSuffix(s, ".") {
			u.prefixes = append(u.prefixes, s)
		}
	case *ast.CallExpr:
		sel, ok := n.Fun.(*ast.SelectorExpr)
		if !ok || len(n.Args) == 0 {
			return
		}
		key, literal := text(n.Args[0])
		first := 1
		switch pkg, _ := sel.X.(*ast.Ident); {
		case !literal:
			return
		case pkg != nil && pkg.Name == "i18n" && sel.Sel.Name == "M":
		case pkg != nil && pkg.Name == "i18n" && sel.Sel.Name == "N":
			first = 2
		case sel.Sel.Name == "T" && isKey(key):
		default:
			return
		}
		c := use{where: files.Position(n.Pos()).String(), key: key, method: sel.Sel.Name, names: map[string]bool{}}
		for i := first; i < len(n.Args) && c.names != nil; i += 2 {
			if name, ok := text(n.Args[i]); ok {
				c.names[name] = true
			} else {
				c.names = nil
			}
		}
		if n.Ellipsis.IsValid() {
			c.names = nil
		}
		u.uses = append(u.uses, c)
	}
}

// text is the value of a string literal.
func text(e ast.Expr) (string, bool) {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return "", false
	}
	s, err := strconv.Unquote(lit.Value)
	return s, err == nil
}

// isKey tells a key of the catalogue from other strings given to some T: it
// begins with the name of a room that has a file.
func isKey(s string) bool {
	room, rest, ok := strings.Cut(s, ".")
	if !ok || rest == "" || strings.ContainsAny(s, " /") {
		return false
	}
	_, err := fs.Stat(assets.Translations, "translations/"+room+"."+i18n.Languages[0]+".json")
	return err == nil
}

func TestCatalogue_EveryKeyInTheCodeExistsAndGetsItsValues(t *testing.T) {
	all := catalogue(t, i18n.Languages[0])
	uses := scan(t).uses
	if len(uses) == 0 {
		t.Fatal("no use of any key was found: the scan is broken")
	}
	for _, u := range uses {
		s, ok := all[u.key]
		if !ok {
			t.Errorf("%s: the catalogue has no %s", u.where, u.key)
			continue
		}
		if s.plural != (u.method == "N") {
			t.Errorf("%s: %s has plural forms: %v, but is made with %s", u.where, u.key, s.plural, u.method)
		}
		if u.names == nil {
			continue
		}
		values, err := placeholders(s.forms["other"])
		if err != nil {
			continue // said by the test of the languages
		}
		for _, v := range values {
			if !u.names[v] && v != "PluralCount" {
				t.Errorf("%s: %s is not given its value %s", u.where, u.key, v)
			}
		}
		for name := range u.names {
			if !slices.Contains(values, name) {
				t.Errorf("%s: %s is given %s, which it does not name", u.where, u.key, name)
			}
		}
	}
}

func TestCatalogue_HasNoSentenceThatNobodySays(t *testing.T) {
	u := scan(t)
	for key := range catalogue(t, i18n.Languages[0]) {
		said := u.literals[key] || slices.ContainsFunc(u.prefixes, func(p string) bool { return strings.HasPrefix(key, p) })
		if !said {
			t.Errorf("no code says %s", key)
		}
	}
}

// The app speaks to one person in one tone: the plain 你, in every room. Of
// the polite 您 the first one that slips in makes the next sentence a mixture.
func TestCatalogue_SpeaksChineseInOneTone(t *testing.T) {
	for key, s := range catalogue(t, "zh-Hans") {
		for _, text := range s.forms {
			if strings.Contains(text, "您") {
				t.Errorf("%s says 您 where all other sentences say 你: %s", key, text)
			}
		}
	}
}

// A thing has one Chinese word, in every room: a person who reads of a 密钥串 on
// one page and of a 钥匙串 on the next looks for two things. These words stood
// beside the ones that are said now and must not come back.
func TestCatalogue_CallsAThingByOneChineseWord(t *testing.T) {
	words := []struct{ never, instead, keys string }{ // keys begin with keys
		{"密钥串", "钥匙串", ""},
		{"服务器的所有者", "服务器的管理者", ""},
		{"服务器所有者", "服务器管理者", ""},
		{"其所有者", "其管理者", ""},
		{"个提示", "个提示词", ""},
		{"网络地址上的服务器", "通过地址访问的服务器", ""},
		{"再次关闭", "已关闭", ""},
		{"沉默", "无响应", ""},
		{"作声", "响应", ""},
		{"目录", "文件夹", ""},
		{"帐户", "账户", ""},
		{"帐号", "账户", ""},
		{"那里", "原应用", "cli.import_"},
	}
	for key, s := range catalogue(t, "zh-Hans") {
		for _, text := range s.forms {
			for _, w := range words {
				if strings.HasPrefix(key, w.keys) && strings.Contains(strings.ReplaceAll(text, w.instead, ""), w.never) {
					t.Errorf("%s says %s where all other sentences say %s: %s", key, w.never, w.instead, text)
				}
			}
		}
	}
}
