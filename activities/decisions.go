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

// decider is the producer under which decisions, timeouts and answers to gates stand in the log.
const decider = "headwater"

// decisionsPerAppend keeps what is decided of a run with thousands of outputs from filling the log's queue.
const decisionsPerAppend = 500

// record appends the verdicts that differ from what stands, or that what stands does not follow from any more under the gates
// that it names. It returns the offset of the latest; zero where none did.
func (a *Runs) record(ctx context.Context, run projection.StoredRun, verdicts []verdict) (lineage.Offset, error) {
	var records []eventlog.Record
	ruling := run.Ruling(run.Decisions)
	for _, verdict := range verdicts {
		decided, ok := ruling[verdict.output.DatasetID]
		if verdict.stands(decided, ok) && (!ok || run.Upholds(decided.Decision)) {
			continue
		}
		record, err := decisionRecord(ctx, lineage.Decision{
			Run: run.Key, Output: verdict.output.DatasetID, Basis: run.Basis, EndType: run.EndType(),
			Publication: verdict.Publication, PolicyRevision: verdict.revision,
			Gates: verdict.gates, Until: verdict.Until, Deadline: verdict.deadline,
			Overrules: decided.Recorded,
		})
		if err != nil {
			return 0, err
		}
		records = append(records, record)
	}
	return a.append(ctx, records)
}

// stands reports that the output is as the verdict wants it. That it waits for gates is decided too, so that everybody
// sees for which, and until when.
func (v *verdict) stands(decided lineage.RecordedDecision, isDecided bool) bool {
	switch {
	case v.Publication != v.output.Publication || !v.Until.Equal(v.output.Until):
		return false
	case len(v.Awaited) == 0:
		return true
	default:
		return isDecided && slices.Equal(v.gates, decided.Gates) && v.deadline.Equal(decided.Deadline)
	}
}

// append adds records to the log and returns the offset of the latest; zero where there are none.
func (a *Runs) append(ctx context.Context, records []eventlog.Record) (lineage.Offset, error) {
	var latest lineage.Offset
	for chunk := range slices.Chunk(records, decisionsPerAppend) {
		results, err := a.Log.Append(ctx, chunk...)
		if err != nil {
			return 0, fmt.Errorf("append to the log: %w", err)
		}
		for i, result := range results {
			if errors.Is(result.Err, eventlog.ErrConflict) {
				return 0, temporal.NewNonRetryableApplicationError(
					fmt.Sprintf("event %s stands in the log at offset %d with other content", chunk[i].EventID, result.Receipt.Offset),
					contract.ContradictedDecision, result.Err)
			}
			if result.Err != nil {
				return 0, fmt.Errorf("append event %s: %w", chunk[i].EventID, result.Err)
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
	return platformRecord(ctx, decision.ID(), decision.Run, payload)
}

// platformRecord is a fact that the workflows add to the log.
func platformRecord(ctx context.Context, id lineage.Hash, run lineage.RunKey, payload []byte) (eventlog.Record, error) {
	content, err := lineage.ContentHash(payload)
	if err != nil {
		return eventlog.Record{}, err
	}
	trace := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(ctx, trace)
	return eventlog.Record{
		Producer: decider, EventID: id.String(), Format: lineage.FormatPlatform,
		RunKey: run.Hash(), ContentHash: content, Payload: payload, TraceParent: trace.Get("traceparent"),
	}, nil
}
