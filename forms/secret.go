package forms

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Servers must not ask for secrets in a form (rule S1), and a client warns
// when one does (rule C27). looksSecret decides by words: it splits names and
// texts into words ("apiKey", "API_KEY", "api key" are the same two) and looks
// for words and phrases that stand for a credential, in English, Chinese,
// Japanese, German, French and Spanish. It is made to catch what
// an honest or careless server calls a secret, not to outwit one that lies.
//
// A single word such as "key" or "code" says nothing by itself ("keyboard",
// "postal code"); such words count only beside another. What a description
// tells people to keep out of the field does not count (denial.go); all else it
// mentions does: a warning too many is cheaper than a password sent.

// secretWords give a secret away by themselves, in a name, title or text.
var secretWords = wordSet(`
	password passwords passwd pwd passphrase passphrases passcode passcodes pincode pincodes pin
	secret secrets credential credentials apikey apikeys apitoken accesstoken accesskey authtoken
	secretkey privatekey privkey clientsecret sshkey
	cvv cvc cvv2 cvc2 otp totp mfacode 2facode bearer jwt
	cardnumber creditcard ccnumber cardno ccnum
	passwort passworter kennwort kennworter einmalpasswort einmalkennwort einmalcode zugangscode zugangstoken
	sicherheitscode bestatigungscode verifizierungscode kartennummer kreditkartennummer wiederherstellungscode
	kartenprufnummer kartenprufziffer zugriffstoken zugangsdaten anmeldeinformationen sicherheitsantwort
	netzwerkschlussel sicherheitsschlussel wiederherstellungsschlussel zugriffsschlussel zugangsschlussel
	verschlusselungsschlussel entschlusselungsschlussel lizenzschlussel aktivierungsschlussel geheimschlussel
	privatschlussel sitzungsschlussel signaturschlussel wlanschlussel
	smstan mtan pushtan chiptan phototan zweifaktorcode authentifizierungscode mpin mdp
	motdepasse cryptogramme contrasena contrasenas credenciales ssn passkey
	sessionid connectionstring connstring userpw dbpw rootpw adminpw geheimzahl prufziffer
`)

// secretEndings make a secret of any word that ends with one of them: languages
// and programmers write what it is for in front, "netzwerkpasswort" and
// "dbpassword".
var secretEndings = []string{
	"password", "passwd", "passphrase", "passcode", "passwort", "kennwort", "apikey", "secretkey", "privatekey", "accesskey", "accesstoken",
	"authtoken", "clientsecret", "contrasena",
}

// secretFormats are words that give a secret away as a "format" only: a format
// says what the text is, where a name may say what it is about.
var secretFormats = wordSet(`token tokens auth authorization card mnemonic 2fa mfa hotp csc cc pan`)

// secretPhrases are words in a row, each a word or alternatives separated by |.
var secretPhrases = phrases(`
	api|access|secret|private|encryption|signing|ssh|gpg|pgp|license|activation|recovery|master|deploy|service|account key|keys
	decryption|symmetric|shared|session|hmac|aes|rsa|wpa|wpa2|wep|wifi key|keys
	session cookie|cookies|id|ids
	connection|conn string|strings
	user|db|database|root|admin|login pw
	credit card
	tarjeta de credito|debito
	carte de credit
	carte bancaire
	clave de usuario|cuenta
	auth|authorization header|headers
	id rsa|dsa|ecdsa|ed25519
	gh|github|gitlab|azure|devops pat
	pass word|words|phrase|phrases|code|codes
	db|database|smtp|imap|ftp|ssh|sql|mysql|postgres|redis|user|login|root|admin|wifi|proxy pass
	api|access|auth|authentication|authorization|bearer|refresh|session|id|security|oauth|github|gitlab|slack|bot|personal|login|csrf|jwt|hardware|push token|tokens
	one time|use code|codes|password|passcode|pin
	verification|authentication|authenticator|security|confirmation|reset|2fa|mfa|otp|sms|login|auth|access|backup|recovery|unlock code|codes
	two factor code|codes
	card|creditcard|debitcard|cc number|no|nr
	card|cc csc|pan
	credit|debit|payment|bank card
	card verification value
	authenticator app
	wallet|master seed|seeds
	security|secret question|answer
	recovery|seed|mnemonic|secret phrase|phrases|words
	seed phrase
	social security number
	pin code|codes|number
	private|signing certificate
	api|geheimer|geheimen|privater|privaten|privat|wlan|netzwerk schlussel|schluessel
	kreditkarten|karten nummer
	prufziffer der karte
	faktor|zugangs|zugriffs|sicherheits|bestatigungs|verifizierungs code
	schlussel privat
	prufnummer der kreditkarte|karte
	tan nummer|code|liste
	sms tan
	geheime|geheimen antwort
	mot|mots|phrase de passe
	cle|cles api|secrete|secretes|privee|privees|wifi|wpa
	cle|cles d|de api|acces|securite|chiffrement
	jeton d acces|authentification
	jeton api
	jeton de|secret acces|session|securite|api
	phrase|reponse secrete
	reponse de securite
	code confidentiel
	code d acces|authentification|activation
	code a usage unique
	code recu par sms
	identifiants de connexion
	code de verification|securite|confirmation|acces|secours
	code secret|pin
	numero de carte|tarjeta
	numero de la carte|tarjeta
	phrase de recuperation
	clave|claves secreta|secretas|privada|privadas|api
	clave de acceso|api
	codigo de verificacion|seguridad|acceso|confirmacion|recuperacion|autenticacion|activacion
	nip de
	clave del wifi
	codigo secreto|pin
	codigo de un solo uso
	codigo recibido|enviado por sms
	palabra de paso
	respuesta|frase secreta
	respuesta de seguridad
	clave de cifrado|firma|seguridad
	clave wifi
	token de acceso|acces
	frase de recuperacion
	frase semilla
`)

