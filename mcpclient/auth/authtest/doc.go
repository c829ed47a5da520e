// Package authtest is an OAuth authorization server and an MCP server behind
// it, for tests and for trying sign-in out: what a real one would be, small, on
// loopback, with everything in memory, and with a knob for each way in which
// real ones differ or are wrong.
//
// [Server] is the authorization server, [Resource] the MCP server that takes its
// tokens, [Start] gives either, or both, an origin of their own. The zero
// [Options] make a server that does everything as the specifications ask:
//
//   - Its metadata are at the well-known address of RFC 8414 section 3.1, the
//     path of the issuer last; [Place] names the others (OpenID Connect
//     Discovery 1.0 section 4). Endpoints are below the issuer at /authorize,
//     /token, /register and /revoke, where the fall-back of MCP 2025-03-26 looks
//     for them too.
//   - A client is known because it was named before ([Client]), because it
//     registered (RFC 7591), or by the address of its metadata document
//     (draft-ietf-oauth-client-id-metadata-document-00). Its redirect URIs are
//     compared as plain strings (RFC 9700 section 2.1), or without the port for
//     loopback addresses if the server follows RFC 8252 section 7.3.
//   - /authorize wants PKCE with S256 (RFC 7636) and the resource it is for (RFC
//     8707). It shows a page with a name, Sign in and Decline; what is pressed
//     goes back with code or error, state, and iss (RFC 9207).
//   - A code works once, for a minute, with its verifier, redirect URI, client
//     and resource; used twice, what it gave is withdrawn (RFC 6749 section
//     4.1.2).
//   - A refresh token is replaced at each use; one that comes back a second time
//     withdraws the whole family (RFC 9700 section 4.14.2).
//   - Tokens are opaque and bound to a client, a person, scopes and one resource.
//     /revoke withdraws them (RFC 7009). With the scope openid an ID token says
//     who signed in.
//
// The resource answers a missing, foreign or old token with 401 and a challenge
// that names its metadata (RFC 9728 section 5.1), and one without enough scopes
// with 403 and insufficient_scope (RFC 6750 section 3.1).
//
// Each request is written down, and so is each secret that was handed out or
// came in, so that a test can look for one where none belongs: see [Log].
//
// It is no authorization server for real people: there is no password, and
// whoever reaches it may sign in under any name.
package authtest
