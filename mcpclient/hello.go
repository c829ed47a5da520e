package mcpclient

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"parley/assets/i18n"
	"parley/forms/rawjson"
	"parley/mcpclient/http"
	"parley/mcpclient/wire"
)

// capabilities is what every request declares (spec: "Capabilities"). Roots
// and sampling are not offered. A server that refuses the modes is told of none,
// which means forms alone (C6).
var (
	capabilities      = json.RawMessage(`{"elicitation":{"form":{},"url":{}}}`)
	plainCapabilities = json.RawMessage(`{"elicitation":{}}`)
)

// The _meta keys of 2026-07-28.
const (
	metaProtocol     = "io.modelcontextprotocol/protocolVersion"
	metaClientInfo   = "io.modelcontextprotocol/clientInfo"
	metaCapabilities = "io.modelcontextprotocol/clientCapabilities"
	metaServerInfo   = "io.modelcontextprotocol/serverInfo"
)

// meta is the _meta of every modern request: retries and lists included (C5).
// token is the progress token, nil for none; logLevel is what to log of the
// request, "" for nothing.
func (k *Connection) meta(revision string, token json.RawMessage, logLevel string) json.RawMessage {
	var level json.RawMessage
	if logLevel != "" {
		level = quote(logLevel)
	}
	return encode(
		member{metaProtocol, rawjson.AppendQuote(make([]byte, 0, 16), revision)},
		member{metaClientInfo, k.client.info},
		member{metaCapabilities, k.capabilities()},
		member{"progressToken", token},
		member{metaLogLevel, level},
	)
}

// capabilities is what the server is told that Parley can do.
func (k *Connection) capabilities() json.RawMessage {
	if k.plain.Load() {
		return plainCapabilities
	}
	return capabilities
}

// discover asks a server what it is (2026-07-28, "server/discover"). One that
// does not know the revision asked for is asked once more for one it offers.
// It may be silent for patience.
func (k *Connection) discover(ctx context.Context, revision string, patience time.Duration) error {
	o := requestOptions{protocol: revision, modern: true, silence: patience, hello: true}
	params := encode(member{"_meta", k.meta(revision, nil, "")})
	result, err := k.request(ctx, "server/discover", params, o)
	if err != nil {
		if rpc := rpcError(err); rpc != nil && rpc.Code == wire.CodeUnsupportedVersion {
			supported, _ := rawjson.Lookup(rpc.Data, "supported")
			err := k.choose(ctx, revision, texts(supported), patience)
			if none, ok := err.(errRevision); ok {
				none.rpc = rpc
				return none
			}
			return err
		}
		return err
	}
	members, _ := rawjson.Only(result, helloKeys...)
	if kind := rawjson.Get(members, "resultType"); !isNull(kind) && text(kind) != "complete" {
		// Only calls may ask for input, and an unknown type is no result.
		return invalid("core.invalid.discover")
	}
	offered := texts(rawjson.Get(members, "supportedVersions"))
	switch {
	case len(offered) == 0:
		// Some servers of the 2025 era answer what they do not know with any
		// result ("Backward Compatibility with Initialization-Based Versions").
		return errRevision{legacy: true}
	case !slices.Contains(offered, revision):
		return k.choose(ctx, revision, offered, patience)
	}
	info, _ := rawjson.Lookup(rawjson.Get(members, "_meta"), metaServerInfo)
	k.learn(Info{
		Era:          Modern,
		Protocol:     revision,
		Instructions: text(rawjson.Get(members, "instructions")),
		Capabilities: object(rawjson.Get(members, "capabilities")),
		ServerInfo:   optional(info),
	})
	return nil
}

// choose goes on with a revision that the server offers. One that names the
// very revision it has refused is asked once more.
func (k *Connection) choose(ctx context.Context, asked string, offered []string, patience time.Duration) error {
	for _, r := range modernRevisions {
		if slices.Contains(offered, r) && (r != asked || !k.askedAgain) {
			k.askedAgain = k.askedAgain || r == asked
			return k.discover(ctx, r, patience)
		}
	}
	legacy := slices.ContainsFunc(legacyRevisions, func(r string) bool { return slices.Contains(offered, r) })
	return errRevision{offered: offered, legacy: legacy}
}

// initialize shakes hands with a server of the 2025 era, which may be silent
// for silence.
func (k *Connection) initialize(ctx context.Context, silence time.Duration) error {
	revision := legacyRevisions[0]
	if k.server.Protocol != "" {
		revision = k.server.Protocol
	}
	params := encode(
		member{"protocolVersion", quote(revision)},
		member{"capabilities", k.capabilities()},
		member{"clientInfo", k.client.info},
	)
	// Some push a question before they have heard that they may.
	k.learn(Info{Era: Legacy})
	// The revision header is sent only once it is agreed (2025-06-18 and later).
	o := requestOptions{silence: silence, keep: true, hello: true}
	result, err := k.request(ctx, "initialize", params, o)
	if err != nil {
		return err
	}
	members, err := rawjson.Only(result, helloKeys...)
	if err != nil {
		return invalid("core.invalid.initialize")
	}
	agreed := text(rawjson.Get(members, "protocolVersion"))
	switch pin := k.server.Protocol; {
	case !slices.Contains(legacyRevisions, agreed):
		return errRevision{offered: []string{agreed}}
	case pin != "" && agreed != pin:
		return &Failure{Kind: FailLost, Text: i18n.M("core.connect.otherpin", "Revision", pin, "Offered", agreed)}
	}
	k.learn(Info{
		Era:          Legacy,
		Protocol:     agreed,
		Instructions: text(rawjson.Get(members, "instructions")),
		Capabilities: object(rawjson.Get(members, "capabilities")),
		ServerInfo:   optional(rawjson.Get(members, "serverInfo")),
	})
	k.notify("notifications/initialized", nil, k.options(""))
	if s, ok := k.transport.(streamer); ok {
		s.OpenStream()
	}
	k.setLogLevel()
	return nil
}

// streamer is a transport with a stream of its own for what the server sends
// outside requests (legacy HTTP).
type streamer interface{ OpenStream() }

// rpcError returns the JSON-RPC error that err carries, nil if it carries none.
func rpcError(err error) *wire.Error {
	if err == nil {
		return nil
	}
	if rpc, ok := errors.AsType[*wire.Error](err); ok {
		return rpc
	}
	if status, ok := errors.AsType[*http.StatusError](err); ok {
		return status.RPC
	}
	return nil
}

// helloKeys are the members that are read of what a server says of itself.
var helloKeys = []string{"resultType", "supportedVersions", "protocolVersion", "instructions", "capabilities", "serverInfo", "_meta"}

// maxOffered bounds the revisions that a server may offer.
const maxOffered = 100
