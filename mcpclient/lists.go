package mcpclient

import (
	"context"
	"encoding/json"

	"parley/assets/i18n"
	"parley/forms/rawjson"
	"parley/mcpclient/wire"
)

// The bounds of one list: a server that has more is turning in a circle, or
// means harm. Its pages together may be half as large as one message, or one
// page larger.
const (
	maxPages   = 1000
	maxEntries = 20_000
)

// Lists is what a server offers, every entry as the server wrote it. No slice
// is nil.
type Lists struct {
	Tools, Prompts, Resources, Templates []json.RawMessage
}

// List asks for everything the server says it offers, all pages. What the
// server lets be kept is not asked for again before its time is over
// (2026-07-28, "Caching"). The error is a *Failure.
func (k *Connection) List(ctx context.Context) (Lists, error) {
	l, err := k.list(ctx)
	if isSessionLoss(err) {
		// Asking what there is changes nothing, so it may be asked again in the
		// new session.
		l, err = k.list(ctx)
	}
	if err != nil {
		return Lists{}, callFailure(err)
	}
	return l, nil
}

// Relist is List by the person's wish: nothing that was kept is used.
func (k *Connection) Relist(ctx context.Context) (Lists, error) {
	k.cache.clear()
	return k.List(ctx)
}

// listing is one of the lists a server may have.
type listing struct{ capability, method, member string }

var (
	toolList     = listing{"tools", "tools/list", "tools"}
	promptList   = listing{"prompts", "prompts/list", "prompts"}
	resourceList = listing{"resources", "resources/list", "resources"}
	templateList = listing{"resources", "resources/templates/list", "resourceTemplates"}
)

func (k *Connection) list(ctx context.Context) (Lists, error) {
	var l Lists
	for _, part := range []struct {
		listing
		into *[]json.RawMessage
	}{{toolList, &l.Tools}, {promptList, &l.Prompts}, {resourceList, &l.Resources}, {templateList, &l.Templates}} {
		*part.into = []json.RawMessage{}
		if !k.declares(part.capability) {
			continue
		}
		entries, err := k.pages(ctx, part.listing)
		if rpc := rpcError(err); rpc != nil && rpc.Code == wire.CodeMethodNotFound {
			continue // declares resources, but has no templates, for example
		}
		if err != nil {
			return Lists{}, err
		}
		*part.into = append(*part.into, entries...)
	}
	l.Tools = k.learnHeaders(l.Tools)
	return l, nil
}

// pages asks for one list, page by page. In 2026-07-28 an empty cursor is a
// cursor; servers of the 2025 era write one to mean the end. A cursor that came
// with a page that was kept may have lost its meaning, so when one is refused
// the list is asked for from its beginning.
func (k *Connection) pages(ctx context.Context, of listing) ([]json.RawMessage, error) {
	entries, kept, err := k.pagesOnce(ctx, of)
	if rpc := rpcError(err); kept && rpc != nil {
		k.cache.drop(of.method)
		entries, _, err = k.pagesOnce(ctx, of)
	}
	return entries, err
}

// pagesOnce is pages; kept tells that a page was used that had been kept.
func (k *Connection) pagesOnce(ctx context.Context, of listing) (entries []json.RawMessage, kept bool, err error) {
	o := k.options("")
	var cursor json.RawMessage
	used := map[string]bool{}
	bytes := 0
	for range maxPages {
		result, found := k.cache.get(of.method, string(cursor), k.client.now())
		if !found {
			params := []member{{"cursor", cursor}}
			if o.modern {
				params = append(params, member{"_meta", k.meta(o.protocol, nil, "")})
			}
			epoch := k.cache.epoch()
			if result, err = k.request(ctx, of.method, encode(params...), o); err != nil {
				return nil, kept, err
			}
			if o.modern {
				k.cache.put(epoch, of.method, string(cursor), result, k.client.now())
			}
		}
		kept = kept || found
		bytes += len(result)
		page, next, odd, err := readPage(result, of, o.modern, maxEntries-len(entries))
		if err != nil {
			return nil, kept, err
		}
		entries = append(entries, page...)
		switch {
		case odd != "":
			k.notice(i18n.M(odd, "Method", of.method, "N", len(entries)), "")
			return entries, kept, nil
		case next != nil && (len(entries) == maxEntries || int64(bytes) > k.server.maxMessage()/2):
			k.notice(i18n.M("core.notice.toolong", "Method", of.method, "N", len(entries)), "")
			return entries, kept, nil
		case next == nil:
			return entries, kept, nil
		case used[string(next)]:
			k.notice(i18n.M("core.notice.circle", "Method", of.method), "")
			return entries, kept, nil
		}
		used[string(next)] = true
		cursor = next
	}
	k.notice(i18n.M("core.notice.endless", "Method", of.method, "Max", maxPages), "")
	return entries, kept, nil
}

