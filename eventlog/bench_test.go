package eventlog_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/headwater-data/headwater/eventlog"
	"github.com/headwater-data/headwater/internal/testenv"
	"github.com/headwater-data/headwater/lineage"
)

// BenchmarkAppend appends events from some callers at a time, each of which waits for its receipt.
func BenchmarkAppend(b *testing.B) {
	for _, size := range []int{2_000, 20_000} {
		for _, callers := range []int{1, 16, 128} {
			b.Run(fmt.Sprintf("bytes=%d/callers=%d", size, callers), func(b *testing.B) { benchmarkAppend(b, size, callers) })
		}
	}
}

func benchmarkAppend(b *testing.B, size, callers int) {
	b.Helper()
	pool := testenv.Database(b)
	var commits, took atomic.Int64
	log := start(b, pool, eventlog.Options{OnCommit: func(c eventlog.Commit) {
		commits.Add(1)
		took.Add(int64(c.Took))
	}})
	payload := document(size)
	before := onDisk(b, pool)
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
	after := onDisk(b, pool)
	b.ReportMetric(float64(after.log-before.log)/float64(b.N), "disk-B/event")
	b.ReportMetric(float64(after.wal-before.wal)/float64(b.N), "wal-B/event")
}

// disk is what the log takes, in bytes, and how much write-ahead log there was.
type disk struct{ log, wal int64 }

func onDisk(b *testing.B, pool *pgxpool.Pool) (d disk) {
	b.Helper()
	const query = `SELECT coalesce(sum(pg_total_relation_size(inhrelid)), 0)::bigint, (pg_current_wal_lsn() - '0/0')::bigint
		FROM pg_inherits WHERE inhparent = 'event_log'::regclass`
	require.NoError(b, pool.QueryRow(b.Context(), query).Scan(&d.log, &d.wal))
	return d
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
