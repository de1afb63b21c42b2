package main

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// print writes for a person.
func (c capacity) print(w io.Writer) error {
	var text strings.Builder
	line := func(what, format string, args ...any) {
		fmt.Fprintf(&text, "%-14s %s\n", what, fmt.Sprintf(format, args...))
	}
	line("events", "%d so far, %.0f a day at the pace of the last 24 hours", c.Events, c.EventsPerDay)
	line("payload", "p50 %s  p95 %s  p99 %s  largest %s, of the last %d events; stored at %.0f%% of that",
		bytesText(c.Payload.P50), bytesText(c.Payload.P95), bytesText(c.Payload.P99), bytesText(c.Payload.Largest), c.Payload.Sampled, 100*c.Compression)
	writeHistogram(&text, c.Payload, bytesText)
	line("events a run", "p50 %d  p95 %d  p99 %d  most %d, of the last %d ended runs",
		c.EventsPerRun.P50, c.EventsPerRun.P95, c.EventsPerRun.P99, c.EventsPerRun.Largest, c.EventsPerRun.Sampled)
	writeHistogram(&text, c.EventsPerRun, func(n int64) string { return strconv.FormatInt(n, 10) })
	line("database", "%s: log %s, idempotency keys %s, projections and the rest %s", bytesText(c.Database.All), bytesText(c.Database.Log),
		bytesText(c.Database.Keys), bytesText(c.Database.All-c.Database.Log-c.Database.Keys))
	if c.BytesPerEvent > 0 {
		line("growth", "%s an event, %s a day", bytesText(int64(c.BytesPerEvent)), bytesText(int64(c.GrowthPerDay)))
	} else {
		line("growth", "%d events are too few to tell what one takes: %d are enough", c.Events, enoughEvents)
	}
	switch {
	case c.Disk == 0:
		line("disk", "say how large it is with --disk, to see how long it lasts")
	case c.BytesPerEvent == 0:
		line("disk", "%s", bytesText(c.Disk))
	case c.GrowthPerDay == 0:
		line("disk", "%s; nothing came in the last 24 hours", bytesText(c.Disk))
	default:
		line("disk", "%s, full in %.0f days", bytesText(c.Disk), math.Floor(c.DaysUntilFull))
	}
	for _, advice := range c.LimitsToRevise {
		line("revise", "%s", advice)
	}
	_, err := io.WriteString(w, text.String())
	return err
}

// writeHistogram writes a bar for each power of two, none where nothing was sampled.
func writeHistogram(text *strings.Builder, s spread, value func(int64) string) {
	const width = 40
	for _, bucket := range s.Histogram {
		share := float64(bucket.Count) / float64(s.Sampled)
		bar := strings.Repeat("█", max(int(math.Round(share*width)), 1))
		fmt.Fprintf(text, "  %12s  %s %.1f%%\n", "≤ "+value(bucket.AtMost), bar, 100*share)
	}
}

// bytesText writes a number of bytes as people read it.
func bytesText(n int64) string {
	if n < 1024 {
		return fmt.Sprintf("%d B", n)
	}
	value, unit := float64(n), -1
	for value >= 1024 && unit < 4 {
		value, unit = value/1024, unit+1
	}
	return fmt.Sprintf("%.3g %ciB", value, "KMGTP"[unit])
}
