package http

import "testing"

// TestOrigin_OnThisComputerThePortIsInTheName: nothing else tells servers apart there.
func TestOrigin_OnThisComputerThePortIsInTheName(t *testing.T) {
	for address, want := range map[string]string{
		"http://127.0.0.1:8731/mcp":     "127.0.0.1:8731",
		"http://[::1]:8731/mcp":         "[::1]:8731",
		"http://localhost/mcp":          "localhost",
		"https://notes.example:8443/x":  "notes.example",
		"https://notes.example/mcp?a=b": "notes.example",
	} {
		o, err := ParseOrigin(address)
		if err != nil || o.Name() != want {
			t.Errorf("%s is called %q, %v; want %q", address, o.Name(), err, want)
		}
	}
}
