package stdio

import "syscall"

// followParent makes the program end when Parley does, however that ends. See
// process.launch for what this asks of the thread that starts it.
func followParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }
