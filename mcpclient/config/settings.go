package config

import "slices"

// Settings are the person's choices about the app itself.
type Settings struct {
	// Language is an entry of i18n.Languages; "" follows the system.
	Language string
	Theme    Theme
}

// Theme is how the app is coloured.
type Theme string

// The themes. The zero value follows the system.
const (
	ThemeSystem Theme = ""
	ThemeLight  Theme = "light"
	ThemeDark   Theme = "dark"
)

// Settings returns what is kept; a theme nobody knows counts as the system's.
func (s *Store) Settings() Settings {
	s.mu.Lock()
	defer s.mu.Unlock()
	var v Settings
	v.Language, _ = s.doc.own.text("language")
	theme, _ := s.doc.own.text("theme")
	if t := Theme(theme); slices.Contains([]Theme{ThemeLight, ThemeDark}, t) {
		v.Theme = t
	}
	return v
}

// SetSettings keeps v. The error is one of the disk.
func (s *Store) SetSettings(v Settings) error {
	return s.change(func(d *document) error {
		d.own.setText("language", v.Language)
		d.own.setText("theme", string(v.Theme))
		return nil
	})
}
