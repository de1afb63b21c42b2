package main

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/log"

	"github.com/headwater-data/headwater/internal/system"
)

// stage is a running system on which one drill after the other takes place.
type stage struct {
	options
	dir      string
	disk     *disk
	system   *system.System
	observer *observer
	temporal client.Client
	database *pgxpool.Pool
	replays  int

	// random draws moments and victims, load is what is sent meanwhile; each drill has its own.
	random *rand.Rand
	load   *load
}

// runSeed sets a fresh stage and takes each drill through it. An error means that the stage itself could not be kept.
func (o options) runSeed(ctx context.Context, seed uint64, chosen []drill, report *report) (err error) {
	s := &stage{options: o}
	before := len(report.rows)
	defer func() {
		worthALook := ctx.Err() == nil && (err != nil || !allPassed(report.rows[before:]))
		err = errors.Join(err, s.clear(s.keep || worthALook))
	}()
	if err := s.set(ctx); err != nil {
		return err
	}
	for _, d := range chosen {
		row, err := s.perform(ctx, d, seed)
		if err != nil {
			return fmt.Errorf("drill %s, seed %d: %w", d.name, seed, err)
		}
		report.add(row)
	}
	return nil
}

// set starts the system.
func (s *stage) set(ctx context.Context) (err error) {
	if s.dir, err = os.MkdirTemp("", "headwater-drill-"); err != nil {
		return err
	}
	if err := os.Chmod(s.dir, 0o755); err != nil { // PostgreSQL runs as another user when this is root
		return err
	}
	if s.disk, err = limitDisk(filepath.Join(s.dir, "postgresql")); err != nil {
		return err
	}
	asking := filepath.Join(s.dir, "asking")
	if err := askForGates(s.policies, asking); err != nil {
		return err
	}
	s.system, err = system.Start(ctx, system.Config{
		Dir: s.dir, Tools: s.tools, Policies: asking,
		Settings: []string{"HEADWATER_ARCHIVE_INTERVAL=2s", "HEADWATER_LOG_LEVEL=warn"},
	})
	if err != nil {
		return err
	}
	if s.database, err = pgxpool.New(ctx, s.system.DatabaseURL()); err != nil {
		return err
	}
	s.observer = &observer{system: s.system, database: s.database}
	s.temporal, err = client.NewLazyClient(client.Options{
		HostPort: s.system.TemporalAddress(), Logger: log.NewStructuredLogger(slog.New(slog.DiscardHandler)),
	})
	return err
}

// clear stops the system, and removes what it left unless that is to be kept.
func (s *stage) clear(keep bool) error {
	if s.temporal != nil {
		s.temporal.Close()
	}
	if s.database != nil {
		s.database.Close()
	}
	if s.system != nil {
		s.system.Stop()
	}
	if keep {
		fmt.Fprintf(os.Stderr, "data and logs are in %s%s\n", s.dir, s.disk.hint())
		return nil
	}
	return errors.Join(s.disk.release(), os.RemoveAll(s.dir))
}

// perform takes one drill through the stage. That a fault cannot be brought about, or the system does not come back from
// it, fails the drill and not the stage.
func (s *stage) perform(ctx context.Context, d drill, seed uint64) (row, error) {
	row := row{drill: d.name, seed: seed}
	if reason := s.obstacle(d); reason != "" {
		row.skipped = reason
		return row, nil
	}
	began := time.Now()
	after, err := s.observer.head(ctx)
	if err != nil {
		return row, err
	}
	s.random = randomFor(seed, d.name, "faults")
	s.load = &load{
		producer: s.system.Producer, rate: s.rate * max(1, d.hurry), ledger: newLedger(),
		author: &author{random: randomFor(seed, d.name, "runs"), namespace: namespaceOf(d), skews: d.skews},
	}
	if err := s.underLoad(ctx, d.fault); err != nil {
		s.load.ledger.complain("the drill did not go as it should: %v", err)
	}
	loaded := time.Since(began)
	found := s.gather(ctx, s.load.ledger, after)
	if err := ctx.Err(); err != nil {
		return row, err
	}
	row.result = check(s.load.ledger, found)
	row.refusals, row.breaks = s.load.ledger.refusals, s.load.ledger.breaks
	row.took = time.Since(began)
	row.steps = fmt.Sprintf("%v of load; then decided after %v, archived after %v, checked after %v",
		tenths(loaded), tenths(found.decided), tenths(found.archived), tenths(row.took-loaded))
	return row, nil
}

// obstacle says why a drill cannot take place here; empty if it can.
func (s *stage) obstacle(d drill) string {
	if d.fillsDisk && s.disk == nil {
		return "it needs root on Linux, to give the log a disk of its own"
	}
	return ""
}

// sendTime is how long after the last fault everything must be acknowledged.
const sendTime = time.Minute

// underLoad has the fault happen while runs are sent, a phase after they begin; a phase later nothing new is begun.
func (s *stage) underLoad(ctx context.Context, fault fault) error {
	sending, stop := context.WithCancel(ctx)
	defer stop()
	begin, end := context.WithCancel(sending)
	defer end()
	sent := make(chan struct{})
	go func() {
		s.load.run(sending, begin)
		close(sent)
	}()
	err := s.pause(ctx, s.phase)
	if err == nil {
		err = fault(ctx, s)
	}
	if err == nil {
		err = s.pause(ctx, s.phase)
	}
	end()
	select {
	case <-sent:
	case <-time.After(sendTime):
		stop()
		<-sent
	}
	return err
}

// pause lets the load go on.
func (s *stage) pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// between draws a time.
func (s *stage) between(least, most time.Duration) time.Duration {
	return least + s.random.N(most-least)
}

// randomFor gives the same numbers for the same seed, drill and purpose.
func randomFor(seed uint64, drill, purpose string) *rand.Rand {
	hash := fnv.New64a()
	_, _ = hash.Write([]byte(drill + "/" + purpose)) // it never fails
	return rand.New(rand.NewPCG(seed, hash.Sum64()))
}
