package kit

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"parley/assets/fonts"
)

// Mode says whether the app is light or dark.
type Mode int

// The modes. System follows the desktop.
const (
	System Mode = iota
	Light
	Dark
)

// Colours of the kit beside Fyne's own names.
const (
	// ColorMuted is the colour of hints and of everything second in rank.
	ColorMuted fyne.ThemeColorName = "parleyMuted"
	// ColorCard is the fill of cards, fields and plain buttons.
	ColorCard fyne.ThemeColorName = "parleyCard"
	// ColorLine is the colour of borders.
	ColorLine fyne.ThemeColorName = "parleyLine"
	// ColorFieldLine is the colour of the border of a field, which must be found
	// while it is empty.
	ColorFieldLine = theme.ColorNameInputBorder
	// ColorArea is the fill of the area that holds a server's text.
	ColorArea fyne.ThemeColorName = "parleyArea"
	// ColorSidebar is the fill of the sidebar.
	ColorSidebar fyne.ThemeColorName = "parleySidebar"
	// ColorAccent is the colour of what acts: main buttons, links, selection.
	ColorAccent = theme.ColorNamePrimary
	// ColorOnAccent is the colour of text on ColorAccent.
	ColorOnAccent = theme.ColorNameForegroundOnPrimary
	// ColorAccentSoft is the fill of a main button that cannot be used yet.
	ColorAccentSoft fyne.ThemeColorName = "parleyAccentSoft"
	// ColorDanger is the colour of errors and of warnings of the highest level.
	ColorDanger = theme.ColorNameError
	// ColorOnDanger is the colour of text on ColorDanger.
	ColorOnDanger = theme.ColorNameForegroundOnError
	// ColorDangerFill is the fill behind such a warning.
	ColorDangerFill fyne.ThemeColorName = "parleyDangerFill"
	// ColorCaution is the colour of warnings of the middle level.
	ColorCaution = theme.ColorNameWarning
	// ColorCautionFill is the fill behind such a warning.
	ColorCautionFill fyne.ThemeColorName = "parleyCautionFill"
	// ColorOK is the colour of what is connected and well.
	ColorOK = theme.ColorNameSuccess
	// ColorSiteFill is the fill behind the site in a URL.
	ColorSiteFill fyne.ThemeColorName = "parleySiteFill"
	// ColorHighlight is the fill of the row the keyboard or the pointer is at.
	ColorHighlight fyne.ThemeColorName = "parleyHighlight"
)

// Text sizes, in Fyne's units at scale 1.
const (
	// SizeTag is the size of small print: tags and key names (11).
	SizeTag fyne.ThemeSizeName = "parleyTag"
	// SizeHint is the size of hints and errors (13).
	SizeHint = theme.SizeNameCaptionText
	// SizeBody is the size of ordinary text (15).
	SizeBody = theme.SizeNameText
	// SizeMessage is the size of a server's message (17).
	SizeMessage = theme.SizeNameSubHeadingText
	// SizeTitle is the size of names and page titles (19).
	SizeTitle fyne.ThemeSizeName = "parleyTitle"
	// SizeHeading is the size of the largest headings (22).
	SizeHeading = theme.SizeNameHeadingText
)

// kitTheme is Fyne's theme with Parley's colours, sizes and fonts.
type kitTheme struct {
	fyne.Theme
	mode  Mode
	scale float32
}

// NewTheme returns Parley's theme. scale multiplies the text sizes and what
// must grow with them, 1 being the design's size and 0 meaning 1.
func NewTheme(mode Mode, scale float32) fyne.Theme {
	if scale <= 0 {
		scale = 1
	}
	return &kitTheme{Theme: theme.DefaultTheme(), mode: mode, scale: scale}
}

// palette is one colour in both variants.
type palette struct{ light, dark color.NRGBA }

func hex(rgb uint32) color.NRGBA {
	return color.NRGBA{R: uint8(rgb >> 16), G: uint8(rgb >> 8), B: uint8(rgb), A: 0xff}
}

func alpha(rgb uint32, a uint8) color.NRGBA {
	c := hex(rgb)
	c.A = a
	return c
}

