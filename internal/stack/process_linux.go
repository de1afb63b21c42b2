package stack

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// dieWithParent makes the kernel send the signal to the child when this process dies, however it dies.
func dieWithParent(attr *syscall.SysProcAttr, signal syscall.Signal) { attr.Pdeathsig = signal }

// passDirectories leaves one of root's capabilities to a child that runs as another user: file permissions do not
// bind it, so it can reach its data directory wherever that is.
func passDirectories(attr *syscall.SysProcAttr) {
	const capDACOverride = 1 // CAP_DAC_OVERRIDE of linux/capability.h
	attr.AmbientCaps = []uintptr{capDACOverride}
}

// commandLine returns what a process was started with, or "" when there is no such process.
func commandLine(pid int) string {
	line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	return string(line)
}

// descendants returns the processes that a process started, and those that they started.
func descendants(pid int) []int {
	var found []int
	tasks, _ := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid)) // a process that has ended has no children
	for _, task := range tasks {
		children, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/children", pid, task.Name()))
		for _, field := range strings.Fields(string(children)) {
			if child, err := strconv.Atoi(field); err == nil {
				found = append(append(found, child), descendants(child)...)
			}
		}
	}
	return found
}
