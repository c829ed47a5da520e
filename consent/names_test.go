package consent

import (
	"slices"
	"strings"
	"testing"
)

// Names that people of many languages have: none may be warned of.
func TestOrdinaryInternationalNamesAreNotWarnedOf(t *testing.T) {
	for _, name := range strings.Fields(`
		münchen.de straße.de österreich.at zürich.ch españa.es ação.com.br façade.fr cœur.fr garçon.ca l'été
		smörgås.se ålesunds.no færøyar.fo þjóðskrá.is ísland.is łódź.pl žluťoučký.cz maďarsko.sk őszi.hu română.ro
		ģimene.lv ąžuolas.lt õun.ee ışık.com.tr çalışma.tr gədə.az malti-ħobż.mt ŵyl.cymru việtnam.vn người.com
		ọmọ.ng ɗan.ng col·legi.cat paral·lel.barcelona intel·ligent.es abcノート.jp www.netソフト.jp ŝipo.org slovenščina.si
		пример.рф москва.ru яндекс.com україна.укр ґанок.ua беларусь.бел българия.бг србија.срб македонија.мкд қазақстан.қаз
		курс.com парк.com хорошо.com школа.com
		παράδειγμα.ελ βόλος.com δοκιμή.gr
		հայաստան.հայ հայաստան.com საქართველო.გე მაგალითი.com
		דוגמה.ישראל אתר.co.il مثال.مصر العربية.com پاکستان.پاکستان فروشگاه.ir ދިވެހި.mv
		उदाहरण.भारत हिन्दी.com বাংলা.বাংলা ਪੰਜਾਬੀ.ਭਾਰਤ ગુજરાતી.ભારત தமிழ்.இலங்கை తెలుగు.భారత్ ಕನ್ನಡ.com മലയാളം.com සිංහල.ලංකා ଓଡ଼ିଆ.com
		ไทย.com ตัวอย่าง.ไทย ພາສາລາວ.ລາວ ខ្មែរ.com မြန်မာ.com አማርኛ.com བོད་ཡིག.com
		中国.cn 例子.公司.cn 台灣.台灣 食狮.com abc日本.jp 日本語.jp ドメイン.jp カタカナ・テスト.jp コーヒー.jp さくら.jp サンプル-shop.jp
		diy工房.jp 十字.cn 一番.jp 二〇二〇.cn ㄅㄆㄇ.tw 한국.kr 한글abc.com 漢字한글.kr`) {
		if strings.Contains(name, "'") {
			continue
		}
		a := Assess("https://"+name+"/", Asker{})
		if a.Level != Info || a.ReadsAs != name {
			t.Errorf("%s: %s %v, reads as %q", name, a.Level, codes(a), a.ReadsAs)
		}
	}
}

