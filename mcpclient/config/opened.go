package config

import (
	"slices"
	"strings"

	"parley/forms/rawjson"
	"parley/mcpclient"
)

// The sites whose pages a person opened in the browser for a server lie in its
// note, so that the next question can say whether a site is new here:
//
//	"opened": {"place": "sha256:…", "sites": ["calendar.example"]}
//
// A site is the registrable domain, or the host where there is none; the rest of
// a link, which may hold secrets, never gets here. As what was learnt, the sites
// hold for the server as it stood, and keeping them is never in the way.

const keyOpened = "opened"

// maxOpened is how many sites are kept for one server; the oldest go first.
const maxOpened = 200

// Opened returns the sites opened for v as it stands now, oldest first.
func (s *Store) Opened(v mcpclient.Server) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	name, ok := s.doc.nameOf(v.ID)
	if !ok {
		return nil
	}
	return readOpened(s.doc.note(name), v.Place())
}

// RememberOpened keeps that a page of site was opened for v. What is not the
// name of a site or host is not kept. What could not be written is named by
// Problems.
func (s *Store) RememberOpened(v mcpclient.Server, site string) {
	if !isSite(site) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.noteQuietly(v, func(n *object) {
		sites := slices.DeleteFunc(readOpened(*n, v.Place()), func(old string) bool { return old == site })
		sites = append(sites, site)
		n.setOpened(v.Place(), sites[max(0, len(sites)-maxOpened):])
	})
}

// isSite reports whether s can be a site or host: nothing of a link but its name
// passes.
func isSite(s string) bool {
	return s != "" && len(s) <= 255 && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789.-_:[]") == ""
}

// readOpened reads the sites in a note about a server that stands at place.
func readOpened(n object, place string) []string {
	o, err := n.object(keyOpened)
	if at, _ := o.text("place"); err != nil || at != place {
		return nil
	}
	list, err := rawjson.Array(rawjson.Get(o, "sites"))
	if err != nil {
		return nil
	}
	var sites []string
	for _, raw := range list {
		if site, ok := rawjson.String(raw); ok && isSite(site) {
			sites = append(sites, site)
		}
	}
	return sites
}

// setOpened puts the sites into a note.
func (n *object) setOpened(place string, sites []string) {
	var list strings.Builder
	for i, site := range sites {
		if i > 0 {
			list.WriteByte(',')
		}
		list.Write(encodeText(site))
	}
	var o object
	o.setText("place", place)
	o.set("sites", []byte("["+list.String()+"]"))
	n.set(keyOpened, o.encode())
}
