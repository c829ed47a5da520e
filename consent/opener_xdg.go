//go:build unix && !darwin

package consent

// systemOpener is the command of freedesktop.org (xdg-utils).
func systemOpener(url string) []string { return []string{"xdg-open", url} }
