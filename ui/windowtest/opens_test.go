//go:build linux && window

package windowtest

import (
	"image"
	"testing"
)

// TestOpens is the least that holds for every build, the packed one included:
// a window comes up in an empty home, draws itself, and closes when told to.
func TestOpens(t *testing.T) {
	d := StartDisplay(t)
	app := d.StartParley(Options{})
	d.WaitWindow("Parley")
	if n := colours(d.Screenshot("opened")); n < 10 {
		t.Errorf("the screen shows %d colours: the window has not drawn itself", n)
	}
	d.Key("alt+F4") // the window manager's key for closing a window
	if code := app.Wait(); code != 0 {
		t.Errorf("closing the window ended the app with code %d:\n%s", code, app.Output())
	}
}

// colours counts the different colours of a picture.
func colours(img image.Image) int {
	seen := map[any]bool{}
	for y := img.Bounds().Min.Y; y < img.Bounds().Max.Y; y++ {
		for x := img.Bounds().Min.X; x < img.Bounds().Max.X; x++ {
			seen[img.At(x, y)] = true
		}
	}
	return len(seen)
}
