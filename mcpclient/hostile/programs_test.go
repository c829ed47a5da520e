package hostile

var programs []behaviour
