package config

import (
	"io"
	"os"
)

// readFile reads path up to maxSize; a larger file is errTooLarge.
func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, maxSize+1))
	if err != nil {
		return nil, err
	}
	if len(raw) > maxSize {
		return nil, errTooLarge
	}
	return raw, nil
}
