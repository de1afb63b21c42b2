package report

import (
	"math"
	"slices"
	"time"
)

// Latencies are measured durations, in any order.
type Latencies []time.Duration

// At is the p-th percentile by nearest rank: the smallest latency that p percent do not exceed. It is 0 where
// nothing was measured.
func (l Latencies) At(p float64) time.Duration {
	if len(l) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(l))
	rank := int(math.Ceil(p / 100 * float64(len(sorted))))
	return sorted[max(rank, 1)-1]
}

// Sum is all of them together.
func (l Latencies) Sum() time.Duration {
	var sum time.Duration
	for _, latency := range l {
		sum += latency
	}
	return sum
}
