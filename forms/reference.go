package forms

import (
	"encoding/json"
	"net/url"
	"strconv"
	"strings"

	"parley/forms/rawjson"
)

// place is a value within the schema that a reference led to or through. What
// it holds is read once, however many references pass.
type place struct {
	raw   json.RawMessage
	inner map[string]*place // by key or index; nil until read
}

// lookup finds the target of a local reference by its JSON Pointer (RFC 6901,
// in a URI fragment); the empty one is the whole schema. "#name" is an anchor, which the restricted subset does
// not have.
func (p *parser) lookup(pointer string) (json.RawMessage, bool) {
	if pointer == "" {
		return p.root.raw, true
	}
	decoded, err := url.PathUnescape(pointer)
	if err != nil || decoded == "" || decoded[0] != '/' || !p.spend(8*len(decoded)) {
		return nil, false
	}
	at := p.root
	for token := range strings.SplitSeq(decoded[1:], "/") {
		if at = p.inside(at)[pointerUnescaper.Replace(token)]; at == nil {
			return nil, false
		}
	}
	return at.raw, true
}

// pointerUnescaper undoes pointerEscaper.
var pointerUnescaper = strings.NewReplacer("~1", "/", "~0", "~")

// inside is what the object or array at a place holds.
func (p *parser) inside(at *place) map[string]*place {
	if at.inner != nil {
		return at.inner
	}
	at.inner = map[string]*place{}
	if !p.spend(len(at.raw)) {
		return at.inner
	}
	switch rawjson.Kind(at.raw) {
	case '{':
		members, _ := rawjson.Object(at.raw)
		for _, m := range members {
			if _, taken := at.inner[m.Key]; !taken {
				at.inner[m.Key] = &place{raw: m.Value}
			}
		}
	case '[':
		list, _ := rawjson.Array(at.raw)
		for i, e := range list {
			at.inner[strconv.Itoa(i)] = &place{raw: e}
		}
	}
	return at.inner
}
