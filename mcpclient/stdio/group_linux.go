package stdio

import "syscall"

// followParent makes the program end when Parley does, however that ends, by
// the signal s. See process.launch for what this asks of the thread that
// starts it. What the program has started is not reached: see guard.
func followParent(attr *syscall.SysProcAttr, s syscall.Signal) { attr.Pdeathsig = s }
