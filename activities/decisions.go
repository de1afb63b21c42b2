package activities

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"go.opentelemetry.io/otel/propagation"
	"go.temporal.io/sdk/temporal"

	"github.com/headwater-data/headwater/eventlog"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
	"github.com/headwater-data/headwater/workflows/contract"
)

// decider is the producer under which decisions stand in the log.
const decider = "headwater"

// decisionsPerAppend keeps the decisions of a run with thousands of outputs from filling the log's queue.
const decisionsPerAppend = 500

// record appends the verdicts that differ from what stands, and returns the offset of the latest; zero where none did.
func (a *Runs) record(ctx context.Context, run projection.StoredRun, verdicts []verdict) (lineage.Offset, error) {
	var records []eventlog.Record
	for _, verdict := range verdicts {
		if verdict.publication == verdict.output.Publication {
			continue
		}
		record, err := decisionRecord(ctx, lineage.Decision{
			Run: run.Key, Output: verdict.output.DatasetID, Basis: run.Basis, EndType: run.EndType(),
			Publication: verdict.publication, PolicyRevision: verdict.revision,
		})
		if err != nil {
			return 0, err
		}
		records = append(records, record)
	}
	var latest lineage.Offset
	for chunk := range slices.Chunk(records, decisionsPerAppend) {
		results, err := a.Log.Append(ctx, chunk...)
		if err != nil {
			return 0, fmt.Errorf("append decisions: %w", err)
		}
		for i, result := range results {
			if errors.Is(result.Err, eventlog.ErrConflict) {
				return 0, temporal.NewNonRetryableApplicationError(
					fmt.Sprintf("decision %s stands in the log at offset %d with other content", chunk[i].EventID, result.Receipt.Offset),
					contract.ContradictedDecision, result.Err)
			}
			if result.Err != nil {
				return 0, fmt.Errorf("append decision %s: %w", chunk[i].EventID, result.Err)
			}
			latest = max(latest, result.Receipt.Offset)
		}
	}
	return latest, nil
}

func decisionRecord(ctx context.Context, decision lineage.Decision) (eventlog.Record, error) {
	payload, err := lineage.EncodeDecision(decision)
	if err != nil {
		return eventlog.Record{}, err
	}
	content, err := lineage.ContentHash(payload)
	if err != nil {
		return eventlog.Record{}, err
	}
	trace := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(ctx, trace)
	return eventlog.Record{
		Producer: decider, EventID: decision.ID().String(), Format: lineage.FormatPlatform,
		RunKey: decision.Run.Hash(), ContentHash: content, Payload: payload, TraceParent: trace.Get("traceparent"),
	}, nil
}
