package forms

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// TestC27_SecretWords runs the word lists of testdata: every line of the one
// asks for a secret, no line of the other does, as a key, as a title and as a
// description.
func TestC27_SecretWords(t *testing.T) {
	for file, want := range map[string]bool{"secret.txt": true, "harmless.txt": false} {
		raw, err := os.ReadFile("testdata/" + file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(raw)) {
			line = strings.TrimSpace(line)
			if line == "" || strings.HasPrefix(line, "#") {
				continue
			}
			if got := looksSecret(line, "", "", ""); got != want {
				t.Errorf("key %q: secret = %t", line, got)
			}
			if got := looksSecret("x", line, "", ""); got != want {
				t.Errorf("title %q: secret = %t", line, got)
			}
			if got := looksSecret("x", "", line, ""); got != want && (!want || !lone(line)) {
				t.Errorf("description %q: secret = %t", line, got)
			}
		}
	}
}

// lone reports whether a line is a secret only as a name: a token in a
// sentence may be anything.
func lone(line string) bool {
	words := splitWords(line)
	return contains(words, "token") && !saysSecret(line)
}

// TestC27_SecretFormats: a format is read by the same words as a name, and by
// a few that only a format says alone, on a field and on the entries of a list.
func TestC27_SecretFormats(t *testing.T) {
	for format, want := range map[string]bool{
		"password": true, "secret": true, "token": true, "api-key": true, "apiKey": true, "API_KEY": true, "api key": true, "credit-card": true,
		"creditcard": true, "card-number": true, "cc-number": true, "cc-csc": true, "cvv": true, "otp": true, "totp": true, "one-time-code": true,
		"oneTimeCode": true, "pin": true, "pin-code": true, "current-password": true, "new-password": true, "bearer": true, "bearer-token": true,
		"access-token": true, "refresh_token": true, "jwt": true, "private-key": true, "ssh-key": true, "passphrase": true, "credential": true,
		"2fa": true, "mfa": true, "authorization": true, "密码": true, "验证码": true, "x-password": true, "seed-phrase": true,
		"": false, "uri": false, "uuid": false, "ipv4": false, "hostname": false, "regex": false, "json-pointer": false, "time": false, "duration": false,
		"uri-reference": false, "iri": false, "phone": false, "color": false, "markdown": false, "postal-code": false, "token-count": false,
		"max-tokens": false, "key": false, "cc-exp": true, "map-pin": false, "binary": false, "byte": false, "int64": false,
	} {
		raw, err := json.Marshal(format)
		if err != nil {
			t.Fatal(err)
		}
		text := `{"type":"string","format":` + string(raw) + `}`
		f := parseProperties(t, `"x":`+text+`,"many":{"type":"array","items":`+text+`},"maybe":{"anyOf":[`+text+`,{"type":"null"}]}`)
		for _, field := range f.Fields {
			if field.Secret != want {
				t.Errorf("format %q, field %s: secret = %t", format, field.Name, field.Secret)
			}
		}
	}
}

// TestC27_OnlyWhatCanBeTyped: a choice, a yes/no or a date holds no secret.
func TestC27_OnlyWhatCanBeTyped(t *testing.T) {
	f := parseProperties(t, `"password":{"type":"boolean"},"secret":{"enum":["a","b"]},"token":{"type":"string","format":"date"},
		"x":{"type":"string","format":"password"},"apiKeys":{"type":"array","items":{"type":"string"}}`)
	for _, field := range f.Fields {
		if want := field.Name == "x" || field.Name == "apiKeys"; field.Secret != want {
			t.Errorf("%s: secret = %t", field.Name, field.Secret)
		}
	}
}

// TestWordsAreCut: the ways to write several words in one name.
func TestWordsAreCut(t *testing.T) {
	for text, want := range map[string]string{
		"apiKey": "api key", "APIKey": "api key", "API_KEY": "api key", "api-key.2": "api key 2",
		"ＡＰＩ　ｋｅｙ": "api key", "": "", "--": "", "卡号 CVV": "卡号 cvv", "请输入CVV码": "请输入 cvv 码", "PIN（確認）": "pin 確認", "userID": "user id",
	} {
		if got := strings.Join(splitWords(text), " "); got != want {
			t.Errorf("%q is cut into %q, want %q", text, got, want)
		}
	}
}

// TestC27_OfALongTextTheBeginningIsRead: it is read at every key.
func TestC27_OfALongTextTheBeginningIsRead(t *testing.T) {
	long := strings.Repeat("a ", mostRead)
	for _, word := range []string{"password", "PAT", "密码", "p@ssw0rd"} {
		if !saysSecret(word+" "+long) || saysSecret(long+word) {
			t.Errorf("%s: said at the beginning %v, at the end %v", word, saysSecret(word+" "+long), saysSecret(long+word))
		}
	}
}

// TestC27_WhatLiesInASecretIsOne: a group, rows or a map with the name of a
// secret hold it in a field with a name of no meaning; what stands beside a
// secret by its own name is none.
func TestC27_WhatLiesInASecretIsOne(t *testing.T) {
	const text = `{"type":"string"}`
	f := parseArguments(t, `{"type":"object","properties":{
		"credentials":{"type":"object","properties":{"username":`+text+`,"value":`+text+`,"host":`+text+`,"deep":{"type":"object","properties":{"x":`+text+`}},"on":{"type":"boolean"}}},
		"token":{"type":"object","properties":{"raw":`+text+`,"userName":`+text+`}},
		"profile":{"type":"object","properties":{"value":`+text+`,"password":`+text+`}},
		"passwordPolicy":{"type":"object","properties":{"value":`+text+`}}}}`)
	for p, want := range map[Path]bool{
		"/credentials/username": false, "/credentials/value": true, "/credentials/host": false, "/credentials/deep/x": true, "/credentials/on": false,
		"/token/raw": true, "/token/userName": false, "/profile/value": false, "/profile/password": true, "/passwordPolicy/value": false,
	} {
		if got := f.Field(p); got == nil || got.Secret != want {
			t.Errorf("%s: %+v, want secret = %t", p, got, want)
		}
	}
}

// TestC27_TokensInDescriptions: a sentence that asks for a token asks for a
// secret, one that mentions tokens does not.
func TestC27_TokensInDescriptions(t *testing.T) {
	for description, want := range map[string]bool{
		"Please paste your GitHub token here": true, "Paste your token": true, "The token from the e-mail": true, "Enter the token we sent you": true,
		"The token from your account settings": true, "Do not paste your token here": false, "Never enter your token": false,
		"Enter the number of tokens": false, "Words per token": false, "Cut the text at each token": false, "Enter the token count": false,
		"The name of the token": false, "Enter the token limit": false, "How a token is split": false,
	} {
		if got := looksSecret("x", "Value", description, ""); got != want {
			t.Errorf("%q: secret = %t", description, got)
		}
	}
	if !looksSecret("x", "Code", "Enter the 6-digit code we texted you", "") {
		t.Error("a code that was texted is no secret")
	}
}
