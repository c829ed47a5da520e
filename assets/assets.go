// Package assets holds what is compiled into the app beside its code: the
// translations, the icon and the font for Chinese, Japanese and Korean text.
package assets

import "embed"

// Translations are the catalogue files, read by package i18n.
//
//go:embed translations/*.json
var Translations embed.FS
