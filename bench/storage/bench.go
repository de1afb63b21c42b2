package main

import (
	"context"
	"os"
	"path/filepath"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/headwater-data/headwater/archive"
	"github.com/headwater-data/headwater/bench/company"
	"github.com/headwater-data/headwater/bench/report"
	"github.com/headwater-data/headwater/internal/stack"
	"github.com/headwater-data/headwater/migrations"
)

// bench is one run of the benchmark, on services of its own.
type bench struct {
	options
	*report.Report
	dir      string
	postgres *stack.PostgreSQL
	s3       *stack.S3
	pool     *pgxpool.Pool
	archive  *archive.Archive
	company  *company.Company

	// stored is what went in, archived the bytes of the segments that it came to.
	stored   counts
	archived int64
	// tables are what it came to in PostgreSQL.
	tables relations
	// change is what a change of content takes in the tables of the graph, in bytes, as measured over weeks.
	change float64
}

// counts are what was stored.
type counts struct {
	events, decisions, payload int64
	// ended are the runs whose end came within the span.
	ended int64
}

const (
	bucket    = "archive"
	accessKey = "headwater-bench"
	secretKey = "headwater-bench-secret" //nolint:gosec // guards nothing but the bucket of this benchmark
)

func prepare(ctx context.Context, o options, r *report.Report) (b *bench, err error) {
	o.size.Weeks = 1
	b = &bench{options: o, Report: r}
	if b.company, err = company.New(o.seed, o.size); err != nil {
		return nil, err
	}
	if b.dir, err = os.MkdirTemp("", "headwater-storage-"); err != nil {
		return nil, err
	}
	if err := os.Chmod(b.dir, 0o755); err != nil { // PostgreSQL runs as another user when this runs as root
		return b, err
	}
	for _, start := range []func(context.Context) error{b.startPostgreSQL, b.startArchive} {
		if err := start(ctx); err != nil {
			return b, err
		}
	}
	return b, nil
}

func (b *bench) startPostgreSQL(ctx context.Context) (err error) {
	if b.postgres, err = stack.StartPostgreSQL(ctx, stack.PostgreSQLConfig{Dir: filepath.Join(b.dir, "postgresql"), Volatile: true}); err != nil {
		return err
	}
	if b.pool, err = b.openDatabase(ctx, "headwater"); err != nil {
		return err
	}
	var version string
	if err := b.pool.QueryRow(ctx, `SELECT version()`).Scan(&version); err != nil {
		return err
	}
	b.Version("postgresql", version)
	return nil
}

// openDatabase makes a database with the schema of this version.
func (b *bench) openDatabase(ctx context.Context, name string) (*pgxpool.Pool, error) {
	if err := b.postgres.CreateDatabase(ctx, name); err != nil {
		return nil, err
	}
	pool, err := pgxpool.New(ctx, b.postgres.URL(name))
	if err != nil {
		return nil, err
	}
	if _, err := migrations.Up(ctx, pool); err != nil {
		pool.Close()
		return nil, err
	}
	return pool, nil
}

func (b *bench) startArchive(ctx context.Context) (err error) {
	b.s3, err = stack.StartS3(ctx, stack.S3Config{
		Binary: b.options.s3, Dir: filepath.Join(b.dir, "s3"), AccessKey: accessKey, SecretKey: secretKey,
	})
	if err != nil {
		return err
	}
	b.archive, err = archive.Open(ctx, archive.Config{
		Endpoint: b.s3.Endpoint(), Bucket: bucket, AccessKey: accessKey, SecretKey: secretKey,
		RetentionMode: archive.Governance,
	})
	return err
}

// close stops and removes everything.
func (b *bench) close() error {
	if b.pool != nil {
		b.pool.Close()
	}
	if b.s3 != nil {
		b.s3.Stop()
	}
	if b.postgres != nil {
		b.postgres.Stop()
	}
	return os.RemoveAll(b.dir)
}
