package stdio

import "context"

// fromDesktop returns false: on Windows it makes no difference.
func fromDesktop(string) bool { return false }

// loginPath returns "": on Windows every program has the same PATH.
func loginPath(context.Context) string { return "" }
