package kit

import (
	"runtime"
	"testing"

	"fyne.io/fyne/v2"
)

// heap is the memory in use, in bytes, once nothing is left to be collected.
func heap() uint64 {
	runtime.GC()
	runtime.GC() // what the first one only finalized
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// wearAndDraw puts on a theme and measures text: Latin, Chinese and a sign of a
// third font.
func wearAndDraw(mode Mode) {
	fyne.CurrentApp().Settings().SetTheme(NewTheme(mode, 1))
	fyne.MeasureText("Settings 设置 ✉", 15, fyne.TextStyle{})
}

func TestSwitchingTheThemeKeepsNoFonts(t *testing.T) {
	t.Cleanup(func() { fyne.CurrentApp().Settings().SetTheme(NewTheme(Light, 1)) })
	wearAndDraw(Light)
	before := heap()
	for range 10 {
		wearAndDraw(Dark)
		wearAndDraw(Light)
	}
	// The fonts of one text style are about 20 MB, and each of the 20 switches reads them.
	const limit = 20 << 20
	if after := heap(); after > before+limit {
		t.Errorf("20 switches keep %d MB, want at most %d", (after-before)>>20, limit>>20)
	}
}

// BenchmarkFirstTextAfterForgetting is what forgetFonts costs a font in use.
func BenchmarkFirstTextAfterForgetting(b *testing.B) {
	style := fyne.TextStyle{}
	for i := 0; b.Loop(); i++ {
		forgetFonts()
		fyne.MeasureText(string([]rune{'設', rune('a' + i%26), rune(0x4e00 + i%20000)}), 15, style)
	}
}
