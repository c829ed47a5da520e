package kit

import (
	"image/color"
	"math"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
)

// contrast is the contrast ratio of two opaque colours, WCAG 2.2.
func contrast(a, b color.Color) float64 {
	la, lb := luminance(a), luminance(b)
	return (math.Max(la, lb) + .05) / (math.Min(la, lb) + .05)
}

func luminance(c color.Color) float64 {
	r, g, b, _ := c.RGBA()
	lin := func(v uint32) float64 {
		x := float64(v) / 0xffff
		if x <= .04045 {
			return x / 12.92
		}
		return math.Pow((x+.055)/1.055, 2.4)
	}
	return .2126*lin(r) + .7152*lin(g) + .0722*lin(b)
}

func TestTextIsReadableOnEveryFillItIsUsedOn(t *testing.T) {
	for _, c := range []struct {
		text  fyne.ThemeColorName
		fills []fyne.ThemeColorName
	}{
		{foreground, []fyne.ThemeColorName{theme.ColorNameBackground, ColorCard, ColorArea, ColorSidebar, ColorSiteFill, ColorHighlight, theme.ColorNameInputBackground}},
		{ColorMuted, []fyne.ThemeColorName{theme.ColorNameBackground, ColorCard, ColorArea, ColorSidebar, ColorHighlight}},
		{theme.ColorNamePlaceHolder, []fyne.ThemeColorName{theme.ColorNameInputBackground}},
		{ColorAccent, []fyne.ThemeColorName{theme.ColorNameBackground, ColorCard, ColorArea, ColorSidebar, ColorHighlight}},
		{ColorOnAccent, []fyne.ThemeColorName{ColorAccent}},
		{ColorDanger, []fyne.ThemeColorName{ColorDangerFill, ColorArea, ColorCard, theme.ColorNameBackground}},
		{ColorOnDanger, []fyne.ThemeColorName{ColorDanger}},
		{ColorCaution, []fyne.ThemeColorName{ColorCautionFill, ColorCard}},
		{ColorOK, []fyne.ThemeColorName{ColorSidebar}},
	} {
		for _, mode := range []Mode{Light, Dark} {
			th := NewTheme(mode, 1)
			for _, fill := range c.fills {
				got := contrast(th.Color(c.text, 0), th.Color(fill, 0))
				if got < 4.5 {
					t.Errorf("mode %d: %s on %s has a contrast of %.2f, want 4.5", mode, c.text, fill, got)
				}
			}
		}
	}
}

func TestSystemModeFollowsTheDesktop(t *testing.T) {
	system, light, dark := NewTheme(System, 1), NewTheme(Light, 1), NewTheme(Dark, 1)
	for _, name := range []fyne.ThemeColorName{theme.ColorNameBackground, ColorMuted} {
		expect(t, "light "+string(name), system.Color(name, theme.VariantLight), light.Color(name, theme.VariantDark))
		expect(t, "dark "+string(name), system.Color(name, theme.VariantDark), dark.Color(name, theme.VariantLight))
	}
}

func TestScaleEnlargesText(t *testing.T) {
	plain, large := NewTheme(Light, 0), NewTheme(Light, 2)
	expect(t, "body at scale 0, which means 1", plain.Size(SizeBody), 15)
	expect(t, "body at scale 2", large.Size(SizeBody), 30)
	expect(t, "padding at scale 2", large.Size(theme.SizeNamePadding), plain.Size(theme.SizeNamePadding))
}

func TestThemeHasEveryNameOfFyne(t *testing.T) {
	th := NewTheme(Dark, 1)
	for _, name := range []fyne.ThemeSizeName{theme.SizeNameText, theme.SizeNameSeparatorThickness, theme.SizeNameWindowTitleBarHeight, theme.SizeNameDialogRadius} {
		if th.Size(name) <= 0 {
			t.Errorf("size %s is %v", name, th.Size(name))
		}
	}
	if th.Icon(theme.IconNameCancel) == nil {
		t.Error("Fyne's icons are gone")
	}
}
