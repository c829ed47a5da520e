// Command mcpgo is a server of the interop table made with mark3labs/mcp-go. It
// offers what the Node servers beside it offer, in both eras, over every
// transport the library has. It is a module of its own, so that the app does
// not depend on the library.
//
//	mcpgo -schemas schemas.json            stdio
//	mcpgo -schemas schemas.json -http      HTTP on a free port of 127.0.0.1
//
// Over HTTP it says on standard error where it listens and what it serves there:
//
//	/stateless     no sessions
//	/stateful      sessions in the older era
//	/sse           the transport of 2024-11-05
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"

	"github.com/mark3labs/mcp-go/server"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("mcpgo: ")
	file := flag.String("schemas", "", "the file with the schemas to ask with")
	overHTTP := flag.Bool("http", false, "serve HTTP")
	flag.Parse()
	forms, err := readForms(*file)
	if err != nil {
		log.Fatal(err)
	}
	s := build(forms)
	if *overHTTP {
		err = serve(s)
	} else {
		err = server.ServeStdio(s)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// forms are the schemas that all servers of the table ask with.
type forms struct {
	All             json.RawMessage `json:"all"`
	Defaults        json.RawMessage `json:"defaults"`
	RequiredDefault json.RawMessage `json:"requiredDefault"`
}

func readForms(file string) (forms, error) {
	var f forms
	raw, err := os.ReadFile(file)
	if err != nil {
		return f, fmt.Errorf("reading the schemas: %w", err)
	}
	if err := json.Unmarshal(raw, &f); err != nil {
		return f, fmt.Errorf("reading the schemas in %s: %w", file, err)
	}
	return f, nil
}

// serve serves all HTTP transports until the process is ended.
func serve(s *server.MCPServer) error {
	mux := http.NewServeMux()
	mux.Handle("/stateless", server.NewStreamableHTTPServer(s, server.WithStateLess(true)))
	mux.Handle("/stateful", server.NewStreamableHTTPServer(s, server.WithStateful(true)))
	old := server.NewSSEServer(s)
	mux.Handle("/sse", old)
	mux.Handle("/message", old)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	log.Printf("listening on http://%s /stateless /stateful /sse", l.Addr())
	return http.Serve(l, mux)
}
