// Package signintest holds signing in (mcpclient/auth) against a whole world: an
// authorization server, an MCP server behind it, a keychain, a browser, and a
// clock that can be put forward. All of it is mcpclient/auth/authtest, on
// loopback; the browser is a small one of our own, or with the tag browser
// Chromium.
package signintest