// readPage reads a page of a list, at most max entries of it. next is the
// cursor of the page after it as the server spelt it, nil for none. odd is the
// sentence about a page after which the list cannot go on, "" for none.
func readPage(result json.RawMessage, of listing, modern bool, max int) (page []json.RawMessage, next json.RawMessage, odd string, err error) {
	members, err := rawjson.Only(result, "resultType", of.member, "nextCursor")
	if err != nil {
		return nil, nil, "", invalid("core.invalid.list", "Method", of.method)
	}
	if kind := rawjson.Get(members, "resultType"); modern && !isNull(kind) && text(kind) != "complete" {
		// Only calls may ask for input (2026-07-28, "Multi Round-Trip Requests").
		return nil, nil, "", invalid("core.invalid.list", "Method", of.method)
	}
	page, more, err := rawjson.ArrayUpTo(rawjson.Get(members, of.member), max)
	if err != nil {
		return nil, nil, "", invalid("core.invalid.list", "Method", of.method)
	}
	next = rawjson.Get(members, "nextCursor")
	if k := rawjson.Kind(next); k != 0 && k != 'n' && k != '"' {
		return page, nil, "core.notice.cursor", nil
	}
	if s, named := rawjson.String(next); !named || s == "" && !modern {
		next = nil
	}
	if more {
		odd = "core.notice.toolong"
	}
	return page, next, odd, nil
}

// Tool is a tool as a server describes it. All of it is server text.
type Tool struct {
	Name, Title, Description string
	InputSchema              json.RawMessage // nil if it has none
	Raw                      json.RawMessage
}

// DisplayTitle is Title, else Name.
func (t Tool) DisplayTitle() string { return first(t.Title, t.Name) }

// ParseTools reads the entries of tools/list. Entries that cannot be used are
// left out and named in problems; of several tools with one name the first
// counts.
func ParseTools(entries []json.RawMessage) (tools []Tool, problems []i18n.Message) {
	problems = eachEntry(entries, "name", func(m []rawjson.Member, name string, raw json.RawMessage) bool {
		schema := optional(rawjson.Get(m, "inputSchema"))
		if schema != nil && !isObject(schema) {
			return false
		}
		title, _ := rawjson.Lookup(rawjson.Get(m, "annotations"), "title")
		tools = append(tools, Tool{
			Name:        name,
			Title:       first(text(rawjson.Get(m, "title")), text(title)),
			Description: text(rawjson.Get(m, "description")),
			InputSchema: schema,
			Raw:         raw,
		})
		return true
	})
	return tools, problems
}

// Prompt is a prompt as a server describes it. All of it is server text.
type Prompt struct {
	Name, Title, Description string
	Arguments                []PromptArgument
	Raw                      json.RawMessage
}

// PromptArgument is one value that a prompt takes; always a string.
type PromptArgument struct {
	Name, Title, Description string
	Required                 bool
}

// DisplayTitle is Title, else Name.
func (p Prompt) DisplayTitle() string { return first(p.Title, p.Name) }

