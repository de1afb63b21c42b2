package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/errgroup"

	"github.com/headwater-data/headwater/eventlog"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/policies"
	"github.com/headwater-data/headwater/policy"
	"github.com/headwater-data/headwater/projection"
)

const (
	// gateways take the documents of one order at once, each its share.
	gateways = 2
	// shuffledBytes bounds the documents that are shuffled: one of megabytes tells nothing more of order.
	shuffledBytes = 1 << 20
	// foldedEntries and foldedBytes bound a batch of the fold.
	foldedEntries, foldedBytes = 500, 16 << 20
)

// checkShuffles sends the documents of all folders in random orders to two gateways at once, folds each log with the
// received times and the policy held fixed, and compares what is believed then.
func (s *suite) checkShuffles(ctx context.Context) error {
	files, err := s.shuffledFiles()
	if err != nil {
		return err
	}
	s.report.heading("all documents, shuffled", "holds", "documents, orders")
	receivedAt := time.Now().UTC().Truncate(time.Microsecond)
	var first string
	var o outcome
	for seed := range uint64(s.shuffles) {
		digest, err := s.shuffle(ctx, files, seed, receivedAt)
		switch {
		case err != nil:
			return fmt.Errorf("shuffled by seed %d: %w", seed, err)
		case first == "":
			first = digest
		case digest != first && o.problem == "":
			o.problem = fmt.Sprintf("shuffled by seed %d, the state digest is not that of seed 0", seed)
		}
	}
	s.report.judged("over two gateways", fmt.Sprintf("%d, %d", len(files), s.shuffles), o)
	return nil
}

func (s *suite) shuffledFiles() ([]file, error) {
	var shuffled []file
	for _, part := range []string{"events", "compat-scenarios", "synthetic"} {
		folders, err := s.documents.folders(part)
		if err != nil {
			return nil, err
		}
		for _, folder := range folders {
			files, err := s.documents.files(folder)
			if err != nil {
				return nil, err
			}
			for _, file := range files {
				if len(file.body) <= shuffledBytes {
					shuffled = append(shuffled, file)
				}
			}
		}
	}
	return shuffled, nil
}

// shuffle gives the state digest of one order.
func (s *suite) shuffle(ctx context.Context, files []file, seed uint64, receivedAt time.Time) (digest string, err error) {
	place, err := s.sites.makeSite(ctx)
	if err != nil {
		return "", err
	}
	pool, err := pgxpool.New(ctx, place.databaseURL)
	if err != nil {
		return "", err
	}
	defer pool.Close()
	order := rand.New(rand.NewPCG(seed, 0)).Perm(len(files))
	if err := sendShared(ctx, pool, files, order); err != nil {
		return "", err
	}
	fold := fixedFold{store: projection.NewStore(pool), log: eventlog.New(pool, eventlog.Options{}), receivedAt: receivedAt}
	if err := fold.run(ctx); err != nil {
		return "", err
	}
	digests, err := fold.store.Digest(ctx, fold.projection)
	return digests.State, err
}

// sendShared posts the documents in an order to several gateways at once.
func sendShared(ctx context.Context, pool *pgxpool.Pool, files []file, order []int) (err error) {
	logger := slog.New(slog.DiscardHandler)
	rules, err := policy.Load(ctx, policy.Config{Default: policies.Files, Log: logger})
	if err != nil {
		return err
	}
	var serving, sending errgroup.Group
	serve, stop := context.WithCancel(ctx)
	defer func() {
		stop()
		err = errors.Join(err, serving.Wait())
	}()
	for share := range gateways {
		url, err := openDoor(serve, &serving, pool, rules, logger)
		if err != nil {
			return err
		}
		sending.Go(func() error {
			to := newCaller(url)
			for i := share; i < len(order); i += gateways {
				if _, err := to.send(ctx, files[order[i]].body); err != nil {
					return fmt.Errorf("send %s: %w", files[order[i]].name, err)
				}
			}
			return nil
		})
	}
	return sending.Wait()
}

// fixedFold folds a log as if all of it had been received at one time, and decides each run once all of it is there.
type fixedFold struct {
	store      *projection.Store
	log        *eventlog.Log
	projection projection.ID
	receivedAt time.Time
	last       lineage.Position
}

func (f *fixedFold) run(ctx context.Context) error {
	active, err := f.store.Active(ctx)
	if err != nil {
		return err
	}
	f.projection, f.last = active.ID, active.Cursor
	runs := map[lineage.Hash]bool{}
	for {
		entries, err := f.log.Read(ctx, f.last.Offset, foldedEntries, foldedBytes)
		if err != nil || len(entries) == 0 {
			return errors.Join(err, f.decide(ctx, runs))
		}
		for i := range entries {
			entries[i].ReceivedAt = f.receivedAt
			runs[entries[i].Run] = true
		}
		if err := f.store.Apply(ctx, f.projection, entries); err != nil {
			return err
		}
		f.last = entries[len(entries)-1].Position()
	}
}

// decide folds the decision on each output of the runs, as the default policy has it, behind the log.
func (f *fixedFold) decide(ctx context.Context, runs map[lineage.Hash]bool) error {
	delete(runs, lineage.Hash{})
	var decisions []lineage.Entry
	for key := range runs {
		stored, err := f.store.Run(ctx, key)
		if err != nil {
			return fmt.Errorf("read run %s: %w", key, err)
		}
		for _, output := range stored.Run.Written() {
			verdict := stored.Run.Decide(output.DatasetID, lineage.Requirement{})
			if verdict.Publication == lineage.Pending {
				continue
			}
			decision := lineage.Decision{
				Run: stored.Run.Key, Output: output.DatasetID, Basis: stored.Basis, EndType: stored.Run.EndType(),
				Publication: verdict.Publication, Until: verdict.Until,
			}
			entry, err := f.entry(decision)
			if err != nil {
				return err
			}
			decisions = append(decisions, entry)
		}
	}
	return f.store.Apply(ctx, f.projection, decisions)
}

func (f *fixedFold) entry(decision lineage.Decision) (lineage.Entry, error) {
	payload, err := lineage.EncodeDecision(decision)
	f.last.Offset++
	return lineage.Entry{
		Epoch: f.last.Epoch, Offset: f.last.Offset, ReceivedAt: f.receivedAt, Producer: "conformance", EventID: decision.ID().String(),
		Format: lineage.FormatPlatform, Run: decision.Run.Hash(), Payload: payload,
	}, err
}
