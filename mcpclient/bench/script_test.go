package bench

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// What the server has to say.
const (
	toolPlain = "weather"
	toolRound = "book_table"

	plainText  = "Sunny, 21 °C, a light wind from the west."
	bookedText = "Booked."

	requestState = "eyJyb3VuZCI6MX0.c2lnbmF0dXJl"

	listed  = 2000 // tools
	perPage = 100
)

// questionParams are the params of the one question there is.
const questionParams = `{"mode":"form","message":"Who is coming?","requestedSchema":{"type":"object","properties":{` +
	`"name":{"type":"string","title":"Name","description":"As it stands in the passport","minLength":1,"maxLength":80},` +
	`"email":{"type":"string","title":"E-mail","format":"email"},` +
	`"seats":{"type":"integer","title":"Seats","minimum":1,"maximum":12,"default":2},` +
	`"meal":{"type":"string","title":"Meal","oneOf":[{"const":"any","title":"Anything"},{"const":"vegetarian","title":"Vegetarian"}]}},` +
	`"required":["name","email","meal"]}}`

var (
	discovered = []byte(`{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},` +
		`"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"bench","version":"1"}}}`)
	initialized   = []byte(`{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"bench","version":"1"}}`)
	plainResult   = textResult(plainText)
	bookedResult  = textResult(bookedText)
	inputRequired = []byte(`{"resultType":"input_required","inputRequests":{"guest":{"method":"elicitation/create","params":` +
		questionParams + `}},"requestState":"` + requestState + `"}`)
)

// textResult is the result of a tool that says text. The member resultType is
// unknown to 2025-11-25, which lets a result have any.
func textResult(text string) []byte {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string always has a JSON form
	}
	return []byte(`{"resultType":"complete","content":[{"type":"text","text":` + string(quoted) + `}]}`)
}

// tools are the entries of the list.
var tools = sync.OnceValue(func() []string {
	all := make([]string, listed)
	for i := range all {
		all[i] = fmt.Sprintf(`{"name":"tickets_search_%04d","title":"Search tickets %[1]d","description":"Finds the tickets of project %[1]d `+
			`that fit a query. Use it before a ticket is changed, and page through what it finds with offset and limit.",`+
			`"inputSchema":{"type":"object","properties":{`+
			`"query":{"type":"string","description":"Words that must be in the title or in a comment","minLength":1},`+
			`"state":{"type":"string","enum":["open","closed","all"],"default":"open","description":"Which tickets to look at"},`+
			`"labels":{"type":"array","items":{"type":"string"},"description":"Labels that a ticket must have, all of them"},`+
			`"since":{"type":"string","format":"date","description":"Only tickets changed on this day or later"},`+
			`"offset":{"type":"integer","minimum":0,"default":0},"limit":{"type":"integer","minimum":1,"maximum":100,"default":20}},`+
			`"required":["query"],"additionalProperties":false},`+
			`"annotations":{"readOnlyHint":true,"openWorldHint":false}}`, i)
	}
	return all
})

// pages are the results of tools/list in many pages; a cursor is a place here.
var pages = sync.OnceValue(func() [][]byte {
	var all [][]byte
	for i := 0; i < listed; i += perPage {
		next := ""
		if i+perPage < listed {
			next = `,"nextCursor":"` + strconv.Itoa(i/perPage+1) + `"`
		}
		all = append(all, []byte(`{"resultType":"complete","tools":[`+strings.Join(tools()[i:i+perPage], ",")+`]`+next+`}`))
	}
	return all
})

// whole is the result of tools/list in one page.
var whole = sync.OnceValue(func() []byte {
	return []byte(`{"resultType":"complete","tools":[` + strings.Join(tools(), ",") + `]}`)
})
