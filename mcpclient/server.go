package mcpclient

import (
	"path/filepath"
	"time"

	"parley/assets/i18n"
	"parley/consent"
	"parley/mcpclient/http"
	"parley/mcpclient/wire"
)

// TransportKind says how a server is reached.
type TransportKind string

// The transports of MCP. SSE is the HTTP+SSE transport of revision 2024-11-05.
const (
	Stdio TransportKind = "stdio"
	HTTP  TransportKind = "http"
	SSE   TransportKind = "sse"
)

// DefaultSilence is the longest silence of a server while no question is open
// before a request to it is given up, unless Server.Silence says otherwise.
const DefaultSilence = 60 * time.Second

// Server is one server as the person set it up. It is plain data.
type Server struct {
	// ID is the app's own key of the server and never changes; Name may.
	ID string
	// Name is the person's own name for it, shown first on every question.
	Name string
	Kind TransportKind

	// Command, Args, Dir and Env start a stdio server. Env is added to the
	// environment of the app; for Dir see Folder.
	Command string
	Args    []string
	Dir     string
	Env     map[string]string

	// URL and Headers reach an HTTP or SSE server.
	URL     string
	Headers map[string]string

	// SecretEnv and SecretHeaders name the environment variables and headers
	// whose values are kept elsewhere and are put in when the server is
	// connected to (Options.Fill).
	SecretEnv     []string
	SecretHeaders []string

	// PlainEnv and PlainHeaders name those of Env and Headers of which the person
	// said that they are no secrets.
	PlainEnv     []string
	PlainHeaders []string

	// Protocol pins a revision ("2025-11-25"); "" negotiates.
	Protocol string
	// Silence bounds how long the server may be silent; 0 is DefaultSilence.
	Silence time.Duration
	// MaxMessage bounds one message of the server, in bytes; 0 is
	// wire.DefaultMaxMessage. A call whose reply is over it fails.
	MaxMessage int64
	// SignIn says how the person signs in where the zero value does not do.
	SignIn SignIn
	// BuiltIn is the app's own server: nobody signs in there, and no credentials are
	// looked for.
	BuiltIn bool
	// LogLevel is the least urgent of the log messages the server is asked
	// for: one of LogLevels, LogOff, or "" for DefaultLogLevel.
	LogLevel string
}

// hasSecrets reports whether values of s are kept elsewhere.
func (s Server) hasSecrets() bool { return len(s.SecretEnv)+len(s.SecretHeaders) > 0 }

// SignIn is what a person or a server's owner fixed about signing in (MCP
// authorization). The zero SignIn finds everything out and registers by itself.
// The secret of ClientID is not here but in the keychain.
type SignIn struct {
	// ClientID is the name under which the owner of the authorization server
	// knows the app (pre-registration); "" registers by itself.
	ClientID string
	// Issuer is the authorization server that ClientID belongs to. With "" it is
	// the first one that the server names, which then gets the id. A secret is kept
	// for the one it was entered with, and sent to no other.
	Issuer string
	// ClientMetadata is the https address of a Client ID Metadata Document, which
	// describes the app for authorization servers that know no ClientID and take
	// one; "" for none. Its redirect_uris have to hold the address below.
	ClientMetadata string
	// Port and Host are where the browser is sent back to, for servers that know
	// one such address only. Port 0 is a free one; Host is "" for 127.0.0.1, or
	// "localhost". Path is "" for "/callback".
	Port int
	Host string
	Path string
	// Intranet lets signing in reach addresses of private networks and of this
	// computer, without encryption too.
	Intranet bool
	// Service signs in as the app itself, with ClientID and its secret, and asks
	// no person (OAuth client credentials).
	Service bool
}

// silence returns the bound that holds for s.
func (s Server) silence() time.Duration {
	if s.Silence > 0 {
		return s.Silence
	}
	return DefaultSilence
}

// maxMessage returns the bound that holds for s.
func (s Server) maxMessage() int64 {
	if s.MaxMessage > 0 {
		return s.MaxMessage
	}
	return wire.DefaultMaxMessage
}

// Identity is who a server is as far as the app itself knows: nothing in it
// was said by the server. It is shown on every question (spec: client
// elicitation, "Security Considerations").
type Identity struct {
	Name      string        // the person's own name for the server
	Transport TransportKind // how it is reached
	Origin    string        // scheme://host[:port] it is connected to; "" for a program
	Command   []string      // program and arguments started on this computer; nil for an address
	Encrypted bool          // https
	User      string        // who the person signed in as; "" if not signed in, or nobody said
	Host      string        // where they signed in, with its port if it has one; "" if not signed in
}

// Local reports whether the server runs on this computer: a program, or an
// address of the loopback interface.
func (i Identity) Local() bool {
	if i.Transport == Stdio {
		return true
	}
	o, err := http.ParseOrigin(i.Origin)
	return err == nil && o.Loopback
}

// Asker is i as the judge of links sees it.
func (i Identity) Asker() consent.Asker {
	if i.Transport == Stdio {
		return consent.Asker{}
	}
	a, err := consent.AskerFor(i.Origin)
	if err != nil {
		return consent.Asker{Remote: true} // nothing is known of it
	}
	return a
}

// Identify tells who s is. Its error is a sentence about an address that
// cannot be one of an MCP server.
func (s Server) Identify() (Identity, error) {
	id := Identity{Name: s.Name, Transport: s.Kind}
	switch s.Kind {
	case Stdio:
		if s.Command == "" {
			return id, &Failure{Kind: FailLost, Text: i18n.M("core.connect.nocommand", "Name", s.Name)}
		}
		id.Command = append([]string{s.Command}, s.Args...)
		if id.Name == "" {
			id.Name = filepath.Base(s.Command)
		}
	case HTTP, SSE:
		o, err := http.ParseOrigin(s.URL)
		if err != nil {
			return id, err
		}
		id.Origin, id.Encrypted = o.Origin, o.Encrypted
		if id.Name == "" {
			id.Name = o.Name()
		}
	default:
		return id, &Failure{Kind: FailLost, Text: i18n.M("core.connect.transport", "Kind", string(s.Kind))}
	}
	return id, nil
}
