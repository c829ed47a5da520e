package wire_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"parley/mcpclient/wire"
)

func TestDecodeKeepsWhatAMessageSays(t *testing.T) {
	tests := []struct {
		name, raw string
		want      string // kind id method params result code message data
	}{
		{"request", `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"b":1,"a":9007199254740993}}`,
			`request 1 ping {"b":1,"a":9007199254740993}`},
		{"request without params", `{"jsonrpc":"2.0","id":"x","method":"ping"}`, `request "x" ping `},
		{"params null is kept", `{"jsonrpc":"2.0","id":1,"method":"ping","params":null}`, `request 1 ping null`},
		{"notification", `{"jsonrpc":"2.0","method":"n","params":[1]}`, `notification  n [1]`},
		{"id null is no id", `{"jsonrpc":"2.0","id":null,"method":"n"}`, `notification  n `},
		{"result", `{"jsonrpc":"2.0","id":7,"result": { "x" : 1.50 } }`, `response 7 { "x" : 1.50 }`},
		{"result null is an answer", `{"jsonrpc":"2.0","id":7,"result":null}`, `response 7 null`},
		{"error", `{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"no","data":[1,2]}}`,
			`response 7 error -32601 "no" [1,2]`},
		{"error of no request", `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}}`,
			`response  error -32700 "no" `},
		{"error without id member", `{"jsonrpc":"2.0","error":{"code":-32700,"message":"no"}}`,
			`response  error -32700 "no" `},
		{"error null beside a result", `{"jsonrpc":"2.0","id":1,"result":{},"error":null}`, `response 1 {}`},
		{"result null beside an error", `{"jsonrpc":"2.0","id":1,"result":null,"error":{"code":1,"message":"m"}}`,
			`response 1 error 1 "m" `},
		{"reply without jsonrpc", `{"id":1,"result":{}}`, `response 1 {}`},
		{"reply of another version", `{"jsonrpc":"1.0","id":1,"result":{}}`, `response 1 {}`},
		{"code with a fraction of zero", `{"jsonrpc":"2.0","id":1,"error":{"code":-32601.0,"message":"m"}}`,
			`response 1 error -32601 "m" `},
		{"code as text", `{"jsonrpc":"2.0","id":1,"error":{"code":"ENOENT","message":"m"}}`, `response 1 error 0 "m" `},
		{"code too large", `{"jsonrpc":"2.0","id":1,"error":{"code":1e400,"message":"m"}}`, `response 1 error 0 "m" `},
		{"error as text", `{"jsonrpc":"2.0","id":1,"error":"boom"}`, `response 1 error 0 "boom" `},
		{"unknown members", `{"jsonrpc":"2.0","x":{"id":5},"id":1,"result":{},"y":"\"id\":6"}`, `response 1 {}`},
		{"members differ by case", `{"jsonrpc":"2.0","ID":5,"id":1,"Result":1,"result":{}}`, `response 1 {}`},
		{"escaped member names", `{"jsonrpc":"2.0","\u0069d":1,"resul\u0074":{}}`, `response 1 {}`},
		{"the last of two members counts", `{"jsonrpc":"2.0","id":1,"id":2,"result":{}}`, `response 2 {}`},
		{"byte order mark and white space", "\xEF\xBB\xBF \t{\"jsonrpc\" :\r\n\"2.0\" , \"id\": 1 ,\"result\":\t{}\n}\r\n", `response 1 {}`},
		{"brackets and quotes in strings", `{"jsonrpc":"2.0","id":1,"result":"}]\\\"{["}`, `response 1 "}]\\\"{["`},
		{"bytes that are no UTF-8 in a string", "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"\xff\"}", "response 1 \"\xff\""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m, err := wire.Decode([]byte(test.raw))
			if err != nil {
				t.Fatalf("not understood: %v", err)
			}
			if got := describe(m); got != test.want {
				t.Errorf("read as %s, want %s", got, test.want)
			}
		})
	}
}

