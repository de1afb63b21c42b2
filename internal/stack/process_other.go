//go:build !linux

package stack

import (
	"os/exec"
	"strconv"
	"syscall"
)

// dieWithParent does nothing where the kernel has no such service: after a kill -9 of this process its children must
// be stopped by hand.
func dieWithParent(*syscall.SysProcAttr, syscall.Signal) {}

// passDirectories does nothing: only Linux can leave a single capability to a child.
func passDirectories(*syscall.SysProcAttr) {}

// commandLine returns what a process was started with, or "" when there is no such process.
func commandLine(pid int) string {
	line, _ := exec.Command("ps", "-o", "args=", "-p", strconv.Itoa(pid)).Output()
	return string(line)
}

// descendants finds nobody: only Linux is asked.
func descendants(int) []int { return nil }
