package cli

import (
	"net"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// displayWait bounds the look for a display on another computer.
const displayWait = 2 * time.Second

// displayReachable reports whether a window can be opened: whether the X or
// Wayland display that the environment names answers. The window toolkit ends
// the whole program where none does. macOS and Windows always have one.
func displayReachable(getenv func(string) string) bool {
	if runtime.GOOS == "darwin" || runtime.GOOS == "windows" {
		return true
	}
	for _, a := range displayAddresses(getenv) {
		if c, err := net.DialTimeout(a.network, a.address, displayWait); err == nil {
			_ = c.Close()
			return true
		}
	}
	return false
}

// displayAddress is a place where a display may listen.
type displayAddress struct{ network, address string }

// displayAddresses reads WAYLAND_DISPLAY (a socket in XDG_RUNTIME_DIR, or its
// path) and DISPLAY ("host:number.screen", the host empty or "unix" for this
// computer; X11 listens on /tmp/.X11-unix and on TCP ports from 6000 on).
func displayAddresses(getenv func(string) string) []displayAddress {
	var out []displayAddress
	if w := getenv("WAYLAND_DISPLAY"); w != "" {
		if !filepath.IsAbs(w) {
			w = filepath.Join(getenv("XDG_RUNTIME_DIR"), w)
		}
		out = append(out, displayAddress{"unix", w})
	}
	x := getenv("DISPLAY")
	colon := strings.LastIndexByte(x, ':')
	if colon < 0 {
		return out
	}
	host := x[:colon]
	digits, _, _ := strings.Cut(x[colon+1:], ".")
	number, err := strconv.Atoi(digits)
	if err != nil || number < 0 {
		return out
	}
	if host == "" || host == "unix" {
		socket := "/tmp/.X11-unix/X" + strconv.Itoa(number)
		return append(out, displayAddress{"unix", socket}, displayAddress{"unix", "@" + socket})
	}
	return append(out, displayAddress{"tcp", net.JoinHostPort(host, strconv.Itoa(6000+number))})
}
