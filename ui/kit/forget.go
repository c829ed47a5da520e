package kit

import (
	_ "unsafe" // for go:linkname

	"github.com/go-text/typesetting/shaping"
)

// Fyne draws all text with one shaper and forgets its fonts whenever the theme
// or the desktop's light and dark change: it then reads each file anew, about
// 20 MB a text style. The shaper forgets nothing, neither the fonts nor what it
// worked out about shaping with them (planCache of harfbuzz/buffer.go in
// go-text/typesetting, up to v0.3.5, cannot be emptied), so that every change
// stayed in memory until the app ended: 77 MB for the four styles of the kit.
//
// The remedy is a new shaper for new fonts. Fyne has no door to it, so the
// variable is reached by its name in the linker; a Fyne that has renamed it does
// not link, and TestSwitchingTheThemeKeepsNoFonts fails with one that no longer
// uses it.
//
//go:linkname fyneShaper fyne.io/fyne/v2/internal/painter.shaper
var fyneShaper *shaping.HarfbuzzShaper

// forgetFonts lets go of every font Fyne has drawn with so far. The fonts still
// in use cost 0.2 ms each the next time they are drawn with. It belongs to Fyne's
// thread, as all drawing does.
func forgetFonts() { fyneShaper = &shaping.HarfbuzzShaper{} }
