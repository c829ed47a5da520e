package config

import (
	"bytes"
	"encoding/json"
	"slices"

	"parley/forms/rawjson"
)

// object is a JSON object whose members keep their order and spelling.
type object []rawjson.Member

// readObject reads raw; JSON null counts as an empty object.
func readObject(raw json.RawMessage) (object, error) {
	if rawjson.Kind(raw) == 'n' {
		return nil, nil
	}
	return rawjson.Object(raw)
}

// index is the place of key, -1 if it is not there.
func (o object) index(key string) int {
	return slices.IndexFunc(o, func(m rawjson.Member) bool { return m.Key == key })
}

// allMembers are the members of the object raw, those that are there twice twice.
func allMembers(raw json.RawMessage) (object, error) {
	if _, err := rawjson.Object(raw); err != nil {
		return nil, err
	}
	var out object
	dec := json.NewDecoder(bytes.NewReader(raw))
	if _, err := dec.Token(); err != nil { // "{"
		return nil, err
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil, err
		}
		var m rawjson.Member
		m.Key, _ = key.(string)
		if err := dec.Decode(&m.Value); err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	return out, nil
}

// repeated are the keys that are in the object raw several times.
func repeated(raw json.RawMessage) []string {
	members, err := allMembers(raw)
	if err != nil {
		return nil
	}
	var out []string
	seen := map[string]bool{}
	for _, m := range members {
		if seen[m.Key] && !slices.Contains(out, m.Key) {
			out = append(out, m.Key)
		}
		seen[m.Key] = true
	}
	return out
}

// object reads the member key, an absent one as an empty object.
func (o object) object(key string) (object, error) {
	raw := rawjson.Get(o, key)
	if raw == nil {
		return nil, nil
	}
	return readObject(raw)
}

// text reads the member key; ok is false if it is no string.
func (o object) text(key string) (s string, ok bool) {
	return rawjson.String(rawjson.Get(o, key))
}

// set puts raw at key, at its place or at the end.
func (o *object) set(key string, raw json.RawMessage) {
	if i := o.index(key); i >= 0 {
		(*o)[i].Value = raw
		return
	}
	*o = append(*o, rawjson.Member{Key: key, Value: raw})
}

// setText puts s at key; a string that says s already keeps its spelling, and
// an empty s takes the member away.
func (o *object) setText(key, s string) {
	if s == "" {
		o.remove(key)
		return
	}
	if old, ok := o.text(key); ok && old == s {
		return
	}
	o.set(key, encodeText(s))
}

// remove takes key away; an absent one is no matter.
func (o *object) remove(key string) {
	if i := o.index(key); i >= 0 {
		*o = slices.Delete(*o, i, i+1)
	}
}

// encode is the object as JSON.
func (o object) encode() json.RawMessage {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(encodeText(m.Key))
		b.WriteByte(':')
		b.Write(m.Value)
	}
	b.WriteByte('}')
	return b.Bytes()
}

// encodeText is s as a JSON string that stays readable: <, > and & as they are.
func encodeText(s string) json.RawMessage {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		panic(err) // a string always encodes
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
