package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"connectrpc.com/connect/v2"
	"go.temporal.io/sdk/client"
	"golang.org/x/sync/errgroup"

	"github.com/headwater-data/headwater/drill/oracle"
	"github.com/headwater-data/headwater/workflows/contract"
)

const (
	// settleTime is how long a system may take after a drill until everything is folded, decided and archived.
	settleTime = 90 * time.Second
	// runTime is how much more it may take for each run.
	runTime = time.Second / 25
)

// gather waits until the system has dealt with what a drill left, and collects what there is of it behind an offset.
// What does not come in time is a problem of the system.
func (s *stage) gather(ctx context.Context, l *ledger, after int64) evidence {
	settling, cancel := context.WithTimeout(ctx, settleTime+time.Duration(len(l.runs))*runTime)
	defer cancel()
	began := time.Now()
	found := evidence{events: map[place]map[string][]sighting{}, fates: map[string]oracle.Fate{}}
	note := func(err error) {
		if err != nil {
			found.problems = append(found.problems, err.Error())
		}
	}
	for _, part := range s.system.Parts() {
		if !part.Running() {
			note(fmt.Errorf("%s has ended by itself", part.Name()))
		}
	}
	note(s.awaitQuiet(settling))
	var err error
	found.events[inLog], err = s.observer.log(ctx, after)
	note(err)
	s.awaitFates(settling, l.runs, found)
	note(s.awaitQuiet(settling)) // the last decisions are entries of the log too
	found.decided = time.Since(began)
	note(s.awaitArchive(settling))
	found.archived = time.Since(began)
	found.events[inArchive], err = s.observer.archive(ctx, after)
	note(err)
	found.events[inProjection], err = s.observer.projection(ctx, after, found.events[inLog])
	note(err)
	note(s.compareWithReplay(ctx))
	note(s.compareWithCalm(ctx))
	note(s.noteFates(ctx, l.runs, &found))
	return found
}

// awaitQuiet waits until all is folded, every workflow was told and every run that ended is decided.
func (s *stage) awaitQuiet(ctx context.Context) error {
	return await(ctx, func() error {
		left, err := s.observer.backlog(ctx)
		if err == nil && left != (backlog{}) {
			err = fmt.Errorf("%d events are not folded, %d not dispatched, %d runs not decided", left.unfolded, left.undispatched, left.undecided)
		}
		return err
	})
}

// awaitFates waits until each run is as it should be, or settling ends.
func (s *stage) awaitFates(ctx context.Context, runs []*run, found evidence) {
	var asking errgroup.Group
	asking.SetLimit(8)
	for _, r := range runs {
		asking.Go(func() error {
			implied := r.implied(found.received)
			return await(ctx, func() error {
				fate, err := s.observer.fate(ctx, r)
				if err == nil && fate != implied {
					err = errors.New("not yet")
				}
				return err
			})
		})
	}
	_ = asking.Wait() // what a run is in the end tells
}

// noteFates notes what people are told of each run in the end: a run that was as it should be has to stay so.
func (s *stage) noteFates(ctx context.Context, runs []*run, found *evidence) error {
	var failure error
	for _, r := range runs {
		fate, err := s.observer.fate(ctx, r)
		if err != nil && connect.CodeOf(err) != connect.CodeNotFound {
			failure = fmt.Errorf("ask for run %s: %w", r.id, err)
		}
		found.fates[r.id] = fate
	}
	return failure
}

// awaitArchive waits until the log is archived up to its end, which the schedule sees to.
func (s *stage) awaitArchive(ctx context.Context) error {
	head, err := s.observer.head(ctx)
	if err != nil {
		return err
	}
	return await(ctx, func() error {
		archived, err := s.observer.archived(ctx)
		if err == nil && archived < head {
			err = fmt.Errorf("the log is archived up to offset %d of %d", archived, head)
		}
		return err
	})
}

// compareWithReplay folds everything once more beside the live projection. Both must be the same, row for row.
func (s *stage) compareWithReplay(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, settleTime)
	defer cancel()
	s.replays++
	name := fmt.Sprintf("drill-%d", s.replays)
	started, err := s.temporal.ExecuteWorkflow(ctx,
		client.StartWorkflowOptions{ID: contract.ReplayWorkflowID(name), TaskQueue: contract.TaskQueue},
		contract.ReplayWorkflow, contract.Replay{Name: name, Reason: "drill"})
	if err != nil {
		return fmt.Errorf("start a replay: %w", err)
	}
	var progress contract.ReplayProgress
	err = await(ctx, func() error {
		answered, err := s.temporal.QueryWorkflow(ctx, started.GetID(), "", contract.ProgressQuery)
		if err != nil {
			return err
		}
		if err := answered.Get(&progress); err != nil {
			return err
		}
		if progress.Step != contract.AwaitingApproval {
			return fmt.Errorf("the replay is %s", progress.Step)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if !progress.Comparison.Equal() {
		err = fmt.Errorf("the live projection differs from replay %s: %+v", name, progress.Comparison.Tables)
	}
	rejected, rejectErr := s.temporal.UpdateWorkflow(ctx, client.UpdateWorkflowOptions{
		WorkflowID: started.GetID(), UpdateName: contract.RejectUpdate, WaitForStage: client.WorkflowUpdateStageCompleted,
		Args: []any{contract.Verdict{By: "drill"}},
	})
	if rejectErr == nil {
		rejectErr = rejected.Get(ctx, nil)
	}
	return errors.Join(err, rejectErr)
}

// await asks until the condition holds or ctx ends, and then says what was last lacking.
func await(ctx context.Context, condition func() error) error {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	var lacking error
	for {
		err := condition()
		if err == nil {
			return nil
		}
		if lacking == nil || ctx.Err() == nil { // that the question was cut off tells nothing
			lacking = err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("not in time: %w", lacking)
		case <-tick.C:
		}
	}
}
