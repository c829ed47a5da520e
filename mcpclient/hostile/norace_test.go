//go:build !race

package hostile

// raced says that the race detector watches; see race_test.go.
const raced = false
