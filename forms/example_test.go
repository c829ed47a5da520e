package forms_test

import (
	"encoding/json"
	"fmt"

	"parley/assets/i18n"
	"parley/forms"
)

// A question from the schema to the bytes of the answer.
func Example() {
	form := forms.Parse(json.RawMessage(`{"type":"object","properties":{
		"name":  {"type":"string","title":"Full name","minLength":2},
		"seats": {"type":"integer","minimum":1,"maximum":9,"default":2},
		"class": {"type":"string","oneOf":[{"const":"e","title":"Economy"},{"const":"b","title":"Business"}]}
	},"required":["name"]}`), forms.Options{})
	english := i18n.New("en")

	draft := form.NewDraft()
	draft.SetText("/name", "李")
	draft.Pick("/class", 1)
	for _, e := range draft.Check() {
		fmt.Printf("%s: %s\n", e.Name, english.Text(e.Message))
	}

	draft.SetText("/name", "李小龙")
	content, _ := draft.Content(forms.Submit{})
	fmt.Println(string(content))
	// Output:
	// name: At least 2 characters are needed (now 1).
	// {"name":"李小龙","seats":2,"class":"b"}
}
