package ui

import "testing"

func TestACommandIsShownSoThatEveryPieceCanBeTold(t *testing.T) {
	for piece, want := range map[string]string{
		"-y": "-y", "a b": "a b", "$HOME; rm -rf /": "$HOME; rm -rf /", "": `""`, " lead": `" lead"`, "trail\t": `"trail\t"`,
	} {
		if got := argument(piece).String(); got != want {
			t.Errorf("the argument %q is shown as %s, want %s", piece, got, want)
		}
	}
	if got, want := exactCommand([]string{"npx", "-y", "a b", "", `say "hi"`}).String(), `npx -y "a b" "" "say \"hi\""`; got != want {
		t.Errorf("the command is shown as %s, want %s", got, want)
	}
}
