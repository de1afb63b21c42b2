package eventlog_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/headwater-data/headwater/eventlog"
	"github.com/headwater-data/headwater/internal/testenv"
	"github.com/headwater-data/headwater/lineage"
)

func TestAppendedRecordsAreReadBackByteForByte(t *testing.T) {
	t.Parallel()
	pool := testenv.Database(t)
	log := start(t, pool, eventlog.Options{})
	noise := make([]byte, 3<<20)
	for i := range noise {
		noise[i] = byte(rand.Uint32())
	}
	records := []eventlog.Record{
		{
			Producer: "spark-prod-eu", EventID: "1", Format: lineage.FormatEnvelope, RunKey: lineage.HashOf("run"),
			ContentHash: lineage.HashOf("1"), Payload: []byte("{\"a\":\t1.0}\n"),
			TraceParent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
		},
		{Producer: "π", EventID: "'\\\n", ContentHash: lineage.HashOf("2"), Payload: []byte{}},
		{Producer: "kafka", EventID: "3", ContentHash: lineage.HashOf("3"), Payload: []byte{0, 0xff, 0}},
		{Producer: "kafka", EventID: "4", ContentHash: lineage.HashOf("4"), Payload: noise},
	}

	results, err := log.Append(t.Context(), records...)
	require.NoError(t, err)
	entries := readAll(t, log)

	require.Len(t, entries, len(records))
	for i, entry := range entries {
		require.Equal(t, records[i], recordOf(entry))
		require.Equal(t, results[i].Receipt, receiptOf(entry))
		require.Equal(t, time.UTC, entry.ReceivedAt.Location())
	}
	head, err := log.Head(t.Context())
	require.NoError(t, err)
	require.Equal(t, eventlog.Head{Epoch: 1, Offset: 4, ReceivedAt: entries[3].ReceivedAt}, head)
}

func TestEmptyLogHasAHeadAndNoEntries(t *testing.T) {
	t.Parallel()
	log := eventlog.New(testenv.Database(t), eventlog.Options{})
	head, err := log.Head(t.Context())
	require.NoError(t, err)
	require.Equal(t, eventlog.Head{Epoch: 1}, head)
	require.Empty(t, readAll(t, log))
}

func TestRepeatGetsTheFirstReceiptAndAConflictDoesNot(t *testing.T) {
	t.Parallel()
	log := start(t, testenv.Database(t), eventlog.Options{})
	original, other := record("a", "content"), record("a", "other content")

	first := appendOne(t, log, original)
	require.NoError(t, first.Err)
	require.False(t, first.Receipt.Duplicate)

	results, err := log.Append(t.Context(), original, other, record("b", "content"))
	require.NoError(t, err)
	again := first.Receipt
	again.Duplicate = true
	require.Equal(t, eventlog.Result{Receipt: again}, results[0])
	require.Equal(t, eventlog.Result{Receipt: first.Receipt, Err: eventlog.ErrConflict}, results[1])
	require.NoError(t, results[2].Err)
	require.Equal(t, lineage.Offset(2), results[2].Receipt.Offset, "neither repeat nor conflict takes an offset")

	onlyRepeats, err := log.Append(t.Context(), original)
	require.NoError(t, err)
	require.Equal(t, eventlog.Result{Receipt: again}, onlyRepeats[0])
	require.Len(t, readAll(t, log), 2)
}

func TestReceiptIsFoundByProducerAndEventID(t *testing.T) {
	t.Parallel()
	log := start(t, testenv.Database(t), eventlog.Options{})
	appended := appendOne(t, log, record("a", "content"))

	found, err := log.Receipt(t.Context(), "producer", "a")
	require.NoError(t, err)
	require.Equal(t, appended.Receipt, found)

	_, err = log.Receipt(t.Context(), "other producer", "a")
	require.ErrorIs(t, err, eventlog.ErrNotFound)
}

