package forms

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Some texts ask for a secret without a word that names one: by what is to be
// done ("enter the code we texted you", "paste your token"), by a name that
// means a credential only where it stands alone ("auth", "cookie"), or by a
// spelling that people read and word lists do not ("p4ssword", "P A S S W O R D",
// a Cyrillic letter among Latin ones).

// wholeSecrets are credentials where they are all that a text names.
var wholeSecrets = wordSet(`auth authorization authorisation cookie cookies 2fa mfa pat tan clave claves mnemonic kreditkarte creditcard`)

// fillers say nothing of what is asked for.
var fillers = wordSet(`your my the a an our this please enter paste type provide insert here value header string required
	ihr ihre ihren deine dein die der den das bitte su tu sus tus la el los las votre le les un une`)

// namesOnlySecret reports whether a text names one of wholeSecrets and nothing
// else.
func namesOnlySecret(words []string) bool {
	named := ""
	for _, w := range words {
		switch {
		case fillers[w]:
		case named != "":
			return false
		default:
			named = w
		}
	}
	return wholeSecrets[named]
}

// capitals are credentials as abbreviations; in small letters they are words.
var capitals = regexp.MustCompile(`(^|[^\p{L}])(PAT|TAN|PW)($|[^\p{L}])`)

// abbreviatesSecret reports whether a text that is not all in capitals has one
// of them.
func abbreviatesSecret(text string) bool {
	text = text[:min(len(text), mostRead)]
	return strings.ContainsFunc(text, unicode.IsLower) && capitals.MatchString(text)
}

// The words of codes that reach a person by another way, which is what makes
// them one-time codes.
var (
	codeWords  = wordSet(`code codes codigo codigos`)
	plainCodes = wordSet(`country area zip postal post dress source dial dialing dialling promo promotion discount coupon voucher tracking
		order error status exit qr bar gift referral product colour color currency language booking airport sort postleitzahl`)
	wayWords   = wordSet(`sms texted authenticator emailed`)
	wayPhrases = phrases(`
		text message|messages
		sent you
		sent|send to your
		send|mailed you
		e mailed
		from your phone|authenticator
		on your phone|authenticator
		we sent
	`)
)

// asksForCode reports whether a text asks for a code that was sent to the
// person.
func asksForCode(words []string) bool {
	for i, w := range words {
		if !codeWords[w] || i > 0 && plainCodes[words[i-1]] || harmlessAt(words, i) {
			continue
		}
		for j, way := range words {
			if wayWords[way] || slices.ContainsFunc(wayPhrases[way], func(p phrase) bool { return p.at(words[j:]) }) {
				return true
			}
		}
	}
	return false
}

// tokenVerbs are what is done with a token that is a credential.
var tokenVerbs = wordSet(`paste enter insert provide supply submit copy`)

// asksForToken reports whether a sentence asks for a token, where one that
// only mentions it may speak of anything.
func asksForToken(text string) bool {
	if !loneToken(text) {
		return false
	}
	words := splitWords(text)
	for i, w := range words {
		if w != "token" {
			continue
		}
		if slices.ContainsFunc(words[max(0, i-5):i], func(before string) bool { return tokenVerbs[before] || before == "your" }) {
			return true
		}
		after := strings.Join(words[i+1:min(len(words), i+6)], " ")
		for _, way := range []string{"we sent", "we e mailed", "we emailed", "from the e mail", "from the email", "from your e mail", "from your email", "from your account", "from your settings"} {
			if strings.HasPrefix(after, way) {
				return true
			}
		}
	}
	return false
}

// postalWords make a "pin code" the number of a place, as it is called in
// India.
var postalWords = wordSet(`city town village district locality postal zip`)

// isPostal reports whether the words from i on are the pin code of a place.
func isPostal(words []string, i int) bool {
	if words[i] != "pincode" && words[i] != "pincodes" &&
		!(words[i] == "pin" && i+1 < len(words) && (words[i+1] == "code" || words[i+1] == "codes")) {
		return false
	}
	for j, w := range words {
		if postalWords[w] || w == "area" && j > 0 && (words[j-1] == "your" || words[j-1] == "the") {
			return true
		}
	}
	return false
}

// lookalikes are Cyrillic and Greek letters that are drawn as Latin ones.
var lookalikes = strings.NewReplacer(
	"а", "a", "с", "c", "ԁ", "d", "е", "e", "һ", "h", "і", "i", "ј", "j", "к", "k", "ո", "n", "о", "o", "р", "p", "ѕ", "s", "т", "t", "у", "y", "х", "x", "ԝ", "w",
	"ο", "o", "ρ", "p", "α", "a", "ν", "v", "ι", "i", "κ", "k", "τ", "t", "υ", "u", "χ", "x", "ε", "e",
)

// digitsAsLetters are digits and signs that are read as the letters they look
// like.
var digitsAsLetters = strings.NewReplacer("0", "o", "1", "i", "3", "e", "4", "a", "5", "s", "7", "t", "8", "b", "$", "s", "@", "a", "!", "i")

// hidesSecret reports whether a text holds a secret word in a spelling that is
// made to be read and not to be found.
func hidesSecret(text string) bool {
	text = strings.ToLower(norm.NFKC.String(text[:min(len(text), mostRead)]))
	for _, w := range strings.Fields(text) {
		w = strings.Trim(w, ".,:;?!()[]\"'*_-")
		if mixesScripts(w) && isHidden(lookalikes.Replace(w)) {
			return true
		}
		if plain := digitsAsLetters.Replace(w); plain != w && isHidden(plain) {
			return true
		}
	}
	return slices.ContainsFunc(spelled(splitWords(text)), isSecretWord)
}

// isHidden reports whether a word is a secret that is long enough to be no
// other word by chance.
func isHidden(w string) bool {
	const least = 5
	return len(w) >= least && !strings.ContainsFunc(w, func(r rune) bool { return !unicode.IsLetter(r) }) &&
		(isSecretWord(w) || w == "token" || w == "tokens")
}

// mixesScripts reports whether a word has Latin letters among Cyrillic, Greek
// or Armenian ones.
func mixesScripts(w string) bool {
	latin, other := false, false
	for _, r := range w {
		latin = latin || unicode.Is(unicode.Latin, r)
		other = other || unicode.In(r, unicode.Cyrillic, unicode.Greek, unicode.Armenian)
	}
	return latin && other
}

// spelled are the words that stand there letter by letter.
func spelled(words []string) (joined []string) {
	const least = 3
	run := ""
	for _, w := range append(words[:len(words):len(words)], "--") {
		if len(w) == 1 {
			run += w
			continue
		}
		if len(run) >= least {
			joined = append(joined, run)
		}
		run = ""
	}
	return joined
}
