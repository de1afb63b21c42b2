package activities_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/temporal"

	"github.com/headwater-data/headwater/activities"
	"github.com/headwater-data/headwater/eventlog"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/workflows/contract"
)

var firstMart = lineage.DatasetID{Namespace: "warehouse", Name: "mart.0"}

func (b *bundle) mark(runs *activities.Runs, marker lineage.Marker) contract.MarkedOutput {
	b.t.Helper()
	marked, err := execute[contract.MarkedOutput](b, runs.MarkOutput, contract.Marking{Run: dailyOrders, Marker: marker})
	require.NoError(b.t, err)
	b.fold()
	return marked
}

func TestGateIsAnsweredByAMarkerInTheLog(t *testing.T) {
	b := setup(t)
	policies := gatedPolicies(t, "quality")
	runs := &activities.Runs{Projections: b.projections, Log: b.log, Policies: policies}
	began := time.Now()
	b.send(dailyOrders, lineage.Complete, morning, 1)
	b.fold()
	weighed, err := b.weigh(policies, 1)
	require.NoError(t, err)
	require.False(t, weighed.Settled)
	require.WithinRange(t, weighed.Deadline, began.Add(30*time.Minute).Truncate(time.Microsecond), time.Now().Add(30*time.Minute))

	passed := lineage.Marker{Output: firstMart, Kind: lineage.Passed, Gate: "quality", EventTime: morning, By: "olu", Reason: "looked"}
	marked := b.mark(runs, passed)
	require.Equal(t, lineage.Offset(3), marked.Offset)
	require.Equal(t, marked, b.mark(runs, passed), "a repeat is a duplicate")

	weighed, err = b.weigh(policies, marked.Offset)
	require.NoError(t, err)
	require.True(t, weighed.Settled)
	require.Equal(t, []contract.OutputCount{{Publication: "published", Outputs: 1}}, weighed.Outputs)
	require.Zero(t, weighed.Deadline)
}

func TestOutputsOfWhichTheTimeIsUpAreDecidedAsThePolicySays(t *testing.T) {
	b := setup(t)
	policies := gatedPolicies(t, "quality")
	runs := &activities.Runs{Projections: b.projections, Log: b.log, Policies: policies}
	b.send(dailyOrders, lineage.Complete, morning, 2)
	b.fold()
	weighed, err := b.weigh(policies, 1)
	require.NoError(t, err)

	early := contract.GateTimeout{Run: dailyOrders, Deadline: weighed.Deadline.Add(-time.Second)}
	marked, err := execute[contract.MarkedOutput](b, runs.TimeOutGates, early)
	require.NoError(t, err)
	require.Zero(t, marked.Offset)

	for range 2 { // as after a crash
		marked, err = execute[contract.MarkedOutput](b, runs.TimeOutGates, contract.GateTimeout{Run: dailyOrders, Deadline: weighed.Deadline})
		require.NoError(t, err)
		require.Equal(t, lineage.Offset(5), marked.Offset)
	}
	b.fold()
	weighed, err = b.weigh(policies, marked.Offset)
	require.NoError(t, err)
	require.True(t, weighed.Settled)
	require.Equal(t, []contract.OutputCount{{Publication: "suspect", Outputs: 2}}, weighed.Outputs)
}

func TestMarkerOfAnOutputThatTheRunDoesNotNameIsRefused(t *testing.T) {
	b := setup(t)
	runs := &activities.Runs{Projections: b.projections, Log: b.log, Policies: defaultPolicies(t)}
	b.send(dailyOrders, lineage.Complete, morning, 1)
	b.fold()
	_, err := execute[contract.MarkedOutput](b, runs.MarkOutput, contract.Marking{Run: dailyOrders, Marker: lineage.Marker{
		Output: lineage.DatasetID{Namespace: "warehouse", Name: "mart.none"}, Kind: lineage.Validated, EventTime: morning,
	}})
	refused, ok := errors.AsType[*temporal.ApplicationError](err)
	require.True(t, ok, "%v", err)
	require.Equal(t, contract.UnknownOutput, refused.Type())
}

func TestRollBackIsDecidedWithTheTimeAtWhichItEnds(t *testing.T) {
	b := setup(t)
	policies := defaultPolicies(t)
	runs := &activities.Runs{Projections: b.projections, Log: b.log, Policies: policies}
	b.send(dailyOrders, lineage.Complete, morning, 1)
	b.fold()
	_, err := b.weigh(policies, 1)
	require.NoError(t, err)
	b.fold()
	marked := b.mark(runs, lineage.Marker{Output: firstMart, Kind: lineage.RolledBackMarker, EventTime: morning.Add(time.Hour)})
	weighed, err := b.weigh(policies, marked.Offset)
	require.NoError(t, err)
	require.True(t, weighed.Settled)
	b.fold()
	stored, err := b.projections.Run(t.Context(), dailyOrders.Hash())
	require.NoError(t, err)
	require.Equal(t, lineage.RolledBack, stored.Outputs[0].Publication)
	require.Equal(t, morning.Add(time.Hour), stored.Outputs[0].Until)
}

// TestDecisionFollowsFromTheGatesThatItNames has a policy ask for a gate once it was answered, and the answer withdrawn.
func TestDecisionFollowsFromTheGatesThatItNames(t *testing.T) {
	b := setup(t)
	policies := publicationPolicies(t, `requirement := {"gates": [m.gate | some m in input.markers], "wait": "", "at_timeout": "suspect"}`)
	runs := &activities.Runs{Projections: b.projections, Log: b.log, Policies: policies}
	b.send(dailyOrders, lineage.Complete, morning, 1)
	b.fold()
	marked := b.mark(runs, lineage.Marker{Output: firstMart, Kind: lineage.Passed, Gate: "quality", EventTime: morning})
	weighed, err := b.weigh(policies, marked.Offset)
	require.NoError(t, err)
	require.Equal(t, []contract.OutputCount{{Publication: "published", Outputs: 1}}, weighed.Outputs)
	b.fold()

	entries, err := b.log.Read(t.Context(), marked.Offset-1, 1, 1<<20)
	require.NoError(t, err)
	payload, err := lineage.EncodeFact(lineage.Withdrawal{Event: lineage.Sender{Producer: entries[0].Producer, EventID: entries[0].EventID}},
		lineage.Attribution{EventTime: time.Now(), By: "olu"})
	require.NoError(t, err)
	_, err = b.log.Append(t.Context(), eventlog.Record{
		Producer: "olu", EventID: "1", Format: lineage.FormatPlatform, ContentHash: lineage.HashOf("withdrawn"), Payload: payload,
	})
	require.NoError(t, err)
	b.fold()
	weighed, err = b.weigh(policies, b.head())
	require.NoError(t, err)
	require.NotZero(t, weighed.Decided, "it is published now because no gate is asked for")
	b.fold()
	weighed, err = b.weigh(policies, weighed.Decided)
	require.NoError(t, err)
	require.Zero(t, weighed.Decided)
}