// ParsePrompts is ParseTools for prompts/list.
func ParsePrompts(entries []json.RawMessage) (prompts []Prompt, problems []i18n.Message) {
	problems = eachEntry(entries, "name", func(m []rawjson.Member, name string, raw json.RawMessage) bool {
		p := Prompt{Name: name, Title: text(rawjson.Get(m, "title")), Description: text(rawjson.Get(m, "description")), Raw: raw}
		arguments, _, _ := rawjson.ArrayUpTo(rawjson.Get(m, "arguments"), maxArguments)
		for _, a := range arguments {
			am, err := rawjson.Only(a, "name", "title", "description", "required")
			if err != nil {
				return false
			}
			p.Arguments = append(p.Arguments, PromptArgument{
				Name:        text(rawjson.Get(am, "name")),
				Title:       text(rawjson.Get(am, "title")),
				Description: text(rawjson.Get(am, "description")),
				Required:    string(rawjson.Get(am, "required")) == "true",
			})
		}
		prompts = append(prompts, p)
		return true
	})
	return prompts, problems
}

// Schema is the prompt's arguments as the JSON Schema of an object of strings.
func (p Prompt) Schema() json.RawMessage {
	var properties []member
	var required []byte
	for _, a := range p.Arguments {
		m := []member{{"type", quote("string")}}
		if a.Title != "" {
			m = append(m, member{"title", quote(a.Title)})
		}
		if a.Description != "" {
			m = append(m, member{"description", quote(a.Description)})
		}
		properties = append(properties, member{a.Name, encode(m...)})
		if a.Required {
			if required != nil {
				required = append(required, ',')
			}
			required = append(required, quote(a.Name)...)
		}
	}
	return encode(
		member{"type", quote("object")},
		member{"properties", encode(properties...)},
		member{"required", json.RawMessage("[" + string(required) + "]")},
	)
}

// Resource is a resource as a server describes it. All of it is server text.
type Resource struct {
	URI, Name, Title, Description, MIME string
	Raw                                 json.RawMessage
}

// DisplayTitle is Title, else Name, else URI.
func (r Resource) DisplayTitle() string { return first(r.Title, r.Name, r.URI) }

// ParseResources is ParseTools for resources/list.
func ParseResources(entries []json.RawMessage) (resources []Resource, problems []i18n.Message) {
	problems = eachEntry(entries, "uri", func(m []rawjson.Member, uri string, raw json.RawMessage) bool {
		resources = append(resources, Resource{
			URI:         uri,
			Name:        text(rawjson.Get(m, "name")),
			Title:       text(rawjson.Get(m, "title")),
			Description: text(rawjson.Get(m, "description")),
			MIME:        text(rawjson.Get(m, "mimeType")),
			Raw:         raw,
		})
		return true
	})
	return resources, problems
}

// entryKeys are the members of a tool, prompt or resource that are read.
var entryKeys = []string{"name", "title", "description", "inputSchema", "annotations", "arguments", "uri", "mimeType"}

// maxProblems is how many entries that cannot be used are named one by one.
const maxProblems = 50

// maxArguments bounds the arguments of one prompt.
const maxArguments = 1000

// eachEntry gives the entries that are objects with a text under key to take,
// each key once. It returns a problem for every entry it or take refused.
func eachEntry(entries []json.RawMessage, key string, take func([]rawjson.Member, string, json.RawMessage) bool) []i18n.Message {
	var problems []i18n.Message
	more := 0
	problem := func(id string, values ...any) {
		if len(problems) == maxProblems {
			more++
			return
		}
		problems = append(problems, i18n.M(id, values...))
	}
	seen := map[string]bool{}
	for i, raw := range entries {
		m, err := rawjson.Only(raw, entryKeys...)
		name, named := rawjson.Decode(rawjson.Get(m, key)) // goes back as it came
		switch {
		case err != nil || !named:
			problem("core.list.unnamed", "Position", i+1, "Key", key)
		case seen[name]:
			problem("core.list.twice", "Name", clip(name))
		case !take(m, name, raw):
			problem("core.list.broken", "Name", clip(name))
		default:
			seen[name] = true
		}
	}
	if more > 0 {
		problems = append(problems, i18n.N("core.list.more", more))
	}
	return problems
}

// first returns the first text that is not empty.
func first(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}
