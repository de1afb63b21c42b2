package report_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/bench/report"
)

func TestPercentilesAreOfNearestRank(t *testing.T) {
	var latencies report.Latencies
	for i := range 200 {
		latencies = append(latencies, time.Duration(200-i)*time.Millisecond)
	}
	require.Equal(t, 100*time.Millisecond, latencies.At(50))
	require.Equal(t, 198*time.Millisecond, latencies.At(99))
	require.Equal(t, 200*time.Millisecond, latencies.At(100))
	require.Zero(t, report.Latencies(nil).At(99))
}

func TestReportStatesTargetBesideResult(t *testing.T) {
	var out strings.Builder
	r := report.New(&out, "example", 7)
	r.Size("events", 1_234_567)
	section := r.Section("replay")
	section.AtLeast("entries a second", 4_000, 5_000, "/s")
	section.Percentiles("traversal", report.Latencies{3 * time.Millisecond}, 5*time.Millisecond)
	dir := filepath.Join(t.TempDir(), "out")
	require.NoError(t, r.Save(dir))

	require.Contains(t, out.String(), "1,234,567")
	require.Contains(t, out.String(), "4,000 /s          target ≥ 5,000 /s: MISSED")
	require.Contains(t, out.String(), "target ≤ 5 ms: ok")
	require.Len(t, r.Missed(), 1)
	saved, err := os.ReadFile(filepath.Join(dir, "example.json"))
	require.NoError(t, err)
	require.Contains(t, string(saved), `"atLeast": true`)
}

func TestCPUCountsThisProcess(t *testing.T) {
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Skip("there is no /proc")
	}
	before := report.CPU(os.Getpid())
	for begun := time.Now(); report.CPU(os.Getpid()) == before && time.Since(begun) < time.Minute; { // others may have the processors
	}
	require.Greater(t, report.CPU(os.Getpid()), before)
}
