package hostile

var sizes []behaviour
