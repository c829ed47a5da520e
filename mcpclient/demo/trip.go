package demo

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"parley/assets/i18n"
)

// addTrip offers book_trip: two rounds of forms in which every kind of field
// and all five forms of a choice occur.
func (s *Server) addTrip() {
	s.addTool(tool{
		name: "book_trip", title: i18n.M("demo.trip.title"), about: i18n.M("demo.trip.about"),
		hints: mcp.ToolAnnotations{OpenWorldHint: new(false), DestructiveHint: new(false)},
		fields: func(say *i18n.Localizer) form {
			return form{
				{name: "destination", kind: text, required: true, min: new(1), max: new(60),
					title: say.T("demo.trip.destination"), description: say.T("demo.trip.destination_about")},
				{name: "travellers", kind: integer, min: new(1), max: new(9), fallback: 2.0,
					title: say.T("demo.trip.travellers")},
			}
		},
		run: always(bookTrip),
	})
}

// bookTrip asks for the traveller, then for the seat and the rest, then books.
func bookTrip(_ context.Context, c *call) (step, error) {
	if c.memory.Round == 0 {
		return step{ask: []question{travellerQuestion(c)}, memory: memory{Round: 1}}, nil
	}
	if c.memory.Round == 1 {
		return tripTraveller(c), nil
	}
	return tripSeat(c), nil
}

// tripTraveller takes the first form.
func tripTraveller(c *call) step {
	q := travellerQuestion(c)
	v := c.judge(q)
	if v.action == accept {
		v.wrong = append(v.wrong, pickupTooLate(q.form, v.good)...)
	}
	switch {
	case v.action == "":
		return step{ask: []question{q}, memory: c.memory}
	case v.action == decline:
		return done(c.say.T("demo.trip.declined", "Destination", c.args["destination"]))
	case v.action == dismiss:
		return done(c.say.T("demo.trip.cancelled"))
	case len(v.wrong) > 0:
		return c.again(q, v)
	}
	return step{ask: []question{seatQuestion(c)}, memory: memory{Round: 2, Details: v.good}}
}

// tripSeat takes the second form. Here "no" has a sensible meaning of its own:
// the trip is booked and the choices are left to the company.
func tripSeat(c *call) step {
	q := seatQuestion(c)
	v := c.judge(q)
	switch {
	case v.action == "":
		return step{ask: []question{q}, memory: c.memory}
	case v.action == dismiss:
		return done(c.say.T("demo.trip.cancelled"))
	case len(v.wrong) > 0:
		return c.again(q, v)
	}
	return step{reply: booking(c, v)}
}

// pickupTooLate is the one rule of the first form that its schema cannot say:
// who is picked up after the day of departure misses the trip.
func pickupTooLate(f form, good map[string]any) []i18n.Message {
	day, hasDay := good["departure"].(string)
	at, hasPickup := good["pickup"].(string)
	if !hasDay || !hasPickup {
		return nil
	}
	pickup, err := time.Parse(time.RFC3339, at)
	if err != nil || pickup.Format(time.DateOnly) <= day {
		return nil
	}
	delete(good, "pickup")
	titles := map[string]string{}
	for _, fl := range f {
		titles[fl.name] = fl.title
	}
	return []i18n.Message{i18n.M("demo.trip.pickup_late", "Field", titles["pickup"], "Day", day)}
}

func travellerQuestion(c *call) question {
	say := c.say
	return question{
		key:     "traveller",
		message: say.T("demo.trip.traveller_message", "Destination", c.args["destination"]),
		form: form{
			{name: "name", kind: text, required: true, min: new(2), max: new(40),
				title: say.T("demo.trip.name"), description: say.T("demo.trip.name_about")},
			{name: "email", kind: email, required: true,
				title: say.T("demo.trip.email"), description: say.T("demo.trip.email_about")},
			{name: "homepage", kind: uri, title: say.T("demo.trip.homepage")},
			{name: "country", kind: text, max: new(60), title: say.T("demo.trip.country")},
			{name: "departure", kind: date, required: true, title: say.T("demo.trip.departure")},
			{name: "pickup", kind: dateTime, title: say.T("demo.trip.pickup"),
				description: say.T("demo.trip.pickup_about")},
			{name: "bags", kind: integer, min: new(0), max: new(6), fallback: 1.0,
				title: say.T("demo.trip.bags")},
			{name: "budget", kind: number, min: new(0), max: new(100000),
				title: say.T("demo.trip.budget"), description: say.T("demo.trip.budget_about")},
			{name: "insurance", kind: boolean, title: say.T("demo.trip.insurance")},
		},
	}
}

