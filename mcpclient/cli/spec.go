package cli

import (
	"encoding/json"
	"strings"

	"parley/forms/rawjson"
	"parley/mcpclient"
)

// spec is one --answer: how a question is to be answered.
type spec struct {
	action mcpclient.Action
	// sure is the second yes ("!"): secret text is sent, a dangerous page is
	// opened.
	sure bool
	// acts are what is entered into the form first, one act a key; nil submits
	// the form untouched.
	acts json.RawMessage
}

// parseSpec reads a SPEC. The error is a sentence that repeats nothing of the
// SPEC, which may hold secrets; n is its number among the --answer flags.
func parseSpec(s string, n int) (spec, error) {
	word, object, hasObject := strings.Cut(s, ":")
	var v spec
	switch word {
	case "accept":
		v.action = mcpclient.Accept
	case "accept!":
		v.action, v.sure = mcpclient.Accept, true
	case "decline":
		v.action = mcpclient.Decline
	case "cancel":
		v.action = mcpclient.Cancel
	case "ask":
		if !hasObject {
			return v, misuse("cli.answer_ask")
		}
		return v, misuse("cli.answer_malformed", "N", n)
	default:
		return v, misuse("cli.answer_malformed", "N", n)
	}
	if !hasObject {
		return v, nil
	}
	if v.action != mcpclient.Accept {
		return v, misuse("cli.answer_object_only_accept", "N", n)
	}
	if _, err := rawjson.Object(json.RawMessage(object)); err != nil {
		return v, misuse("cli.answer_not_object", "N", n)
	}
	v.acts = json.RawMessage(object)
	return v, nil
}
