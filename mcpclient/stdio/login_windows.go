package stdio

import "context"

// loginPath returns "": on Windows every program has the same PATH.
func loginPath(context.Context) string { return "" }
