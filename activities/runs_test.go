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
	"github.com/headwater-data/headwater/policy"
	"github.com/headwater-data/headwater/workflows/contract"
)

func (b *bundle) weigh(policies *policy.Engine, upTo lineage.Offset) (contract.Weighed, error) {
	b.t.Helper()
	runs := &activities.Runs{Projections: b.projections, Log: b.log, Policies: policies}
	return execute[contract.Weighed](b, runs.WeighRun, contract.Weighing{Run: dailyOrders, UpTo: upTo})
}

func TestOpenRunHasNothingToDecide(t *testing.T) {
	b := setup(t)
	b.send(dailyOrders, lineage.Start, morning, 2)
	b.fold()
	weighed, err := b.weigh(defaultPolicies(t), 1)
	require.NoError(t, err)
	require.Equal(t, contract.Weighed{
		State: "STARTED", Outputs: []contract.OutputCount{{Publication: "pending", Outputs: 2}},
		Basis: lineage.Position{Epoch: 1, Offset: 1},
	}, weighed)
	require.Equal(t, lineage.Offset(1), b.head())
}

func TestCompletedRunIsDecidedOnce(t *testing.T) {
	b := setup(t)
	policies := defaultPolicies(t)
	b.send(dailyOrders, lineage.Complete, morning, 3)
	b.fold()
	first, err := b.weigh(policies, 1)
	require.NoError(t, err)
	require.True(t, first.Settled)
	require.Equal(t, []contract.OutputCount{{Publication: "published", Outputs: 3}}, first.Outputs)
	require.Equal(t, lineage.Offset(4), first.Decided)

	again, err := b.weigh(policies, 1) // as after a crash: the decisions are not folded yet
	require.NoError(t, err)
	require.Equal(t, first, again)
	require.Equal(t, lineage.Offset(4), b.head())

	b.fold()
	folded, err := b.weigh(policies, 4)
	require.NoError(t, err)
	require.True(t, folded.Settled)
	require.Zero(t, folded.Decided, "what stands is not decided again")
}

func TestOnlyOutputsThatDifferAreDecided(t *testing.T) {
	b := setup(t)
	policies := defaultPolicies(t)
	b.send(dailyOrders, lineage.Complete, morning, 1)
	b.fold()
	_, err := b.weigh(policies, 1)
	require.NoError(t, err)
	b.send(dailyOrders, lineage.Complete, morning.Add(time.Minute), 3)
	b.fold()
	_, err = b.weigh(policies, 3)
	require.NoError(t, err)
	require.Equal(t, lineage.Offset(3+2), b.head())
}

func TestGatedOutputsStayPending(t *testing.T) {
	b := setup(t)
	b.send(dailyOrders, lineage.Complete, morning, 2)
	b.fold()
	weighed, err := b.weigh(gatedPolicies(t, "quality"), 1)
	require.NoError(t, err)
	require.False(t, weighed.Settled)
	require.Equal(t, []string{"quality"}, weighed.Gates)
	require.Equal(t, lineage.Offset(3), weighed.Decided, "that they wait is decided")

	b.fold()
	stored, err := b.projections.Run(t.Context(), dailyOrders.Hash())
	require.NoError(t, err)
	require.Len(t, stored.Decisions, 2)
	require.Equal(t, lineage.Pending, stored.Decisions[0].Publication)
	require.Equal(t, []string{"quality"}, stored.Decisions[0].Gates)
	require.True(t, weighed.Deadline.Equal(stored.Decisions[0].Deadline))
	weighed, err = b.weigh(gatedPolicies(t, "quality"), 3)
	require.NoError(t, err)
	require.Zero(t, weighed.Decided, "but once")
	weighed, err = b.weigh(gatedPolicies(t, "freshness"), 3)
	require.NoError(t, err)
	require.Equal(t, lineage.Offset(5), weighed.Decided, "new policies want another gate")
	b.fold()
	weighed, err = b.weigh(gatedPolicies(t, "quality"), 5)
	require.NoError(t, err)
	require.Equal(t, lineage.Offset(7), weighed.Decided, "and the old ones, when they are back, the one from before")
	b.fold()
	stored, err = b.projections.Run(t.Context(), dailyOrders.Hash())
	require.NoError(t, err)
	require.Equal(t, []string{"quality"}, stored.Ruling(stored.Decisions)[stored.Outputs[0].DatasetID].Gates)
}

func TestWideRunIsDecidedWhole(t *testing.T) {
	b := setup(t)
	b.send(dailyOrders, lineage.Complete, morning, 1500)
	b.fold()
	weighed, err := b.weigh(defaultPolicies(t), 1)
	require.NoError(t, err)
	require.Equal(t, []contract.OutputCount{{Publication: "published", Outputs: 1500}}, weighed.Outputs)
	require.Equal(t, lineage.Offset(1501), b.head())
}

func TestProjectionBehindTheEvidenceIsRetriedSoon(t *testing.T) {
	b := setup(t)
	b.send(dailyOrders, lineage.Start, morning, 1)
	_, err := b.weigh(defaultPolicies(t), 1)
	behind, ok := errors.AsType[*temporal.ApplicationError](err)
	require.True(t, ok, "%v", err)
	require.False(t, behind.NonRetryable())
	require.Less(t, behind.NextRetryDelay(), time.Second)
	require.NotZero(t, behind.NextRetryDelay())
}

func TestUnknownRunIsNotRetried(t *testing.T) {
	b := setup(t)
	_, err := b.weigh(defaultPolicies(t), 0)
	unknown, ok := errors.AsType[*temporal.ApplicationError](err)
	require.True(t, ok, "%v", err)
	require.True(t, unknown.NonRetryable())
	require.Equal(t, contract.UnknownRun, unknown.Type())
}

func TestContradictedDecisionIsNotRetried(t *testing.T) {
	b := setup(t)
	policies := defaultPolicies(t)
	b.send(dailyOrders, lineage.Complete, morning, 1)
	b.fold()
	decision := lineage.Decision{
		Run: dailyOrders, Output: lineage.DatasetID{Namespace: "warehouse", Name: "mart.0"},
		Basis: lineage.Position{Epoch: 1, Offset: 1}, PolicyRevision: policies.Revision(),
	}
	_, err := b.log.Append(t.Context(), eventlog.Record{
		Producer: "headwater", EventID: decision.ID().String(), Format: lineage.FormatPlatform,
		ContentHash: lineage.HashOf("another decision"), Payload: []byte("{}"),
	})
	require.NoError(t, err)
	_, err = b.weigh(policies, 1)
	contradicted, ok := errors.AsType[*temporal.ApplicationError](err)
	require.True(t, ok, "%v", err)
	require.Equal(t, contract.ContradictedDecision, contradicted.Type())
}
