package ui

import (
	"fyne.io/fyne/v2"

	"parley/ui/kit"
)

// The least heights that are left to the parts of the consent page, in Fyne's
// units: some lines to scroll in.
const (
	leastMessage = 80
	leastURL     = 110
)

// siteShare is how much of a low page the lines with the site take; the gravest
// warning, which has room around its words, takes the rest.
const siteShare = 0.45

// consentLayout is the middle of the consent page: what the server wrote and
// the URL, and below it the warnings with the tick, which are never out of
// sight, however long the server's words are. Where all fits, they stand under
// each other. Where it does not, the message becomes lower and scrolls, then
// the URL, of which the site stays in view, then the warnings, of which the
// gravest stays in view. In a window too low even for that the server's part
// scrolls as a whole and begins at the URL, and the tick stands below the
// warnings in their scroller: whoever ticks has gone past them.
//
// Its objects are the server's part, the warnings (both *kit.Reveal), the tick
// and the line that nothing was opened.
type consentLayout struct {
	message, url *kit.Bounded // message is nil where the server says nothing
	// site is the URL up to the end of its site: so much of it is in view at
	// least; nil for a URL without parts.
	site *kit.URLView
	// findings are the warnings, the gravest first, and tick the tick, nil for
	// none. They lie in warnings, or the tick in a box of its own.
	findings          []fyne.CanvasObject
	tick              fyne.CanvasObject
	warnings, tickBox *fyne.Container
	opened            fyne.Size // the size at which the server's part was scrolled
	// fromTop leaves the server's part at its beginning.
	fromTop bool
	// done is called at the end of a layout.
	done func()
}

func (l *consentLayout) MinSize(o []fyne.CanvasObject) fyne.Size {
	var width float32
	for _, o := range o {
		width = max(width, o.MinSize().Width)
	}
	return fyne.NewSize(width, leastMiddle)
}

func (l *consentLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	upper, list, promise := o[0].(*kit.Reveal), o[1].(*kit.Reveal), o[3]
	inner := size.Width - 2*pageSide
	if l.url == nil || inner <= 0 {
		return
	}
	if l.message != nil {
		l.message.Unbound()
	}
	l.url.Unbound()
	l.putTick(false)
	ticked, promised := heightAt(o[2], size.Width), heightAt(promise, size.Width)
	server, warnings := upper.ContentHeight(size.Width), list.ContentHeight(size.Width)
	site, gravest := float32(leastURL), float32(0)
	if l.site != nil {
		site = l.site.HeightFor(inner)
	}
	if len(l.findings) > 0 {
		gravest = heightAt(l.findings[0], inner)
	}
	over := server + warnings + ticked + promised - size.Height
	if l.message != nil {
		over = l.message.Shrink(over, leastMessage)
	}
	over = l.url.Shrink(over, max(site, leastURL))
	if promise.Show(); over > 0 {
		promise.Hide()
		over, promised = over-promised, 0
	}
	less := min(max(over, 0), max(warnings-gravest, 0))
	warnings, over = warnings-less, over-less
	l.url.Shrink(over, site)
	server = upper.ContentHeight(size.Width)
	kept := min(site, size.Height*siteShare) // for the lines with the site
	if l.tick != nil && size.Height-ticked-kept < gravest {
		l.putTick(true)
		ticked, warnings = 0, list.ContentHeight(size.Width)
	}
	height := min(server, max(size.Height-warnings-ticked-promised, kept))
	warnings = min(warnings, max(size.Height-height-ticked-promised, 0))

	y := float32(0)
	for i, h := range []float32{height, warnings, ticked, promised} {
		place(o[i], y, size.Width, h)
		y += h
	}
	upper.Relayout()
	list.Relayout()
	if l.opened != size {
		l.opened = size
		upper.ScrollTo(0)
		if server > height && !l.fromTop {
			upper.ScrollTo(l.url.Position().Y + max(gap, site-gap-height))
		}
	}
	l.done()
}

// putTick puts the tick below the warnings, or into its own box.
func (l *consentLayout) putTick(among bool) {
	l.warnings.Objects, l.tickBox.Objects = l.findings, nil
	switch {
	case l.tick == nil:
	case among:
		l.warnings.Objects = append(l.findings[:len(l.findings):len(l.findings)], l.tick)
	default:
		l.tickBox.Objects = []fyne.CanvasObject{l.tick}
	}
}
