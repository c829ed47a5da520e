package mcpclient

import "slices"

// DefaultLogLevel is what servers are asked to log, unless Server.LogLevel says
// otherwise.
const DefaultLogLevel = "info"

// LogOff as Server.LogLevel asks for no log messages.
const LogOff = "off"

// LogLevels are the levels of MCP's log messages, the least urgent first (RFC
// 5424).
var LogLevels = []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}

// metaLogLevel asks a server of 2026-07-28 for the log messages of one request
// ("Per-request log level"); without it there are none.
const metaLogLevel = "io.modelcontextprotocol/logLevel"

// logLevel is the level to ask the server for; "" for none, and for a server
// that does not declare that it logs.
func (k *Connection) logLevel() string {
	if !k.declares("logging") || k.server.LogLevel == LogOff {
		return ""
	}
	if slices.Contains(LogLevels, k.server.LogLevel) {
		return k.server.LogLevel
	}
	return DefaultLogLevel
}

// setLogLevel asks a server of the 2025 era for its log messages, once for all
// requests. Nobody waits for the answer: one that refuses logs as it likes.
func (k *Connection) setLogLevel() {
	level := k.logLevel()
	if level == "" {
		return
	}
	k.begin(func() {
		o := k.options("")
		o.hello = true // belongs to the session that was just begun
		_, _ = k.request(k.life, "logging/setLevel", encode(member{"level", quote(level)}), o)
	})
}
