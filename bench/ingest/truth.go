package main

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/headwater-data/headwater/bench/load"
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
func compare(ctx context.Context, rig *load.Rig) (found, error) {
	f := found{events: len(rig.Acknowledged)}
	expected := make(map[lineage.Offset]load.Acknowledgement, len(rig.Acknowledged))
	for _, a := range rig.Acknowledged {
		if _, twice := expected[a.Offset]; twice {
			f.notInLog++ // two events cannot stand at one offset
		}
		expected[a.Offset] = a
	}
	if err := f.compareLog(ctx, rig, expected); err != nil {
		return f, err
	}
	if err := f.compareRuns(ctx, rig.Pool, expected); err != nil {
		return f, err
	}
	f.compareAnswers(ctx, rig)
	return f, nil
}

func (f *found) compareLog(ctx context.Context, rig *load.Rig, expected map[lineage.Offset]load.Acknowledgement) error {
	log := eventlog.New(rig.Pool, eventlog.Options{})
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
			if a, ok := expected[entry.Offset]; ok && bytes.Equal(entry.Payload, rig.Corpus.Event(a.Serial).Document) {
				confirmed++
			}
		}
	}
	f.notInLog += len(expected) - confirmed
	return nil
}

const runEventsSQL = `
SELECT log_offset, count(*) FROM run_event JOIN projection USING (projection_id) WHERE status = 'active' GROUP BY log_offset`

func (f *found) compareRuns(ctx context.Context, pool *pgxpool.Pool, expected map[lineage.Offset]load.Acknowledgement) error {
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

func (f *found) compareAnswers(ctx context.Context, rig *load.Rig) {
	random := rand.New(rand.NewPCG(rig.Report.Seed, 0))
	byRun := map[int][]load.Acknowledgement{}
	for _, a := range rig.Acknowledged {
		byRun[a.Run] = append(byRun[a.Run], a)
	}
	for range min(sampledRuns, len(rig.Acknowledged)) {
		run := rig.Acknowledged[random.IntN(len(rig.Acknowledged))].Run
		if err := compareAnswer(ctx, rig, run, byRun[run]); err != nil {
			f.wrongAnswers++
		}
	}
}

func compareAnswer(ctx context.Context, rig *load.Rig, run int, sent []load.Acknowledgement) error {
	answered, err := rig.Run(ctx, run)
	if err != nil {
		return err
	}
	var offsets []int64
	for _, event := range answered.GetRun().GetEvents() {
		offsets = append(offsets, event.GetOffset())
	}
	ended := false
	for _, a := range sent {
		ended = ended || a.Last
		if !slices.Contains(offsets, int64(a.Offset)) {
			return fmt.Errorf("run %s lacks offset %d", answered.GetRun().GetRunId(), a.Offset)
		}
	}
	if ended && answered.GetRun().GetState() != headwaterv1.RunState_RUN_STATE_COMPLETED {
		return fmt.Errorf("run %s is %s", answered.GetRun().GetRunId(), answered.GetRun().GetState())
	}
	return nil
}
