package main

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/errgroup"

	"github.com/headwater-data/headwater/archive"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/policies"
	"github.com/headwater-data/headwater/policy"
	"github.com/headwater-data/headwater/projection"
	"github.com/headwater-data/headwater/worker"
)

// instance is a gateway and a worker in this process.
type instance struct {
	*caller
	// logs are all that both have logged.
	logs *logs

	stopServing context.CancelFunc
	serving     errgroup.Group
	pool        *pgxpool.Pool
}

// openInstance builds one on a site, under name rules. close must be called.
func openInstance(ctx context.Context, place site, names *lineage.NameRules) (*instance, error) {
	pool, err := pgxpool.New(ctx, place.databaseURL)
	if err != nil {
		return nil, err
	}
	if err := beginUnder(ctx, projection.NewStore(pool), names); err != nil {
		pool.Close()
		return nil, err
	}
	s := &instance{pool: pool, logs: &logs{}}
	if err := s.start(ctx, place); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

func (s *instance) start(ctx context.Context, place site) error {
	ctx, s.stopServing = context.WithCancel(ctx)
	logger := slog.New(slog.NewJSONHandler(s.logs, &slog.HandlerOptions{Level: slog.LevelDebug}))
	rules, err := policy.Load(ctx, policy.Config{Default: policies.Files, Log: logger})
	if err != nil {
		return err
	}
	url, err := openDoor(ctx, &s.serving, s.pool, rules, logger)
	if err != nil {
		return err
	}
	s.caller = newCaller(url)
	health, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	s.serving.Go(func() error {
		return worker.Run(ctx, worker.Config{
			Database: s.pool, Policies: rules, Temporal: place.temporal, Listener: health, Metrics: prometheus.NewRegistry(), Logger: logger,
			OpenArchive:     func(context.Context) (*archive.Archive, error) { return nil, errNoArchive },
			ArchiveInterval: 24 * time.Hour,
		})
	})
	return nil
}

// errNoArchive is what archiving would find here: documents that were sent a second ago need none.
var errNoArchive = errors.New("a run of conformance keeps no archive")

// close ends what is under way.
func (s *instance) close() error {
	s.stopServing()
	err := s.serving.Wait()
	s.pool.Close()
	return err
}

// logs collects log lines of concurrent writers.
type logs struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write implements io.Writer.
func (l *logs) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(line)
}

func (l *logs) contain(text string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Contains(l.text.String(), text)
}
