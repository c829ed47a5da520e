package kit

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

// TestGoldens compares the structure of a few widgets, as Fyne writes it down,
// with the files in testdata. After a change that is meant, the file under
// testdata/failed is the new one.
func TestGoldens(t *testing.T) {
	row := NewFieldRow(FieldRowOptions{Label: safe("E-mail"), Required: true, Control: NewPicker(PickerOptions{Options: optionsOf("Window", "Aisle")}), Hint: hint("As on your card")})
	row.SetError("This is not a complete e-mail address.")
	for name, c := range map[string]struct {
		o    fyne.CanvasObject
		size fyne.Size
	}{
		"yesno.xml":    {NewYesNo(YesNoOptions{}), fyne.NewSize(360, 38)},
		"fieldrow.xml": {row, fyne.NewSize(300, 110)},
		"urlview.xml":  {NewURLView([]Segment{{"https://accounts.google.com.", false}, {"evil.example", true}, {"/o/oauth2/v2/auth?client_id=7291", false}}), fyne.NewSize(420, 90)},
		"notice.xml":   {NewNotice(Danger, "It begins with accounts.google.com.", "Pages like this are used to steal passwords."), fyne.NewSize(420, 70)},
	} {
		t.Run(name, func(t *testing.T) {
			c.o.Resize(c.size)
			test.AssertObjectRendersToMarkup(t, name, c.o)
		})
	}
}
