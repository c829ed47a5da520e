package stdio

// loginPath returns "": on Windows every program has the same PATH.
func loginPath() string { return "" }
