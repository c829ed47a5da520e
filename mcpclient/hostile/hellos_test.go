package hostile

var hellos []behaviour
