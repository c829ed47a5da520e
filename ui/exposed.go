package ui

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"parley/assets/i18n"
	"parley/consent/safetext"
	"parley/mcpclient"
	"parley/mcpclient/config"
	"parley/mcpclient/keychain"
	"parley/mcpclient/wire"
	"parley/ui/kit"
)

// Values that somebody wrote into the list by hand and that may be secrets are named on
// the page of their server and on the one that asks before it is started. The person
// has them moved, or says that they are none.

// exposure is what there is of that about one server.
type exposure struct {
	names []string // see config.Exposed
	busy  bool     // they are being moved
	said  remark
}

// exposureDrawn is what a page shows of an exposure.
type exposureDrawn struct {
	names string
	said  remarkDrawn
	busy  bool
	mode  keychain.Mode
}

// findExposed looks for them when the window opens: each value is looked at, and a list
// may have many.
func (s *shell) findExposed(servers []mcpclient.Server) {
	s.work.apart(func(ctx context.Context) {
		found := map[int][]string{}
		for i, v := range servers {
			if names := config.Exposed(v); len(names) > 0 && ctx.Err() == nil {
				found[i] = names
			}
		}
		s.do.Do(func() {
			for i, names := range found {
				v := s.desk.server(servers[i].ID)
				if v == nil || !reflect.DeepEqual(v.Server, servers[i]) {
					continue // whoever changed it has looked
				}
				v.exposed.names = names
				s.touchServer(v.ID)
			}
		})
	})
}

func (s *shell) exposureDrawn(v *serverState) exposureDrawn {
	x := &v.exposed
	return exposureDrawn{strings.Join(x.names, "\n"), x.said.drawn(s), x.busy, s.secretsMode()}
}

// Of the names that may be secrets so many have a button, and of each so much is in it.
// The name stands at the end, where a narrow page cuts it.
const (
	maxExposed     = 8
	maxExposedName = 40
)

// exposedPart names them, without their values; button makes a button of the page.
func (s *shell) exposedPart(v *serverState, button func(text string, im kit.Importance, do func()) *kit.Button) []fyne.CanvasObject {
	x := &v.exposed
	var out []fyne.CanvasObject
	if notice := x.said.notice(s); notice != nil {
		out = append(out, notice)
	}
	if len(x.names) == 0 {
		return out
	}
	title := s.say(i18n.N("ui.exposed.title", len(x.names), "Names", namesOf(x.names), "File", config.FileName))
	if x.busy {
		return append(out, kit.NewNotice(kit.Caution, title, s.t("ui.exposed.busy")))
	}
	body := ""
	var buttons []fyne.CanvasObject
	if move, why := s.wayOutOfFile(); move != "" {
		buttons = append(buttons, button(s.t(move), kit.Plain, func() { s.moveExposed(v) }))
	} else {
		body = s.t(why)
		words, lead := "ui.secrets.where", func() { s.choose(route{section: sectionSettings}) }
		if s.secretsMode() == keychain.VaultLocked {
			words, lead = "ui.secrets.unlock", s.toUnlock
		}
		buttons = append(buttons, button(s.t(words), kit.Plain, lead))
	}
	for _, name := range x.names[:min(len(x.names), maxExposed)] {
		shown := safetext.Line(name, maxExposedName).String()
		buttons = append(buttons, button(s.t("ui.exposed.plain", "Name", shown), kit.Quiet, func() { s.sayPlain(v, name) }))
	}
	return append(out, kit.Column(gapSmall, kit.NewNotice(kit.Caution, title, body), kit.Wrap(buttons...)))
}

// moveExposed moves them to where secrets are kept. The server goes on as it is: it
// gets the same values from elsewhere.
func (s *shell) moveExposed(v *serverState) {
	if v.exposed.busy {
		return
	}
	before, names := v.Server, slices.Clone(v.exposed.names)
	v.exposed.busy, v.exposed.said = true, remark{}
	s.touchServer(v.ID)
	s.work.apart(func(ctx context.Context) {
		now, err := s.o.Values.Move(ctx, s.o.Store, before, names)
		altered := s.readAltered(now, err)
		s.do.Do(func() {
			v.exposed.busy = false
			if err == nil {
				v.exposed.said = remark{text: i18n.M("ui.exposed.moved", "Names", namesOf(names), "File", config.FileName, "Kept", s.kept())}
			}
			s.tookAltered(v, before, altered, names)
		})
	})
}

// sayPlain keeps that one of them is no secret.
func (s *shell) sayPlain(v *serverState, name string) {
	before := v.Server
	var now altered
	s.background(func() {
		server, err := s.o.Store.SayPlain(before, []string{name})
		now = s.readAltered(server, err)
	}, func() {
		v.exposed.said = remark{}
		s.tookAltered(v, before, now, nil)
	})
}

// altered is a server as it stands in the list after such a change, or why there was
// none.
type altered struct {
	server mcpclient.Server
	leave  config.Leave
	names  []string
	err    error
}

// readAltered finds out how it stands; it waits for the disk.
func (s *shell) readAltered(now mcpclient.Server, err error) altered {
	if err != nil {
		return altered{err: err}
	}
	return altered{server: now, leave: s.o.Store.Leave(now), names: config.Exposed(now)}
}

// tookAltered brings the window up to date. A connection that serves for the server as
// it was serves for it as it is.
func (s *shell) tookAltered(v *serverState, before mcpclient.Server, now altered, moved []string) {
	if s.desk.server(v.ID) != v {
		return // it was taken out of the list meanwhile
	}
	if now.err != nil {
		_, out := errors.AsType[*keychain.Unavailable](now.err)
		if !out { // else the page says where secrets are kept now
			v.exposed.said = remark{text: exposedTrouble(now.err), level: kit.Danger}
		}
		s.touchServer(v.ID)
		return
	}
	if !differs(v.used, before) {
		v.used = now.server
	}
	if sites := s.sites[openedBy(before)]; sites != nil {
		s.sites[openedBy(now.server)] = sites
	}
	v.take(now.server, now.leave)
	v.exposed.names = now.names
	if sh := s.edits[v.ID]; sh != nil {
		sh.draft = sh.draft.Concealed(now.server, moved)
		if shown := s.formOf(sh); shown != nil {
			shown.redraw()
		}
	}
	s.touchServer(v.ID)
}

// exposedTrouble is why the list is as it was.
func exposedTrouble(err error) i18n.Message {
	if m := wire.Sentence(err); !m.IsZero() {
		return m
	}
	if errors.Is(err, keychain.ErrTooLarge) || errors.Is(err, context.Canceled) {
		return keychain.Sentence(err)
	}
	return config.Sentence(err)
}
