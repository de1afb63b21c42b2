package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/headwater-data/headwater/internal/system"
)

// fault breaks something on a stage under load, and makes it whole again.
type fault func(context.Context, *stage) error

// victims are the parts that a fault strikes.
type victims func(*system.System) []*system.Part

func gateway(s *system.System) []*system.Part    { return []*system.Part{s.Gateway} }
func worker(s *system.System) []*system.Part     { return []*system.Part{s.Worker} }
func postgreSQL(s *system.System) []*system.Part { return []*system.Part{s.PostgreSQL} }
func temporal(s *system.System) []*system.Part   { return []*system.Part{s.Temporal} }
func s3(s *system.System) []*system.Part         { return []*system.Part{s.S3} }

// crashes is how often a part is killed in one drill.
const crashes = 2

// crash kills the victims at once, at drawn moments, and starts them again after a drawn while.
func crash(of victims) fault {
	return func(ctx context.Context, s *stage) error {
		for range crashes {
			parts := of(s.system)
			for _, part := range parts {
				part.Kill()
			}
			if err := s.pause(ctx, s.between(0, time.Second)); err != nil {
				return err
			}
			if err := s.revive(ctx, parts); err != nil {
				return err
			}
			if err := s.pause(ctx, s.between(0, s.phase)); err != nil {
				return err
			}
		}
		return nil
	}
}

// killWorkers kills the worker every few seconds, until as many runs as asked for have begun.
func killWorkers(ctx context.Context, s *stage) error {
	for s.load.ledger.begun() < s.runs {
		if err := s.pause(ctx, s.between(time.Second, 5*time.Second)); err != nil {
			return err
		}
		s.system.Worker.Kill()
		if err := s.revive(ctx, []*system.Part{s.system.Worker}); err != nil {
			return err
		}
	}
	return nil
}

// reviveTime is how long a system may take until its parts are back, or it is where a fault wants it.
const reviveTime = time.Minute

// revive starts parts side by side, each again until it stays, as a supervisor does: a gateway without a database ends.
func (s *stage) revive(ctx context.Context, parts []*system.Part) error {
	ctx, cancel := context.WithTimeout(ctx, reviveTime)
	defer cancel()
	var starting errgroup.Group
	for _, part := range parts {
		starting.Go(func() error { return await(ctx, func() error { return part.Start(ctx) }) })
	}
	return starting.Wait()
}

// nothing is the fault of a drill whose load is the fault.
func nothing(context.Context, *stage) error { return nil }

func s3Away(ctx context.Context, s *stage) error {
	s.system.S3.Kill()
	if err := s.pause(ctx, s.away); err != nil {
		return err
	}
	return s.system.S3.Start(ctx)
}

// slowDatabase lets PostgreSQL stand still two thirds of the time, and then once for longer than a commit may take, so
// that nobody knows what became of what was under way.
func slowDatabase(ctx context.Context, s *stage) error {
	const pulses, longest = 12, 5 * time.Second
	for range pulses {
		if err := s.freeze(ctx, s.system.PostgreSQL, s.between(100*time.Millisecond, 600*time.Millisecond)); err != nil {
			return err
		}
		if err := s.pause(ctx, s.between(50*time.Millisecond, 300*time.Millisecond)); err != nil {
			return err
		}
	}
	return s.freeze(ctx, s.system.PostgreSQL, longest)
}

func stuckWorker(ctx context.Context, s *stage) error { return s.freeze(ctx, s.system.Worker, s.away) }

// freeze lets a part stand still.
func (s *stage) freeze(ctx context.Context, part *system.Part, d time.Duration) error {
	if err := part.Pause(); err != nil {
		return err
	}
	err := s.pause(ctx, d)
	if resumed := part.Continue(); resumed != nil {
		return resumed
	}
	return err
}

// fillDisk leaves the database without room. PostgreSQL may end over it, and is started again once there is room.
func fillDisk(ctx context.Context, s *stage) error {
	if err := s.disk.fill(); err != nil {
		return err
	}
	err := s.pause(ctx, s.away)
	if freed := s.disk.free(); freed != nil {
		return freed
	}
	if err != nil || s.system.PostgreSQL.Running() {
		return err
	}
	return s.revive(ctx, []*system.Part{s.system.PostgreSQL})
}

// wipeTemporal deletes the workflows of all runs, at a moment when some have been told of evidence and not decided.
func wipeTemporal(ctx context.Context, s *stage) error {
	ctx, cancel := context.WithTimeout(ctx, reviveTime)
	defer cancel()
	return await(ctx, func() error {
		if err := s.system.Worker.Pause(); err != nil {
			return err
		}
		err := s.wipeUndecided(ctx)
		return errors.Join(err, s.system.Worker.Continue())
	})
}

// wipeUndecided fails, and does nothing, where too few runs would lose their workflow. The worker stands still meanwhile.
func (s *stage) wipeUndecided(ctx context.Context) error {
	const enough = 2
	undecided, gated, err := s.observer.waiting(ctx, s.load.author.namespace)
	if err != nil {
		return err
	}
	if undecided < enough || gated < enough {
		return fmt.Errorf("%d runs await a decision by their workflow and %d their gates, %d of each should", undecided, gated, enough)
	}
	s.system.Temporal.Kill()
	if err := s.system.WipeTemporal(); err != nil {
		return err
	}
	return s.system.Temporal.Start(ctx)
}
