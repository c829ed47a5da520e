//go:build race

package hostile

// raced says that the race detector watches. It takes five to ten times the
// work, so what is about size is then played at one place each.
const raced = true
