package cli

import (
	"net"
	"path/filepath"
	"reflect"
	"runtime"
	"strconv"
	"testing"
)

func TestWhereADisplayMayListen(t *testing.T) {
	for _, c := range []struct {
		wayland, x string
		want       []displayAddress
	}{
		{"", "", nil},
		{"", "nonsense", nil},
		{"", ":x", nil},
		{"", ":0", []displayAddress{{"unix", "/tmp/.X11-unix/X0"}, {"unix", "@/tmp/.X11-unix/X0"}}},
		{"", "unix:3.1", []displayAddress{{"unix", "/tmp/.X11-unix/X3"}, {"unix", "@/tmp/.X11-unix/X3"}}},
		{"", "host.example:10.0", []displayAddress{{"tcp", "host.example:6010"}}},
		{"", "::1:2", []displayAddress{{"tcp", "[::1]:6002"}}},
		{"wayland-0", "", []displayAddress{{"unix", filepath.Join("/run/user/1", "wayland-0")}}},
		{"/abs/wayland", "host:0", []displayAddress{{"unix", "/abs/wayland"}, {"tcp", "host:6000"}}},
	} {
		if runtime.GOOS == "windows" && c.wayland != "" {
			continue // no such paths there
		}
		env := map[string]string{"WAYLAND_DISPLAY": c.wayland, "DISPLAY": c.x, "XDG_RUNTIME_DIR": "/run/user/1"}
		if got := displayAddresses(func(n string) string { return env[n] }); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q, %q: %v, want %v", c.wayland, c.x, got, c.want)
		}
	}
}

// displayEnv is an environment with a display that answers. It skips the test
// where none can be had.
func displayEnv(t *testing.T) func(string) string {
	t.Helper()
	for port := 6100; port < 6200; port++ {
		l, err := net.Listen("tcp", "127.0.0.1:"+strconv.Itoa(port))
		if err != nil {
			continue
		}
		t.Cleanup(func() { l.Close() })
		display := "127.0.0.1:" + strconv.Itoa(port-6000)
		return func(name string) string { return map[string]string{"DISPLAY": display}[name] }
	}
	t.Skip("no free port for a display")
	return nil
}

func TestADisplayIsReachableOnlyIfItAnswers(t *testing.T) {
	if !displayReachable(displayEnv(t)) {
		t.Error("a display that answers is not reachable")
	}
	if runtime.GOOS == "linux" && displayReachable(func(string) string { return "" }) {
		t.Error("no display is reachable")
	}
}
