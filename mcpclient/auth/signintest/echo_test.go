package signintest

import (
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"strings"
	"testing"

	"parley/mcpclient"
)

// echoes are the ways in which a server says back what it was sent, other than in
// a result: said is a JSON value.
var echoes = map[string]func(w http.ResponseWriter, id json.RawMessage, text, said string){
	"error": func(w http.ResponseWriter, id json.RawMessage, text, said string) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, echoedError(id, text, said))
	},
	"refusal": func(w http.ResponseWriter, id json.RawMessage, text, said string) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprint(w, echoedError(id, text, said))
	},
	"text": func(w http.ResponseWriter, _ json.RawMessage, text, _ string) {
		http.Error(w, text, http.StatusInternalServerError)
	},
	"page": func(w http.ResponseWriter, _ json.RawMessage, text, _ string) {
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusInternalServerError)
		fmt.Fprintf(w, "<!doctype html><title>%s</title><p>%[1]s", html.EscapeString(text))
	},
	"stream": func(w http.ResponseWriter, id json.RawMessage, text, said string) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, message := range []string{
			`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","logger":` + said + `,"data":` + said + `}}`,
			`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1,"message":` + said + `}}`,
			`{"stray":` + said + `}`,
			echoedError(id, text, said),
		} {
			fmt.Fprintf(w, "data: %s\n\n", message)
		}
	},
	"redirect": func(w http.ResponseWriter, _ json.RawMessage, text, _ string) {
		w.Header().Set("Location", "https://elsewhere.example/"+text)
		w.WriteHeader(http.StatusTemporaryRedirect)
	},
}

func echoedError(id json.RawMessage, text, said string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err) // text always can
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32000,"message":%s,"data":{"said":[%s]}}}`, id, quoted, said)
}

// echo answers the call of a tool "echo-" with what came in the headers, in one of
// echoes, and reports whether the message is one.
func echo(w http.ResponseWriter, r *http.Request, body []byte) bool {
	var m struct {
		ID     json.RawMessage
		Params struct{ Name string }
	}
	if json.Unmarshal(body, &m) != nil {
		return false
	}
	how, is := strings.CutPrefix(m.Params.Name, "echo-")
	if all := r.URL.Query().Get("echo"); all != "" { // of connecting, too
		how, is = all, true
	}
	if !is || m.ID == nil {
		return false
	}
	var text []string
	var said strings.Builder
	for _, name := range []string{"Authorization", "X-Api-Key", "X-Flag"} {
		value := strings.TrimPrefix(r.Header.Get(name), "Bearer ")
		if value == "" {
			continue
		}
		quoted, err := json.Marshal(value)
		if err != nil {
			panic(err)
		}
		text = append(text, value)
		fmt.Fprintf(&said, `{"plain":%s,"escaped":%s,%[1]s:"named"},`, quoted, strings.ReplaceAll(string(quoted), "/", `\/`))
	}
	said.WriteString("0")
	echoes[how](w, m.ID, strings.Join(text, " "), "["+said.String()+"]")
	return true
}

// echoes has every server say back what it is sent, and keeps what becomes of it.
func (c *cage) echoes(t *testing.T, client *mcpclient.Client, ended <-chan mcpclient.Call) {
	for _, s := range c.listed {
		if s.Kind != mcpclient.HTTP {
			continue
		}
		for how := range echoes {
			client.Connection(s.ID).Start(mcpclient.CallRequest{Kind: mcpclient.CallTool, Name: "echo-" + how})
			call := <-ended
			if call.Failure == nil {
				t.Errorf("%s, %s: the call came to %+v", s.Name, how, call)
				continue
			}
			c.all.put("why a call failed", *call.Failure)
			shown := fmt.Sprintf("%+v %s %s", *call.Failure, call.Failure.Error(), call.Failure.Data)
			if !strings.Contains(shown, "•••") {
				t.Errorf("%s, %s: the server's words are not shown: %s", s.Name, how, shown)
			}
		}
	}
}

// sayingBack refuses what is asked at path, in a description of all that was sent.
func sayingBack(path string) func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path != path || r.ParseForm() != nil {
			return false
		}
		text := r.Header.Get("Authorization")
		for name, values := range r.PostForm {
			text += " " + name + "=" + strings.Join(values, " ")
		}
		raw, err := json.Marshal(map[string]string{"error": "invalid_request", "error_description": text})
		if err != nil {
			panic(err) // text always can
		}
		w.WriteHeader(http.StatusBadRequest)
		_, _ = w.Write(raw) // a client that has left does not read it
		return true
	}
}
