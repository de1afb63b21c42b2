package projection

import (
	"context"
	"fmt"
	"time"
)

// awaits is what a run that has ended waits for. The numbers are stored; the SQL repeats them.
type awaits int16

const (
	// awaitsNothing is also said of a run that is under way.
	awaitsNothing awaits = 0
	// awaitsDecision: its workflow has not decided all outputs, or has to again. That is a matter of seconds.
	awaitsDecision awaits = 1
	// awaitsGates: its workflow decided to wait until gates have answered. That takes as long as the policies allow.
	awaitsGates awaits = 2
)

// settled reports whether nothing is left to decide: what is decided is what has come leads to.
func (r *foldedRun) settled() bool { return r.run.Settled() && !r.run.Outdated(r.ruling) }

func (r *foldedRun) awaits() awaits {
	switch {
	case r.run.End == nil || r.settled():
		return awaitsNothing
	case r.run.AwaitsGates(r.decisions) && !r.run.Outdated(r.ruling):
		return awaitsGates
	default:
		return awaitsDecision
	}
}

// Awaiting is what runs of the active projection wait for that have ended with outputs still pending.
type Awaiting struct {
	// Decision is how many wait for a decision. Those that were decided to wait for gates are not among them.
	Decision int64
	// Oldest is how long that one of them has waited whose last evidence is the oldest; 0 where there are none.
	Oldest time.Duration
	// Gates is how many wait for gates to answer, as the policies want it.
	Gates int64
}

const selectAwaiting = `WITH waiting AS (
		SELECT projection_id, count(*) FILTER (WHERE awaits = 1) AS decision, count(*) FILTER (WHERE awaits = 2) AS gates,
			min(last_offset) FILTER (WHERE awaits = 1) AS oldest
		FROM run JOIN projection USING (projection_id)
		WHERE projection.status = 'active' AND awaits > 0
		GROUP BY projection_id
	)
	SELECT coalesce(sum(decision), 0)::bigint, coalesce(sum(gates), 0)::bigint,
		coalesce(extract(epoch FROM clock_timestamp() - min(received_at)), 0)::float8
	FROM waiting LEFT JOIN run_event ON run_event.projection_id = waiting.projection_id AND log_offset = oldest`

// Awaiting counts what ended runs wait for now.
func (s *Store) Awaiting(ctx context.Context) (Awaiting, error) {
	var awaiting Awaiting
	var seconds float64
	if err := s.pool.QueryRow(ctx, selectAwaiting).Scan(&awaiting.Decision, &awaiting.Gates, &seconds); err != nil {
		return Awaiting{}, fmt.Errorf("count the runs that wait for a decision: %w", err)
	}
	awaiting.Oldest = time.Duration(seconds * float64(time.Second))
	return awaiting, nil
}
