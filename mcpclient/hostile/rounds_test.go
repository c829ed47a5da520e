package hostile

var rounds []behaviour
