package ui

import (
	"context"

	"parley/assets/i18n"
	"parley/mcpclient"
	"parley/mcpclient/config"
)

// demoID is the id of the built-in server; ids from the config are other ones.
const demoID = "parley-demo"

// demoRun is the built-in server as it runs now.
type demoRun struct {
	language string             // what it speaks
	starting bool               // it cannot be reached yet
	stop     context.CancelFunc // ends it
}

func demoFailed(err error) i18n.Message {
	return i18n.M("ui.demo.failed", "Why", err.Error())
}

// startDemo puts the built-in server into the list and starts it.
func (s *shell) startDemo() {
	if s.o.Demo == nil {
		return
	}
	demo := &serverState{demo: true, leave: config.HasLeave,
		Server: mcpclient.Server{ID: demoID, Name: s.t("ui.demo.name"), Kind: mcpclient.HTTP, BuiltIn: true}}
	first := len(s.desk.servers) == 0
	s.desk.servers = append(s.desk.servers, demo)
	s.draw()
	s.show(s.at)
	if first && s.at.section == sectionQuestions {
		s.show(route{section: sectionServer, id: demoID})
	}
	s.runDemo(demo)
}

// renewDemo starts the built-in server anew in the language of now, once no
// request to it is open: a question of it outlives a change of language.
func (s *shell) renewDemo() {
	demo := s.desk.server(demoID)
	if demo == nil || s.demo.starting || s.demo.language == s.loc.Tag() {
		return
	}
	for _, c := range s.desk.calls {
		if c.ServerID == demoID && !c.State.Ended() {
			return
		}
	}
	s.runDemo(demo)
}

// runDemo starts the built-in server in the background, in the place of the one
// that runs, and connects to it.
func (s *shell) runDemo(demo *serverState) {
	before := s.demo.stop
	s.demo = demoRun{language: s.loc.Tag(), starting: true}
	language := s.demo.language
	demo.status = mcpclient.Status{State: mcpclient.Connecting}
	s.touchServer(demoID)
	s.work.apart(func(ctx context.Context) {
		if before != nil {
			// Its end is told as an event.
			_ = s.client.Disconnect(ctx, demoID)
			before()
		}
		ctx, stop := context.WithCancel(ctx)
		url, err := s.o.Demo(ctx, language)
		if err != nil {
			stop()
		}
		s.do.Do(func() { s.demoRuns(demo, url, stop, err) })
	})
}

// demoRuns goes on with the built-in server that was started, or was not.
func (s *shell) demoRuns(demo *serverState, url string, stop context.CancelFunc, err error) {
	s.demo.starting, s.demo.stop = false, stop
	if err != nil {
		demo.status = mcpclient.Status{State: mcpclient.Lost,
			Failure: &mcpclient.Failure{Kind: mcpclient.FailLost, Text: demoFailed(err)}}
		s.touchServer(demoID)
		return
	}
	demo.URL = url
	s.learnOrigins(demo.Server)
	s.connect(demo)
	s.renewDemo() // the language may have changed again
}
