// Package fonts holds the font files compiled into the app. README.md in its
// folder says where they come from and how one of them was made.
package fonts

import _ "embed"

// Fallback has Chinese, Japanese, Korean, Devanagari, Arabic, Hebrew, Thai and
// Tamil, and nothing of Latin but the space, so that it can stand in front of a
// Latin font.
//
//go:embed Fallback.ttf
var Fallback []byte

// MonoBold is DejaVu Sans Mono Bold, the bold face of the fixed-width font
// that Fyne brings in regular only.
//
//go:embed DejaVuSansMono-Bold.ttf
var MonoBold []byte
