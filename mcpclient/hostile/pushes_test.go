package hostile

var pushes []behaviour
