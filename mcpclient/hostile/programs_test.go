package hostile

import (
	"fmt"
	"os"
	"os/signal"
	"strings"
)

// programs are behaviours that only a program has: how it treats its standard
// streams, and how it ends.
var programs = []behaviour{
	{name: "the program writes byte by byte", run: func(p *program) {
		for _, c := range []byte(reply(p.until("tools/call")) + "\n") {
			p.write(string(c))
		}
		p.goOn()
	}, want: "done"},
	{name: "the program writes half a message and exits", run: func(p *program) {
		text := reply(p.until("tools/call"))
		p.write(text[:len(text)/2])
	}, want: "invalid client.transport.not_a_message", after: "lost client.transport.exit.success"},
	{name: "the program writes a whole message without its line end and exits", run: func(p *program) {
		p.write(reply(p.until("tools/call")))
	}, want: "done", after: "lost client.transport.exit.success"},
	{name: "the program exits when it is called", run: func(p *program) {
		p.until("tools/call")
		fmt.Fprintln(os.Stderr, "\x1b[31mfatal: \u202e out of luck")
		os.Exit(3)
	}, want: "lost client.transport.exit.code", after: "lost client.transport.exit.code", notice: "core.notice.stderr"},
	{name: "the program is killed when it is called", run: func(p *program) {
		p.until("tools/call")
		if self, err := os.FindProcess(os.Getpid()); err == nil {
			self.Kill()
		}
		idle()
	}, want: "lost client.transport.exit.signal", after: "lost client.transport.exit.signal"},
	{name: "the program exits before it reads", on: "initialize", run: func(p *program) { os.Exit(127) }, want: "lost client.transport.exit.command_not_found"},
	{name: "the program exits after its first words", on: "initialize", run: func(p *program) {
		p.until("initialize")
	}, want: "lost client.transport.exit.success"},
	{name: "the program exits on discover and again on initialize", on: "server/discover", run: func(p *program) {
		p.next()
		os.Exit(1)
	}, want: "lost client.transport.exit.code"},
	{name: "the program closes its output and lives on", run: func(p *program) {
		p.until("tools/call")
		os.Stdout.Close()
		idle()
	}, want: "lost client.transport.exit.output_closed", after: "lost client.transport.exit.output_closed"},
	{name: "the program closes its input and lives on", run: func(p *program) {
		m := p.until("tools/call")
		os.Stdin.Close()
		p.line(reply(m))
		idle()
	}, want: "done", after: "lost client.transport.input_closed"},
	{name: "the program closes its error output", run: func(p *program) {
		os.Stderr.Close()
		p.line(reply(p.until("tools/call")))
		p.goOn()
	}, want: "done"},
	{name: "the program never reads", run: func(p *program) {
		p.until("tools/call")
		p.line(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"begun"}}`)
		idle()
	}, want: "cancelled core.fail.cancelled", cancels: true},
	{name: "the program will not end", run: func(p *program) {
		ignoreSignals()
		p.line(reply(p.until("tools/call")))
		p.line(reply(p.untilOrdinary()))
		for {
			if _, err := p.next(); err != nil {
				idle()
			}
		}
	}, want: "done"},
	{name: "the program floods its error output", run: func(p *program) {
		m := p.until("tools/call")
		line := strings.Repeat("e", 200) + "\n"
		for range 20_000 {
			os.Stderr.WriteString(line)
		}
		p.line(reply(m))
		p.goOn()
	}, want: "done", notice: "core.notice.stderr"},
	{name: "the program writes an error line that does not end", run: func(p *program) {
		m := p.until("tools/call")
		chunk := strings.Repeat("\x1b[5m", 1<<14)
		for range 100 {
			os.Stderr.WriteString(chunk)
		}
		p.line(reply(m))
		p.goOn()
	}, want: "done"},
	{name: "the program writes 20,000 stray lines", run: func(p *program) {
		m := p.until("tools/call")
		p.write(strings.Repeat("installing…\n", 20_000))
		p.line(reply(m))
		p.goOn()
	}, want: "done", notice: "core.notice.stray"},
	{name: "the program writes messages of megabytes that nobody waits for", run: func(p *program) {
		m := p.until("tools/call")
		for range 20 {
			p.line(`{"jsonrpc":"2.0","id":"x","result":"` + strings.Repeat("x", lightLimit/2) + `"}`)
		}
		p.line(reply(m))
		p.goOn()
	}, want: "done"},
	{name: "the program writes a line that does not end", run: func(p *program) {
		p.until("tools/call")
		p.line(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"begun"}}`)
		for {
			p.write(strings.Repeat("x", 1<<16))
		}
	}, want: "cancelled core.fail.cancelled", cancels: true},
	{name: "the program writes notifications for ever", run: func(p *program) {
		p.until("tools/call")
		for {
			p.line(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"more"}}`)
		}
	}, want: "cancelled core.fail.cancelled", cancels: true},
	{name: "the program asks for ever and never reads", run: func(p *program) {
		p.until("tools/call")
		p.line(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"begun"}}`)
		for i := 0; ; i++ {
			p.line(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"ping"}`, i))
		}
	}, want: "cancelled core.fail.cancelled", cancels: true},
	{name: "the program begins a pretty message 5,000 times", run: func(p *program) {
		m := p.until("tools/call")
		p.write(strings.Repeat("{\n", 5_000))
		p.line(reply(m))
		p.goOn()
	}, want: "done"},
	{name: "the program sends a long message through a line of open brackets", run: func(p *program) {
		m := p.until("tools/call")
		p.line(strings.Repeat("[{", 200_000))
		p.line(reply(m))
		p.goOn()
	}, want: "done", notice: "core.notice.stray"},
	{name: "the program leaves a child behind that holds its output", run: func(p *program) {
		m := p.until("tools/call")
		child := os.ProcAttr{Files: []*os.File{nil, os.Stdout, os.Stderr}, Env: []string{"PATH=/usr/bin:/bin"}}
		if _, err := os.StartProcess("/bin/sleep", []string{"sleep", "1000"}, &child); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(9)
		}
		p.line(reply(m))
	}, want: "done", after: "lost client.transport.exit.success"},
}

// idle lives on until somebody ends the process. A program whose only goroutine
// waits for nothing would be ended by the runtime.
func idle() {
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt)
	<-interrupted
}
