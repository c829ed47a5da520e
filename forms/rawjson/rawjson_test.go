package rawjson

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestObjectKeepsOrderAndSpelling: members stand as they stood.
func TestObjectKeepsOrderAndSpelling(t *testing.T) {
	raw := "\t{ \"z\" : 1.50 , \"\\u0061\":[ 1, 2 ],\"\":{\"}\":\"]\\\"\"},\"名\" : -1E+2\n} "
	members, err := Object(json.RawMessage(raw))
	if err != nil {
		t.Fatal(err)
	}
	want := []struct{ key, raw, value string }{
		{"z", `"z"`, "1.50"}, {"a", `"\u0061"`, "[ 1, 2 ]"}, {"", `""`, `{"}":"]\""}`}, {"名", `"名"`, "-1E+2"},
	}
	if len(members) != len(want) {
		t.Fatalf("%d members, want %d", len(members), len(want))
	}
	for i, m := range members {
		if m.Key != want[i].key || string(m.Raw) != want[i].raw || string(m.Value) != want[i].value {
			t.Errorf("member %d is %q %s %s", i, m.Key, m.Raw, m.Value)
		}
	}
	if string(Get(members, "z")) != "1.50" || Get(members, "none") != nil {
		t.Errorf("Get finds %s, %s", Get(members, "z"), Get(members, "none"))
	}
}

