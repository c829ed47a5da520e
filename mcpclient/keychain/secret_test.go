package keychain

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
)

// canary must not occur in anything that is printed.
const canary = "canary-7f3a"

func TestSecret_ShowsOnlyWhenRevealed(t *testing.T) {
	s := NewSecret(canary)
	if s.Reveal() != canary || s.IsEmpty() || !(Secret{}).IsEmpty() || (Secret{}).Reveal() != "" {
		t.Error("Reveal does not give the value")
	}
	held := struct {
		Secret Secret
		hidden Secret
		ptr    *Secret
	}{s, s, &s}
	var out bytes.Buffer
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%t", "%10.3s"} {
		fmt.Fprintf(&out, verb+" "+verb+" "+verb+"\n", s, held, []Secret{s})
	}
	fmt.Fprintln(&out, s, &s, map[string]Secret{"a": s}, fmt.Errorf("with %w and %v", ErrNotFound, s))
	raw, err := json.Marshal(map[string]any{"a": s, "b": held})
	if err != nil {
		t.Fatal(err)
	}
	out.Write(raw)
	slog.New(slog.NewTextHandler(&out, nil)).Info("m", "s", s, "held", held)
	slog.New(slog.NewJSONHandler(&out, nil)).Info("m", "s", s, "held", held)
	if n := strings.Count(out.String(), redacted); n < 20 {
		t.Errorf("only %d redacted values were printed:\n%s", n, out.String())
	}
	hex := fmt.Sprintf("%x", canary)
	if strings.Contains(out.String(), canary) || strings.Contains(strings.ToLower(out.String()), hex) {
		t.Errorf("the value shows:\n%s", out.String())
	}
}