func describe(m wire.Message) string {
	switch m.Kind() {
	case wire.Request:
		return fmt.Sprintf("request %v %s %s", m.ID, m.Method, m.Params)
	case wire.Notification:
		return fmt.Sprintf("notification %v %s %s", m.ID, m.Method, m.Params)
	case wire.Response:
		if m.Error != nil {
			return fmt.Sprintf("response %v error %d %q %s", m.ID, m.Error.Code, m.Error.Message, m.Error.Data)
		}
		return fmt.Sprintf("response %v %s", m.ID, m.Result)
	default:
		return "none"
	}
}

func TestDecodeNamesWhatIsNoMessage(t *testing.T) {
	tests := []struct {
		raw    string
		reason wire.Reason
		id     wire.ID
	}{
		{"", wire.ReasonNotJSON, wire.ID{}},
		{"Server v1 started", wire.ReasonNotJSON, wire.ID{}},
		{`{"jsonrpc":"2.0","id":1,"result":{}`, wire.ReasonNotJSON, wire.ID{}},
		{`{"jsonrpc":"2.0","id":1,"result":{}}{}`, wire.ReasonNotJSON, wire.ID{}},
		{strings.Repeat("[", 20000) + strings.Repeat("]", 20000), wire.ReasonNested, wire.ID{}},
		{`{"jsonrpc":"2.0","id":1,"result":` + strings.Repeat(`{"a":`, 20000) + "1" + strings.Repeat("}", 20001), wire.ReasonNested, wire.ID{}},
		{strings.Repeat("[", 10001), wire.ReasonNested, wire.ID{}},
		{strings.Repeat("[", 10000), wire.ReasonNotJSON, wire.ID{}},
		{"[" + strings.Repeat("[],", 10001), wire.ReasonNotJSON, wire.ID{}},
		{`["` + strings.Repeat("[", 20000), wire.ReasonNotJSON, wire.ID{}},
		{`["\"` + strings.Repeat("[", 20000) + `"x`, wire.ReasonNotJSON, wire.ID{}},
		{"42", wire.ReasonNotObject, wire.ID{}},
		{"null", wire.ReasonNotObject, wire.ID{}},
		{`"text"`, wire.ReasonNotObject, wire.ID{}},
		{"[]", wire.ReasonNotObject, wire.ID{}},
		{"{}", wire.ReasonNothing, wire.ID{}},
		{`{"jsonrpc":"2.0","id":1}`, wire.ReasonNothing, wire.NumberID(1)},
		{`{"jsonrpc":"2.0","id":1,"error":null}`, wire.ReasonNothing, wire.NumberID(1)},
		{`{"level":"info","method":"GET","msg":"x"}`, wire.ReasonNoVersion, wire.ID{}},
		{`{"error":"invalid_token","error_description":"x"}`, wire.ReasonNoVersion, wire.ID{}},
		{`{"jsonrpc":"2.0","id":{},"result":{}}`, wire.ReasonBadID, wire.ID{}},
		{`{"jsonrpc":"2.0","id":true,"method":"x"}`, wire.ReasonBadID, wire.ID{}},
		{`{"jsonrpc":"2.0","method":7}`, wire.ReasonBadMethod, wire.ID{}},
		{`{"jsonrpc":"2.0","id":1,"method":""}`, wire.ReasonBadMethod, wire.ID{}},
		{`{"jsonrpc":"2.0","id":1,"method":"x","result":{}}`, wire.ReasonAmbiguous, wire.ID{}},
		{`{"jsonrpc":"2.0","id":3,"result":{},"error":{"code":1,"message":"m"}}`, wire.ReasonAmbiguous, wire.NumberID(3)},
		{`{"jsonrpc":"2.0","id":"a","error":{}}`, wire.ReasonBadError, wire.StringID("a")},
		{`{"jsonrpc":"2.0","id":3,"error":[1]}`, wire.ReasonBadError, wire.NumberID(3)},
	}
	for _, test := range tests {
		_, err := wire.Decode([]byte(test.raw))
		var bad *wire.DecodeError
		if !errors.As(err, &bad) {
			t.Errorf("%.60q: error %v, want a DecodeError", test.raw, err)
			continue
		}
		if bad.Reason != test.reason || bad.ID != test.id {
			t.Errorf("%.60q: %s for request %q, want %s for %q", test.raw, bad.Reason, bad.ID, test.reason, test.id)
		}
	}
}

