package hostile

var streams []behaviour