// Two gateways, many callers each, and a reader. Half of all events are sent through both gateways at once.
func TestOffsetsAreDenseAndVisibleInOrderUnderConcurrentAppends(t *testing.T) {
	t.Parallel()
	pool := testenv.Database(t)
	gateways := []*eventlog.Log{
		start(t, pool, eventlog.Options{CommitInterval: time.Millisecond}),
		start(t, pool, eventlog.Options{CommitInterval: time.Millisecond}),
	}
	const callers, events = 16, 40
	var (
		mu       sync.Mutex
		receipts = map[string][]eventlog.Receipt{}
		senders  errgroup.Group
	)
	for caller := range callers {
		senders.Go(func() error {
			for n := range events {
				id := fmt.Sprintf("%d/%d", caller/2, n) // shared by the callers 2k and 2k+1
				if n%2 == 0 {
					id = fmt.Sprintf("%d/%d", caller, n) + " alone"
				}
				results, err := gateways[caller%2].Append(t.Context(), record(id, id))
				if err = errors.Join(err, resultsError(results)); err != nil {
					return err
				}
				mu.Lock()
				receipts[id] = append(receipts[id], results[0].Receipt)
				mu.Unlock()
			}
			return nil
		})
	}
	const total = callers*events/2 + callers*events/4
	reader := eventlog.New(pool, eventlog.Options{})
	var read []lineage.Entry
	for len(read) < total {
		entries, err := reader.Read(t.Context(), lineage.Offset(len(read)), 7, 1<<20)
		require.NoError(t, err)
		read = append(read, entries...)
	}
	require.NoError(t, senders.Wait())
	require.Len(t, readAll(t, reader), total)

	for i, entry := range read {
		require.Equal(t, lineage.Offset(i+1), entry.Offset)
		if i > 0 {
			require.False(t, entry.ReceivedAt.Before(read[i-1].ReceivedAt), "received times never decrease")
		}
		firsts := 0
		for _, receipt := range receipts[entry.EventID] {
			if !receipt.Duplicate {
				firsts++
			}
			receipt.Duplicate = false
			require.Equal(t, receiptOf(entry), receipt)
		}
		require.Equal(t, 1, firsts)
	}
}

func TestWaitingCallsShareOneCommit(t *testing.T) {
	t.Parallel()
	var commits []eventlog.Commit
	log := eventlog.New(testenv.Database(t), eventlog.Options{OnCommit: func(c eventlog.Commit) { commits = append(commits, c) }})
	const calls = 20
	for i := range calls {
		leaveWaiting(t, log, record(strconv.Itoa(i/2), "content"))
	}
	log.Close()
	require.NoError(t, log.Run(t.Context()))

	require.Len(t, commits, 1)
	require.Equal(t, calls, commits[0].Calls)
	require.Equal(t, calls, commits[0].Records)
	require.Equal(t, calls/2, commits[0].Appended)
	require.NoError(t, commits[0].Err)
}

func TestBusyLogRefusesAtOnceAndKeepsWhatItAdmitted(t *testing.T) {
	t.Parallel()
	log := eventlog.New(testenv.Database(t), eventlog.Options{QueueRecords: 2})
	leaveWaiting(t, log, record("a", "content"))
	leaveWaiting(t, log, record("b", "content"))
	_, err := log.Append(t.Context(), record("c", "content"))
	require.ErrorIs(t, err, eventlog.ErrBusy)

	log.Close()
	require.NoError(t, log.Run(t.Context()))
	entries := readAll(t, log)
	require.Len(t, entries, 2)
	require.Equal(t, "b", entries[1].EventID)

	_, err = log.Append(t.Context(), record("c", "content"))
	require.ErrorIs(t, err, eventlog.ErrClosed)
}

func TestFailedCommitFailsItsCallersAndTheNextSucceeds(t *testing.T) {
	t.Parallel()
	pool := testenv.Database(t)
	log := start(t, pool, eventlog.Options{CommitTimeout: 200 * time.Millisecond})

	release := holdHead(t, pool)
	_, err := log.Append(t.Context(), record("a", "content"))
	require.ErrorIs(t, err, context.DeadlineExceeded)

	release()
	require.EventuallyWithT(t, func(c *assert.CollectT) { // on a busy machine one commit may take longer than it has
		again, err := log.Append(t.Context(), record("a", "content"))
		if assert.NoError(c, err) {
			assert.Equal(c, lineage.Offset(1), again[0].Receipt.Offset)
		}
	}, patience, time.Millisecond)
}

func TestRecordThatCannotBeStoredIsRefusedAlone(t *testing.T) {
	t.Parallel()
	log := start(t, testenv.Database(t), eventlog.Options{})
	_, err := log.Append(t.Context(), record("nul\x00", "content"))
	require.ErrorContains(t, err, "event id")
	_, err = log.Append(t.Context(), eventlog.Record{EventID: "a"})
	require.ErrorContains(t, err, "needs a producer")
	require.NoError(t, appendOne(t, log, record("a", "content")).Err)
}