// TestObjectRepeatedKeys: the last value counts, at the place of the first,
// however the key is spelled; lone surrogates make different keys.
func TestObjectRepeatedKeys(t *testing.T) {
	members, err := Object(json.RawMessage(`{"a":1,"b":2,"\u0061":3,"\ud800":4,"\ud801":5}`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range members {
		got = append(got, string(m.Raw)+string(m.Value))
	}
	if s := strings.Join(got, " "); s != `"a"3 "b"2 "\ud800"4 "\ud801"5` {
		t.Errorf("members %s", s)
	}
}

// TestObjectRepeatedKeysAmongMany: the rule holds for objects of any size.
func TestObjectRepeatedKeysAmongMany(t *testing.T) {
	for _, size := range []int{few - 1, few, few + 1, 10 * few} {
		var in, want []string
		for i := range size {
			in = append(in, fmt.Sprintf(`"k%d":%d`, i, i))
			want = append(want, fmt.Sprintf("k%d:%d", i, i))
		}
		in = append(in, `"\ud800":0`, fmt.Sprintf(`"\u006b%d":"last"`, size-1), `"k0":"first"`, `"\udfff":1`)
		want[size-1], want[0] = fmt.Sprintf(`k%d:"last"`, size-1), `k0:"first"`
		want = append(want, "\uFFFD:0", "\uFFFD:1")
		members, err := Object(json.RawMessage("{" + strings.Join(in, ",") + "}"))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, m := range members {
			got = append(got, m.Key+":"+string(m.Value))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d members: %q, want %q", size, got, want)
		}
	}
}

// TestLookup finds what Get finds among the members.
func TestLookup(t *testing.T) {
	raw := json.RawMessage(` {"a":1, "b" : {"a":2} ,"\u0061":[3],"\ud800":4,"":5,"":null} `)
	for key, want := range map[string]string{"a": "[3]", "b": `{"a":2}`, "\uFFFD": "4", "": "null", "c": "", "A": ""} {
		if got, err := Lookup(raw, key); err != nil || string(got) != want || (got == nil) != (want == "") {
			t.Errorf("Lookup(%q) = %q, %v, want %q", key, got, err, want)
		}
	}
}

// TestArray gives the elements as they stood.
func TestArray(t *testing.T) {
	list, err := Array(json.RawMessage(` [ 1.0 ,"a, b]", [],{} , null] `))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range list {
		got = append(got, string(e))
	}
	if s := strings.Join(got, " "); s != `1.0 "a, b]" [] {} null` {
		t.Errorf("elements %s", s)
	}
}

// TestOtherJSON: an error of its own for JSON of another kind, a syntax error
// for no JSON.
func TestOtherJSON(t *testing.T) {
	for _, raw := range []string{"[]", "1", `"{"`, "null", "true"} {
		if _, err := Object(json.RawMessage(raw)); !errors.Is(err, ErrNotObject) {
			t.Errorf("Object(%s): %v", raw, err)
		}
		if _, err := Lookup(json.RawMessage(raw), "a"); !errors.Is(err, ErrNotObject) {
			t.Errorf("Lookup(%s): %v", raw, err)
		}
	}
	for _, raw := range []string{"{}", "1", `"["`, "null", "true"} {
		if _, err := Array(json.RawMessage(raw)); !errors.Is(err, ErrNotArray) {
			t.Errorf("Array(%s): %v", raw, err)
		}
	}
	for _, raw := range []string{"", " ", "{", "[", `{"a":}`, `{"a":1}x`, `[1,]`, `{"a":01}`, strings.Repeat("[", 20_000)} {
		var syntax *json.SyntaxError
		if _, err := Object(json.RawMessage(raw)); !errors.As(err, &syntax) {
			t.Errorf("Object(%.20s): %v", raw, err)
		}
		if _, err := Lookup(json.RawMessage(raw), "a"); !errors.As(err, &syntax) {
			t.Errorf("Lookup(%.20s): %v", raw, err)
		}
		if _, err := Array(json.RawMessage(raw)); !errors.As(err, &syntax) {
			t.Errorf("Array(%.20s): %v", raw, err)
		}
	}
}

// TestKind tells values apart by their first byte.
func TestKind(t *testing.T) {
	for raw, want := range map[string]byte{" {": '{', "[": '[', `"`: '"', "true": 't', "false": 'f', "null": 'n', "-1": '0', "7": '0', "": 0, " ": 0} {
		if got := Kind(json.RawMessage(raw)); got != want {
			t.Errorf("Kind(%q) = %q, want %q", raw, got, want)
		}
	}
}

// TestStrings: what each reader makes of a literal, and that what Decode gives
// is quoted back to the same text.
func TestStrings(t *testing.T) {
	for _, c := range []struct{ raw, str, decoded, quoted string }{
		{`"a"`, "a", "a", `"a"`},
		{` "a" `, "a", "a", `"a"`},
		{`"\u0041\/\n\u0000\u001f"`, "A/\n\x00\x1f", "A/\n\x00\x1f", `"A/\n\u0000\u001f"`},
		{`"<&>\u2028"`, "<&>\u2028", "<&>\u2028", "\"<&>\u2028\""},
		{`"\ud83c\udf89"`, "🎉", "🎉", `"🎉"`},
		{`"\ud800"`, "\uFFFD", "\xED\xA0\x80", `"\ud800"`},
		{`"x\uDFFFy\b"`, "x\uFFFDy\b", "x\xED\xBF\xBFy\b", `"x\udfffy\b"`},
		{`"\ud800\ud83c\udf89"`, "\uFFFD🎉", "\xED\xA0\x80🎉", `"\ud800🎉"`},
		{`"\ud800\\u0041"`, "\uFFFD\\u0041", "\xED\xA0\x80\\u0041", `"\ud800\\u0041"`},
		{`"\ufffd"`, "\uFFFD", "\uFFFD", "\"\uFFFD\""},
		{"\"\xff\"", "\uFFFD", "\uFFFD", "\"\uFFFD\""},
		{"\"\xED\xA0\x80\"", "\uFFFD\uFFFD\uFFFD", "\uFFFD\uFFFD\uFFFD", "\"\uFFFD\uFFFD\uFFFD\""},
	} {
		s, ok := String(json.RawMessage(c.raw))
		d, ok2 := Decode(json.RawMessage(c.raw))
		if !ok || !ok2 || s != c.str || d != c.decoded {
			t.Errorf("%s: String %q %t, Decode %q %t", c.raw, s, ok, d, ok2)
		}
		if got := string(Quote(c.decoded)); got != c.quoted {
			t.Errorf("Quote(%q) = %s, want %s", c.decoded, got, c.quoted)
		}
	}
	for _, raw := range []string{"1", "{}", "", `"`, `"a`, `"\x"`, "\"\n\"", `"a"b"`} {
		if s, ok := String(json.RawMessage(raw)); ok {
			t.Errorf("String(%s) = %q", raw, s)
		}
		if s, ok := Decode(json.RawMessage(raw)); ok {
			t.Errorf("Decode(%s) = %q", raw, s)
		}
	}
}

// FuzzObject: what encoding/json takes for an object is read with the same
// keys and values, and only that.
func FuzzObject(f *testing.F) {
	for _, seed := range []string{`{}`, `{"a":1}`, `{"a":{"b":[1,"}"]},"\ud800":null}`, `[{}]`, `{"a":1,"a":2}`, "{\"\xff\":\"\\\\\"}"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		var want map[string]json.RawMessage
		members, err := Object(raw)
		if !json.Valid(raw) || Kind(raw) != '{' {
			if err == nil {
				t.Fatalf("%q is read as an object", raw)
			}
			return
		}
		if json.Unmarshal(raw, &want) != nil || err != nil {
			t.Fatalf("%q: %v", raw, err)
		}
		seen := map[string]bool{}
		for _, m := range members {
			id, ok := Decode(m.Raw)
			if again, _ := Decode(Quote(id)); !ok || again != id || seen[id] || !json.Valid(m.Value) || !json.Valid(m.Raw) {
				t.Fatalf("%q: member %s %s", raw, m.Raw, m.Value)
			}
			seen[id] = true
			if _, ok := want[m.Key]; !ok {
				t.Fatalf("%q: key %q is not there", raw, m.Key)
			}
			if only, err := Only(raw, m.Key); err != nil || !strings.ContainsRune(m.Key, utf8.RuneError) && string(Get(only, m.Key)) != string(Get(members, m.Key)) {
				t.Fatalf("%q: Only of %q gives %v, %v", raw, m.Key, only, err)
			}
			if v, err := Lookup(raw, m.Key); err != nil || string(v) != string(Get(members, m.Key)) {
				t.Fatalf("%q: Lookup of %q gives %s, %v", raw, m.Key, v, err)
			}
		}
		if len(members) < len(want) {
			t.Fatalf("%q: %d members, want %d", raw, len(members), len(want))
		}
		for max := range len(members) + 2 {
			some, more, err := ObjectUpTo(raw, max)
			if err != nil || len(some) != min(max, len(members)) || more != (len(members) > max) {
				t.Fatalf("%q: up to %d: %d members of %d, more %t, %v", raw, max, len(some), len(members), more, err)
			}
			if max > 16 {
				break
			}
		}
	})
}

func TestArrayUpToStopsAndSaysSo(t *testing.T) {
	for _, c := range []struct {
		raw  string
		max  int
		n    int
		more bool
	}{
		{`[1,2,3]`, 2, 2, true}, {`[1,2,3]`, 3, 3, false}, {`[1,2,3]`, -1, 3, false}, {`[1]`, 0, 0, true}, {` [ ] `, 0, 0, false},
	} {
		elements, more, err := ArrayUpTo(json.RawMessage(c.raw), c.max)
		if err != nil || len(elements) != c.n || more != c.more {
			t.Errorf("%s up to %d: %d elements, more %t, %v", c.raw, c.max, len(elements), more, err)
		}
	}
	if _, _, err := ArrayUpTo(json.RawMessage(`{}`), 1); !errors.Is(err, ErrNotArray) {
		t.Errorf("an object: %v", err)
	}
}
