// Package fonts holds the font files compiled into the app. README.md in its
// folder says where they come from and what was changed in one of them.
package fonts

import _ "embed"

// CJK is Droid Sans Fallback: Chinese, Japanese and Korean glyphs and nothing
// of Latin but the space, so that it can stand in front of a Latin font.
//
//go:embed DroidSansFallbackFull.ttf
var CJK []byte

// MonoBold is DejaVu Sans Mono Bold, the bold face of the fixed-width font
// that Fyne brings in regular only.
//
//go:embed DejaVuSansMono-Bold.ttf
var MonoBold []byte
