package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"

	"github.com/jackc/pgx/v5"

	"github.com/headwater-data/headwater/eventlog"
	"github.com/headwater-data/headwater/projection"
)

// takeovers is how often a worker loses its locks to another.
const takeovers = 5

const (
	// holdCursorSQL makes a projector that has read entries wait before it folds them.
	holdCursorSQL = `SELECT FROM projection WHERE status = 'active' FOR UPDATE`

	// projectingSQL counts the projectors that wait to fold what they have read.
	projectingSQL = `SELECT count(*) FROM pg_stat_activity
		WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'UPDATE projection SET cursor%'`

	// cutLocksSQL ends the sessions that hold the locks of leaders; the other sessions of those workers go on. A leader
	// looks every second whether it still is one, and so does who wants to be.
	cutLocksSQL = `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted`
)

// twoLeaders takes the locks of a leading worker, so that another one leads before the first notices. To be sure that
// entries are folded by two at a time, the drill is a stray projector itself. Only the cursors keep them apart.
func twoLeaders(ctx context.Context, s *stage) error {
	if err := s.system.Spare.Start(ctx); err != nil {
		return err
	}
	defer s.system.Spare.Kill()
	for range takeovers {
		if err := s.pause(ctx, s.between(0, s.phase)); err != nil {
			return err
		}
		if err := s.takeOver(ctx); err != nil {
			return err
		}
	}
	return nil
}

// takeOver has two projectors read the same entries, and the leader lose its locks, before either can fold them. The
// entries are decisions alone, since of events the run store refuses a second copy in any case: Temporal stands still until
// there are undecided runs, and then nothing is sent.
func (s *stage) takeOver(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, reviveTime)
	defer cancel()
	if err := s.system.Temporal.Pause(); err != nil {
		return err
	}
	decide := sync.OnceValue(s.system.Temporal.Continue)
	err := s.pause(ctx, s.between(s.phase/4, s.phase/2))
	s.load.hush.Lock()
	defer s.load.hush.Unlock()
	if err == nil {
		err = await(ctx, func() error { return s.foldedAndUndecided(ctx) })
	}
	if err == nil {
		err = s.foldTwice(ctx, decide)
	}
	return errors.Join(err, decide())
}

// foldTwice holds the cursor until two projectors have read what decide lets come.
func (s *stage) foldTwice(ctx context.Context, decide func() error) error {
	stray := make(chan error, 1)
	err := pgx.BeginFunc(ctx, s.database, func(held pgx.Tx) error {
		if _, err := held.Exec(ctx, holdCursorSQL); err != nil {
			return err
		}
		if err := decide(); err != nil {
			return err
		}
		if err := s.awaitProjectors(ctx, 1); err != nil {
			return err
		}
		go func() { stray <- s.foldAstray(ctx) }()
		if err := s.awaitProjectors(ctx, 2); err != nil {
			return err
		}
		_, err := held.Exec(ctx, cutLocksSQL)
		return errors.Join(err, s.pause(ctx, s.between(0, s.phase/4)))
	})
	if err != nil {
		return err
	}
	return <-stray
}

// foldedAndUndecided fails unless nothing is left to fold and there will be decisions.
func (s *stage) foldedAndUndecided(ctx context.Context) error {
	left, err := s.observer.backlog(ctx)
	if err == nil && (left.unfolded > 0 || left.undecided == 0) {
		err = fmt.Errorf("%d events are not folded, and %d runs undecided", left.unfolded, left.undecided)
	}
	return err
}

// foldAstray folds what comes next in the log, as a projector does that nobody told that it leads no more. Either it is
// fenced, or the leader is; what stops it elsewhere came too late.
func (s *stage) foldAstray(ctx context.Context) error {
	store := projection.NewStore(s.database)
	active, err := store.Active(ctx)
	if err != nil {
		return err
	}
	log := eventlog.New(s.database, eventlog.Options{Logger: slog.New(slog.DiscardHandler)})
	entries, err := log.Read(ctx, active.Cursor.Offset, calmBatch, calmBatchBytes)
	if err != nil {
		return err
	}
	err = store.Apply(ctx, active.ID, entries)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil && !errors.Is(err, projection.ErrFenced):
		s.load.ledger.complain("two projectors folded the same entries, and the cursor fenced neither: %v", err)
	}
	return nil
}

// awaitProjectors waits until so many projectors have read entries that they cannot fold yet.
func (s *stage) awaitProjectors(ctx context.Context, want int) error {
	return await(ctx, func() error {
		var projecting int
		err := s.database.QueryRow(ctx, projectingSQL).Scan(&projecting)
		if err == nil && projecting < want {
			err = fmt.Errorf("%d projectors wait to fold, %d should", projecting, want)
		}
		return err
	})
}
