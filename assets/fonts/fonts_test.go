package fonts

import (
	"bytes"
	"testing"

	"github.com/go-text/typesetting/di"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/language"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/math/fixed"
)

func TestFontsHoldTheGlyphsTheyAreThereFor(t *testing.T) {
	for _, c := range []struct {
		name          string
		file          []byte
		has, hasNever string
	}{
		{"Fallback", Fallback, " 陈致逸䶮㐂请确认你的巴塞罗那行程信息。日本語カタカナ한국어，！（）：" +
			"नमस्ते दुनिया क्ष مرحبا بالعالم פקס שלום สวัสดีครับ வணக்கம்", "aZ09“”…·"},
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

// TestScriptsAreShaped: the letters of these scripts join, and the rules for that
// are in the font too. A word that is shaped has other glyphs than its letters
// one by one.
func TestScriptsAreShaped(t *testing.T) {
	face, err := font.ParseTTF(bytes.NewReader(Fallback))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		word   string
		script language.Script
		dir    di.Direction
	}{
		{"क्षेत्र", language.Devanagari, di.DirectionLTR},
		{"مرحبا", language.Arabic, di.DirectionRTL},
		{"ที่นี่", language.Thai, di.DirectionLTR},
		{"கொ", language.Tamil, di.DirectionLTR},
	} {
		text := []rune(c.word)
		shaped := new(shaping.HarfbuzzShaper).Shape(shaping.Input{Text: text, RunEnd: len(text), Face: face,
			Script: c.script, Direction: c.dir, Size: fixed.I(20), Language: language.NewLanguage("en")})
		changed := len(shaped.Glyphs) != len(text)
		for _, g := range shaped.Glyphs {
			if g.GlyphID == 0 {
				t.Errorf("%s has a glyph that is missing", c.word)
			}
			plain, _ := face.NominalGlyph(text[g.TextIndex()])
			changed = changed || g.GlyphID != plain || g.YOffset != 0
		}
		if !changed {
			t.Errorf("%s is drawn letter by letter", c.word)
		}
	}
}
