package mcpclient

import (
	"encoding/json"

	"parley/forms/rawjson"
)

// BlockKind says what a Block holds.
type BlockKind string

// The kinds of content there are (spec: "ContentBlock"), and one for those
// that are unknown.
const (
	BlockText     BlockKind = "text"
	BlockImage    BlockKind = "image"
	BlockAudio    BlockKind = "audio"
	BlockLink     BlockKind = "resource_link"
	BlockResource BlockKind = "resource"
	BlockOther    BlockKind = "other"
)

// Block is one piece of what a call brought. All of it is server text.
type Block struct {
	Kind BlockKind
	Role string // of a prompt's message; "" elsewhere
	Text string
	Name string
	URI  string
	MIME string
	Size int // of image, audio or blob data in base64 characters
	Raw  json.RawMessage
}

// ResultView is a result in the shape a page shows.
type ResultView struct {
	Blocks      []Block
	Description string          // of a prompt
	Structured  json.RawMessage // structuredContent; nil if absent
}

// ViewResult reads the result of a call. What it cannot read is a Block of
// kind BlockOther with its raw JSON, so that nothing is hidden.
func ViewResult(kind CallKind, result json.RawMessage) ResultView {
	m, err := rawjson.Object(result)
	if err != nil {
		return ResultView{Blocks: []Block{{Kind: BlockOther, Raw: result}}}
	}
	var v ResultView
	switch kind {
	case CallPrompt:
		v.Description = text(rawjson.Get(m, "description"))
		messages, _ := rawjson.Array(rawjson.Get(m, "messages"))
		for _, raw := range messages {
			mm, _ := rawjson.Object(raw)
			b := readBlock(rawjson.Get(mm, "content"))
			b.Role = text(rawjson.Get(mm, "role"))
			v.Blocks = append(v.Blocks, b)
		}
	case CallResource:
		contents, _ := rawjson.Array(rawjson.Get(m, "contents"))
		for _, raw := range contents {
			v.Blocks = append(v.Blocks, readContents(raw))
		}
	default:
		v.Structured = optional(rawjson.Get(m, "structuredContent"))
		content, _ := rawjson.Array(rawjson.Get(m, "content"))
		for _, raw := range content {
			v.Blocks = append(v.Blocks, readBlock(raw))
		}
	}
	return v
}

// readBlock reads one ContentBlock.
func readBlock(raw json.RawMessage) Block {
	m, _ := rawjson.Object(raw)
	b := Block{
		Kind: BlockKind(text(rawjson.Get(m, "type"))),
		Text: text(rawjson.Get(m, "text")),
		Name: first(text(rawjson.Get(m, "title")), text(rawjson.Get(m, "name"))),
		URI:  text(rawjson.Get(m, "uri")),
		MIME: text(rawjson.Get(m, "mimeType")),
		Size: len(text(rawjson.Get(m, "data"))),
		Raw:  raw,
	}
	switch b.Kind {
	case BlockText, BlockImage, BlockAudio, BlockLink:
	case BlockResource:
		inner := readContents(rawjson.Get(m, "resource"))
		inner.Raw = raw
		return inner
	default:
		b.Kind = BlockOther
	}
	return b
}

// readContents reads one ResourceContents.
func readContents(raw json.RawMessage) Block {
	m, err := rawjson.Object(raw)
	if err != nil {
		return Block{Kind: BlockOther, Raw: raw}
	}
	return Block{
		Kind: BlockResource,
		Text: text(rawjson.Get(m, "text")),
		URI:  text(rawjson.Get(m, "uri")),
		MIME: text(rawjson.Get(m, "mimeType")),
		Size: len(text(rawjson.Get(m, "blob"))),
		Raw:  raw,
	}
}