func TestDecodeAllReadsBatchesEntryByEntry(t *testing.T) {
	const note = `{"jsonrpc":"2.0","method":"n"}`
	long := "[" + strings.Repeat(note+",", wire.MaxBatch) + note + "]"
	tests := []struct {
		name, raw string
		messages  int
		reasons   []wire.Reason
	}{
		{"a single message", note, 1, nil},
		{"a batch", "[" + note + " , " + note + "]", 2, nil},
		{"an empty batch", " [ ] ", 0, []wire.Reason{wire.ReasonBatchEmpty}},
		{"bad entries beside good ones", "[1," + note + ",{},[]," + note + "]", 2,
			[]wire.Reason{wire.ReasonNotObject, wire.ReasonNothing, wire.ReasonNotObject}},
		{"a batch of batches", "[[" + note + "]]", 0, []wire.Reason{wire.ReasonNotObject}},
		{"a batch that is cut off", "[" + note, 0, []wire.Reason{wire.ReasonNotJSON}},
		{"a batch that is too long", long, wire.MaxBatch, []wire.Reason{wire.ReasonBatchLong}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			messages := 0
			var reasons []wire.Reason
			for _, err := range wire.DecodeAll([]byte(test.raw)) {
				var bad *wire.DecodeError
				switch {
				case err == nil:
					messages++
				case errors.As(err, &bad):
					reasons = append(reasons, bad.Reason)
				default:
					t.Errorf("error %v is no DecodeError", err)
				}
			}
			if messages != test.messages || fmt.Sprint(reasons) != fmt.Sprint(test.reasons) {
				t.Errorf("%d messages and faults %v, want %d and %v", messages, reasons, test.messages, test.reasons)
			}
		})
	}
}

func TestAnIDIsItsNumberOrItsCharacters(t *testing.T) {
	tests := []struct {
		raw  string
		want wire.ID
	}{
		{"1", wire.NumberID(1)},
		{"-7", wire.NumberID(-7)},
		{"1.0", wire.NumberID(1)},
		{"1.000", wire.NumberID(1)},
		{"0", wire.NumberID(0)},
		{"0.0", wire.NumberID(0)},
		{"999999999999999999", wire.NumberID(999999999999999999)},
		{"-999999999999999999.0", wire.NumberID(-999999999999999999)},
		{"9223372036854775807", wire.NumberID(1<<63 - 1)},
		{"-9223372036854775808", wire.NumberID(-1 << 63)},
		{`"1"`, wire.StringID("1")},
		{`"\u0061"`, wire.StringID("a")},
		{`"<&>"`, wire.StringID("<&>")},
		{"null", wire.ID{}},
		{" 5 ", wire.NumberID(5)},
	}
	for _, test := range tests {
		got, err := wire.ParseID([]byte(test.raw))
		if err != nil || got != test.want {
			t.Errorf("id %s: %q, %v; want %q", test.raw, got, err, test.want)
		}
	}
	if wire.NumberID(1) == wire.StringID("1") {
		t.Error("the number 1 and the string \"1\" are different ids")
	}
	for _, bad := range []string{"", "true", "{}", "[1]", "x", "01", "+1", "-", "-01", "1_0", "--1"} {
		if id, err := wire.ParseID([]byte(bad)); err == nil {
			t.Errorf("%q was read as the id %q", bad, id)
		}
	}
	if zero, err := wire.ParseID([]byte("-0")); err != nil || zero.String() != "-0" {
		t.Errorf("-0 goes back as it came; got %q, %v", zero, err)
	}
	big, err := wire.ParseID([]byte("123456789012345678901234567890"))
	if err != nil || big.String() != "123456789012345678901234567890" {
		t.Errorf("an integer of any size keeps its digits; got %q, %v", big, err)
	}
}