var colours = map[fyne.ThemeColorName]palette{
	theme.ColorNameBackground:          {hex(0xf6f7f9), hex(0x15181d)},
	theme.ColorNameForeground:          {hex(0x1b1f24), hex(0xeef1f5)},
	theme.ColorNamePlaceHolder:         {hex(0x5a6472), hex(0xa4afbd)},
	theme.ColorNameDisabled:            {hex(0x8a94a2), hex(0x6c7684)},
	theme.ColorNameButton:              {hex(0xffffff), hex(0x20252d)},
	theme.ColorNameDisabledButton:      {hex(0xeef0f4), hex(0x1b1f26)},
	theme.ColorNameInputBackground:     {hex(0xffffff), hex(0x20252d)},
	theme.ColorNameInputBorder:         {hex(0xb9c2ce), hex(0x505b6b)},
	theme.ColorNameSeparator:           {hex(0xd5dbe3), hex(0x363d48)},
	theme.ColorNameOverlayBackground:   {hex(0xffffff), hex(0x20252d)},
	theme.ColorNameMenuBackground:      {hex(0xffffff), hex(0x20252d)},
	theme.ColorNameHeaderBackground:    {hex(0xeceff3), hex(0x1b1f26)},
	theme.ColorNamePrimary:             {hex(0x1f5fbf), hex(0x7fb0ff)},
	theme.ColorNameForegroundOnPrimary: {hex(0xffffff), hex(0x0c1a30)},
	theme.ColorNameHyperlink:           {hex(0x1f5fbf), hex(0x7fb0ff)},
	theme.ColorNameFocus:               {alpha(0x1f5fbf, 0x2a), alpha(0x7fb0ff, 0x2a)},
	theme.ColorNameSelection:           {alpha(0x1f5fbf, 0x40), alpha(0x7fb0ff, 0x50)},
	theme.ColorNameHover:               {alpha(0x1b1f24, 0x0d), alpha(0xffffff, 0x10)},
	theme.ColorNamePressed:             {alpha(0x1b1f24, 0x1a), alpha(0xffffff, 0x20)},
	theme.ColorNameError:               {hex(0xb3261e), hex(0xff9d95)},
	theme.ColorNameForegroundOnError:   {hex(0xffffff), hex(0x3a0d09)},
	theme.ColorNameWarning:             {hex(0x7a5200), hex(0xf2c14e)},
	theme.ColorNameForegroundOnWarning: {hex(0xffffff), hex(0x2e2205)},
	theme.ColorNameSuccess:             {hex(0x16753c), hex(0x6fd393)},
	theme.ColorNameForegroundOnSuccess: {hex(0xffffff), hex(0x0b2415)},
	theme.ColorNameScrollBar:           {alpha(0x5a6472, 0x80), alpha(0xa4afbd, 0x80)},
	theme.ColorNameShadow:              {alpha(0x1b1f24, 0x18), alpha(0x000000, 0x60)},
	ColorMuted:                         {hex(0x5a6472), hex(0xa4afbd)},
	ColorCard:                          {hex(0xffffff), hex(0x20252d)},
	ColorLine:                          {hex(0xd5dbe3), hex(0x363d48)},
	ColorArea:                          {hex(0xf2f4f8), hex(0x1a1f27)},
	ColorSidebar:                       {hex(0xeceff3), hex(0x1b1f26)},
	ColorAccentSoft:                    {hex(0x94b2de), hex(0x4a6288)},
	ColorDangerFill:                    {hex(0xfdeceb), hex(0x3a2123)},
	ColorCautionFill:                   {hex(0xfdf3dc), hex(0x352d1c)},
	ColorSiteFill:                      {hex(0xdbe5f5), hex(0x2e3b4e)},
	ColorHighlight:                     {hex(0xe6edf8), hex(0x2b3442)},
}

// Color returns the colour of a name; System takes the desktop's variant.
func (t *kitTheme) Color(name fyne.ThemeColorName, variant fyne.ThemeVariant) color.Color {
	switch t.mode {
	case Light:
		variant = theme.VariantLight
	case Dark:
		variant = theme.VariantDark
	}
	c, ok := colours[name]
	if !ok {
		return t.Theme.Color(name, variant)
	}
	if variant == theme.VariantLight {
		return c.light
	}
	return c.dark
}

// sizes are Fyne's units at scale 1; those of text grow with the scale.
var sizes = map[fyne.ThemeSizeName]struct {
	value float32
	grows bool
}{
	SizeTag:                          {11, true},
	SizeHint:                         {13, true},
	SizeBody:                         {15, true},
	SizeMessage:                      {17, true},
	SizeTitle:                        {19, true},
	SizeHeading:                      {22, true},
	theme.SizeNameInlineIcon:         {18, true},
	theme.SizeNameInnerPadding:       {9, false},
	theme.SizeNamePadding:            {4, false},
	theme.SizeNameLineSpacing:        {4, false},
	theme.SizeNameInputBorder:        {1, false},
	theme.SizeNameInputRadius:        {radiusField, false},
	theme.SizeNameButtonRadius:       {radiusButton, false},
	theme.SizeNameSelectionRadius:    {radiusField, false},
	theme.SizeNamePopupRadius:        {radiusButton, false},
	theme.SizeNameScrollBar:          {10, false},
	theme.SizeNameScrollBarSmall:     {4, false},
	theme.SizeNameScrollBarRadius:    {4, false},
	theme.SizeNameSeparatorThickness: {1, false},
}

// Corner radii.
const (
	radiusField  = 6
	radiusButton = 8
	radiusCard   = 10
)

// Size returns the size of a name.
func (t *kitTheme) Size(name fyne.ThemeSizeName) float32 {
	s, ok := sizes[name]
	if !ok {
		return t.Theme.Size(name)
	}
	if s.grows {
		return s.value * t.scale
	}
	return s.value
}

var (
	fontFallback = fyne.NewStaticResource("Fallback.ttf", fonts.Fallback)
	fontMonoBold = fyne.NewStaticResource("DejaVuSansMono-Bold.ttf", fonts.MonoBold)
)

// Font returns the face Fyne asks first; what it lacks comes from the face
// Fyne brings for the style. The fallback has nothing of Latin, so Latin stays
// with NotoSans, and with DejaVu Sans Mono in fixed width. Bold fixed width is
// the one style Fyne has no face for.
//
// Fyne asks only when it has no face of the style, or none any more, and is about
// to read the file: the moment to forget those it read before.
func (t *kitTheme) Font(style fyne.TextStyle) fyne.Resource {
	forgetFonts()
	switch {
	case style.Symbol:
		return t.Theme.Font(style)
	case style.Monospace && style.Bold:
		return fontMonoBold
	}
	return fontFallback
}

// scaleOf is the factor of the current theme's body text over the design's, by
// which fixed measures that hold text must grow.
func scaleOf(th fyne.Theme) float32 { return th.Size(SizeBody) / sizes[SizeBody].value }

// variant is the desktop's light or dark.
func variant() fyne.ThemeVariant { return fyne.CurrentApp().Settings().ThemeVariant() }

const (
	foreground    = theme.ColorNameForeground
	disabledColor = theme.ColorNameDisabled
)
