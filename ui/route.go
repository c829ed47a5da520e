package ui

// section is a kind of page.
type section int

const (
	sectionQuestions section = iota
	sectionQuestion          // id: the elicitation
	sectionSignIn            // id: the sign-in
	sectionRequests
	sectionRequest  // id: the call
	sectionServer   // id: the server
	sectionTool     // id: the server, name: the tool
	sectionPrompt   // id: the server, name: the prompt
	sectionResource // id: the server, name: the URI
	sectionLink     // id: the server that gave it outside of a question
	sectionAllow    // id: the server whose program may be allowed to start
	sectionEdit     // id: the server
	sectionSetup    // id: the server whose signing in is set up
	sectionAdd
	sectionImport
	sectionExport
	sectionSettings
)

// route says which page is shown. Two equal routes are the same page.
type route struct {
	section section
	id      string
	name    string
}

// ofServer reports whether r is a page of one server of the list, which goes with it.
func (r route) ofServer() bool {
	switch r.section {
	case sectionServer, sectionTool, sectionPrompt, sectionResource, sectionAllow, sectionEdit, sectionSetup:
		return true
	}
	return false
}

// side is the sidebar's item under which r belongs; for pages of one server
// that is the server.
func (r route) side() route {
	switch r.section {
	case sectionQuestion, sectionSignIn:
		return route{section: sectionQuestions}
	case sectionRequest:
		return route{section: sectionRequests}
	case sectionTool, sectionPrompt, sectionResource, sectionLink, sectionAllow, sectionEdit, sectionSetup:
		return route{section: sectionServer, id: r.id}
	case sectionImport, sectionExport:
		return route{section: sectionAdd}
	}
	return r
}
