package cli

import (
	"bytes"
	"encoding/json"
	"testing"
	"unicode/utf8"

	"parley/assets/i18n"
)

func TestALineIsAlwaysUTF8(t *testing.T) {
	var out bytes.Buffer
	p := newPrinter(&out, &out, i18n.New("en"))
	p.line(resultLine{"result", json.RawMessage("{\"a\":\"x\xff\xc0y\",\"b\":\"<&>\"}")})
	want := `{"event":"result","result":{"a":"x` + "\ufffd" + `y","b":"<&>"}}` + "\n"
	if got := out.String(); !utf8.ValidString(got) || got != want {
		t.Errorf("printed %q, want %q", got, want)
	}
	if !json.Valid(out.Bytes()) {
		t.Error("the line is no JSON")
	}
}
