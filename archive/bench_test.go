package archive_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
)

// BenchmarkWriteSegment writes a segment of 1,000 events of 20 KB, which includes reading it back.
func BenchmarkWriteSegment(b *testing.B) {
	env := setup(b)
	all := largeEntries()
	for n := 0; b.Loop(); n++ {
		_, err := env.archive.WriteSegment(b.Context(), moved(all, n))
		require.NoError(b, err)
	}
	b.ReportMetric(float64(b.N*len(all))/b.Elapsed().Seconds(), "events/s")
}

// BenchmarkReadSegment reads such a segment.
func BenchmarkReadSegment(b *testing.B) {
	env := setup(b)
	all := largeEntries()
	segment, err := env.archive.WriteSegment(b.Context(), all)
	require.NoError(b, err)
	for b.Loop() {
		for _, err := range env.archive.ReadSegment(b.Context(), segment) {
			require.NoError(b, err)
		}
	}
	b.ReportMetric(float64(b.N*len(all))/b.Elapsed().Seconds(), "events/s")
	b.ReportMetric(float64(segment.Bytes)/float64(len(all)), "stored-B/event")
}

func largeEntries() []lineage.Entry {
	all := entries(1, 1000)
	for i := range all {
		var text strings.Builder
		text.WriteString(`{"inputs":[`)
		for text.Len() < 20_000 {
			fmt.Fprintf(&text, `{"namespace":"warehouse","name":"schema_%d.table_%x","facets":{"schema":{"fields":[{"name":"c%x","type":"string"}]}}},`,
				rand.IntN(30), rand.Uint64(), rand.Uint32())
		}
		text.WriteString(`{}]}`)
		all[i].Payload = []byte(text.String())
	}
	return all
}

// moved gives the same events n segments further on.
func moved(all []lineage.Entry, n int) []lineage.Entry {
	further := make([]lineage.Entry, len(all))
	for i, entry := range all {
		entry.Offset += lineage.Offset(n * len(all))
		further[i] = entry
	}
	return further
}
