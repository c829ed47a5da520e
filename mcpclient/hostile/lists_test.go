package hostile

var lists []behaviour