func TestErrorTextIsQuotedAndBounded(t *testing.T) {
	e := &wire.Error{Code: 5, Message: "line\n\x1b[31m" + strings.Repeat("é", 5000)}
	if s := e.Error(); len(s) > 1000 || strings.ContainsAny(s, "\n\x1b") {
		t.Errorf("error text is %d bytes and raw: %.80q", len(s), s)
	}
}

func TestEveryErrorHasASentenceInBothLanguages(t *testing.T) {
	reasons := []wire.Reason{wire.ReasonNotJSON, wire.ReasonNested, wire.ReasonNotObject, wire.ReasonNoVersion, wire.ReasonBadID,
		wire.ReasonBadMethod, wire.ReasonAmbiguous, wire.ReasonNothing, wire.ReasonBadError, wire.ReasonBatchEmpty, wire.ReasonBatchLong}
	errs := []error{wire.ErrClosed, &wire.BacklogError{}, fmt.Errorf("sending: %w", &wire.TooLargeError{Limit: 3 << 19})}
	for _, r := range reasons {
		errs = append(errs, &wire.DecodeError{Reason: r})
	}
	sentences(t, errs)
}

func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":[1,"}\\\""]}}`,
		`[{"jsonrpc":"2.0","id":"a","result":null},{"error":{"code":1.0,"message":"m","data":{}},"id":2.0}]`,
		`{"jsonrpc":"2.0","\u0069d":1,"content":"secret","properties":{"content":{"content":1}}}`,
		"\xEF\xBB\xBF{}", `[]`, `[1,{},[]]`, `{"id":`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		for m, err := range wire.DecodeAll(raw) {
			if err != nil {
				continue
			}
			if m.Kind() == wire.None {
				t.Fatalf("a message of no kind: %+v", m)
			}
			line, err := wire.Encode(m)
			if err != nil {
				t.Fatalf("what was decoded cannot be encoded: %v", err)
			}
			if strings.ContainsAny(string(line), "\r\n") {
				t.Fatalf("line breaks in %q", line)
			}
			again, err := wire.Decode(line)
			if err != nil {
				t.Fatalf("what was encoded cannot be decoded: %v in %s", err, line)
			}
			if again.ID != m.ID || again.Method != m.Method || again.Kind() != m.Kind() {
				t.Fatalf("%s came back as %s", describe(m), describe(again))
			}
		}
		checkRedacted(t, raw)
		var peek wire.Peek
		for i := range raw {
			peek.Write(raw[i : i+1])
		}
		peek.ReplyTo()
	})
}

// What a server says of an error is kept up to a bound, whole characters of it.
func TestTheWordsOfAnErrorAreBounded(t *testing.T) {
	for name, unit := range map[string]string{"letters": "x", "escapes": `\u4e2d`, "short escapes": `\n`, "characters": "中"} {
		for _, e := range []string{`{"code":1,"message":%q}`, `%q`} {
			literal := `"` + strings.Repeat(unit, 200_000) + `"`
			m, err := wire.Decode([]byte(`{"jsonrpc":"2.0","id":1,"error":` + strings.ReplaceAll(e, "%q", literal) + `}`))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			var one string
			if err := json.Unmarshal([]byte(`"`+unit+`"`), &one); err != nil {
				t.Fatal(err)
			}
			text, marked := strings.CutSuffix(m.Error.Message, "…")
			if text = strings.ReplaceAll(text, one, ""); !marked || text != "" || len(m.Error.Message) > 64<<10 {
				t.Errorf("%s: %d bytes are kept, beside the text itself %q", name, len(m.Error.Message), text)
			}
		}
	}
}
