// Package assets holds what is compiled into the app beside its code: the
// translations and the icon. The fonts are in the package fonts below it, so
// that only the window carries them.
package assets

import "embed"

// Translations are the catalogue files, read by package i18n.
//
//go:embed translations/*.json
var Translations embed.FS

// Icon is the app's icon, a PNG of 512 by 512.
//
//go:embed icon.png
var Icon []byte
