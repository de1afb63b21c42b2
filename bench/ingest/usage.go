package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/headwater-data/headwater/bench/report"
	"github.com/headwater-data/headwater/internal/system"
)

// usage measures what processes take, by /proc.
type usage struct {
	system *system.System
	begun  time.Time
	before map[string]time.Duration
}

// startUsage begins to measure, with the peaks of memory set back.
func startUsage(s *system.System) *usage {
	for _, part := range s.Parts() {
		if part.Running() {
			// Where it cannot be set back, the peak is that since the start of the process.
			_ = os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", part.PID()), []byte("5"), 0)
		}
	}
	return &usage{system: s, begun: time.Now(), before: processorTimes(s)}
}

// report tells the share of a core and the peak of memory of each part, and what each of some things, such as events,
// took of all processors: unlike a latency, that is the same beside busy neighbours.
func (u *usage) report(section report.Section, things int, thing string) {
	elapsed, after := time.Since(u.begun), processorTimes(u.system)
	var all time.Duration
	for _, name := range append(partNames(u.system), thisBenchmark) {
		took := after[name] - u.before[name]
		section.Note("processor: "+name, 100*float64(took)/float64(elapsed), "% of a core")
		all += took
	}
	section.Note("processor: everything else on this machine", 100*float64(after[machine]-u.before[machine]-all)/float64(elapsed), "% of a core")
	if things > 0 {
		section.Note("processor time "+thing, float64(all)/float64(time.Millisecond)/float64(things), "ms")
	}
	for _, part := range []*system.Part{u.system.Gateway, u.system.Worker} {
		if part.Running() {
			section.AtMost("peak memory: "+part.Name(), float64(peakMemory(part.PID()))/(1<<20), memoryTarget, "MiB")
		}
	}
}

func partNames(s *system.System) []string {
	var names []string
	for _, part := range s.Parts() {
		names = append(names, part.Name())
	}
	return names
}

func processorTimes(s *system.System) map[string]time.Duration {
	var self syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &self) // never fails for this process
	times := map[string]time.Duration{
		thisBenchmark: time.Duration(self.Utime.Nano() + self.Stime.Nano()),
		machine:       machineTime(),
	}
	for _, part := range s.Parts() {
		if part.Running() {
			times[part.Name()] = report.CPU(part.PID()) + report.ChildrenCPU(part.PID())
		}
	}
	return times
}

// What is measured beside the parts.
const (
	thisBenchmark = "this benchmark"
	machine       = "machine"
)

// machineTime is what all processes have taken of all processors: all but idle, waiting and stolen time of /proc/stat.
func machineTime() time.Duration {
	const tick = 10 * time.Millisecond // USER_HZ, on every Linux that Go runs on
	content, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0
	}
	var user, nice, kernel int64
	_, _ = fmt.Sscanf(string(content), "cpu %d %d %d", &user, &nice, &kernel) // stays 0
	return time.Duration(user+nice+kernel) * tick
}

// peakMemory is the most resident memory, in bytes, since it was set back.
func peakMemory(pid int) int64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if kilobytes, found := strings.CutPrefix(line, "VmHWM:"); found {
			n, _ := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(kilobytes), "kB")), 10, 64)
			return n << 10
		}
	}
	return 0
}
