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

// Probes are medians of what every benchmark's machine can do at all. Other figures are best read as ratios to them.
type Probes struct {
	// Fsync is of a page, Insert of a committed row, RoundTrip of a question to PostgreSQL that asks nothing.
	Fsync, Insert, RoundTrip time.Duration
}

// Probe measures the probes, on the disk that holds dir and in a database, into a section that further ones may follow in.
func (r *Report) Probe(ctx context.Context, dir string, pool *pgxpool.Pool) (Section, Probes, error) {
	section := r.Section("probes")
	fsync, err := measureFsync(dir)
	if err != nil {
		return section, Probes{}, err
	}
	section.Percentiles("fsync of a page", fsync)
	insert, err := measureInsert(ctx, pool)
	if err != nil {
		return section, Probes{}, err
	}
	section.Percentiles("insert of a row", insert)
	roundTrip, err := Repeat(func() error { return pool.Ping(ctx) })
	if err != nil {
		return section, Probes{}, err
	}
	section.Percentiles("round trip to PostgreSQL", roundTrip)
	return section, Probes{fsync.At(50), insert.At(50), roundTrip.At(50)}, nil
}

// Ratios compares the median of latencies with the probes.
func (p Probes) Ratios(section Section, name string, latencies Latencies) {
	section.Ratio(name, latencies, "fsync", p.Fsync)
	section.Ratio(name, latencies, "insert", p.Insert)
	section.Ratio(name, latencies, "round trip", p.RoundTrip)
}

// measureFsync measures how long one page takes to reach the disk that holds dir: what no commit can beat.
func measureFsync(dir string) (latencies Latencies, err error) {
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

// measureInsert measures how long one committed row takes.
func measureInsert(ctx context.Context, pool *pgxpool.Pool) (Latencies, error) {
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