func seatQuestion(c *call) question {
	say := c.say
	tongue := "en"
	if say.Tag() == "zh-Hans" {
		tongue = "zh"
	}
	return question{
		key:     "seat",
		message: say.T("demo.trip.seat_message"),
		form: form{
			// Seats and extras have no titles, so their values are what is shown.
			{name: "seat", kind: plainChoice, required: true, title: say.T("demo.trip.seat"),
				options: []option{{value: "12A"}, {value: "12C"}, {value: "14F"}, {value: "21D"}}},
			{name: "meal", kind: titledChoice, title: say.T("demo.trip.meal"), fallback: "standard",
				options: []option{
					{"standard", say.T("demo.trip.meal_standard")},
					{"vegetarian", say.T("demo.trip.meal_vegetarian")},
					{"halal", say.T("demo.trip.meal_halal")},
					{"none", say.T("demo.trip.meal_none")}}},
			{name: "fare", kind: namedChoice, required: true, title: say.T("demo.trip.fare"),
				options: []option{
					{"eco", say.T("demo.trip.fare_eco")},
					{"flex", say.T("demo.trip.fare_flex")},
					{"biz", say.T("demo.trip.fare_biz")}}},
			{name: "extras", kind: plainChecklist, max: new(2), title: say.T("demo.trip.extras"),
				description: say.T("demo.trip.extras_about"),
				options:     []option{{value: "Wi-Fi"}, {value: "eSIM"}, {value: "Spa"}}},
			{name: "languages", kind: titledChecklist, required: true, min: new(1), max: new(4),
				title: say.T("demo.trip.languages"), fallback: []any{tongue},
				options: []option{
					{"en", say.T("demo.trip.language_en")},
					{"zh", say.T("demo.trip.language_zh")},
					{"es", say.T("demo.trip.language_es")},
					{"ar", say.T("demo.trip.language_ar")}}},
			{name: "newsletter", kind: boolean, fallback: false, title: say.T("demo.trip.newsletter")},
		},
	}
}

// booking is the result: a text to read, and the values as they were given.
func booking(c *call, v verdict) *reply {
	say := c.say
	trip := map[string]any{
		"destination": c.args["destination"],
		"travellers":  c.args["travellers"],
		"traveller":   c.memory.Details,
	}
	rows := []field{}
	values := maps.Clone(c.memory.Details)
	rows = append(rows, travellerQuestion(c).form...)
	lines := []string{say.T("demo.trip.booked", "Destination", c.args["destination"],
		"Travellers", fmt.Sprint(c.args["travellers"]))}
	if v.action == decline {
		trip["choices"] = "ours"
	} else {
		trip["choices"] = v.good
		maps.Copy(values, v.good)
		rows = append(rows, seatQuestion(c).form...)
	}
	for _, f := range rows {
		if val, ok := values[f.name]; ok {
			lines = append(lines, say.T("demo.row", "Field", f.title, "Value", f.show(say, val)))
		}
	}
	if v.action == decline {
		lines = append(lines, say.T("demo.trip.our_choice"))
	}
	return &reply{text: strings.Join(lines, "\n"), data: trip}
}

// show is a checked value as people read it: titles for options, yes and no.
func (f field) show(say *i18n.Localizer, v any) string {
	switch v := v.(type) {
	case bool:
		if v {
			return say.T("demo.yes")
		}
		return say.T("demo.no")
	case []any:
		if len(v) == 0 {
			return say.T("demo.none")
		}
		var parts []string
		for _, e := range v {
			parts = append(parts, f.show(say, e))
		}
		return strings.Join(parts, say.T("demo.and"))
	case float64:
		return strings.TrimRight(strings.TrimRight(fmt.Sprintf("%.2f", v), "0"), ".")
	case string:
		for _, o := range f.options {
			if o.value == v && o.title != "" {
				return o.title
			}
		}
		return v
	}
	return fmt.Sprint(v)
}
