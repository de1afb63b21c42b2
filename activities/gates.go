package activities

import (
	"context"
	"fmt"

	"go.temporal.io/sdk/temporal"

	"github.com/headwater-data/headwater/eventlog"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/workflows/contract"
)

// MarkOutput appends a marker of one of a run's outputs.
func (a *Runs) MarkOutput(ctx context.Context, marking contract.Marking) (contract.MarkedOutput, error) {
	run, err := a.load(ctx, contract.Weighing{Run: marking.Run})
	if err != nil {
		return contract.MarkedOutput{}, err
	}
	if run.Output(marking.Marker.Output) == nil {
		return contract.MarkedOutput{}, temporal.NewNonRetryableApplicationError(
			fmt.Sprintf("the run names no output %s in %s", marking.Marker.Output.Name, marking.Marker.Output.Namespace), contract.UnknownOutput, nil)
	}
	return a.mark(ctx, marking.Run, marking.Marker)
}

// TimeOutGates appends that time is up for each output whose deadline is that of the timeout or before.
func (a *Runs) TimeOutGates(ctx context.Context, timeout contract.GateTimeout) (contract.MarkedOutput, error) {
	run, err := a.load(ctx, contract.Weighing{Run: timeout.Run})
	if err != nil {
		return contract.MarkedOutput{}, err
	}
	verdicts, err := a.decide(ctx, run)
	if err != nil {
		return contract.MarkedOutput{}, err
	}
	var expired []lineage.Marker
	for _, verdict := range verdicts {
		if !verdict.deadline.IsZero() && !verdict.deadline.After(timeout.Deadline) {
			expired = append(expired, lineage.Marker{Output: verdict.output.DatasetID, Kind: lineage.TimedOut, EventTime: verdict.deadline})
		}
	}
	return a.mark(ctx, timeout.Run, expired...)
}

// mark appends markers. Their ids are of their content, so a repeat is a duplicate.
func (a *Runs) mark(ctx context.Context, run lineage.RunKey, markers ...lineage.Marker) (contract.MarkedOutput, error) {
	records := make([]eventlog.Record, len(markers))
	for i, marker := range markers {
		payload, err := lineage.EncodeMarker(run, marker)
		if err != nil {
			return contract.MarkedOutput{}, err
		}
		if records[i], err = platformRecord(ctx, lineage.HashOf("marker", string(payload)), run, payload); err != nil {
			return contract.MarkedOutput{}, err
		}
	}
	offset, err := a.append(ctx, records)
	return contract.MarkedOutput{Offset: offset}, err
}
