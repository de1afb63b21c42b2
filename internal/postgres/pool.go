// Package postgres opens connections to PostgreSQL as the processes of Headwater do.
package postgres

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5/pgxpool"
)

// DefaultConnections is how many connections a process opens at most. Questions, commits of the log and batches of the
// projector share them, so that none waits long for the others; more would only wait for processors.
const DefaultConnections = 16

// Open returns a pool that opens connections as they are needed. Parameter pool_max_conns of the URL overrules
// DefaultConnections. It fails when the database does not answer. The caller closes the pool.
func Open(ctx context.Context, url string) (*pgxpool.Pool, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, fmt.Errorf("read the connection URL: %w", err)
	}
	if !strings.Contains(url, "pool_max_conns") {
		config.MaxConns = DefaultConnections
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	if err := pool.Ping(ctx); err != nil {
		pool.Close()
		return nil, fmt.Errorf("the database does not answer: %w", err)
	}
	return pool, nil
}
