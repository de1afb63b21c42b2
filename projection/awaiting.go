package projection

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/headwater-data/headwater/lineage"
)

// Awaiting is what waits for a decision: runs of the active projection that have ended, with outputs still pending.
type Awaiting struct {
	Runs int64
	// Oldest is how long the run has waited whose last evidence is the oldest; 0 where none waits.
	Oldest time.Duration
}

const selectAwaiting = `WITH waiting AS (
		SELECT projection_id, count(*) AS runs, min(last_offset) AS oldest
		FROM run JOIN projection USING (projection_id)
		WHERE projection.status = 'active' AND NOT settled AND state >= $1
		GROUP BY projection_id
	)
	SELECT runs, extract(epoch FROM clock_timestamp() - received_at)::float8
	FROM waiting JOIN run_event ON run_event.projection_id = waiting.projection_id AND log_offset = oldest`

// Awaiting counts what waits for a decision now.
func (s *Store) Awaiting(ctx context.Context) (Awaiting, error) {
	var awaiting Awaiting
	var seconds float64
	err := s.pool.QueryRow(ctx, selectAwaiting, lineage.RunCompleted).Scan(&awaiting.Runs, &seconds)
	if errors.Is(err, pgx.ErrNoRows) {
		return Awaiting{}, nil
	}
	if err != nil {
		return Awaiting{}, fmt.Errorf("count the runs that wait for a decision: %w", err)
	}
	awaiting.Oldest = time.Duration(seconds * float64(time.Second))
	return awaiting, nil
}
