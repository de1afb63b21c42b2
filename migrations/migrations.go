// Package migrations holds the database schema: forward-only SQL files, embedded in the binary.
package migrations

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"log/slog"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

//go:embed *.sql
var files embed.FS

// Up brings the schema to the version of this binary and returns the names of the files that it applied: none when
// nothing was pending, those before the failing one with an error. Each file is one transaction. Concurrent callers wait for each other under an advisory lock.
func Up(ctx context.Context, pool *pgxpool.Pool) (applied []string, err error) {
	db := stdlib.OpenDBFromPool(pool)
	defer func() { err = errors.Join(err, db.Close()) }()

	locker, err := lock.NewPostgresSessionLocker()
	if err != nil {
		return nil, err
	}
	provider, err := goose.NewProvider(goose.DialectPostgres, db, files,
		goose.WithSessionLocker(locker), goose.WithSlog(slog.New(slog.DiscardHandler)))
	if err != nil {
		return nil, fmt.Errorf("migrations: %w", err)
	}
	results, err := provider.Up(ctx)
	if partial, ok := errors.AsType[*goose.PartialError](err); ok {
		results = partial.Applied
	}
	for _, result := range results {
		applied = append(applied, result.Source.Path)
	}
	if err != nil {
		return applied, fmt.Errorf("migrations: %w", err)
	}
	return applied, nil
}

// VersionError tells that the schema of a database is not the one that this binary was built for.
type VersionError struct {
	Database int64 // 0 for an empty database
	Binary   int64
}

func (e *VersionError) Error() string {
	if e.Database > e.Binary {
		return fmt.Sprintf("the database schema (version %d) is newer than this binary (version %d): run a newer binary",
			e.Database, e.Binary)
	}
	return fmt.Sprintf("the database schema (version %d) is older than this binary (version %d): run `headwater migrate`",
		e.Database, e.Binary)
}

const databaseVersion = `SELECT coalesce(max(version_id), 0) FROM goose_db_version WHERE is_applied`

// Check returns nil when the schema of the database is the one that this binary was built for, a [*VersionError] when
// it is another one, and any other error when the database could not be asked.
func Check(ctx context.Context, pool *pgxpool.Pool) error {
	want, err := embeddedVersion()
	if err != nil {
		return err
	}
	var have int64
	err = pool.QueryRow(ctx, databaseVersion).Scan(&have)
	if refused, ok := errors.AsType[*pgconn.PgError](err); ok && refused.Code == undefinedTable {
		err = nil // have stays 0
	}
	if err != nil {
		return fmt.Errorf("migrations: ask for the schema's version: %w", err)
	}
	if have != want {
		return &VersionError{Database: have, Binary: want}
	}
	return nil
}

// undefinedTable is PostgreSQL's code for a relation that does not exist: nothing was ever migrated.
const undefinedTable = "42P01"

// embeddedVersion is the number that the last embedded file begins with.
func embeddedVersion() (int64, error) {
	entries, err := files.ReadDir(".")
	if err != nil {
		return 0, err
	}
	return goose.NumericComponent(entries[len(entries)-1].Name())
}