// tokenWords make a lone "token" or "tokens" something else than a credential:
// a unit of text, of money, of a grammar.
var tokenWords = wordSet(`
	max min maximum minimum limit count total number budget per output input completion prompt context
	window size length cost usage used remaining stop reserved estimated nft symbol supply amount price
	cryptocurrency erc20 type kind address contract id ids nfts bucket
`)

// secretCJK are credentials as Chinese and Japanese texts name them. Neither
// has spaces, so they are looked for anywhere.
var secretCJK = []string{
	"密码", "口令", "密钥", "密鑰", "密碼", "金钥", "金鑰", "私钥", "私鑰", "秘钥", "令牌", "凭证", "憑證", "凭据",
	"验证码", "驗證碼", "校验码", "动态码", "一次性代码", "安全码", "安全碼", "卡号", "卡號", "助记词", "助記詞",
	"密保", "授权码", "恢复码", "激活码",
	"パスワード", "パスフレーズ", "パスコード", "暗証番号", "秘密鍵", "シークレット", "トークン", "認証コード", "確認コード",
	"ワンタイム", "セキュリティコード", "カード番号", "APIキー", "アクセスキー", "リカバリーコード", "合言葉",
	"秘密の質問", "復元フレーズ", "リカバリーフレーズ", "シードフレーズ", "ニーモニック", "認証番号", "暗号鍵", "復号鍵", "パスキー",
	"身份证号", "身分證字號", "社会保障号", "社保卡号", "マイナンバー", "短信代码", "短信码",
	"認証アプリ", "權杖", "密匙", "恢复短语", "身份令牌",
}

// afterCJK stand behind one of secretCJK where the text is about secrets and
// not one: their length, their kind, a book of them.
var afterCJK = []string{
	"学", "學", "子", "段", "红包", "類型", "类型", "算法", "格式", "长度", "強度", "强度", "策略", "提示", "规则", "位数",
	"有效期", "总数", "编号", "の数", "ライブ", "方式", "管理", "保护", "过期", "日期", "上限", "桶", "环", "の長さ", "の強度", "の種類", "の形式", "長さ", "化", "サンタ",
}

// harmlessCJK are words that hold one of secretCJK and mean no secret.
var harmlessCJK = []string{
	"最大令牌", "令牌数", "トークン数", "会计凭证", "记账凭证", "无密码", "免密码", "摩尔斯密码", "摩斯密码", "最大トークン", "数字签名令牌",
}

// holdsSecret reports whether a secret can be typed into a field of this kind.
func (k Kind) holdsSecret() bool {
	switch k {
	case Text, URI, Integer, Number, List, JSON:
		return true
	}
	return false
}

// looksSecret reports whether a field with these texts asks for a credential.
func looksSecret(name, title, description, format string) bool {
	for _, text := range []string{name, title, description, format} {
		if saysSecret(text) && saysSecret(withoutDenials(text)) {
			return true
		}
	}
	// A lone "token" is a credential in a name or a title; in a sentence it
	// may be anything.
	return loneToken(name) || loneToken(title) || secretFormat(format) ||
		asksForToken(description) && asksForToken(withoutDenials(description))
}

// secretMatter is the name by which f is about secrets, so that what lies in it
// is too; "" if it is not. f may be nil.
func (f *Field) secretMatter() string {
	switch {
	case f == nil:
		return ""
	case saysSecret(f.Name) || loneToken(f.Name):
		return f.Name
	case saysSecret(f.about) || loneToken(f.about):
		return f.about
	}
	return ""
}

// companions are what stands beside a secret and is none: the user in
// "credentials".
var companions = wordSet(`
	user username userid login name names id ids type kind host hostname server url uri endpoint region email mail account
	label description comment note notes title issuer subject scheme method algorithm expires expiry expiration scope scopes
	enabled active version created updated count length size
`)

// besideSecrets reports whether a name is that of a companion.
func besideSecrets(name string) bool {
	words := splitWords(name)
	return len(words) > 0 && companions[words[len(words)-1]] && !saysSecret(name)
}

// secretFormat reports whether a format is made of words that are secrets in a
// format.
func secretFormat(format string) bool {
	words := splitWords(format)
	for i, w := range words {
		if secretFormats[w] && !harmlessAt(words, i) && !(strings.HasPrefix(w, "token") && !loneToken(format)) {
			return true
		}
	}
	return false
}

