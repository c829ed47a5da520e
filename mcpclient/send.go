package mcpclient

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"parley/assets/i18n"
	"parley/forms/rawjson"
	"parley/mcpclient/wire"
)

// retry is what a round's answers add to the request that is sent again: and
// nothing of any round before (M4).
type retry struct {
	responses json.RawMessage // inputResponses; nil: none
	state     json.RawMessage // requestState as the server spelt it; nil: it sent none
}

// send sends the request once, with a new id (M3). When a server says that its
// headers do not fit its tool, the tool may have changed: the list is fetched
// again and the request repeated (2026-07-28, "Custom Headers from Tool
// Parameters").
func (r *callRun) send(with retry) (json.RawMessage, error) {
	if r.call.Kind == CallTool && r.conn.mirrors() {
		if err := r.knowTool(); err != nil {
			return nil, err
		}
	}
	result, err := r.sendOnce(with)
	rpc := rpcError(err)
	switch {
	case rpc == nil:
	case rpc.Code == wire.CodeHeaderMismatch && r.conn.mirrors() && r.call.Kind == CallTool:
		r.conn.cache.drop(toolList.method)
		tools, listErr := r.conn.pages(r.ctx, toolList)
		if listErr != nil {
			return nil, err
		}
		r.conn.learnHeaders(tools)
		return r.sendOnce(with)
	case refuses(err) && speaksOfModes(rpc) && r.conn.becomePlain():
		return r.sendOnce(with)
	}
	return result, err
}

// knowPatience is how long a call waits for the list of tools before it goes
// without.
const knowPatience = 5 * time.Second

// knowTool sees to it that the client knows which arguments of the tool go out
// as headers, which it must before the first call ("Client Behavior"), and
// refuses a tool that is not to be offered.
func (r *callRun) knowTool() error {
	k := r.conn
	if k.declares(toolList.capability) && !k.knowsHeaders() {
		ctx, cancel := context.WithTimeout(r.ctx, knowPatience)
		tools, err := k.pages(ctx, toolList)
		cancel()
		if err != nil && context.Cause(r.ctx) != nil {
			return err
		}
		k.learnHeaders(tools) // without a list the server will say what it misses
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if why, bad := k.refused[r.call.Name]; bad {
		return invalid("core.header.left_out", "Tool", clip(r.call.Name), "Reason", why)
	}
	return nil
}

// speaksOfModes reports whether a server that refused a request names what the
// client declares as the reason.
func speaksOfModes(e *wire.Error) bool {
	words := strings.ToLower(e.Message + clip(string(e.Data)))
	return strings.Contains(words, "clientcapabilities") || strings.Contains(words, "elicitation.")
}

// becomePlain stops telling the server of the modes of elicitation. It reports
// false when it was told of none already.
func (k *Connection) becomePlain() bool {
	if k.Info().Era != Modern || !k.plain.CompareAndSwap(false, true) {
		return false
	}
	info := k.Info()
	k.learn(info)
	k.client.memory.Remember(k.wanted, k.learnt(Learnt{}))
	k.notice(i18n.M("core.notice.plain"), "")
	return true
}

func (r *callRun) sendOnce(with retry) (json.RawMessage, error) {
	call := r.snapshot()
	o := r.conn.options(call.ID)
	o.token = call.ID + "-" + strconv.Itoa(call.Round)
	o.header = r.conn.headersOf(call)
	key, arguments := "name", call.Arguments
	if call.Kind == CallResource {
		key, arguments = "uri", nil
	}
	// Slices of a fixed size that nobody keeps take no memory of their own.
	name := rawjson.AppendQuote(make([]byte, 0, 64), call.Name)
	token := rawjson.AppendQuote(make([]byte, 0, 64), o.token)
	var meta json.RawMessage
	if o.modern {
		meta = r.conn.meta(o.protocol, token, r.conn.logLevel())
	} else {
		meta = encode(member{"progressToken", token})
	}
	params := encode(member{key, name}, member{"arguments", arguments},
		member{"inputResponses", with.responses}, member{"requestState", with.state}, member{"_meta", meta})
	return r.conn.request(r.ctx, methods[call.Kind], params, o)
}
