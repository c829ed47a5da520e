package kit

import (
	"sync"

	"fyne.io/fyne/v2"
)

// ruler measures text of one size and style by adding up the widths of its
// characters, each measured once. The sum leaves out kerning and joined forms,
// a pixel or two a line; in return a megabyte is measured in milliseconds.
type ruler struct {
	size  float32
	style fyne.TextStyle

	ascii [128]float32
	other map[rune]float32

	height, ascent float32
}

type rulerKey struct {
	size  float32
	style fyne.TextStyle
}

var rulers = struct {
	sync.Mutex
	of map[rulerKey]*ruler
	// theme is the theme the widths were measured with.
	theme fyne.Theme
}{of: map[rulerKey]*ruler{}}

// rulerFor returns the shared ruler of a size and style in the current theme.
func rulerFor(size float32, style fyne.TextStyle) *ruler {
	rulers.Lock()
	defer rulers.Unlock()
	if th := fyne.CurrentApp().Settings().Theme(); th != rulers.theme {
		rulers.theme, rulers.of = th, map[rulerKey]*ruler{}
	}
	key := rulerKey{size, style}
	r := rulers.of[key]
	if r == nil {
		r = &ruler{size: size, style: style, other: map[rune]float32{}}
		full, ascent := fyne.CurrentApp().Driver().RenderedTextSize("Mg", size, style, nil)
		r.height, r.ascent = full.Height, ascent
		for c := rune(' '); c < 0x7f; c++ {
			r.ascii[c] = r.measure(string(c))
		}
		// Between Latin letters the space is that of the Latin font; alone it
		// would be measured in the font that Fyne asks first.
		r.ascii[' '] = r.measure("n n") - r.measure("nn")
		rulers.of[key] = r
	}
	return r
}

// measure asks Fyne for the width of s.
func (r *ruler) measure(s string) float32 {
	return fyne.MeasureText(s, r.size, r.style).Width
}

// width returns the width of one character.
func (r *ruler) width(c rune) float32 {
	if c < 128 && c >= 0 {
		return r.ascii[c]
	}
	if w, ok := r.other[c]; ok {
		return w
	}
	w := r.measure(string(c))
	r.other[c] = w
	return w
}

// widest is the width of the widest character of ASCII.
func (r *ruler) widest() float32 {
	var w float32
	for _, c := range r.ascii {
		w = max(w, c)
	}
	return w
}