func TestReadStopsAtItsLimits(t *testing.T) {
	t.Parallel()
	log := start(t, testenv.Database(t), eventlog.Options{})
	for i := range 5 {
		r := record(strconv.Itoa(i), "content")
		r.Payload = bytes.Repeat([]byte("x"), 100)
		appendOne(t, log, r)
	}
	for _, c := range []struct {
		after    lineage.Offset
		limit    int
		maxBytes int64
		want     []lineage.Offset
	}{
		{after: 0, limit: 2, maxBytes: 1000, want: []lineage.Offset{1, 2}},
		{after: 0, limit: 10, maxBytes: 200, want: []lineage.Offset{1, 2}},
		{after: 0, limit: 10, maxBytes: 201, want: []lineage.Offset{1, 2, 3}},
		{after: 3, limit: 10, maxBytes: 1, want: []lineage.Offset{4}},
		{after: 4, limit: 10, maxBytes: 1000, want: []lineage.Offset{5}},
		{after: 5, limit: 10, maxBytes: 1000, want: nil},
	} {
		entries, err := log.Read(t.Context(), c.after, c.limit, c.maxBytes)
		require.NoError(t, err)
		var offsets []lineage.Offset
		for _, entry := range entries {
			offsets = append(offsets, entry.Offset)
		}
		require.Equal(t, c.want, offsets, "%+v", c)
	}
}

// patience is how long a test waits for what has to come: enough for a machine with much else to do.
const patience = time.Minute

// start gives a log whose committer runs until the test ends, and which gives commits time unless the test gives them less.
func start(t testing.TB, pool *pgxpool.Pool, opts eventlog.Options) *eventlog.Log {
	t.Helper()
	opts.CommitTimeout = cmp.Or(opts.CommitTimeout, patience)
	log := eventlog.New(pool, opts)
	ran := make(chan error, 1)
	go func() { ran <- log.Run(context.Background()) }()
	t.Cleanup(func() {
		log.Close()
		require.NoError(t, <-ran)
	})
	return log
}

// leaveWaiting appends a record to a log that does not run yet, as a caller that goes: the record stays queued.
func leaveWaiting(t *testing.T, log *eventlog.Log, r eventlog.Record) {
	t.Helper()
	caller, leave := context.WithCancel(t.Context())
	defer leave()
	left := make(chan error, 1)
	before := log.Stats().WaitingRecords
	go func() {
		_, err := log.Append(caller, r)
		left <- err
	}()
	require.Eventually(t, func() bool { return log.Stats().WaitingRecords > before }, patience, time.Millisecond)
	leave()
	require.ErrorIs(t, <-left, context.Canceled)
}

func record(id, content string) eventlog.Record {
	return eventlog.Record{
		Producer: "producer", EventID: id, Format: lineage.FormatOpenLineage,
		ContentHash: lineage.HashOf(content), Payload: []byte(content),
	}
}

func appendOne(t testing.TB, log *eventlog.Log, r eventlog.Record) eventlog.Result {
	t.Helper()
	results, err := log.Append(t.Context(), r)
	require.NoError(t, err)
	require.Len(t, results, 1)
	return results[0]
}

func readAll(t testing.TB, log *eventlog.Log) []lineage.Entry {
	t.Helper()
	var all []lineage.Entry
	for {
		entries, err := log.Read(t.Context(), lineage.Offset(len(all)), 100, 1<<20)
		require.NoError(t, err)
		if len(entries) == 0 {
			return all
		}
		all = slices.Concat(all, entries)
	}
}

func recordOf(entry lineage.Entry) eventlog.Record {
	return eventlog.Record{
		Producer: entry.Producer, EventID: entry.EventID, Format: entry.Format, RunKey: entry.Run,
		ContentHash: entry.Content, Payload: entry.Payload, TraceParent: entry.TraceParent,
	}
}

func receiptOf(entry lineage.Entry) eventlog.Receipt {
	return eventlog.Receipt{Epoch: entry.Epoch, Offset: entry.Offset, ReceivedAt: entry.ReceivedAt}
}

func resultsError(results []eventlog.Result) error {
	var errs []error
	for _, result := range results {
		errs = append(errs, result.Err)
	}
	return errors.Join(errs...)
}

// holdHead takes the appenders' lock, as a commit in another process would, until release is called.
func holdHead(t testing.TB, pool *pgxpool.Pool) (release func()) {
	t.Helper()
	tx, err := pool.Begin(t.Context())
	require.NoError(t, err)
	_, err = tx.Exec(t.Context(), `SELECT FROM log_head FOR UPDATE`)
	require.NoError(t, err)
	return func() { require.NoError(t, tx.Rollback(t.Context())) }
}
