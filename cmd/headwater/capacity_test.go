package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/eventlog"
	"github.com/headwater-data/headwater/projection"
)

func TestCapacityTellsGrowthAndHowLongTheDiskLasts(t *testing.T) {
	t.Parallel()
	c := capacityCommand{BodyBytes: 32 << 20, Disk: 100 << 30, DatabaseBytes: 80 << 30}
	found := c.weigh(eventlog.Sizes{
		Events: 10_000, PerDay: 800_000, Sampled: 4, Mean: 20_000, CompressedMean: 5000, DatabaseBytes: 100_000_000,
		Histogram: []eventlog.Bucket{{AtMost: 16384, Count: 3}, {AtMost: 32768, Count: 1}},
	}, projection.RunSizes{Runs: 1, Histogram: []projection.RunBucket{{AtMost: 4, Count: 1}}})
	require.InDelta(t, 0.25, found.Compression, 0.001)
	require.InDelta(t, 8e9, found.GrowthPerDay, 1)
	require.InDelta(t, (float64(100<<30)-1e8)/8e9, found.DaysUntilFull, 0.001)
	require.Equal(t, []string{"the disk is full in less than 30 days: enlarge it"}, found.LimitsToRevise)

	var text strings.Builder
	require.NoError(t, found.print(&text))
	require.Contains(t, text.String(), "≤ 16 KiB  "+strings.Repeat("█", 30)+" 75.0%")
	require.Contains(t, text.String(), "100 GiB, full in 13 days")
}

func TestCapacityTellsNoGrowthFromAFewEvents(t *testing.T) {
	t.Parallel()
	c := capacityCommand{Disk: 100 << 30}
	found := c.weigh(eventlog.Sizes{Events: 9_999, PerDay: 800_000, DatabaseBytes: 20_000_000}, projection.RunSizes{})
	require.Zero(t, found.GrowthPerDay)
	require.Zero(t, found.DaysUntilFull)

	var text strings.Builder
	require.NoError(t, found.print(&text))
	require.Contains(t, text.String(), "9999 events are too few to tell what one takes: 10000 are enough")
	require.NotContains(t, text.String(), "full in")
}

func TestCapacityAdvisesAtALimitAndNotBefore(t *testing.T) {
	t.Parallel()
	c := capacityCommand{BodyBytes: 1000, DatabaseBytes: 90, Disk: 100}
	require.Empty(t, c.weigh(eventlog.Sizes{Largest: 500, PerDay: 800_000}, projection.RunSizes{Largest: 2000}).LimitsToRevise)
	require.Len(t, c.weigh(eventlog.Sizes{Largest: 501, PerDay: 800_001}, projection.RunSizes{Largest: 2001}).LimitsToRevise, 3)
	c.DatabaseBytes = 91
	require.Len(t, c.weigh(eventlog.Sizes{}, projection.RunSizes{}).LimitsToRevise, 1)
	c.DatabaseBytes = 0
	require.Contains(t, c.weigh(eventlog.Sizes{}, projection.RunSizes{}).LimitsToRevise[0], "--limit-database-bytes is not set")
}

func TestBytesAreWrittenAsPeopleReadThem(t *testing.T) {
	t.Parallel()
	for bytes, text := range map[int64]string{0: "0 B", 1023: "1023 B", 1024: "1 KiB", 20_000: "19.5 KiB", 5 << 30: "5 GiB", 1 << 50: "1 PiB"} {
		require.Equal(t, text, bytesText(bytes))
	}
}
