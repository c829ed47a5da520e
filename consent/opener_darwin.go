package consent

// systemOpener is Launch Services' command, see open(1).
func systemOpener(url string) []string { return []string{"/usr/bin/open", url} }
