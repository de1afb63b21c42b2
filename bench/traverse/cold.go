package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sys/unix"

	"github.com/headwater-data/headwater/bench/company"
	"github.com/headwater-data/headwater/bench/report"
	"github.com/headwater-data/headwater/internal/stack"
)

// What a cold traversal may take: a fixed part and one for each node that it examines.
const (
	coldBase    = 10 * time.Millisecond
	coldPerNode = 50 * time.Microsecond
)

// measureCold asks each question once, after a restart of PostgreSQL whose files the kernel has forgotten. Questions
// warm the caches for those that follow, so few are asked.
func (b *bench) measureCold(ctx context.Context) error {
	for _, way := range directions {
		if err := b.forget(ctx); err != nil {
			return err
		}
		questions := b.questions(b.starts(nil), way.direction, 3)
		questions = questions[:min(len(questions), 100)]
		var latencies, perBudget report.Latencies
		for _, q := range questions {
			m, answer, err := b.ask(ctx, q)
			b.check(q, answer, err)
			latencies = append(latencies, m.took)
			budget := coldBase + time.Duration(m.examined)*coldPerNode
			perBudget = append(perBudget, time.Duration(float64(m.took)/float64(budget)*1000))
		}
		section := b.Section("Cold, three hops %s, one caller", way.name)
		section.Percentiles("traversal", latencies)
		section.AtMost("latency ÷ (10 ms + 50 µs a node examined), p50", float64(perBudget.At(50))/1000, 1, "")
		section.AtMost("latency ÷ (10 ms + 50 µs a node examined), p95", float64(perBudget.At(95))/1000, 1, "")
	}
	return nil
}

// forget restarts PostgreSQL and drops its files from the kernel's cache. Questions far from the measured ones then open
// every connection, which plans its queries and so reads the catalog, as those of a running gateway have.
func (b *bench) forget(ctx context.Context) (err error) {
	b.pool.Close()
	b.postgres.Stop()
	dir := filepath.Join(b.dir, "postgresql")
	if err := filepath.WalkDir(dir, dropFromCache); err != nil {
		return fmt.Errorf("drop files from the kernel's cache: %w", err)
	}
	if b.postgres, err = stack.StartPostgreSQL(ctx, stack.PostgreSQLConfig{Dir: dir}); err != nil {
		return err
	}
	if err := b.connect(ctx); err != nil {
		return err
	}
	last := company.Node{Number: int32(b.options.size.Datasets - 1)}
	for _, way := range directions {
		q := b.questions([]company.Node{last}, way.direction, 1)[0]
		group, ctx := errgroup.WithContext(ctx)
		for range b.pool.Config().MaxConns {
			group.Go(func() error {
				_, _, err := b.ask(ctx, q)
				return err
			})
		}
		if err := group.Wait(); err != nil {
			return err
		}
	}
	return nil
}

// dropFromCache asks the kernel to forget one file, which was written to disk before.
func dropFromCache(path string, entry fs.DirEntry, err error) error {
	if err != nil || !entry.Type().IsRegular() {
		return err
	}
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := file.Sync(); err != nil {
		return err
	}
	return unix.Fadvise(int(file.Fd()), 0, 0, unix.FADV_DONTNEED)
}
