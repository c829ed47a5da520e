package consent

import "parley/assets/i18n"

// Line is what `parley url` prints of one link, and what a URL question carries
// in `parley call`. Every key is always present.
type Line struct {
	URL      string        `json:"url"`
	Level    string        `json:"level"`
	Findings []LineFinding `json:"findings"`
	Open     string        `json:"open"`
	Host     string        `json:"host"`
	Site     string        `json:"site"`
	ReadsAs  string        `json:"reads_as"`
}

// LineFinding is a [Finding] in a [Line].
type LineFinding struct {
	Code  string `json:"code"`
	Level string `json:"level"`
	Text  string `json:"text"`
}

// Line is the assessment of raw in the form of the command line, its sentences
// in the language of loc.
func (a Assessment) Line(raw string, loc *i18n.Localizer) Line {
	line := Line{URL: raw, Level: a.Level.String(), Findings: make([]LineFinding, 0, len(a.Findings)),
		Open: a.Open, Host: a.Host, Site: a.Site, ReadsAs: a.ReadsAs}
	for _, f := range a.Findings {
		line.Findings = append(line.Findings, LineFinding{f.Code, f.Level.String(), loc.Text(f.Text)})
	}
	return line
}
