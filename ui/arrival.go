package ui

import (
	"slices"

	"parley/mcpclient"
)

// arrival is whether an answer reached the server. The answers of a round go
// out together with the request sent again (2026-07-28, "Multi Round-Trip
// Requests"), so nobody but the server's reply to that tells.
type arrival int

const (
	arrived        arrival = iota // as far as anybody knows
	arrivedPerhaps                // it was sent, and no reply came
	arrivedNot                    // it was not sent, or nobody was there
)

// nobodyThere are the ids of failures after which it is
// certain that no server has read the request.
var nobodyThere = []string{
	"client.transport.network.refused", "client.transport.network.name", "client.transport.network.proxy",
	"client.transport.network.plain", "client.transport.network.tls",
}

// arrivalOf tells it of the answer to q, one of the questions of call c.
func arrivalOf(c *mcpclient.Call, q mcpclient.Elicitation, questions []*mcpclient.Elicitation) arrival {
	if q.Via != mcpclient.ViaRound || q.State != mcpclient.ElicitationAnswered || q.Answer == nil ||
		c.State != mcpclient.CallFailed || c.Failure == nil {
		return arrived
	}
	if c.Round == q.Round {
		return arrivedNot // the request ended before all its questions were answered
	}
	if c.Round > q.Round+1 || c.Failure.Kind != mcpclient.FailLost && c.Failure.Kind != mcpclient.FailTimeout {
		return arrived
	}
	for _, other := range questions {
		if other.Round > q.Round {
			return arrived // the server asked on
		}
	}
	if slices.Contains(nobodyThere, c.Failure.Text.ID) {
		return arrivedNot
	}
	return arrivedPerhaps
}
