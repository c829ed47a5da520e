// Command conform is Parley without a person and a window: a client for the
// official MCP conformance suite, which starts it once for each of its
// scenarios against a mock server of that scenario.
//
// The suite (@modelcontextprotocol/conformance, "conformance client --command")
// runs COMMAND with the server's URL as the last argument, and with
//
//   - MCP_CONFORMANCE_SCENARIO, the name of the scenario;
//   - MCP_CONFORMANCE_CONTEXT, a JSON object of what the client is to know of
//     it, such as the calls to make (toolCalls), or the name and secret under
//     which an authorization server knows it (client_id, client_secret).
//
// The revision it names in MCP_CONFORMANCE_PROTOCOL_VERSION is not looked at:
// to find out what a server speaks is part of what is tested.
//
// Whatever the scenario, conform does what a person might: connect, list
// everything, call every tool, read the first resource, get the first prompt,
// and answer each question. What it enters is the least a schema allows: see
// fill. Where it is to sign in it agrees and follows the address to its end, as a
// browser in which nobody has to press anything. It opens no other page and keeps
// nothing.
//
// The exit code is 0 when the server could be connected to and listed, whatever
// became of the calls, which the mock server judges; else 1, and 2 for wrong
// usage. Standard error tells what was done.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"time"
)

// deadline bounds a run. The suite gives a client 30 s and then kills its
// shell, which does not end the client.
const deadline = 25 * time.Second

func main() {
	log.SetFlags(0)
	log.SetPrefix("conform: ")
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: conform URL (the conformance suite adds the URL)")
		os.Exit(2)
	}
	known, err := readKnowledge(os.Getenv("MCP_CONFORMANCE_CONTEXT"))
	if err != nil {
		log.Print(err)
		os.Exit(2)
	}
	ctx, cancel := context.WithTimeout(context.Background(), deadline)
	defer cancel()
	if err := run(ctx, os.Args[len(os.Args)-1], known, log.Default()); err != nil {
		log.Print(err)
		os.Exit(1)
	}
}
