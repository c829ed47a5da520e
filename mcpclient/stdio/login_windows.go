package stdio

import "context"

// fromDesktop returns false: on Windows it makes no difference.
func fromDesktop(string) bool { return false }

// askLogin has nobody to ask: on Windows every program has the same PATH.
func askLogin(context.Context) loginAnswer { return loginAnswer{fault: LoginNone} }
