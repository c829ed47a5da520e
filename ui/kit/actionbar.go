package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// ActionBar is the bar at the foot of a page: a line, extras on the left, the
// buttons that end the question on the right, or below the extras where they
// do not fit beside them, on several lines if need be. The first of those lines
// stands beside the last one of the extras where that saves one: a low window has few.
func ActionBar(left, right []fyne.CanvasObject) *fyne.Container {
	return Column(14, Line(), Ends(left, right))
}

// Ends is such a bar without the line, for what belongs to a part of a page.
func Ends(left, right []fyne.CanvasObject) *fyne.Container {
	ends := &wrapLayout{gap: barGap, trailing: true}
	return container.New(&barLayout{gap: barGap, ends: ends},
		container.New(&wrapLayout{gap: barGap}, left...), container.New(ends, right...))
}

// barGap is the room between buttons.
const barGap = 12

// barLayout lays out two rows, one at each end.
type barLayout struct {
	gap   float32
	width float32
	ends  *wrapLayout // of the second row
}

func (l *barLayout) fits(o []fyne.CanvasObject, width float32) bool {
	return widthOf(o[0])+l.gap+widthOf(o[1]) <= width
}

func (l *barLayout) heightFor(o []fyne.CanvasObject, width float32) float32 {
	left, right := heightOf(o[0], min(widthOf(o[0]), width)), l.endsHeight(o, min(widthOf(o[1]), width), 0)
	switch {
	case l.fits(o, width):
		return max(left, right)
	case left == 0:
		return right
	}
	if s, ok := l.shared(o, width); ok {
		return s.height
	}
	return left + l.gap + right
}

// endsHeight is the height of the second row, with this much of its first line
// taken.
func (l *barLayout) endsHeight(o []fyne.CanvasObject, width, taken float32) float32 {
	return (&wrapLayout{gap: l.gap, taken: taken}).heightFor(o[1].(*fyne.Container).Objects, width)
}

// sharing is how the two rows share a line: how much of it the first one takes, where
// they begin, and how high both are.
type sharing struct{ taken, left, right, height float32 }

// shared reports whether the first line of the second row has room beside the last
// line of the first row, so that they take a line less.
func (l *barLayout) shared(o []fyne.CanvasObject, width float32) (s sharing, ok bool) {
	extras := (&wrapLayout{gap: l.gap}).lines(o[0].(*fyne.Container).Objects, width)
	if len(extras) == 0 {
		return s, false
	}
	last := extras[len(extras)-1]
	s.taken = last.width + l.gap
	ends := (&wrapLayout{gap: l.gap, taken: s.taken}).lines(o[1].(*fyne.Container).Objects, width)
	if len(ends) == 0 || s.taken+ends[0].width > width {
		return s, false
	}
	left := heightOf(o[0], min(widthOf(o[0]), width))
	lower := (ends[0].height - last.height) / 2 // both have one middle
	s.left, s.right = max(lower, 0), left-last.height+max(-lower, 0)
	s.height = max(s.right+l.endsHeight(o, width, s.taken), s.left+left)
	return s, s.height < left+l.gap+l.endsHeight(o, width, 0)
}

func (l *barLayout) naturalWidth(o []fyne.CanvasObject) float32 {
	return widthOf(o[0]) + l.gap + widthOf(o[1])
}

func (l *barLayout) MinSize(o []fyne.CanvasObject) fyne.Size {
	width := l.width
	if width <= 0 {
		width = l.naturalWidth(o)
	}
	return fyne.NewSize(max(o[0].MinSize().Width, o[1].MinSize().Width), l.heightFor(o, width))
}

func (l *barLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	l.width, l.ends.taken = size.Width, 0
	left, right := min(widthOf(o[0]), size.Width), min(widthOf(o[1]), size.Width)
	if s, ok := l.shared(o, size.Width); ok && !l.fits(o, size.Width) {
		l.ends.taken = s.taken
		place(o[0], 0, s.left, left, heightOf(o[0], left))
		place(o[1], 0, s.right, size.Width, max(size.Height-s.right, 0))
		o[1].(*fyne.Container).Layout.Layout(o[1].(*fyne.Container).Objects, o[1].Size())
		return
	}
	if l.fits(o, size.Width) {
		h := heightOf(o[0], left)
		place(o[0], 0, max(size.Height-h, 0)/2, left, h)
		place(o[1], size.Width-right, 0, right, size.Height)
		return
	}
	h := heightOf(o[1], right)
	place(o[0], 0, 0, left, max(size.Height-h-l.gap, 0))
	place(o[1], size.Width-right, size.Height-h, right, h)
}

// Wrap lays objects out beside each other, on as many lines as they need. It makes no
// page wider than it is: a button that is, is cut.
func Wrap(objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(&wrapLayout{gap: barGap, yields: true}, objects...)
}

// wrapLayout lays objects out beside each other, on as many lines as they need;
// trailing puts the lines to the right.
type wrapLayout struct {
	gap      float32
	trailing bool
	yields   bool    // asks for no width
	taken    float32 // of the first line, by something else
	width    float32
}

// buttonLine is one line of a wrapLayout: its objects, the width and the height they take.
type buttonLine struct {
	objects       []fyne.CanvasObject
	width, height float32
}

func (l *wrapLayout) lines(o []fyne.CanvasObject, width float32) []buttonLine {
	var lines []buttonLine
	for _, object := range o {
		if !shown(object) {
			continue
		}
		w := min(widthOf(object), width)
		last := len(lines) - 1
		// Widths are sums, which are not exact to the last bit.
		room := width
		if last == 0 {
			room -= l.taken
		}
		if last < 0 || lines[last].width+l.gap+w > room+.5 {
			lines = append(lines, buttonLine{width: -l.gap})
			last++
		}
		line := &lines[last]
		line.objects = append(line.objects, object)
		line.width += l.gap + w
		line.height = max(line.height, heightOf(object, w))
	}
	return lines
}

func (l *wrapLayout) heightFor(o []fyne.CanvasObject, width float32) float32 {
	h := -l.gap
	for _, line := range l.lines(o, width) {
		h += line.height + l.gap
	}
	return max(h, 0)
}

func (l *wrapLayout) naturalWidth(o []fyne.CanvasObject) float32 {
	w := -l.gap
	for _, object := range o {
		if shown(object) {
			w += widthOf(object) + l.gap
		}
	}
	return max(w, 0)
}

func (l *wrapLayout) MinSize(o []fyne.CanvasObject) fyne.Size {
	width := l.width
	if width <= 0 {
		width = l.naturalWidth(o)
	}
	var widest float32
	for _, object := range o {
		if shown(object) && !l.yields {
			widest = max(widest, object.MinSize().Width)
		}
	}
	return fyne.NewSize(widest, l.heightFor(o, width))
}

func (l *wrapLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	l.width = size.Width
	var y float32
	for _, line := range l.lines(o, size.Width) {
		x := float32(0)
		if l.trailing {
			x = max(size.Width-line.width, 0)
		}
		for _, object := range line.objects {
			w := min(widthOf(object), size.Width)
			h := heightOf(object, w)
			place(object, x, y+(line.height-h)/2, w, h)
			x += w + l.gap
		}
		y += line.height + l.gap
	}
}
