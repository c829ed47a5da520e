// Command gosdk is a server of the interop table made with the official Go SDK.
// It offers what the Node servers beside it offer, in both eras, over every
// transport the SDK has.
//
//	gosdk -schemas schemas.json            stdio
//	gosdk -schemas schemas.json -http      HTTP on a free port of 127.0.0.1
//
// Over HTTP it says on standard error where it listens and what it serves there:
//
//	/stateless, /stateless-json     no sessions: the era of 2026-07-28, and as
//	                                much of the older one as works without them
//	/stateful, /stateful-json       sessions: the older era only
//	/sse                            the transport of 2024-11-05
//
// with replies that are event streams, or JSON where the path says so.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("gosdk: ")
	file := flag.String("schemas", "", "the file with the schemas to ask with")
	overHTTP := flag.Bool("http", false, "serve HTTP")
	flag.Parse()
	forms, err := readForms(*file)
	if err != nil {
		log.Fatal(err)
	}
	server := build(forms)
	if *overHTTP {
		err = serve(server)
	} else {
		err = server.Run(context.Background(), &mcp.StdioTransport{})
	}
	if err != nil && !errors.Is(err, io.EOF) {
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
func serve(s *mcp.Server) error {
	always := func(*http.Request) *mcp.Server { return s }
	mux := http.NewServeMux()
	paths := []string{"/sse"}
	for path, o := range map[string]mcp.StreamableHTTPOptions{
		"/stateless":      {Stateless: true},
		"/stateless-json": {Stateless: true, JSONResponse: true},
		"/stateful":       {},
		"/stateful-json":  {JSONResponse: true},
	} {
		mux.Handle(path, mcp.NewStreamableHTTPHandler(always, &o))
		paths = append(paths, path)
	}
	mux.Handle("/sse", mcp.NewSSEHandler(always, nil))
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	log.Printf("listening on http://%s %s", l.Addr(), strings.Join(paths, " "))
	return http.Serve(l, mux)
}
