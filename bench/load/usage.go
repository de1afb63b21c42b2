package load

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

// Usage measures what processes take, by /proc.
type Usage struct {
	system *system.System
	begun  time.Time
	before map[string]time.Duration
}

// StartUsage begins to measure, with the peaks of memory set back.
func (r *Rig) StartUsage() *Usage {
	for _, part := range r.System.Parts() {
		if part.Running() {
			// Where it cannot be set back, the peak is that since the start of the process.
			_ = os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", part.PID()), []byte("5"), 0)
		}
	}
	return &Usage{system: r.System, begun: time.Now(), before: processorTimes(r.System)}
}

// Used is what processes took while something went on.
type Used struct {
	system  *system.System
	Elapsed time.Duration
	// all is what the parts and the benchmark took together.
	all  time.Duration
	took map[string]time.Duration
}

// Used is what was taken since the start.
func (u *Usage) Used() Used {
	used := Used{system: u.system, Elapsed: time.Since(u.begun), took: processorTimes(u.system)}
	for name := range used.took {
		used.took[name] -= u.before[name]
	}
	for _, name := range append(partNames(u.system), thisBenchmark) {
		used.all += used.took[name]
	}
	return used
}

// By is the processor time that a part took.
func (u Used) By(part *system.Part) time.Duration { return u.took[part.Name()] }

// ByParts is the processor time that all parts took, without the benchmark.
func (u Used) ByParts() time.Duration { return u.all - u.took[thisBenchmark] }

// Report tells the share of a core and the peak of memory of each part, and what each of some things, such as events,
// took of all processors: unlike a latency, that is the same beside busy neighbours.
func (u Used) Report(section report.Section, things int, thing string) {
	for _, name := range append(partNames(u.system), thisBenchmark) {
		section.Note("processor: "+name, 100*float64(u.took[name])/float64(u.Elapsed), "% of a core")
	}
	section.Note("processor: everything else on this machine", 100*float64(u.took[machine]-u.all)/float64(u.Elapsed), "% of a core")
	if things > 0 {
		section.Note("processor time "+thing, float64(u.all)/float64(time.Millisecond)/float64(things), "ms")
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

// memoryTarget is what gateway and worker may take at most, in MiB.
const memoryTarget = 1024

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
