package kit

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// SideList is any number of rows below each other, of the sidebar or of a page. Only
// those in view are made, with a few above and below them, so that a list of ten
// thousand costs what a list of fifty does. The first and the last are always there, and so
// are the selected one, the one that has the keyboard and its neighbours: Tab and
// the arrow keys find the next row as in a list that is made as a whole.
//
// All rows are as high as the first. The list is the first thing on its page.
type SideList struct {
	widget.BaseWidget
	page     *Reveal
	make     func(i int) *SideItem
	count    int
	selected int // -1 for none
	made     map[int]*SideItem
	every    float32 // the height of a row, 0 if not known for theme
	theme    fyne.Theme
}

// sideAround is how many rows are made above and below those in view.
const sideAround = 10

// NewSideList returns a list of count rows, which makeRow makes when they come
// into view. It has to be put on a page with PutOn.
func NewSideList(count int, makeRow func(i int) *SideItem) *SideList {
	l := &SideList{make: makeRow, count: count, selected: -1, made: map[int]*SideItem{}}
	l.ExtendBaseWidget(l)
	return l
}

// PutOn tells the list which page it scrolls with.
func (l *SideList) PutOn(page *Reveal) {
	l.page = page
	page.moved = append(page.moved, l.place)
}

// Reset makes the rows anew, of which there are count now.
func (l *SideList) Reset(count int) {
	l.count, l.selected, l.every = count, -1, 0
	clear(l.made)
	l.place()
}

// Made calls f for every row there is now, from top to bottom.
func (l *SideList) Made(f func(i int, row *SideItem)) {
	for _, i := range l.inOrder() {
		f(i, l.made[i])
	}
}

// Select marks row i as the page that is shown, -1 none.
func (l *SideList) Select(i int) {
	if i == l.selected {
		return
	}
	if row := l.made[l.selected]; row != nil {
		row.SetSelected(false)
	}
	l.selected = i
	if row := l.made[i]; row != nil {
		row.SetSelected(true)
	}
	l.place()
}

// Selected is the row that is marked, nil for none.
func (l *SideList) Selected() *SideItem { return l.made[l.selected] }

// ShowSelected scrolls to the row that is marked. It goes by the place of the row in
// the list: of one that was just made Fyne does not know where it is.
func (l *SideList) ShowSelected() {
	if l.selected >= 0 && l.page != nil {
		l.page.bringIn(float32(l.selected)*l.rowHeight(), l.rowHeight())
	}
}

// Row returns row i, made if it is out of view. It stays while it has the keyboard.
func (l *SideList) Row(i int) *SideItem {
	row := l.row(i)
	l.put(i, row)
	l.BaseWidget.Refresh()
	return row
}

// put puts a row where it belongs.
func (l *SideList) put(i int, row *SideItem) {
	h := l.rowHeight()
	row.Move(fyne.NewPos(0, float32(i)*h))
	row.Resize(fyne.NewSize(l.Size().Width, h))
}

// rowHeight is the height of every row.
func (l *SideList) rowHeight() float32 {
	if th := l.Theme(); l.theme != th {
		l.theme, l.every = th, 0
	}
	if l.every == 0 && l.count > 0 {
		l.every = l.row(0).MinSize().Height
	}
	return l.every
}

// row returns row i, made if it is not there.
func (l *SideList) row(i int) *SideItem {
	row := l.made[i]
	if row == nil {
		row = l.make(i)
		row.SetSelected(i == l.selected)
		l.made[i] = row
	}
	return row
}

// wanted are the rows there have to be, from top to bottom.
func (l *SideList) wanted() []int {
	if l.count == 0 {
		return nil
	}
	from, to := 0, sideAround
	if h := l.rowHeight(); l.page != nil && h > 0 {
		from, to = int(l.page.Offset()/h)-sideAround, int(l.page.Bottom()/h)+sideAround
	}
	all := []int{0, l.count - 1, l.selected}
	for i := max(from, 0); i <= min(to, l.count-1); i++ {
		all = append(all, i)
	}
	if i := l.Focused(); i >= 0 {
		all = append(all, i-1, i, i+1)
	}
	slices.Sort(all)
	return slices.DeleteFunc(slices.Compact(all), func(i int) bool { return i < 0 || i >= l.count })
}

// Focused is the row that has the keyboard, -1 for none.
func (l *SideList) Focused() int {
	c := fyne.CurrentApp().Driver().CanvasForObject(l)
	if c == nil {
		return -1
	}
	f, ok := c.Focused().(*SideItem)
	if !ok {
		return -1
	}
	for i, row := range l.made {
		if row == f {
			return i
		}
	}
	return -1
}

// place makes the rows there have to be, drops the others and puts each where it
// belongs.
func (l *SideList) place() {
	wanted := l.wanted()
	before := len(l.made)
	changed := false
	kept := make(map[int]*SideItem, len(wanted))
	for _, i := range wanted {
		changed = changed || l.made[i] == nil
		kept[i] = l.row(i)
	}
	changed = changed || len(kept) != before
	l.made = kept
	for i, row := range kept {
		l.put(i, row)
	}
	if changed {
		l.BaseWidget.Refresh()
	}
}

func (l *SideList) inOrder() []int {
	order := make([]int, 0, len(l.made))
	for i := range l.made {
		order = append(order, i)
	}
	slices.Sort(order)
	return order
}

// HeightFor is the height of all rows.
func (l *SideList) HeightFor(float32) float32 { return float32(l.count) * l.rowHeight() }

// MinSize is Fyne's.
func (l *SideList) MinSize() fyne.Size {
	if l.count == 0 {
		return fyne.Size{}
	}
	return fyne.NewSize(l.row(0).MinSize().Width, l.HeightFor(0))
}

// CreateRenderer is Fyne's.
func (l *SideList) CreateRenderer() fyne.WidgetRenderer { return &sideListRenderer{l} }

type sideListRenderer struct{ l *SideList }

func (v *sideListRenderer) Layout(fyne.Size)   { v.l.place() }
func (v *sideListRenderer) MinSize() fyne.Size { return v.l.MinSize() }
func (v *sideListRenderer) Destroy()           {}
func (v *sideListRenderer) Objects() []fyne.CanvasObject {
	out := make([]fyne.CanvasObject, 0, len(v.l.made))
	v.l.Made(func(_ int, row *SideItem) { out = append(out, row) })
	return out
}

func (v *sideListRenderer) Refresh() {
	for _, row := range v.l.made {
		row.Refresh()
	}
}
