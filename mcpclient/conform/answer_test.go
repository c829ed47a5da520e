package main

import (
	"encoding/json"
	"testing"

	"parley/mcpclient"
)

func TestAnswerAcceptsWhatCanBeAccepted(t *testing.T) {
	question := func(schema string) mcpclient.Elicitation {
		return mcpclient.Elicitation{Mode: mcpclient.ModeForm, Schema: json.RawMessage(schema)}
	}
	for _, c := range []struct {
		name     string
		question mcpclient.Elicitation
		action   mcpclient.Action
		content  string
	}{
		{"a form with its defaults", question(`{"type":"object","properties":{"name":{"type":"string","default":"Ann"},"ok":{"type":"boolean","default":true}}}`),
			mcpclient.Accept, `{"name":"Ann","ok":true}`},
		{"a form that requires something", question(string(object(true, `{"type":"boolean"}`))), mcpclient.Accept, `{"x":false}`},
		{"a form without fields", question(`{"type":"object","properties":{}}`), mcpclient.Accept, `{}`},
		{"a form without a schema", mcpclient.Elicitation{Mode: mcpclient.ModeForm}, mcpclient.Accept, `{}`},
		{"a page", mcpclient.Elicitation{Mode: mcpclient.ModeURL, URL: "https://example.com/"}, mcpclient.Accept, ``},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := answer(c.question)
			if err != nil || got.Action != c.action || string(got.Content) != c.content {
				t.Errorf("answered %s %s, %v; want %s %s", got.Action, got.Content, err, c.action, c.content)
			}
		})
	}
}

func TestAnswerCancelsAFormThatCannotBeAccepted(t *testing.T) {
	got, err := answer(mcpclient.Elicitation{Mode: mcpclient.ModeForm, Schema: object(true, `{"type":"object"}`)})
	if err == nil || got.Action != mcpclient.Cancel || got.Content != nil {
		t.Errorf("answered %s %s, %v; want cancel and the reason", got.Action, got.Content, err)
	}
}
