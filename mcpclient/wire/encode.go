package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"

	"parley/forms/rawjson"
)

// Encode writes m as one line of JSON without a line feed at its end. Params,
// Result and Error.Data go out with the very bytes they have; only when such a
// value contains a line break between its tokens is the white space between
// tokens taken out, because stdio separates messages by line feeds. The error
// is for a Message of no kind and for raw values that are no JSON.
func Encode(m Message) ([]byte, error) {
	b := make([]byte, 0, 96+len(m.Method)+len(m.Params)+len(m.Result))
	b = append(b, `{"jsonrpc":"2.0"`...)
	kind := m.Kind()
	if kind == None {
		return nil, fmt.Errorf("encoding a message: neither method, result nor error")
	}
	if kind != Notification {
		b = m.ID.append(append(b, `,"id":`...))
	}
	var err error
	switch {
	case m.Method != "":
		b = rawjson.AppendQuote(append(b, `,"method":`...), m.Method)
		if m.Params != nil {
			if b, err = appendRaw(append(b, `,"params":`...), m.Params); err != nil {
				return nil, fmt.Errorf("encoding the params of %s: %w", m.Method, err)
			}
		}
	case m.Error != nil:
		b = append(b, `,"error":{"code":`...)
		b = strconv.AppendInt(b, int64(m.Error.Code), 10)
		b = rawjson.AppendQuote(append(b, `,"message":`...), m.Error.Message)
		if m.Error.Data != nil {
			if b, err = appendRaw(append(b, `,"data":`...), m.Error.Data); err != nil {
				return nil, fmt.Errorf("encoding the data of an error: %w", err)
			}
		}
		b = append(b, '}')
	default:
		if b, err = appendRaw(append(b, `,"result":`...), m.Result); err != nil {
			return nil, fmt.Errorf("encoding a result: %w", err)
		}
	}
	return append(b, '}'), nil
}

// appendRaw appends raw, which must be JSON, without line breaks.
func appendRaw(b []byte, raw json.RawMessage) ([]byte, error) {
	if bytes.ContainsAny(raw, "\r\n") {
		buf := bytes.NewBuffer(b)
		if err := json.Compact(buf, raw); err != nil {
			return nil, errNotJSON
		}
		return buf.Bytes(), nil
	}
	if !json.Valid(raw) {
		return nil, errNotJSON
	}
	return append(b, raw...), nil
}