func TestNamesThatDeceiveAreWarnedOf(t *testing.T) {
	tests := []struct {
		host, code string
		level      Level
	}{
		// All letters of another alphabet that look Latin, unless the ending fits.
		{"ѕсоре.com", "idn-all-lookalikes", Danger},
		{"ѕсоре123.com", "idn-all-lookalikes", Danger},
		{"ѕсоре-рау.com", "idn-all-lookalikes", Danger},
		{"ѕрагк.com", "idn-all-lookalikes", Danger},
		{"роса.com", "idn-all-lookalikes", Danger},
		{"роса.рф", "idn", Info},
		{"роса.ru", "idn", Info},
		{"ոսւօ.com", "idn-all-lookalikes", Danger},
		{"ոսւօ.հայ", "idn", Info},
		{"ικα.com", "idn-all-lookalikes", Danger},
		{"ჽჿხ.com", "idn-all-lookalikes", Danger},
		{"חסד.com", "idn-all-lookalikes", Danger},
		{"ሠዐዐፐ.com", "idn-all-lookalikes", Danger},
		{"g〇〇gle.com", "idn-lookalike-name", Danger},
		{"ꜱɪᴢᴇ.com", "idn-unusual-letters", Caution},
		{"cʟᴏud.com", "idn-unusual-letters", Caution},
		{"ᴄᴏᴠᴇ.com", "idn-unusual-letters", Caution},
		{"ᴄᴏᴢᴠ.com", "idn-all-lookalikes", Danger},

		{"example.сом", "idn-all-lookalikes", Danger}, // no such top-level name: it reads .com
		{"ѕсоре.орг", "idn", Info},

		// Mixed alphabets.
		{"shopไทย.gοοgle.com", "idn-mixed-scripts", Danger}, // a caution in one label, a danger in the next
		{"раураӏ-login.com", "idn-mixed-scripts", Danger},
		{"αβжз.com", "idn-mixed-scripts", Danger},
		{"おかが한글.com", "idn-mixed-scripts", Danger},
		{"abcᏣᎳ.com", "idn-mixed-scripts", Danger},
		{"café日本.jp", "idn-mixed-scripts", Caution},
		{"shopไทย.com", "idn-mixed-scripts", Caution},

		// Protected names.
		{"gооgle.com", "idn-lookalike-name", Danger},
		{"ápple.com", "idn-lookalike-name", Danger},
		{"amazón.evil.example", "idn-lookalike-name", Danger},
		{"twıtter.com", "idn-lookalike-name", Danger},
		{"þaypal.com", "idn-lookalike-name", Danger},
		{"discørd.net", "idn-lookalike-name", Danger},
		{"g00gle.com", "lookalike-name", Danger},
		{"rnicros0ft.com", "lookalike-name", Danger},
		{"s1ack.co.uk", "lookalike-name", Danger},
		{"paypa1.github.io", "lookalike-name", Danger},

		// Structure.
		{"example.com∕login.evil.example", "idn-fake-punctuation", Danger},
		{"example.comːx.evil.example", "idn-fake-punctuation", Danger},
		{"googleーcom.com", "idn-fake-punctuation", Danger},
		{"ip一address.com", "idn-fake-punctuation", Danger},
		{"testノtest.com", "idn-fake-punctuation", Danger},
		{"abc・def.jp", "idn-fake-punctuation", Danger},
		{"かヽ.jp", "idn-fake-punctuation", Danger},
		{"l·l.com", "idn-fake-punctuation", Danger},
		{"a·l.cat", "idn-fake-punctuation", Danger},
		{"google۰com.evil.example", "idn-fake-punctuation", Danger},
		{"1շ.com", "idn-fake-digits", Danger},
		{"৪੨.com", "idn-fake-digits", Danger},
		{"16კ.com", "idn-fake-digits", Danger},
		{"pi\u0307xel.com", "idn-stacked-marks", Danger},
		{"á\u0301.com", "idn-stacked-marks", Danger},
		{"x\u0323\u0301\u0302\u0304.com", "idn-stacked-marks", Danger},
		{"ที\u0e48\u0e48.com", "idn-stacked-marks", Danger},
		{"漢\u0301字.com", "idn-stacked-marks", Danger},
		{"か\u3099\u3099.jp", "idn-stacked-marks", Danger},

		// Unusual, but not a trick by itself.
		{"☃.net", "idn-symbols", Caution},
		{"√2.com", "idn-symbols", Caution},
		{"श्\u200Dर.com", "idn-joiner", Caution},
		{"ⵣⵣⵣ.com", "idn-rare-script", Caution},
		{"ĸaffee.com", "idn-unusual-letters", Caution},
		{"ðag.com", "idn-unusual-letters", Caution},
		{"hawaiʻi.com", "idn-unusual-letters", Caution},
		{"ἀρχή.gr", "idn-unusual-letters", Caution},

		// Names in front of the real one.
		{"accounts.google.com.evil.example", "embedded-name", Danger},
		{"google.com-login.evil.example", "embedded-name", Danger},
		{"www-paypal-com.evil.example", "embedded-name", Danger},
		{"paypal-com.net", "embedded-name", Danger},
		{"paypa1.com.evil.example", "embedded-name", Danger},
		{"раураӏ.com.evil.example", "embedded-name", Danger},
		{"google.com.vercel.app", "embedded-name", Danger},
		{"bank.co.uk.evil.example", "embedded-name", Caution},
		{"bank.gob.mx.evil.example", "embedded-name", Caution},
		{"www.sparkasse.de.evil.example", "embedded-name", Caution},
		{"accounts.google.de.evil.example", "embedded-name", Caution},
		{"accounts.google.co.uk.evil.example", "embedded-name", Danger},
		{"login-goog1e.com.au.evil.example", "embedded-name", Danger},
		{"google.co.uk.com", "embedded-name", Danger},
		{"claude.ai.evil.example", "embedded-name", Danger},
		{"notion.so.evil.example", "embedded-name", Danger},
		{"zoom.us.evil.example", "embedded-name", Danger},

		// Something that is not ASCII glued to the end of a name in front.
		{"google.comノ登録.example", "embedded-name", Danger},
		{"google.comノ登録.example", "idn-fake-punctuation", Danger},
		{"google.comノ.evil.example", "idn-fake-punctuation", Danger},
		{"mybank.com丶ログイン.example", "idn-fake-punctuation", Danger},
		{"google.com中.evil.example", "embedded-name", Danger},
		{"google.comé.evil.example", "embedded-name", Danger},
		{"www-google-com中.evil.example", "embedded-name", Danger},
		{"раураӏ.com中.evil.example", "embedded-name", Danger},
		{"paral·lel.com", "idn-fake-punctuation", Danger},
		{"a·b.es", "idn-fake-punctuation", Danger},
		{"mybank.com.vercel.app", "embedded-name", Caution},
	}
	for _, test := range tests {
		a := Assess("https://"+test.host+"/", Asker{})
		if a.Level != test.level || !a.Has(test.code) {
			t.Errorf("%s: %s %v, want %s with %s", test.host, a.Level, codes(a), test.level, test.code)
		}
	}
}

