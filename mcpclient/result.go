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
	m, err := rawjson.Only(result, "description", "messages", "contents", "structuredContent", "content")
	if err != nil {
		return ResultView{Blocks: []Block{{Kind: BlockOther, Raw: result}}}
	}
	var v ResultView
	switch kind {
	case CallPrompt:
		v.Description = text(rawjson.Get(m, "description"))
		for _, raw := range v.some(rawjson.Get(m, "messages"), result) {
			mm, _ := rawjson.Only(raw, "content", "role")
			b := readBlock(rawjson.Get(mm, "content"))
			b.Role = text(rawjson.Get(mm, "role"))
			v.Blocks = append(v.Blocks, b)
		}
	case CallResource:
		for _, raw := range v.some(rawjson.Get(m, "contents"), result) {
			v.Blocks = append(v.Blocks, readContents(raw))
		}
	default:
		v.Structured = optional(rawjson.Get(m, "structuredContent"))
		for _, raw := range v.some(rawjson.Get(m, "content"), result) {
			v.Blocks = append(v.Blocks, readBlock(raw))
		}
	}
	return v
}

// maxBlocks is how many blocks of one result are shown one by one.
const maxBlocks = 2000

// some returns the first blocks of a result. One that has more is shown as it
// came as well.
func (v *ResultView) some(blocks, result json.RawMessage) []json.RawMessage {
	some, more, _ := rawjson.ArrayUpTo(blocks, maxBlocks)
	if more {
		v.Blocks = append(v.Blocks, Block{Kind: BlockOther, Raw: result})
	}
	return some
}

// readBlock reads one ContentBlock.
func readBlock(raw json.RawMessage) Block {
	m, _ := rawjson.Only(raw, "type", "text", "title", "name", "uri", "mimeType", "data", "resource")
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
	m, err := rawjson.Only(raw, "text", "uri", "mimeType", "blob")
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
