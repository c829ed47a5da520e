package auth

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"strings"
)

// maxUser is the longest name of a person that is kept, in bytes.
const maxUser = 256

// userOf is what an ID token calls the person (OpenID Connect Core section 2):
// the name they sign in with where it says, else a unique one. "" if there is no
// such token, or it is not from issuer for the client.
//
// Its signature is not looked at: it came from the token endpoint itself over
// TLS, which section 3.1.3.7 takes for enough, and it serves to show a name only.
func userOf(token, issuer, client string) string {
	parts := strings.Split(token, ".")
	if len(parts) != 3 || len(token) > maxBody {
		return ""
	}
	raw, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		return ""
	}
	var claims struct {
		Issuer   string          `json:"iss"`
		Audience json.RawMessage `json:"aud"`
		Login    string          `json:"preferred_username"`
		Email    string          `json:"email"`
		Name     string          `json:"name"`
		Subject  string          `json:"sub"`
	}
	if err := json.Unmarshal(raw, &claims); err != nil || claims.Issuer != issuer || !isFor(claims.Audience, client) {
		return ""
	}
	name := cmp.Or(claims.Login, claims.Email, claims.Name, claims.Subject)
	if len(name) > maxUser {
		name = strings.ToValidUTF8(name[:maxUser], "")
	}
	return name
}

// isFor reports whether an audience, one text or several, names the client.
func isFor(audience json.RawMessage, client string) bool {
	var one string
	if json.Unmarshal(audience, &one) == nil {
		return one == client
	}
	var several []string
	_ = json.Unmarshal(audience, &several)
	for _, a := range several {
		if a == client {
			return true
		}
	}
	return false
}
