package main

import (
	"context"
	"encoding/json/v2"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/headwater-data/headwater/eventlog"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/policy"
	"github.com/headwater-data/headwater/projection"
)

// calm is the history that would have been without any fault: all that was said of the runs, then one decision for each
// output, taken with everything known. It is folded into a projection of its own.
type calm struct {
	database   *pgxpool.Pool
	store      *projection.Store
	projection projection.Projection
	policies   *policy.Engine
	last       lineage.Entry
}

// compareWithCalm holds the live projection against a calm history: what is believed in the end must be the same,
// however workflows died, were lost or decided late.
func (s *stage) compareWithCalm(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, settleTime)
	defer cancel()
	store := projection.NewStore(s.database)
	live, err := store.Active(ctx)
	if err != nil {
		return err
	}
	c, err := s.newCalm(ctx, store)
	if err != nil {
		return err
	}
	log := eventlog.New(s.database, eventlog.Options{Logger: slog.New(slog.DiscardHandler)})
	if err := c.foldEvidence(ctx, log, live.Cursor.Offset); err != nil {
		return err
	}
	if err := c.decide(ctx); err != nil {
		return err
	}
	want, err := store.Digest(ctx, c.projection.ID)
	if err != nil {
		return err
	}
	got, err := store.Digest(ctx, live.ID)
	if err != nil {
		return err
	}
	if got.State != want.State {
		return fmt.Errorf("the state of the live projection is %s; without any fault it were %s, that of projection %s", got.State, want.State, c.projection.Name)
	}
	return store.SetStatus(ctx, c.projection.ID, projection.Retired)
}

func (s *stage) newCalm(ctx context.Context, store *projection.Store) (*calm, error) {
	policies, err := policy.Load(ctx, policy.Config{Dir: s.system.Policies(), Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		return nil, err
	}
	made, err := store.Create(ctx, fmt.Sprintf("calm-%d", s.replays), nil)
	return &calm{database: s.database, store: store, projection: made, policies: policies}, err
}

const (
	calmBatch      = 500
	calmBatchBytes = 16 << 20
)

// foldEvidence folds the log up to an offset, but for the decisions.
func (c *calm) foldEvidence(ctx context.Context, log *eventlog.Log, last lineage.Offset) error {
	for at := lineage.Offset(0); at < last; {
		entries, err := log.Read(ctx, at, calmBatch, calmBatchBytes)
		if err != nil {
			return err
		}
		var evidence []lineage.Entry
		for _, entry := range entries {
			at = entry.Offset
			if at > last {
				break
			}
			event, err := lineage.Decode(entry.Format, entry.Payload, lineage.DefaultLimits())
			if err != nil {
				return fmt.Errorf("the entry at offset %d: %w", entry.Offset, err)
			}
			if event.Kind != lineage.PublicationDecidedEvent {
				evidence = append(evidence, entry)
			}
		}
		if err := c.fold(ctx, evidence); err != nil {
			return err
		}
	}
	return nil
}

// fold has entries follow those before without a gap.
func (c *calm) fold(ctx context.Context, entries []lineage.Entry) error {
	for i := range entries {
		entries[i].Offset = c.last.Offset + 1
		c.last = entries[i]
	}
	return c.store.Apply(ctx, c.projection.ID, entries)
}

const calmRunsSQL = `SELECT body, last_epoch, last_offset FROM run WHERE projection_id = $1 ORDER BY first_offset`

// decide decides each output once.
func (c *calm) decide(ctx context.Context) error {
	rows, _ := c.database.Query(ctx, calmRunsSQL, c.projection.ID) // ForEachRow reports the error
	var decisions []lineage.Entry
	var body []byte
	var basis lineage.Position
	_, err := pgx.ForEachRow(rows, []any{&body, &basis.Epoch, &basis.Offset}, func() error {
		var run lineage.Run
		if err := json.Unmarshal(body, &run); err != nil {
			return err
		}
		return c.decideRun(ctx, &run, basis, &decisions)
	})
	if err != nil {
		return fmt.Errorf("decide calmly: %w", err)
	}
	return c.fold(ctx, decisions)
}

func (c *calm) decideRun(ctx context.Context, run *lineage.Run, basis lineage.Position, decisions *[]lineage.Entry) error {
	for _, output := range run.Outputs {
		if run.End == nil && !run.Continuous() {
			continue
		}
		requirement, err := c.policies.Publication(ctx, policy.PublicationInput{
			Run: run.Key, State: run.State(), Mode: run.Mode.Value, Output: output.DatasetID, Markers: run.Markers,
		})
		if err != nil {
			return err
		}
		if run.End != nil && requirement.Wait > 0 {
			requirement.Deadline = time.Unix(0, 0) // the policies stay, so every timeout in the log counts
		}
		verdict := run.Decide(output.DatasetID, requirement)
		payload, err := lineage.EncodeDecision(lineage.Decision{
			Run: run.Key, Output: output.DatasetID, Basis: basis, EndType: run.EndType(),
			Publication: verdict.Publication, Gates: requirement.Gates, Until: verdict.Until, PolicyRevision: requirement.PolicyRevision,
		})
		if err != nil {
			return err
		}
		*decisions = append(*decisions, lineage.Entry{
			Epoch: c.last.Epoch, ReceivedAt: c.last.ReceivedAt, Producer: "headwater", EventID: string(payload),
			Format: lineage.FormatPlatform, Payload: payload,
		})
	}
	return nil
}
