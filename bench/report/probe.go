package report

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// probes is how often a probe measures.
const probes = 200

// Fsync measures how long one page takes to reach the disk that holds dir: what no commit can beat.
func Fsync(dir string) (latencies Latencies, err error) {
	file, err := os.Create(filepath.Join(dir, "fsync-probe"))
	if err != nil {
		return nil, fmt.Errorf("probe fsync: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close(), os.Remove(file.Name())) }()
	page := make([]byte, 8192)
	for i := range probes {
		begun := time.Now()
		if _, err := file.WriteAt(page, int64(i*len(page))); err != nil {
			return nil, fmt.Errorf("probe fsync: %w", err)
		}
		if err := file.Sync(); err != nil {
			return nil, fmt.Errorf("probe fsync: %w", err)
		}
		latencies = append(latencies, time.Since(begun))
	}
	return latencies, nil
}

// Insert measures how long one committed row takes.
func Insert(ctx context.Context, pool *pgxpool.Pool) (Latencies, error) {
	if _, err := pool.Exec(ctx, `CREATE TABLE insert_probe (n int)`); err != nil {
		return nil, fmt.Errorf("probe inserts: %w", err)
	}
	latencies, err := Repeat(func() error {
		_, err := pool.Exec(ctx, `INSERT INTO insert_probe VALUES (1)`)
		return err
	})
	_, dropErr := pool.Exec(ctx, `DROP TABLE insert_probe`)
	return latencies, errors.Join(err, dropErr)
}

// RoundTrip measures how long PostgreSQL takes to answer nothing.
func RoundTrip(ctx context.Context, pool *pgxpool.Pool) (Latencies, error) {
	return Repeat(func() error { return pool.Ping(ctx) })
}

// Repeat measures how long something takes, as often as a probe does.
func Repeat(once func() error) (Latencies, error) {
	var latencies Latencies
	for range probes {
		begun := time.Now()
		if err := once(); err != nil {
			return nil, err
		}
		latencies = append(latencies, time.Since(begun))
	}
	return latencies, nil
}