func TestOrdinaryNamesAreNotTakenForImitations(t *testing.T) {
	for _, host := range []string{"google.de", "www.google.com.au", "google.com.br", "accounts.google.com", "login.microsoftonline.com",
		"modern.com", "corner.com", "net.example.com", "com.example.org", "app.dev.example.com", "api.int.eu.example.com",
		"tenant.eu.auth0.com", "acme.us.auth0.com", "live.eu.example.com", "login.de.example.com", "api.or.us.example.com", "s3.ca.cloud.example.com",
		"www.de.example.com", "www.google.co.jp", "accounts.google.co.uk", "google.uk.com", "claude.com", "zoom.com",
		"company.com", "org.wikipedia.org", "co.uk.com", "my_bucket.s3.example.com", "a--b.example.com", "xn--fiqs8s.example.com"} {
		if a := Assess("https://"+host+"/", Asker{}); a.Level > Info {
			t.Errorf("%s: %s %v", host, a.Level, codes(a))
		}
	}
}

func TestProtectedNamesAreUsable(t *testing.T) {
	lines := dataLines(protectedFile)
	if len(lines) < 40 {
		t.Errorf("only %d protected names", len(lines))
	}
	sorted := slices.Sorted(slices.Values(lines))
	for i, name := range sorted {
		if i > 0 && sorted[i-1] == name {
			t.Errorf("%s is listed twice", name)
		}
		a := Assess("https://"+name+"/", Asker{})
		if a.Level != OK || a.Site != name {
			t.Errorf("%s: %s %v, site %q: a protected name is a plain registrable domain", name, a.Level, codes(a), a.Site)
		}
		if label, _, _ := strings.Cut(name, "."); len(label) < 4 {
			t.Errorf("%s: too short, every other short name looks like it", name)
		}
	}
}

func TestLooksLike(t *testing.T) {
	others := []string{"Travel desk", "GitHub", "日历", "Café Löwe", "My files", "!!!", "PayPal"}
	tests := []struct{ name, want string }{
		{"Travel desk", "Travel desk"},
		{"travel-desk", "Travel desk"},
		{"TRAVEL  DESK", "Travel desk"},
		{"Trаvel dеsk", "Travel desk"}, // Cyrillic а and е
		{"Travel\u200Bdesk", "Travel desk"},
		{"Ｔｒａｖｅｌ Ｄｅｓｋ", "Travel desk"},
		{"G1tHub", "GitHub"},
		{"GltHub", "GitHub"},
		{"Git|-|ub", ""},
		{"Cafe Lowe", "Café Löwe"},
		{"日历", "日历"},
		{"日曆", ""},
		{"PayPaI", "PayPal"},
		{"!!!", "!!!"},
		{"???", ""},
		{"", ""},
		{"Travel", ""},
		{"Travel desk 2", ""},
	}
	for _, test := range tests {
		got, ok := LooksLike(test.name, others)
		if got != test.want || ok != (test.want != "") {
			t.Errorf("LooksLike(%q) = %q, %v; want %q", test.name, got, ok, test.want)
		}
	}
	if _, ok := LooksLike("anything", nil); ok {
		t.Error("something looks like nothing")
	}
}
