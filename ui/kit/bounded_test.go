package kit

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"parley/consent/safetext"
)

func TestBounded_IsAsHighAsItsContentUpToItsLimit(t *testing.T) {
	const width = 300
	text := func(s string) *Text { return Label(safetext.Block(s, 1<<16), Style{}) }
	for name, content := range map[string]Heighter{
		"a text": text(strings.Repeat("long ", 400)),
		"a URL":  NewURLView([]Segment{{Text: "https://example.com/" + strings.Repeat("a", 3000)}}),
		"a text that scrolls by itself": NewLongText(safetext.Block(strings.Repeat("long ", 4000), 1<<16),
			LongTextOptions{Env: &Env{}}),
	} {
		b := NewBounded(content)
		natural := b.HeightFor(width)
		if natural != content.HeightFor(width) {
			t.Errorf("%s: unbound it is %v high, its content %v", name, natural, content.HeightFor(width))
		}
		if left := b.Shrink(50, 10); left != 0 || b.HeightFor(width) != natural-50 {
			t.Errorf("%s: shrunk by 50 it is %v of %v high, %v left", name, b.HeightFor(width), natural, left)
		}
		if left := b.Shrink(natural, 60); left != 110 || b.HeightFor(width) != 60 {
			t.Errorf("%s: shrunk to 60 it is %v high, %v left", name, b.HeightFor(width), left)
		}
		b.Resize(fyne.NewSize(width, 60))
		if got := test.WidgetRenderer(b).Objects()[0].Size(); got != fyne.NewSize(width, 60) {
			t.Errorf("%s: what is seen is %v", name, got)
		}
		b.Unbound()
		b.Resize(fyne.NewSize(width, natural))
		if seen := test.WidgetRenderer(b).Objects()[0]; seen != fyne.CanvasObject(content) || seen.Position().Y != 0 {
			t.Errorf("%s: it is scrolled though it fits", name)
		}
		if b.HeightFor(width) != natural {
			t.Errorf("%s: unbound again it is %v high", name, b.HeightFor(width))
		}
	}
}
