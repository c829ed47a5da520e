//go:build linux

package windowtest

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"time"
)

// stillness is how far apart two equal pictures must be taken for the screen
// to count as standing still.
const stillness = 250 * time.Millisecond

// Screenshot waits until the screen stands still, keeps a picture of it as
// NN-name.png among the test's pictures, and returns it.
func (d *Display) Screenshot(name string) image.Image {
	d.t.Helper()
	img := d.Settle()
	d.t.Logf("picture: %s", d.keep(name, img))
	d.linger()
	return img
}

// Settle waits until two pictures in a row are equal and returns the picture.
func (d *Display) Settle() image.Image {
	d.t.Helper()
	return d.settle("the screen to stand still", func(image.Image) bool { return true })
}

// WaitChange waits until the screen shows something else than before and
// stands still, and returns the picture.
func (d *Display) WaitChange(before image.Image) image.Image {
	d.t.Helper()
	return d.settle("the screen to change", func(img image.Image) bool { return !same(img, before) })
}

// settle waits for a picture that is wanted and stays.
func (d *Display) settle(what string, wanted func(image.Image) bool) image.Image {
	d.t.Helper()
	var last image.Image
	var since time.Time // when last was first seen
	d.waitFor(what, func() bool {
		img, err := d.grab()
		if err != nil {
			d.t.Fatal(err)
		}
		if last == nil || !same(img, last) {
			last, since = img, time.Now()
			return false
		}
		return time.Since(since) >= stillness && wanted(last)
	})
	return last
}

// grab takes a picture of the whole screen.
func (d *Display) grab() (image.Image, error) {
	out, err := d.command("import", "-window", "root", "-depth", "8", "png:-").Output()
	if err != nil {
		return nil, fmt.Errorf("taking a picture of the screen: %w", err)
	}
	img, err := png.Decode(bytes.NewReader(out))
	if err != nil {
		return nil, fmt.Errorf("reading a picture of the screen: %w", err)
	}
	return img, nil
}

// keep writes img among the test's pictures and returns the file's name.
func (d *Display) keep(name string, img image.Image) string {
	d.t.Helper()
	d.taken++
	path := filepath.Join(d.shots, fmt.Sprintf("%02d-%s.png", d.taken, name))
	f, err := os.Create(path)
	if err != nil {
		d.t.Fatal(err)
	}
	defer f.Close()
	if err := png.Encode(f, img); err != nil {
		d.t.Fatal(err)
	}
	return path
}

// same reports whether two pictures of the screen are equal.
func same(a, b image.Image) bool {
	if a.Bounds() != b.Bounds() {
		return false
	}
	switch a := a.(type) {
	case *image.RGBA:
		if b, ok := b.(*image.RGBA); ok {
			return bytes.Equal(a.Pix, b.Pix)
		}
	case *image.NRGBA:
		if b, ok := b.(*image.NRGBA); ok {
			return bytes.Equal(a.Pix, b.Pix)
		}
	}
	for y := a.Bounds().Min.Y; y < a.Bounds().Max.Y; y++ {
		for x := a.Bounds().Min.X; x < a.Bounds().Max.X; x++ {
			if a.At(x, y) != b.At(x, y) {
				return false
			}
		}
	}
	return true
}
