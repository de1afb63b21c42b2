// Package projection keeps what the fold of the log gives, in PostgreSQL: Apply folds a batch of entries into one
// projection, and the queries answer from the active one.
//
// Only Apply writes rows that answer a question. It reads the touched rows, folds in memory by the pure code of
// package lineage, and writes the difference, all in one transaction with the cursor.
package projection

import (
	"errors"
	"sync"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Errors that callers tell apart.
var (
	// ErrFenced says that the cursor is not where the batch begins: another projector was faster, or a batch is missing.
	ErrFenced = errors.New("the projection's cursor is not where the batch begins")
	// ErrNotFound says that there is no such projection, run or node.
	ErrNotFound = errors.New("not found")
	// ErrExists says that a projection of that name exists.
	ErrExists = errors.New("a projection of that name exists")
	// ErrBehind says that a projection has not folded as much as the active one, so readers cannot switch to it.
	ErrBehind = errors.New("the projection is behind the active one")
)

// Store reads and writes projections. It is safe for concurrent use.
type Store struct {
	pool  *pgxpool.Pool
	nodes nodeCache
	// nameRules are the *lineage.NameRules of projections, by ID.
	nameRules sync.Map
}

// NewStore returns a store on a migrated database.
func NewStore(pool *pgxpool.Pool) *Store { return &Store{pool: pool} }
