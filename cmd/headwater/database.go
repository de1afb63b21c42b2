package main

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/headwater-data/headwater/internal/postgres"
)

// database is embedded by every command that works on PostgreSQL.
type database struct {
	DatabaseURL string `required:"" placeholder:"URL" help:"Connection URL of PostgreSQL, such as postgres://user:password@host/headwater."`
}

// open connects, and fails when the database does not answer. The caller closes the pool.
func (d database) open(ctx context.Context) (*pgxpool.Pool, error) {
	pool, err := postgres.Open(ctx, d.DatabaseURL)
	if err != nil {
		return nil, fmt.Errorf("--database-url: %w", err)
	}
	return pool, nil
}
