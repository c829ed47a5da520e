package config

import (
	"encoding/json"
	"slices"
	"strconv"

	"parley/forms/rawjson"
	"parley/mcpclient"
)

// keySignIn is the member of a note with what is fixed about signing in:
// {"clientId", "issuer", "clientMetadata", "port", "host", "path", "intranet",
// "service"}. The secret of the client id is not among them.
const keySignIn = "signIn"

// signInHosts are the hosts that the browser may be sent back to.
var signInHosts = []string{"", "127.0.0.1", "localhost", "::1"}

// readSignIn reads what a note says of signing in; ok is false if it cannot be
// understood, and then nothing of it counts: half of it might lead elsewhere.
func readSignIn(n object) (v mcpclient.SignIn, ok bool) {
	raw := rawjson.Get(n, keySignIn)
	if absent(raw) {
		return v, true
	}
	o, err := rawjson.Object(raw)
	if err != nil {
		return mcpclient.SignIn{}, false
	}
	ok = true
	text := func(key string) string {
		raw := rawjson.Get(o, key)
		s, isText := rawjson.String(raw)
		ok = ok && (isText || absent(raw))
		return s
	}
	yes := func(key string) bool {
		raw := rawjson.Get(o, key)
		ok = ok && (absent(raw) || string(raw) == "true" || string(raw) == "false")
		return string(raw) == "true"
	}
	v.ClientID, v.Issuer, v.ClientMetadata = text("clientId"), text("issuer"), text("clientMetadata")
	v.Host, v.Path = text("host"), text("path")
	v.Intranet, v.Service = yes("intranet"), yes("service")
	if raw := rawjson.Get(o, "port"); !absent(raw) {
		port, err := strconv.ParseUint(string(raw), 10, 16)
		v.Port, ok = int(port), ok && err == nil
	}
	if !ok || !slices.Contains(signInHosts, v.Host) {
		return mcpclient.SignIn{}, false
	}
	return v, true
}

// writeSignIn puts v into a note; one that says the same already keeps its
// spelling, and what others may have added to it stays.
func writeSignIn(n *object, v mcpclient.SignIn) {
	if old, _ := readSignIn(*n); old == v {
		return
	}
	if v == (mcpclient.SignIn{}) {
		n.remove(keySignIn)
		return
	}
	o, err := n.object(keySignIn)
	if err != nil {
		o = nil
	}
	o = slices.Clone(o)
	o.setText("clientId", v.ClientID)
	o.setText("issuer", v.Issuer)
	o.setText("clientMetadata", v.ClientMetadata)
	o.setText("host", v.Host)
	o.setText("path", v.Path)
	o.remove("port")
	if v.Port != 0 {
		o.set("port", json.RawMessage(strconv.Itoa(v.Port)))
	}
	for _, flag := range []struct {
		key string
		yes bool
	}{{"intranet", v.Intranet}, {"service", v.Service}} {
		o.remove(flag.key)
		if flag.yes {
			o.set(flag.key, json.RawMessage("true"))
		}
	}
	n.set(keySignIn, o.encode())
}
