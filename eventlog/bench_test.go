package eventlog_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/headwater-data/headwater/eventlog"
	"github.com/headwater-data/headwater/internal/testenv"
	"github.com/headwater-data/headwater/lineage"
)

// BenchmarkAppend appends events of 20 KB from some callers at a time, each of which waits for its receipt.
func BenchmarkAppend(b *testing.B) {
	for _, callers := range []int{1, 16, 128} {
		b.Run(fmt.Sprintf("callers=%d", callers), func(b *testing.B) {
			var commits, took atomic.Int64
			log := start(b, testenv.Database(b), eventlog.Options{OnCommit: func(c eventlog.Commit) {
				commits.Add(1)
				took.Add(int64(c.Took))
			}})
			payload := document(20_000)
			var next atomic.Int64
			b.SetBytes(int64(len(payload)))
			b.ResetTimer()
			var group errgroup.Group
			for range callers {
				group.Go(func() error {
					for n := next.Add(1); n <= int64(b.N); n = next.Add(1) {
						id := strconv.FormatInt(n, 10)
						_, err := log.Append(b.Context(), eventlog.Record{
							Producer: "spark", EventID: id, Format: lineage.FormatOpenLineage,
							RunKey: lineage.HashOf(id), ContentHash: lineage.HashOf(id), Payload: payload,
						})
						if err != nil {
							return err
						}
					}
					return nil
				})
			}
			require.NoError(b, group.Wait())
			b.StopTimer()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "events/s")
			b.ReportMetric(float64(b.N)/float64(commits.Load()), "events/commit")
			b.ReportMetric(float64(took.Load())/float64(commits.Load())/float64(time.Millisecond), "ms/commit")
		})
	}
}

// BenchmarkRead reads a log of 20 KB events by batches of 500.
func BenchmarkRead(b *testing.B) {
	log := start(b, testenv.Database(b), eventlog.Options{})
	payload := document(20_000)
	const events = 5000
	for first := 0; first < events; first += 500 {
		records := make([]eventlog.Record, 500)
		for i := range records {
			id := strconv.Itoa(first + i)
			records[i] = eventlog.Record{Producer: "spark", EventID: id, ContentHash: lineage.HashOf(id), Payload: payload}
		}
		_, err := log.Append(b.Context(), records...)
		require.NoError(b, err)
	}
	b.SetBytes(int64(len(payload)))
	b.ResetTimer()
	for read := 0; read < b.N; {
		entries, err := log.Read(b.Context(), lineage.Offset(read%events), 500, 64<<20)
		require.NoError(b, err)
		read += len(entries)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "events/s")
}

// document gives JSON of about size bytes that compresses as events do, to a fifth or so.
func document(size int) []byte {
	var text strings.Builder
	text.WriteString(`{"eventType":"COMPLETE","inputs":[`)
	for text.Len() < size {
		fmt.Fprintf(&text, `{"namespace":"warehouse-prod","name":"schema_%d.table_%x","facets":{"schema":{"fields":[{"name":"c%x","type":"string"}]}}},`,
			rand.IntN(30), rand.Uint64(), rand.Uint32())
	}
	text.WriteString(`{}]}`)
	return []byte(text.String())
}
