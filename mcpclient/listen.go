package mcpclient

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"parley/assets/i18n"
	"parley/forms/rawjson"
	"parley/mcpclient/http"
	"parley/mcpclient/wire"
)

// The pauses before a stream of notifications that ended is opened again: they
// double from the first to the last, and begin anew after a stream that lived
// for steadyLife. One that the server ended maxListens times in a row without
// living that long is given up.
const (
	firstListen = time.Second
	lastListen  = time.Minute
	maxListens  = 8
)

// listenFilter is what to subscribe to: the lists the server says it tells of
// when they change (2026-07-28, "Subscriptions"). It is nil for none, and for a
// server of the 2025 era, which tells without being asked.
func (k *Connection) listenFilter() json.RawMessage {
	info := k.Info()
	if info.Era != Modern {
		return nil
	}
	var filter []member
	for _, l := range []listing{toolList, promptList, resourceList} {
		declared, _ := rawjson.Lookup(info.Capabilities, l.capability)
		if tells, _ := rawjson.Lookup(declared, "listChanged"); string(tells) == "true" {
			filter = append(filter, member{l.capability + "ListChanged", json.RawMessage("true")})
		}
	}
	if filter == nil {
		return nil
	}
	return encode(filter...)
}

// listen keeps a stream of notifications open until ctx ends or the server
// shows that it has none.
func (k *Connection) listen(ctx context.Context, filter json.RawMessage) {
	fruitless, refused := 0, 0
	unreached := false
	for opened := 0; ; opened++ {
		if opened > 0 && !unreached { // what reaches it again tells of that too
			// What changed in between was told to nobody.
			k.changed(toolList, promptList, resourceList)
		}
		begun := k.client.now()
		_, err := k.request(ctx, "subscriptions/listen", encode(
			member{"_meta", k.meta(k.Info().Protocol, nil, "")},
			member{"notifications", filter},
		), k.listenOptions())
		if ctx.Err() != nil || k.isDone() {
			return
		}
		if k.client.now().Sub(begun) >= steadyLife {
			fruitless, refused = 0, 0
		}
		fruitless++
		// A server that is not reached has refused nothing: it is asked until it
		// is back, which is how that is noticed.
		_, unreached = errors.AsType[*http.NetworkError](err)
		if !unreached {
			refused++
		}
		rpc := rpcError(err)
		switch {
		case rpc != nil && rpc.Code != wire.CodeInternal:
			k.notice(i18n.M("core.notice.nolisten"), requestFailure(err).Message)
			return
		case refused > maxListens:
			k.notice(i18n.M("core.notice.listengone"), "")
			return
		case fruitless == 1 && !unreached: // that is told as such
			k.notice(ended(err), "")
		}
		if !sleep(ctx, min(firstListen<<min(fruitless-1, 10), lastListen)) {
			return
		}
	}
}

// listenOptions: a stream of notifications may be silent for ever.
func (k *Connection) listenOptions() requestOptions {
	o := k.options("")
	o.silence = 0
	return o
}

// ended says that the stream ended, and why where that is known.
func ended(err error) i18n.Message {
	if err == nil {
		return i18n.M("core.notice.listen")
	}
	return i18n.M("core.notice.listenlost", "Reason", requestFailure(err).Text)
}

// sleep waits for d and reports false if ctx ended first.
func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// changed drops what is kept of lists that have changed and tells of it.
func (k *Connection) changed(lists ...listing) {
	for _, l := range lists {
		k.cache.drop(l.method)
		if l == resourceList {
			k.cache.drop(templateList.method)
		}
	}
	k.client.announce(Event{ServerID: k.server.ID, ListChanged: true})
}
