package bench

const parallel = 500
