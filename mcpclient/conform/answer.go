package main

import (
	"fmt"

	"parley/forms"
	"parley/mcpclient"
)

// answer accepts a question: a form with what fill enters, a page without
// opening it. A form that cannot be filled is cancelled; the error says why.
func answer(e mcpclient.Elicitation) (mcpclient.Answer, error) {
	if e.Mode == mcpclient.ModeURL {
		return mcpclient.Answer{Action: mcpclient.Accept}, nil
	}
	content, err := fill(forms.Parse(e.Schema, forms.Options{}))
	if err != nil {
		return mcpclient.Answer{Action: mcpclient.Cancel}, fmt.Errorf("it cannot be accepted: %w", err)
	}
	return mcpclient.Answer{Action: mcpclient.Accept, Content: content}, nil
}
