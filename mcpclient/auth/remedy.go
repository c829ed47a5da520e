package auth

import (
	"strings"

	"parley/assets/i18n"
)

// Remedy is what a person can do about a failure of this package: sign in anew, enter
// an access token, or change the setup in the field that is named so.
type Remedy string

// The remedies. Those of the setup are its fields.
const (
	SignInAnew   Remedy = "signin"
	EnterToken   Remedy = "token"
	EnterClient  Remedy = SetupClientID
	EnterSecret  Remedy = SetupSecret
	ChangeIssuer Remedy = SetupIssuer
	ChangePort   Remedy = SetupPort
	OtherSetup   Remedy = SetupMetadata
	AllowPrivate Remedy = "intranet"
)

// remedies are those of the failures that signing in anew does not help against, or not
// alone, by the ids of their sentences; the likeliest first.
var remedies = map[string][]Remedy{
	"auth.token.needed":           {EnterToken},
	"auth.token.refused":          {EnterToken},
	"auth.token.forbidden":        {EnterToken},
	"auth.token.characters":       {EnterToken},
	"auth.token.plain":            {},
	"auth.token.intranet":         {EnterToken, AllowPrivate},
	"auth.token.unread":           {SignInAnew, EnterToken},
	"auth.token.unread.forbidden": {SignInAnew, EnterToken},

	"auth.signin.address.private": {AllowPrivate},
	"auth.signin.address.plain":   {AllowPrivate},
	"auth.signin.noclient":        {EnterClient, EnterToken},
	"auth.signin.moved":           {EnterClient},
	"auth.signin.elsewhere":       {ChangeIssuer},
	"auth.signin.nosecret":        {EnterSecret},
	"auth.signin.issuer.unknown":  {ChangeIssuer},
	"auth.signin.metadata":        {OtherSetup},
	"auth.signin.endpoint":        {},
	"auth.signin.register.reason": {SignInAnew, EnterClient},
	"auth.signin.register.status": {SignInAnew, EnterClient},
	"auth.signin.denied.client":   {EnterClient, SignInAnew},
	"auth.signin.port":            {SignInAnew, ChangePort},
	"auth.signin.port.own":        {SignInAnew, ChangePort},
	"auth.signin.listen":          {SignInAnew, ChangePort},
	"auth.signin.locked":          {EnterToken},
	"auth.signin.forbidden":       {},
	"auth.signin.resource":        {},
	"auth.signin.issuer":          {},
	"auth.signin.pkce":            {},
	"auth.signin.public":          {},
}

// Remedies are what helps against the failure that sentence tells of, the likeliest
// first; ours is false if it is none of this package.
func Remedies(sentence i18n.Message) (found []Remedy, ours bool) {
	if !strings.HasPrefix(sentence.ID, "auth.token.") && !strings.HasPrefix(sentence.ID, "auth.signin.") {
		return nil, false
	}
	if found, listed := remedies[sentence.ID]; listed {
		return found, true
	}
	return []Remedy{SignInAnew}, true
}
