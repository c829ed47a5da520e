package fonts

import (
	"bytes"
	"testing"

	"github.com/go-text/typesetting/font"
)

func TestFontsHoldTheGlyphsTheyAreThereFor(t *testing.T) {
	for _, c := range []struct {
		name          string
		file          []byte
		has, hasNever string
	}{
		{"CJK", CJK, " 陈致逸䶮㐂请确认你的巴塞罗那行程信息。日本語カタカナ한국어，！（）：", "aZ09“”…·"},
		{"MonoBold", MonoBold, " abcXYZ019.-:/[]%", ""},
	} {
		face, err := font.ParseTTF(bytes.NewReader(c.file))
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		for _, r := range c.has {
			if _, ok := face.NominalGlyph(r); !ok {
				t.Errorf("%s has no glyph for %q", c.name, r)
			}
		}
		for _, r := range c.hasNever {
			if _, ok := face.NominalGlyph(r); ok {
				t.Errorf("%s has a glyph for %q, which must come from the Latin font", c.name, r)
			}
		}
	}
}
