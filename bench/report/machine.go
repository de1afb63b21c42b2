package report

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
)

// Machine is what a benchmark ran on.
type Machine struct {
	OS     string `json:"os"`
	CPU    string `json:"cpu"`
	Cores  int    `json:"cores"`
	Memory int64  `json:"memoryBytes"`
	// Load is the average number of processes that wanted to run in the minute before, on all cores; above Cores,
	// latencies tell more of the neighbours than of the system.
	Load float64 `json:"load"`
}

// ThisMachine reads what Linux tells of itself; what cannot be read stays empty.
func ThisMachine() Machine {
	m := Machine{OS: runtime.GOOS + "/" + runtime.GOARCH, Cores: runtime.NumCPU(), CPU: field("/proc/cpuinfo", "model name")}
	if kilobytes := field("/proc/meminfo", "MemTotal"); kilobytes != "" {
		_, _ = fmt.Sscan(kilobytes, &m.Memory) // stays 0
		m.Memory *= 1024
	}
	if load, err := os.ReadFile("/proc/loadavg"); err == nil {
		_, _ = fmt.Sscan(string(load), &m.Load) // stays 0
	}
	return m
}

// String is the machine in one line.
func (m Machine) String() string {
	return fmt.Sprintf("%s · %d cores · %s · %d GiB · load %.1f", m.CPU, m.Cores, m.OS, m.Memory>>30, m.Load)
}

// field reads the value of the first line "name : value" of a file of /proc.
func field(path, name string) string {
	content, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(content)) {
		if key, value, found := strings.Cut(line, ":"); found && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

func goVersion() string { return strings.TrimPrefix(runtime.Version(), "go") }

// revision is the commit that the benchmark was built from, where the build knows it.
func revision() string {
	build, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, setting := range build.Settings {
		if setting.Key == "vcs.revision" {
			return setting.Value
		}
	}
	return "unknown (built without version control)"
}
