package consent

import "unicode"

// scriptSet is a set of scripts, a bit each.
type scriptSet uint64

// Scripts that the rules name.
const (
	latin scriptSet = 1 << iota
	greek
	cyrillic
	armenian
	georgian
	han
	hiragana
	katakana
	bopomofo
	hangul
	hebrew
	arabic
	thai
	ethiopic
	myanmar
	bengali
	devanagari
	gujarati
	gurmukhi
	kannada
	malayalam
	oriya
	tamil
	telugu
	khmer
	lao
	sinhala
	thaana
	tibetan
	// rare is every script that UAX #31 does not recommend for identifiers.
	rare
)

// scriptTables are the recommended scripts of UAX #31, table 5, the most frequent
// first.
var scriptTables = []struct {
	bit   scriptSet
	table *unicode.RangeTable
}{
	{latin, unicode.Latin}, {cyrillic, unicode.Cyrillic}, {han, unicode.Han}, {greek, unicode.Greek},
	{arabic, unicode.Arabic}, {hiragana, unicode.Hiragana}, {katakana, unicode.Katakana}, {hangul, unicode.Hangul},
	{hebrew, unicode.Hebrew}, {devanagari, unicode.Devanagari}, {thai, unicode.Thai}, {georgian, unicode.Georgian},
	{armenian, unicode.Armenian}, {bopomofo, unicode.Bopomofo}, {ethiopic, unicode.Ethiopic},
	{myanmar, unicode.Myanmar}, {bengali, unicode.Bengali}, {gujarati, unicode.Gujarati},
	{gurmukhi, unicode.Gurmukhi}, {kannada, unicode.Kannada}, {malayalam, unicode.Malayalam},
	{oriya, unicode.Oriya}, {tamil, unicode.Tamil}, {telugu, unicode.Telugu}, {khmer, unicode.Khmer},
	{lao, unicode.Lao}, {sinhala, unicode.Sinhala}, {thaana, unicode.Thaana}, {tibetan, unicode.Tibetan},
}

// scriptOf is the script of r, 0 for characters that several scripts share.
func scriptOf(r rune) scriptSet {
	if r < 0x80 {
		if isLetter(byte(r)) {
			return latin
		}
		return 0
	}
	if unicode.In(r, unicode.Common, unicode.Inherited) {
		return 0
	}
	for _, s := range scriptTables {
		if unicode.Is(s.table, r) {
			return s.bit
		}
	}
	return rare
}

// within reports whether s has no script outside of other.
func (s scriptSet) within(other scriptSet) bool { return s&^other == 0 }

// single reports whether s is at most one script.
func (s scriptSet) single() bool { return s&(s-1) == 0 }

// highlyRestrictive reports whether s is one script, or Latin with one of the
// East Asian writing systems (UTS #39, section 5.2).
func (s scriptSet) highlyRestrictive() bool {
	return s.single() || s.within(latin|han|hiragana|katakana) || s.within(latin|han|bopomofo) ||
		s.within(latin|han|hangul)
}

// european are the scripts with letters that look like Latin ones.
const european = greek | cyrillic | armenian | georgian

// eastAsian are the scripts beside which Latin is ordinary.
const eastAsian = han | hiragana | katakana | bopomofo | hangul

// twins are the letters of a script that look like Latin ones, and the ASCII
// top-level names under which words of that script are ordinary.
type twins struct {
	script  scriptSet
	letters string
	tlds    []string
}

// twinScripts covers what Chromium calls whole-script confusables.
//
// Cyrillic has a second group, weakTwins, whose resemblance depends on the font;
// plain Russian words consist of both groups (курс, хорошо), so a weak letter
// counts only in the company of one that Russian does not have.
var twinScripts = []twins{
	{cyrillic, "аысԁеԍһіюјӏорԗԛѕԝхуъьҽпгѵѡԃүӕꙇ", []string{"bg", "by", "kg", "kz", "mk", "mn", "rs", "ru", "su", "tj", "ua", "uz"}},
	{greek, "αικνρυωηοτγσϳϸ", []string{"gr", "cy"}},
	{armenian, "ագզէլհյոսւօռնցքսբ", []string{"am"}},
	{georgian, "იოყძხჽჿ", []string{"ge"}},
	{hebrew, "דוחיןסװײטו", []string{"il"}},
	{ethiopic, "ሀሠሰስበነተከዐዕዘጠፐꬅ", []string{"er", "et"}},
	{myanmar, "ခဂငထပဝ၀၂ၔၜ႐႑႕႖႗ၚ", []string{"mm"}},
	{thai, "บพเแ๐", []string{"th"}},
	{bengali, "০৭৪", nil},
	{devanagari, "ऽ०ॱ३", nil},
	{gujarati, "ડટ૦૧૩", nil},
	{gurmukhi, "੦੧੪", nil},
	{kannada, "ಽ೦೧ಂ", nil},
	{malayalam, "ടഠധനറ൦൭ം", nil},
	{oriya, "ଠ୦୮ଃ୨", nil},
	{tamil, "டப௦", nil},
	{telugu, "౦౧ం", nil},
	{lao, "໐", []string{"la"}},
	{khmer, "០", []string{"kh"}},
	{sinhala, "ං", []string{"lk"}},
}

const (
	weakTwins = "кшбзвмнт"
	// notRussian are Cyrillic twins outside the Russian alphabet.
	notRussian = "ԁԍһіјӏԗԛѕԝҽѵѡԃүӕꙇ"
)

// digitTwins look like digits; a label of nothing but digits and these is fake
// digits. Kept beside extraFolds, which maps them.
const digitTwins = "θ२২੨੨૨೩೭շзҙӡउওਤ੩૩౩ဒვპკੜ੫丩ㄐճ৪੪୫૭୨౨"

// fakePunctuation reads as a part of a URL's structure, or as a mark that no
// name has: slashes, dots, colons, question and exclamation marks, hyphens.
var fakePunctuation = set("ǀǁǂǃː˸·ּ֊։׀׃״‐‑‒–—―‖‧•․‹›⁄⁎⁒∕∖∙∶⋅⍀⎮╱╲⧵⧶⧷⧸⧹⫶⫻⫽" +
	"⸱。〳〵゠ꓸꓹꓺꓻꓼꓽ꞉ꞏꞌ፡።፣፤፥፦ᐧ᛫।॥৷؉؊۔܁܂܃܄܅܆܇܈܉‚ˑ˙ʹˈ" + "\u0335\u0336\u0337\u0338\u05B4")

// slashKana and dashHan read as / and - or as Latin letters where no East Asian
// letter is beside them.
var (
	slashKana = set("ノソゾン丶乀乁丿")
	dashHan   = set("一ㄧ丨乛七丅十〇ㄒㄚㄟㄨㄩㄈㆺㆳ工ㆲ讠丁")
)

func set(s string) map[rune]bool {
	m := map[rune]bool{}
	for _, r := range s {
		m[r] = true
	}
	return m
}
