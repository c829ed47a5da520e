package mcpclient

import (
	"encoding/json"
	"strconv"

	"parley/forms/rawjson"
	"parley/mcpclient/wire"
)

// needed is an InputRequiredResult that can be acted on.
type needed struct {
	asks  []ask
	state json.RawMessage // requestState, nil if absent
}

// readResult tells a final result (nil) from one that needs input, and either
// from a reply that is not valid (2026-07-28, "Multi Round-Trip Requests").
func readResult(result json.RawMessage, era Era) (*needed, error) {
	raw, err := rawjson.Lookup(result, "resultType")
	if err != nil {
		return nil, invalid("core.invalid.result")
	}
	if era == Legacy {
		if text(raw) == "input_required" {
			return nil, invalid("core.invalid.legacyinput")
		}
		return nil, nil
	}
	kind, isText := rawjson.String(raw)
	switch {
	case isNull(raw), kind == "complete":
		return nil, nil
	case !isText || kind != "input_required":
		return nil, invalid("core.invalid.resulttype", "Type", clip(string(raw)))
	}
	members, _ := rawjson.Only(result, "inputRequests", "requestState")
	requests, state := rawjson.Get(members, "inputRequests"), rawjson.Get(members, "requestState")
	if isNull(requests) && isNull(state) {
		return nil, invalid("core.invalid.neither")
	}
	need := &needed{}
	if !isNull(state) {
		if _, ok := rawjson.String(state); !ok {
			return nil, invalid("core.invalid.state")
		}
		need.state = state
	}
	if isNull(requests) {
		return need, nil
	}
	entries, more, err := rawjson.ObjectUpTo(requests, MaxOpen)
	switch {
	case err != nil:
		return nil, invalid("core.invalid.requests")
	case more:
		return nil, invalid("core.invalid.toomany", "Max", MaxOpen)
	}
	for _, e := range entries {
		a, err := readInputRequest(e.Value)
		if err != nil {
			return nil, invalid("core.invalid.entry", "Key", clip(e.Key), "Reason", err.reason)
		}
		a.key, a.literal = e.Key, e.Raw
		need.asks = append(need.asks, a)
	}
	return need, nil
}

// requiredURLs returns the pages of a -32042 error (2025-11-25,
// "URLElicitationRequiredError"), none for every other error. One with an entry
// that nobody can answer is a failure that names it.
func requiredURLs(err error) ([]ask, error) {
	rpc := rpcError(err)
	if rpc == nil || rpc.Code != wire.CodeURLElicitationRequired {
		return nil, nil
	}
	listed, _ := rawjson.Lookup(rpc.Data, "elicitations")
	entries, more, _ := rawjson.ArrayUpTo(listed, MaxOpen)
	if more {
		return nil, invalid("core.invalid.toomany", "Max", MaxOpen)
	}
	urls := make([]ask, len(entries))
	for i, e := range entries {
		a, bad := readRequired(e)
		if bad != nil {
			return nil, invalid("core.invalid.entry", "Key", strconv.Itoa(i+1), "Reason", bad.reason)
		}
		urls[i] = a
	}
	return urls, nil
}
