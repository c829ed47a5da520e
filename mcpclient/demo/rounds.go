package demo

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"parley/assets/i18n"
)

// maxTries is how many wrong answers to one question are taken before the call
// ends. It keeps a client that answers by itself from going round for ever.
const maxTries = 5

// The three actions of an answer.
const (
	accept  = "accept"
	decline = "decline"
	dismiss = "cancel"
)

// script is what a tool, prompt or resource does, written for both eras: it is
// run from the start with what the call remembers and the answers to the last
// round's questions, and returns either a reply or the next questions. It has
// no memory but the one it is given.
type script func(ctx context.Context, c *call) (step, error)

// call is what a script is given.
type call struct {
	say    *i18n.Localizer
	args   map[string]any
	memory memory
	// answers are the answers to the questions of the last round by their keys;
	// empty in the first round, and incomplete if the client left some out.
	answers map[string]*mcp.ElicitResult
}

// step is what a script returns: a reply, or questions and what to remember.
type step struct {
	reply  *reply
	ask    []question
	memory memory
}

// question is one elicitation. With a link it is a URL question, else a form.
type question struct {
	key     string
	message string
	form    form
	link    *link
}

// reply is the end of a call.
type reply struct {
	text string
	// data is the structured result, nil for none.
	data any
	// failed marks a result that the call did not come to do its work.
	failed bool
}

func done(text string) step   { return step{reply: &reply{text: text}} }
func failed(text string) step { return step{reply: &reply{text: text, failed: true}} }

// verdict is what a form's answer came to.
type verdict struct {
	// action is the person's, or "" when the client sent no answer.
	action string
	// good are the right values of an accepted form, wrong the faults.
	good  map[string]any
	wrong []i18n.Message
}

// judge reads the answer to the form question q. A form accepted without
// content is an empty form: some clients leave the empty object out.
func (c *call) judge(q question) verdict {
	a := c.answers[q.key]
	if a == nil {
		return verdict{}
	}
	v := verdict{action: a.Action}
	if a.Action == accept {
		v.good, v.wrong = q.form.check(a.Content)
	}
	return v
}

// again puts q once more, saying what was wrong and keeping what was right.
func (c *call) again(q question, v verdict) step {
	m := c.memory
	m.Tries++
	if m.Tries >= maxTries {
		return failed(c.say.T("demo.gave_up"))
	}
	lines := []string{c.say.T("demo.check")}
	for _, w := range v.wrong {
		lines = append(lines, "• "+c.say.Text(w))
	}
	q.message = strings.Join(lines, "\n") + "\n\n" + q.message
	q.form = q.form.refilled(v.good)
	return step{ask: []question{q}, memory: m}
}

// incoming is one request of either era, as the two ways of asking need it.
type incoming struct {
	session   *mcp.ServerSession
	modern    bool
	caps      *mcp.ClientCapabilities
	binding   binding
	responses mcp.InputResponseMap
	state     string
	say       *i18n.Localizer
	args      map[string]any
}

// outcome is a finished reply or, for a modern client, the next round.
type outcome struct {
	reply *reply
	ask   mcp.InputRequestMap
	state string
}

// play runs the script for one request.
func (s *Server) play(ctx context.Context, in incoming, run script) (outcome, error) {
	ctx, release := s.within(ctx, in.session.ID())
	defer release()
	if in.modern {
		return s.playModern(ctx, in, run)
	}
	return s.playLegacy(ctx, in, run)
}

// playModern runs one round: the state that came with the request is opened,
// and what the script asks goes out with the state for the next one.
func (s *Server) playModern(ctx context.Context, in incoming, run script) (outcome, error) {
	c := &call{say: in.say, args: in.args, answers: map[string]*mcp.ElicitResult{}}
	if in.state != "" {
		m, err := s.seal.open(in.state, in.binding)
		switch {
		case errors.Is(err, errExpired):
			return outcome{}, invalid(in.say.T("demo.state_expired"))
		case err != nil:
			return outcome{}, invalid(in.say.T("demo.state_forged"))
		}
		c.memory = m
		// Only with the state of their question are responses answers (S22).
		for key, r := range in.responses {
			a, ok := r.(*mcp.ElicitResult)
			if !ok {
				continue
			}
			if !knownAction(a.Action) {
				return outcome{}, invalid(in.say.T("demo.unknown_action"))
			}
			c.answers[key] = a
		}
	}
	st, err := run(ctx, c)
	if err != nil || st.reply != nil {
		return outcome{reply: st.reply}, err
	}
	out := outcome{ask: mcp.InputRequestMap{}}
	for _, q := range st.ask {
		if !declared(in.caps, q) {
			return outcome{}, missingCapability(in.say, q)
		}
		p := s.params(q)
		if q.link == nil {
			p.RequestedSchema = q.form.schema()
		}
		out.ask[q.key] = p
	}
	out.state, err = s.seal.close(st.memory, in.binding)
	return out, err
}

