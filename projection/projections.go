package projection

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/headwater-data/headwater/lineage"
)

// Resolver is the version of the code that normalises and folds. It changes with every change of what the same
// events give, so that such a change takes effect by a replay.
const Resolver = "4"

// ID numbers a projection within its database.
type ID int16

// Status is where a projection stands in its life.
type Status string

// The statuses of a projection.
const (
	Building   Status = "building"    // a replay folds the archive and the log into it
	CatchingUp Status = "catching_up" // it follows the log and waits for approval
	Ready      Status = "ready"       // it was compared and does not follow the log
	Active     Status = "active"      // readers are answered from it; there is one
	Retired    Status = "retired"     // it is kept, and follows the log no more
)

// Projection is one set of rows that answers can be read from.
type Projection struct {
	ID       ID
	Name     string
	Resolver string
	Status   Status
	// NameRules is the revision of the rules under which it folds; empty where names are taken as they are.
	NameRules string
	// Cursor is the last entry that was folded.
	Cursor lineage.Position
	// CursorReceivedAt is when that entry was received; zero before the first.
	CursorReceivedAt time.Time
	// Comparison is the JSON of its last comparison with the active projection, or nil.
	Comparison []byte
	CreatedAt  time.Time
	StatusAt   time.Time
}

const projectionColumns = `projection_id, name, resolver, name_rules_revision, status, cursor_epoch, cursor_offset,
	nullif(cursor_received_at, '-infinity'), comparison, created_at, status_at`

const (
	selectProjections = `SELECT ` + projectionColumns + ` FROM projection ORDER BY status <> 'active', projection_id`
	selectActive      = `SELECT ` + projectionColumns + ` FROM projection WHERE status = 'active'`
	selectNamed       = `SELECT ` + projectionColumns + ` FROM projection WHERE name = $1`
	createProjection  = `SELECT create_projection($1, $2, 'building')`
	updateStatus      = `UPDATE projection SET status = $2, status_at = clock_timestamp() WHERE projection_id = $1`
	updateComparison  = `UPDATE projection SET comparison = $2 WHERE projection_id = $1`
)

// switchReaders retires the active projection and activates another that has folded as much. Both rows are locked
// first, in one order, so that neither cursor moves meanwhile. The retired row is written first: only one may be active.
const (
	lockForSwitch = `SELECT projection_id, status, cursor_offset FROM projection
		WHERE projection_id = $1 OR status = 'active' ORDER BY projection_id FOR UPDATE`
	retireActive = `UPDATE projection SET status = 'retired', status_at = clock_timestamp() WHERE status = 'active'`
	activate     = `UPDATE projection SET status = 'active', status_at = clock_timestamp() WHERE projection_id = $1`
)

// Active returns the projection that readers are answered from.
func (s *Store) Active(ctx context.Context) (Projection, error) {
	return s.one(ctx, selectActive)
}

// Get returns the projection of that name, or ErrNotFound.
func (s *Store) Get(ctx context.Context, name string) (Projection, error) {
	return s.one(ctx, selectNamed, name)
}

func (s *Store) one(ctx context.Context, query string, args ...any) (Projection, error) {
	rows, _ := s.pool.Query(ctx, query, args...) // CollectOneRow reports the error
	projection, err := pgx.CollectOneRow(rows, scanProjection)
	if errors.Is(err, pgx.ErrNoRows) {
		return Projection{}, ErrNotFound
	}
	if err != nil {
		return Projection{}, fmt.Errorf("read projection: %w", err)
	}
	return projection, nil
}

// List returns every projection, the active one first.
func (s *Store) List(ctx context.Context) ([]Projection, error) {
	rows, _ := s.pool.Query(ctx, selectProjections) // CollectRows reports the error
	projections, err := pgx.CollectRows(rows, scanProjection)
	if err != nil {
		return nil, fmt.Errorf("list projections: %w", err)
	}
	return projections, nil
}

func scanProjection(row pgx.CollectableRow) (Projection, error) {
	var p Projection
	var receivedAt *time.Time
	err := row.Scan(&p.ID, &p.Name, &p.Resolver, &p.NameRules, &p.Status, &p.Cursor.Epoch, &p.Cursor.Offset,
		&receivedAt, &p.Comparison, &p.CreatedAt, &p.StatusAt)
	if receivedAt != nil {
		p.CursorReceivedAt = receivedAt.UTC()
	}
	return p, err
}

// Create makes an empty projection, in status building, that folds under rules for ever. It returns ErrExists for a name
// that is taken.
func (s *Store) Create(ctx context.Context, name string, rules *lineage.NameRules) (Projection, error) {
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		var id ID
		if err := tx.QueryRow(ctx, createProjection, name, Resolver).Scan(&id); err != nil {
			return err
		}
		return setNameRules(ctx, tx, id, rules)
	})
	if err != nil {
		var pgErr *pgconn.PgError
		if errors.As(err, &pgErr) && pgErr.Code == "23505" {
			return Projection{}, fmt.Errorf("%w: %q", ErrExists, name)
		}
		return Projection{}, fmt.Errorf("create projection %q: %w", name, err)
	}
	return s.Get(ctx, name)
}

// SetStatus moves a projection that readers do not use. Switch alone makes one active.
func (s *Store) SetStatus(ctx context.Context, id ID, status Status) error {
	if _, err := s.pool.Exec(ctx, updateStatus, id, status); err != nil {
		return fmt.Errorf("set projection %d to %s: %w", id, status, err)
	}
	return nil
}

// SaveComparison keeps the JSON of a comparison with the active projection.
func (s *Store) SaveComparison(ctx context.Context, id ID, comparison []byte) error {
	if _, err := s.pool.Exec(ctx, updateComparison, id, comparison); err != nil {
		return fmt.Errorf("save comparison of projection %d: %w", id, err)
	}
	return nil
}

// Switch answers readers from another projection and retires the one they used. A query that began before sees the
// old one to its end. It returns ErrBehind while the other has folded less; switching to the active one does nothing.
func (s *Store) Switch(ctx context.Context, to ID) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		rows, _ := tx.Query(ctx, lockForSwitch, to) // CollectRows reports the error
		type candidate struct {
			ID     ID
			Status Status
			Cursor lineage.Offset
		}
		candidates, err := pgx.CollectRows(rows, pgx.RowToStructByPos[candidate])
		if err != nil {
			return fmt.Errorf("lock projections: %w", err)
		}
		var active, next *candidate
		for i := range candidates {
			if candidates[i].Status == Active {
				active = &candidates[i]
			}
			if candidates[i].ID == to {
				next = &candidates[i]
			}
		}
		switch {
		case next == nil:
			return ErrNotFound
		case next == active:
			return nil
		case active != nil && next.Cursor < active.Cursor:
			return fmt.Errorf("%w: it stands at %d, the active one at %d", ErrBehind, next.Cursor, active.Cursor)
		}
		if _, err := tx.Exec(ctx, retireActive); err != nil {
			return fmt.Errorf("retire the active projection: %w", err)
		}
		if _, err := tx.Exec(ctx, activate, to); err != nil {
			return fmt.Errorf("activate projection %d: %w", to, err)
		}
		return nil
	})
}
