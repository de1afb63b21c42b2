package main

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/headwater-data/headwater/eventlog"
	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/lineage"
)

// found is how the log and the run store compare with what was acknowledged. Every count but events must be 0.
type found struct {
	events int
	// notInLog were acknowledged at an offset where the log has something else or nothing.
	notInLog int
	// twiceInLog stand at two offsets.
	twiceInLog int
	// notInRuns are not among the events of their run, or not once.
	notInRuns int
	// wrongAnswers are answers of GetRun, of some runs, that differ from what was sent.
	wrongAnswers int
}

// compare reads the whole log, byte by byte, and the run store. The projection must have seen everything.
func compare(ctx context.Context, pool *pgxpool.Pool, o *observer, acknowledged []acknowledgement) (found, error) {
	f := found{events: len(acknowledged)}
	expected := make(map[lineage.Offset]acknowledgement, len(acknowledged))
	for _, a := range acknowledged {
		if _, twice := expected[a.offset]; twice {
			f.notInLog++ // two events cannot stand at one offset
		}
		expected[a.offset] = a
	}
	if err := f.compareLog(ctx, pool, o.corpus, expected); err != nil {
		return f, err
	}
	if err := f.compareRuns(ctx, pool, expected); err != nil {
		return f, err
	}
	f.compareAnswers(ctx, o, acknowledged)
	return f, nil
}

func (f *found) compareLog(ctx context.Context, pool *pgxpool.Pool, c *corpus, expected map[lineage.Offset]acknowledgement) error {
	log := eventlog.New(pool, eventlog.Options{})
	confirmed := 0
	seen := map[string]bool{}
	for at := lineage.Offset(0); ; {
		entries, err := log.Read(ctx, at, 1000, 32<<20)
		if err != nil {
			return err
		}
		if len(entries) == 0 {
			break
		}
		for _, entry := range entries {
			at = entry.Offset
			key := entry.Producer + " " + entry.EventID
			if seen[key] {
				f.twiceInLog++
			}
			seen[key] = true
			if a, ok := expected[entry.Offset]; ok && bytes.Equal(entry.Payload, c.event(a.serial).document) {
				confirmed++
			}
		}
	}
	f.notInLog += len(expected) - confirmed
	return nil
}

const runEventsSQL = `
SELECT log_offset, count(*) FROM run_event JOIN projection USING (projection_id) WHERE status = 'active' GROUP BY log_offset`

func (f *found) compareRuns(ctx context.Context, pool *pgxpool.Pool, expected map[lineage.Offset]acknowledgement) error {
	rows, err := pool.Query(ctx, runEventsSQL)
	if err != nil {
		return err
	}
	once := 0
	var offset lineage.Offset
	var count int
	_, err = pgx.ForEachRow(rows, []any{&offset, &count}, func() error {
		if _, ok := expected[offset]; ok && count == 1 {
			once++
		}
		return nil
	})
	f.notInRuns = len(expected) - once
	return err
}

// sampledRuns are asked for by GetRun and compared with what was sent.
const sampledRuns = 200

func (f *found) compareAnswers(ctx context.Context, o *observer, acknowledged []acknowledgement) {
	random := rand.New(rand.NewPCG(o.corpus.seed, 0))
	byRun := map[int][]acknowledgement{}
	for _, a := range acknowledged {
		byRun[a.run] = append(byRun[a.run], a)
	}
	for range min(sampledRuns, len(acknowledged)) {
		run := acknowledged[random.IntN(len(acknowledged))].run
		if err := o.compareAnswer(ctx, run, byRun[run]); err != nil {
			f.wrongAnswers++
		}
	}
}

func (o *observer) compareAnswer(ctx context.Context, run int, sent []acknowledgement) error {
	answered, err := o.run(ctx, run)
	if err != nil {
		return err
	}
	var offsets []int64
	for _, event := range answered.GetRun().GetEvents() {
		offsets = append(offsets, event.GetOffset())
	}
	ended := false
	for _, a := range sent {
		ended = ended || a.last
		if !slices.Contains(offsets, int64(a.offset)) {
			return fmt.Errorf("run %s lacks offset %d", answered.GetRun().GetRunId(), a.offset)
		}
	}
	if ended && answered.GetRun().GetState() != headwaterv1.RunState_RUN_STATE_COMPLETED {
		return fmt.Errorf("run %s is %s", answered.GetRun().GetRunId(), answered.GetRun().GetState())
	}
	return nil
}
