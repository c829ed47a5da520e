package bench

import (
	"fmt"
	"os"
	"testing"
)

// TestMain is the tests, or, where the environment says so, the server.
func TestMain(m *testing.M) {
	if role := os.Getenv(roleVariable); role != "" {
		if err := serve(role); err != nil {
			fmt.Fprintln(os.Stderr, "the server of the benchmarks:", err)
			os.Exit(1)
		}
		return
	}
	code := m.Run()
	fmt.Print(table(compared))
	os.Exit(code)
}
