package ui

import (
	"regexp"
	"strings"
	"time"

	"parley/assets/i18n"
	"parley/consent/safetext"
	"parley/forms/rawjson"
	"parley/mcpclient"
	"parley/mcpclient/wire"
)

// How much is kept of what a server says on the side: the newest.
const (
	maxSideLines = 200
	maxSideBytes = 64 << 10
)

// sideKind is a kind of what a server says on the side.
type sideKind string

// The kinds, as they stand in the keys of the texts.
const (
	sideStderr sideKind = "stderr" // a line of a program's error output
	sideStray  sideKind = "stray"  // what was no message
	sideStream sideKind = "stream" // an interrupted stream
	sideLogged sideKind = "log"    // a log message
	sideRemark sideKind = "remark" // what the client remarks about the server
)

// sideKinds are all of them in the order in which they are counted for people.
var sideKinds = []sideKind{sideStderr, sideStray, sideLogged, sideStream, sideRemark}

// sideOf is the kind of a log or notice, and how many it stands for.
func sideOf(e mcpclient.Event) (sideKind, int) {
	if e.Log != nil {
		return sideLogged, 1
	}
	count := max(e.Notice.Count, 1)
	switch e.Notice.Kind {
	case wire.NoticeStderr:
		return sideStderr, count
	case wire.NoticeStray:
		return sideStray, count
	case wire.NoticeStream:
		return sideStream, count
	}
	return sideRemark, count
}

// sideLog is what a server said beside its answers: the newest lines, and how
// many there were of each kind.
type sideLog struct {
	lines   []sideLine // oldest first
	bytes   int
	counts  map[sideKind]int
	dropped int // how many are not kept
	changes int // grows with everything that is added
}

// sideLine is one line of a sideLog.
type sideLine struct {
	at     time.Time
	kind   sideKind
	text   i18n.Message // what it is, in our words
	detail string       // the server's own
	count  int          // how many lines it stands for; it is the last of them
}

// add puts a log or notice at the end.
func (l *sideLog) add(e mcpclient.Event) {
	kind, count := sideOf(e)
	line := sideLine{at: e.At, kind: kind, count: count}
	if e.Log != nil {
		line.text, line.detail = logText(*e.Log), logDetail(*e.Log)
	} else {
		line.text, line.detail = noticeText(kind, *e.Notice), e.Notice.Detail
	}
	if kind == sideStderr || kind == sideStray {
		line.detail = withoutTerminal(line.detail)
	}
	l.lines = append(l.lines, line)
	l.bytes += len(line.detail)
	for len(l.lines) > maxSideLines || l.bytes > maxSideBytes {
		l.bytes -= len(l.lines[0].detail)
		l.dropped += l.lines[0].count
		l.lines[0] = sideLine{}
		l.lines = l.lines[1:]
	}
	l.count(kind, count)
}

// remark puts a sentence of Parley's own at the end.
func (l *sideLog) remark(at time.Time, text i18n.Message) {
	l.add(mcpclient.Event{At: at, Notice: &mcpclient.Notice{Text: text}})
}

// drop counts what never came this far.
func (l *sideLog) drop(kind sideKind, n int) {
	l.dropped += n
	l.count(kind, n)
}

func (l *sideLog) count(kind sideKind, n int) {
	if l.counts == nil {
		l.counts = map[sideKind]int{}
	}
	l.counts[kind] += n
	l.changes++
}

// terminalOrders are what a program writes to colour a terminal and to move its
// cursor: control sequences (CSI) and operating system commands (OSC), ECMA-48
// 5.4 and 8.3.89. A sequence that does not end is none.
var terminalOrders = regexp.MustCompile("(?:\x1b\\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\x1b\\]|\u009d)[^\x07\x1b\u009c]*(?:\x07|\x1b\\\\|\u009c)")

// withoutTerminal is a line of a program without orders to a terminal, which
// this is none of. Other control characters stay and are spelled out.
func withoutTerminal(s string) string { return terminalOrders.ReplaceAllLiteralString(s, "") }

// noticeText says what a notice is about: of the lines of a program in a word.
func noticeText(kind sideKind, n mcpclient.Notice) i18n.Message {
	switch kind {
	case sideStderr, sideStray:
		return i18n.M("ui.log.tag." + string(kind))
	}
	return n.Text
}

func logText(l mcpclient.Log) i18n.Message {
	if l.Logger != "" {
		return i18n.M("ui.log.tag.logger", "Level", l.Level, "Logger", l.Logger)
	}
	return i18n.M("ui.log.tag.log", "Level", l.Level)
}

// logDetail is what a log message says: its text, or the JSON it carries.
func logDetail(l mcpclient.Log) string {
	if s, ok := rawjson.String(l.Data); ok {
		return s
	}
	return string(l.Data)
}

// sideTitle counts what a server said on the side, in words.
func (s *shell) sideTitle(l *sideLog) string {
	var parts []string
	for _, kind := range sideKinds {
		if n := l.counts[kind]; n > 0 && kind != sideRemark {
			parts = append(parts, s.loc.Text(i18n.N("ui.log.count."+string(kind), n, "N", i18n.Grouped(n))))
		}
	}
	var said []string
	if len(parts) > 0 {
		said = append(said, s.t("ui.log.title", "What", strings.Join(parts, s.loc.T("ui.log.and"))))
	}
	if n := l.counts[sideRemark]; n > 0 {
		said = append(said, s.loc.Text(i18n.N("ui.log.count.remark", n, "N", i18n.Grouped(n)))) // which are Parley's
	}
	return strings.Join(said, s.loc.T("ui.log.and"))
}

// sideText is all that is kept, a line each.
func (s *shell) sideText(l *sideLog) safetext.Text {
	var b strings.Builder
	if l.dropped > 0 {
		b.WriteString(s.loc.Text(i18n.N("ui.log.left", l.dropped, "N", i18n.Grouped(l.dropped))) + "\n")
	}
	for _, line := range l.lines {
		b.WriteString(line.at.Local().Format("15:04:05") + "  " + s.loc.Text(line.text))
		if line.detail != "" {
			b.WriteString("  " + line.detail)
		}
		if line.count > 1 {
			b.WriteString("  " + s.loc.T("ui.log.last_of", "N", i18n.Grouped(line.count)))
		}
		b.WriteByte('\n')
	}
	return block(strings.TrimSuffix(b.String(), "\n"), maxResult)
}
