package keychain

import (
	"strings"
	"testing"
)

func TestJudge_CountsWhatCannotBeForeseen(t *testing.T) {
	for passphrase, want := range map[string]Strength{
		"":                             Weak,
		"            ":                 Weak,
		"hunter2":                      Weak,
		"aaaaaaaaaaaaaaaaaaaaaaaa":     Weak,
		"abcdefghijklmnopqrstuvwxyz":   Weak,
		"98765432109876543210":         Weak,
		"abababababababababab":         Weak,
		"passwordpasswordpassword":     Weak,
		"Password1!Password1!":         Weak,
		"qwertyuiop123456":             Weak,
		"parleyparleyparley":           Weak,
		"ｐａｓｓｗｏｒｄ１２３４":                 Weak,
		"密码密码密码密码":                     Weak,
		"xk7Qp2mV":                     Weak,
		"xk7Qp2mVtr":                   Fair,
		"horse walk ten":               Fair,
		"春风又绿江":                        Fair,
		"four plain horses walk":       Good,
		"correct horse battery staple": Good,
		"春风又绿江南岸明月":                    Good,
		strings.Repeat("a", judged) + "four plain horses walk": Weak,
	} {
		if got := Judge(NewSecret(passphrase)); got != want {
			t.Errorf("%q is %v, want %v", passphrase, got, want)
		}
	}
}
