package stdio

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"unsafe"

	"golang.org/x/sys/windows"
)

// group is the job object of a program: itself and what it started. A zero
// handle means that Windows refused the job; then only the program itself is
// known.
type group struct {
	process *os.Process
	job     windows.Handle
}

// prepare hides the console window that console programs would open, and lets
// cmd.exe run batch files, with a command line as it understands it.
func prepare(cmd *exec.Cmd) error {
	cmd.SysProcAttr.HideWindow = true
	cmd.SysProcAttr.CreationFlags = windows.CREATE_NEW_PROCESS_GROUP | windows.CREATE_NO_WINDOW
	switch strings.ToLower(filepath.Ext(cmd.Path)) {
	case ".bat", ".cmd":
		line, err := batchLine(cmd.Path, cmd.Args[1:])
		if err != nil {
			return err
		}
		system, err := windows.GetSystemDirectory()
		if err != nil {
			return err
		}
		cmd.Path = filepath.Join(system, "cmd.exe")
		cmd.SysProcAttr.CmdLine = line
	}
	return nil
}

func unprepare() {}

// newGroup puts the program into a job that ends with the last handle of it,
// and so with Parley. What the program starts in the moment before that is
// outside the job.
func newGroup(p *os.Process) *group {
	g := &group{process: p}
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return g
	}
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{
		BasicLimitInformation: windows.JOBOBJECT_BASIC_LIMIT_INFORMATION{
			LimitFlags: windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
		},
	}
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	if err == nil {
		err = assign(job, p.Pid)
	}
	if err != nil {
		windows.CloseHandle(job)
		return g
	}
	g.job = job
	return g
}

func assign(job windows.Handle, pid int) error {
	h, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(pid))
	if err != nil {
		return err
	}
	defer windows.CloseHandle(h)
	return windows.AssignProcessToJobObject(job, h)
}

// terminate reports false: Windows knows no way to ask a program without a
// window to end, beyond the end of its input.
func (g *group) terminate() bool { return false }

// kill ends every process of the job.
func (g *group) kill() {
	if g.job != 0 {
		windows.TerminateJobObject(g.job, 1)
		return
	}
	g.process.Kill()
}

// alive reports whether a process of the job is left.
func (g *group) alive() bool {
	if g.job == 0 {
		return false
	}
	var info jobAccounting
	err := windows.QueryInformationJobObject(g.job, windows.JobObjectBasicAccountingInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)), nil)
	return err == nil && info.ActiveProcesses > 0
}

// jobAccounting is JOBOBJECT_BASIC_ACCOUNTING_INFORMATION, which x/sys lacks.
type jobAccounting struct {
	TotalUserTime             int64
	TotalKernelTime           int64
	ThisPeriodTotalUserTime   int64
	ThisPeriodTotalKernelTime int64
	TotalPageFaultCount       uint32
	TotalProcesses            uint32
	ActiveProcesses           uint32
	TotalTerminatedProcesses  uint32
}

// release gives the job back, and ends what is left in it.
func (g *group) release() {
	if g.job != 0 {
		windows.CloseHandle(g.job)
		g.job = 0
	}
}

func signalName(*os.ProcessState) string { return "" }

func isBadFormat(err error) bool { return errors.Is(err, windows.ERROR_BAD_EXE_FORMAT) }