// playLegacy runs all rounds, pushing each question and waiting for its answer.
// The SDK would translate one round only, so this does not leave it to the SDK.
func (s *Server) playLegacy(ctx context.Context, in incoming, run script) (outcome, error) {
	c := &call{say: in.say, args: in.args}
	for {
		st, err := run(ctx, c)
		if err != nil || st.reply != nil {
			return outcome{reply: st.reply}, err
		}
		c.memory = st.memory
		c.answers = map[string]*mcp.ElicitResult{}
		for _, q := range st.ask {
			if !declared(in.caps, q) {
				return outcome{reply: &reply{text: in.say.Text(notDeclared(q)), failed: true}}, nil
			}
			a, err := s.push(ctx, in.session, q)
			if ctx.Err() != nil {
				return outcome{}, ctx.Err()
			}
			if err != nil {
				return outcome{reply: &reply{text: in.say.T("demo.client_failed"), failed: true}}, nil
			}
			if !knownAction(a.Action) {
				return outcome{}, invalid(in.say.T("demo.unknown_action"))
			}
			c.answers[q.key] = a
		}
	}
}

// push sends one question to a legacy client. After consent to a URL it waits
// until the person is done there, then tells the client so.
func (s *Server) push(ctx context.Context, session *mcp.ServerSession, q question) (*mcp.ElicitResult, error) {
	p := s.params(q)
	if q.link == nil {
		ctx := context.WithValue(ctx, schemaKey{}, q.form.schema())
		a, err := session.Elicit(ctx, p)
		if err != nil {
			return nil, fmt.Errorf("asking: %w", err)
		}
		return a, nil
	}
	p.ElicitationID = rand.Text()
	a, err := session.Elicit(ctx, p)
	if err != nil {
		return nil, fmt.Errorf("asking: %w", err)
	}
	if a.Action != accept {
		return a, nil
	}
	if err := q.link.wait(ctx); err != nil {
		return nil, err
	}
	if err := session.NotifyElicitationComplete(ctx, &mcp.ElicitationCompleteParams{ElicitationID: p.ElicitationID}); err != nil {
		return nil, fmt.Errorf("telling the client that the page is done: %w", err)
	}
	return a, nil
}

// params are the parts of a question that are sent alike in both eras.
func (s *Server) params(q question) *mcp.ElicitParams {
	if q.link != nil {
		return &mcp.ElicitParams{Mode: "url", Message: q.message, URL: s.pages.url(q.link.id)}
	}
	return &mcp.ElicitParams{Mode: "form", Message: q.message}
}

// schemaKey is the context key of the schema that restoreSchema puts back.
type schemaKey struct{}

// restoreSchema is sending middleware that gives a pushed question its schema.
// ServerSession.Elicit is called without one, because with one it judges the
// answer itself: a wrong answer would end the call instead of being asked
// again, and fields the person cleared would come back with their defaults.
func restoreSchema(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		p, isElicit := req.GetParams().(*mcp.ElicitParams)
		schema, has := ctx.Value(schemaKey{}).(json.RawMessage)
		session, isServer := req.GetSession().(*mcp.ServerSession)
		if !isElicit || !has || !isServer {
			return next(ctx, method, req)
		}
		full := *p
		full.RequestedSchema = schema
		return next(ctx, method, &mcp.ServerRequest[*mcp.ElicitParams]{Session: session, Params: &full})
	}
}

func knownAction(a string) bool { return a == accept || a == decline || a == dismiss }

// declared reports whether the client takes questions of q's mode (S3). An
// empty elicitation capability means form only.
func declared(caps *mcp.ClientCapabilities, q question) bool {
	if caps == nil || caps.Elicitation == nil {
		return false
	}
	e := caps.Elicitation
	if q.link != nil {
		return e.URL != nil
	}
	return e.Form != nil || e.URL == nil
}

func notDeclared(q question) i18n.Message {
	if q.link != nil {
		return i18n.M("demo.no_url_mode")
	}
	return i18n.M("demo.no_form_mode")
}

// missingCapability is the error for a modern client without q's mode.
func missingCapability(say *i18n.Localizer, q question) error {
	need := &mcp.ElicitationCapabilities{Form: &mcp.FormElicitationCapabilities{}}
	if q.link != nil {
		need = &mcp.ElicitationCapabilities{URL: &mcp.URLElicitationCapabilities{}}
	}
	data := mustJSON(map[string]any{"requiredCapabilities": map[string]any{"elicitation": need}})
	return &jsonrpc.Error{
		Code:    mcp.CodeMissingRequiredClientCapabilities,
		Message: say.Text(notDeclared(q)),
		Data:    data,
	}
}

// invalid is the JSON-RPC error for a request that cannot be right.
func invalid(message string) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: message}
}
