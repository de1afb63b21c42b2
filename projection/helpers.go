package projection

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/errgroup"
)

// helpers are connections that read the snapshot of a walk's transaction beside it. They are borrowed when there is much to
// look up at once, and only while most of the pool is idle; nobody waits for one.
type helpers struct {
	pool *pgxpool.Pool
	// begin opens a transaction on the snapshot; empty until a helper is wanted.
	begin    string
	borrowed [mostHelpers]helper
	// pace is how long a connection took to look up one key, of late; 0 where that is not known.
	pace time.Duration
}

// helper is a connection in a transaction on the snapshot. The zero value is not borrowed.
type helper struct {
	conn *pgxpool.Conn
	tx   pgx.Tx
}

const (
	// mostHelpers bounds how many read beside one transaction. One is enough where two processors are what limits, three
	// are better where the disk does.
	mostHelpers = 3
	// partTime is how long one query should take where several read at once: the longer, the fewer round trips; the
	// shorter, the more evenly the work is shared out. Where pages come from the disk, few keys take as long.
	partTime            = 2 * time.Millisecond
	leastPart, mostPart = 8, 64
)

// readParts looks up keys, several parts of them at a time, and gives what read finds of each part, in the order of the keys.
func readParts[K, V any](ctx context.Context, w *walk, keys []K, read func(context.Context, pgx.Tx, []K) (V, error)) ([]V, error) {
	if w.helpers == nil || w.at.limit != nil {
		found, err := read(ctx, w.tx, keys)
		return []V{found}, err
	}
	parts := slices.Collect(slices.Chunk(keys, w.helpers.part()))
	count := w.helpers.count(len(parts) - 1)
	defer w.helpers.notePace(time.Now(), len(keys), 1+count)
	if count == 0 {
		found, err := read(ctx, w.tx, keys)
		return []V{found}, err
	}
	if err := w.helpers.export(ctx, w.tx); err != nil {
		return nil, err
	}
	found := make([]V, len(parts))
	var next atomic.Int64
	work := func(ctx context.Context, tx pgx.Tx) (err error) {
		for part := next.Add(1) - 1; part < int64(len(parts)) && err == nil; part = next.Add(1) - 1 {
			found[part], err = read(ctx, tx, parts[part])
		}
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	wanted, done := context.WithCancel(ctx)
	group.Go(func() error {
		defer done()
		return work(ctx, w.tx)
	})
	for i := range count {
		group.Go(func() error {
			if tx := w.helpers.borrow(ctx, wanted, i); tx != nil {
				return work(ctx, tx)
			}
			return nil
		})
	}
	return found, group.Wait()
}

// part is how many keys one query looks up.
func (h *helpers) part() int {
	if h.pace == 0 {
		return mostPart
	}
	return min(max(int(partTime/h.pace), leastPart), mostPart)
}

// notePace notes how long some connections took to look up keys. What a few take says little.
func (h *helpers) notePace(begun time.Time, keys, connections int) {
	if keys >= leastPart {
		h.pace = time.Since(begun) * time.Duration(connections) / time.Duration(keys)
	}
}

// count is how many helpers to have, where so many would have something to read. With them, at most half of the pool is in
// use.
func (h *helpers) count(useful int) int {
	if useful <= 0 {
		return 0
	}
	pool := h.pool.Stat()
	room := int(pool.MaxConns()/2 - pool.AcquiredConns())
	for _, helper := range h.borrowed {
		if helper.tx != nil {
			room++
		}
	}
	return max(0, min(useful, room, mostHelpers))
}

// export makes the snapshot of tx known to the helpers, in one round trip.
func (h *helpers) export(ctx context.Context, tx pgx.Tx) error {
	if h.begin != "" {
		return nil
	}
	var snapshot string
	if err := tx.QueryRow(ctx, `SELECT pg_export_snapshot()`).Scan(&snapshot); err != nil {
		return fmt.Errorf("export the snapshot: %w", err)
	}
	h.begin = fmt.Sprintf(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET TRANSACTION SNAPSHOT '%s'; SELECT %s`, snapshot, steadyPlans)
	return nil
}

// borrow gives a helper's transaction, or nil where none can be had while it is wanted: what it would have read is then read
// without it.
func (h *helpers) borrow(ctx, wanted context.Context, i int) pgx.Tx {
	if h.borrowed[i].tx != nil {
		return h.borrowed[i].tx
	}
	conn, err := h.pool.Acquire(wanted)
	if err != nil {
		return nil
	}
	tx, err := conn.BeginTx(ctx, pgx.TxOptions{BeginQuery: h.begin})
	if err != nil {
		conn.Release()
		return nil
	}
	h.borrowed[i] = helper{conn, tx}
	return tx
}

// giveBack ends what was borrowed.
func (h *helpers) giveBack(ctx context.Context) {
	var group sync.WaitGroup
	for _, helper := range h.borrowed {
		if helper.tx != nil {
			group.Go(func() {
				_ = helper.tx.Rollback(ctx) // what cannot be ended is closed
				helper.conn.Release()
			})
		}
	}
	group.Wait()
}
