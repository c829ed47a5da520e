package hostile

var answers []behaviour
