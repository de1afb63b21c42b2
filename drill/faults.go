package main

import (
	"context"
	"errors"
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

// reviveTime is how long parts may take to come back together.
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

// takeovers is how often another worker takes over from one that does not know.
const takeovers = 3

// cutLocksSQL ends the sessions that hold the locks of leaders; the other sessions of those workers go on.
const cutLocksSQL = `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted`

// twoLeaders has two workers fold the same log and signal the same runs for a moment: only the cursors keep them apart.
func twoLeaders(ctx context.Context, s *stage) error {
	leader, next := s.system.Worker, s.system.Spare
	defer s.system.Spare.Kill()
	for range takeovers {
		if !next.Running() {
			if err := next.Start(ctx); err != nil {
				return err
			}
		}
		if err := leader.Pause(); err != nil {
			return err
		}
		_, err := s.database.Exec(ctx, cutLocksSQL)
		if err == nil {
			err = s.pause(ctx, s.between(time.Second, 3*time.Second))
		}
		if err := errors.Join(err, leader.Continue()); err != nil {
			return err
		}
		if err := s.pause(ctx, s.between(0, s.phase)); err != nil {
			return err
		}
		leader, next = next, leader
	}
	return nil
}

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

// wipeTemporal deletes the workflows of all runs, at a moment when some are under way.
func wipeTemporal(ctx context.Context, s *stage) error {
	err := await(ctx, func() error {
		left, err := s.observer.backlog(ctx)
		if err == nil && left.undecided == 0 {
			err = errors.New("no run awaits a decision")
		}
		return err
	})
	if err != nil {
		return err
	}
	s.system.Temporal.Kill()
	if err := s.system.WipeTemporal(); err != nil {
		return err
	}
	return s.system.Temporal.Start(ctx)
}