// saysSecret reports whether a text holds a secret word or phrase.
func saysSecret(text string) bool {
	words := splitWords(text)
	if namesOnlySecret(words) || asksForCode(words) || abbreviatesSecret(text) || hidesSecret(text) {
		return true
	}
	for i, w := range words {
		if isPostal(words, i) {
			continue
		}
		if isSecretWord(w) && !harmlessAt(words, i) {
			return true
		}
		phrases := secretPhrases[w]
		if phrases == nil {
			phrases = secretPhrases[unnumbered(w)]
		}
		for _, p := range phrases {
			if p.at(words[i:]) && !harmlessAt(words, i+len(p)-1) {
				return true
			}
		}
	}
	return saysSecretCJK(text)
}

// isSecretWord reports whether a word is a secret by itself, numbered or not.
func isSecretWord(w string) bool {
	bare := unnumbered(w)
	if secretWords[w] || secretWords[bare] {
		return true
	}
	return slices.ContainsFunc(secretEndings, func(end string) bool { return strings.HasSuffix(bare, end) })
}

// unnumbered is a word without the number at its end: "password2", "key1".
func unnumbered(w string) string { return strings.TrimRightFunc(w, unicode.IsDigit) }

// afterwords make a secret word speak of a property of secrets or of the act
// around them: "password length", "secret santa", "pin board", "OTP enabled".
var afterwords = wordSet(`
	length strength policy policies hint hints manager managers expiry expiration
	rotation count limit limits type format protected age name names id ids label
	santa ingredient garden sauce agent board location map color colour mode method algorithm
	url uri endpoint address path file filename enabled disabled brand network menu lair topic size
`)

// forewords do the same in front of a secret word: "no password", "map pin".
var forewords = wordSet(`no without map drop passwordless bowling rolling safety hair gpio io pinterest`)

func harmlessAt(words []string, i int) bool {
	return i+1 < len(words) && afterwords[words[i+1]] || i > 0 && forewords[words[i-1]]
}

// loneToken reports whether text names a token without saying that it is a
// unit of text or money.
func loneToken(text string) bool {
	found := false
	words := splitWords(text)
	for i, w := range words {
		if tokenWords[w] {
			return false
		}
		found = found || w == "token" && !harmlessAt(words, i)
	}
	return found
}

func saysSecretCJK(text string) bool {
	text = text[:min(len(text), mostRead)]
	if !strings.ContainsFunc(text, func(r rune) bool { return unicode.In(r, unicode.Han, unicode.Katakana) }) {
		return false
	}
	text = ascii(text)
	for _, harmless := range harmlessCJK {
		text = strings.ReplaceAll(text, harmless, " ")
	}
	for _, secret := range secretCJK {
		for rest := text; ; {
			_, after, found := strings.Cut(rest, secret)
			if !found {
				break
			}
			if !slices.ContainsFunc(afterCJK, func(word string) bool { return strings.HasPrefix(after, word) }) {
				return true
			}
			rest = after
		}
	}
	return false
}

// phrase is a row of words, each with its alternatives.
type phrase [][]string

func (p phrase) at(words []string) bool {
	if len(words) < len(p) {
		return false
	}
	for i, alternatives := range p {
		if !contains(alternatives, words[i]) && !contains(alternatives, unnumbered(words[i])) {
			return false
		}
	}
	return true
}

// phrases reads phrases, one a line, by the words they begin with.
func phrases(lines string) map[string][]phrase {
	all := map[string][]phrase{}
	for line := range strings.Lines(lines) {
		var p phrase
		for _, word := range strings.Fields(line) {
			p = append(p, strings.Split(word, "|"))
		}
		if len(p) == 0 {
			continue
		}
		for _, first := range p[0] {
			all[first] = append(all[first], p)
		}
	}
	return all
}

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

// mostRead is how many bytes of a text are looked at; what is asked for is said
// early.
const mostRead = 4096

// splitWords cuts text into lower-case words at everything that is no letter
// or digit, between "api" and "Key" or "API" and "Key", and between "PIN" and
// "码". Accents and full-width forms do not matter: "contraseña" is
// "contrasena".
func splitWords(text string) []string {
	text = text[:min(len(text), mostRead)]
	runes := slices.DeleteFunc([]rune(norm.NFKD.String(text)), func(r rune) bool { return unicode.Is(unicode.Mn, r) })
	var words []string
	start := 0
	flush := func(end int) {
		if end > start {
			words = append(words, strings.ToLower(string(runes[start:end])))
		}
	}
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush(i)
			start = i + 1
		case i > start && cjk(r) != cjk(runes[i-1]):
			flush(i)
			start = i
		case i > start && unicode.IsUpper(r) &&
			(unicode.IsLower(runes[i-1]) || unicode.IsUpper(runes[i-1]) && i+1 < len(runes) && unicode.IsLower(runes[i+1])):
			flush(i)
			start = i
		}
	}
	flush(len(runes))
	return words
}

// cjk reports whether a letter is of a script that is written without spaces.
func cjk(r rune) bool {
	return r > 0x2E7F && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}
