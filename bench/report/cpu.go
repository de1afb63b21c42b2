package report

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// clockTick is the unit of CPU time in /proc: USER_HZ, which is 100 on every Linux that Go runs on.
const clockTick = 10 * time.Millisecond

// CPU is the CPU time that a process has used. Unlike latency, it says what something costs on a machine that others keep
// busy. It is 0 where there is no /proc.
func CPU(pid int) time.Duration {
	fields := statOf(pid)
	if len(fields) < 13 {
		return 0
	}
	var user, system int64
	_, _ = fmt.Sscan(fields[11]+" "+fields[12], &user, &system) // stay 0
	return time.Duration(user+system) * clockTick
}

// ChildrenCPU is the CPU time that the living children of a process have used, such as PostgreSQL's sessions.
func ChildrenCPU(pid int) time.Duration {
	var used time.Duration
	stats, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is valid
	for _, path := range stats {
		child, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		if fields := statOf(child); len(fields) > 1 && fields[1] == strconv.Itoa(pid) {
			used += CPU(child)
		}
	}
	return used
}

// statOf gives the fields of /proc/<pid>/stat from the state on; the name before it may hold anything.
func statOf(pid int) []string {
	content, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return nil
	}
	_, rest, _ := strings.Cut(string(content), ") ")
	return strings.Fields(rest)
}
