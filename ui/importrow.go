package ui

import (
	"maps"
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"parley/assets/i18n"
	"parley/consent"
	"parley/consent/safetext"
	"parley/mcpclient"
	"parley/mcpclient/config"
	"parley/ui/kit"
)

// importRow is one server that is offered.
type importRow struct {
	offer  config.Offer
	shown  shownOffer
	name   string // a free one
	ticked bool
	// doubts are what there is to know before it is added, notes what else.
	doubts, notes []i18n.Message
}

// shownOffer is what a row shows of its server, made safe to show.
type shownOffer struct {
	command safetext.Text // of a program, in one line
	tables  []shownTable
}

// shownTable are the variables or headers of a server: those that are no secret, and
// the names of those that are.
type shownTable struct {
	words  i18n.Message
	lines  []safetext.Text
	all    safetext.Text // the lines as one text, if they are many
	secret string
}

// showOffer makes it. It runs on any goroutine.
func showOffer(v mcpclient.Server) shownOffer {
	var out shownOffer
	if v.Kind == mcpclient.Stdio {
		out.command = exactCommand(append([]string{v.Command}, v.Args...))
	}
	for _, table := range []struct {
		words, is string
		plain     map[string]string
		secret    []string
	}{{"ui.values.env", "=", v.Env, v.SecretEnv}, {"ui.values.headers", ": ", v.Headers, v.SecretHeaders}} {
		t := shownTable{words: i18n.M(table.words)}
		chars := 0
		for _, name := range slices.Sorted(maps.Keys(table.plain)) {
			l := whole(name + table.is + table.plain[name])
			t.lines = append(t.lines, l)
			chars += len(l.String())
		}
		if len(t.lines) > manyLines || chars > manyChars {
			texts := make([]string, len(t.lines))
			for i, l := range t.lines {
				texts[i] = l.String()
			}
			all := strings.Join(texts, "\n")
			t.all = safetext.Block(all, len(all))
		}
		if len(table.secret) > 0 {
			t.secret = namesOf(table.secret)
		}
		out.tables = append(out.tables, t)
	}
	return out
}

// object draws the lines.
func (t shownTable) object(env *kit.Env, style kit.Style) fyne.CanvasObject {
	if !t.all.IsZero() {
		return kit.NewLongText(t.all, kit.LongTextOptions{Env: env, Style: style})
	}
	box := kit.Column(2)
	for _, l := range t.lines {
		box.Add(kit.Label(l, style))
	}
	return box
}

// importRows makes rows of what is offered beside the servers of the list. What can
// be added as it stands is ticked. It runs on any goroutine.
func importRows(offers []config.Offer, list []mcpclient.Server) []*importRow {
	taken := map[string]bool{}
	var listed []string
	for _, v := range list {
		taken[v.Name] = true
		listed = append(listed, v.Name)
	}
	var names []string // of the rows before
	rows := make([]*importRow, 0, len(offers))
	for _, o := range offers {
		v := o.Server
		r := &importRow{offer: o, shown: showOffer(v), notes: slices.Clone(o.Notes)}
		others, named := listed, false
		switch i := slices.IndexFunc(list, func(known mcpclient.Server) bool { return same(known, v) }); {
		case i >= 0:
			// One line names it, whatever the name of v has to do with its own.
			others, named = slices.Delete(slices.Clone(listed), i, i+1), list[i].Name == v.Name
			r.doubts = append(r.doubts, i18n.M("ui.import.same", "Name", line(list[i].Name).String()))
		case o.Off:
			r.doubts = append(r.doubts, i18n.M("ui.import.off"))
		}
		r.doubts = append(r.doubts, o.Doubts...)
		r.ticked = len(r.doubts) == 0
		if r.name = freeName(v.Name, taken); r.name != v.Name && !named {
			r.doubts = append(r.doubts, i18n.M("ui.import.renamed", "Name", line(v.Name).String()))
		} else if other, found := consent.LooksLike(v.Name, others); found {
			r.doubts = append(r.doubts, i18n.M("ui.banner.alike", "Other", line(other).String()))
		} else if other, found := consent.LooksLike(v.Name, names); found {
			r.doubts = append(r.doubts, i18n.M("ui.import.alike", "Other", line(other).String()))
		}
		names = append(names, v.Name)
		taken[r.name] = true
		rows = append(rows, r)
	}
	return rows
}

// same reports whether a and b are one server, whatever they are called.
func same(a, b mcpclient.Server) bool {
	return a.Kind == b.Kind && a.URL == b.URL && a.Command == b.Command && a.Dir == b.Dir && slices.Equal(a.Args, b.Args)
}

// freeName is name, with a number behind it if it is taken.
func freeName(name string, taken map[string]bool) string {
	free := name
	for n := 2; taken[free]; n++ {
		free = name + " " + i18n.Grouped(n)
	}
	return free
}

// namesOf lists names.
func namesOf(names []string) string { return line(strings.Join(names, ", ")).String() }
