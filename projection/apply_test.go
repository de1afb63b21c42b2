package projection_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
)

func TestEdgeShowsOnlyOncePublished(t *testing.T) {
	b := setup(t)
	run := story{run: "r1", job: "load", kind: lineage.Complete, minute: 5, inputs: []string{"raw"}, outputs: []string{"mart"}}
	b.tell(run)
	b.fold(b.active, 10)
	require.Empty(t, b.traverse(request(dataset("mart"), projection.Upstream)).Edges)
	stored, err := b.store.Run(b.ctx, runKey(run).Hash())
	require.NoError(t, err)
	require.Equal(t, lineage.Pending, stored.Outputs[0].Publication)

	b.decide(run, "mart", lineage.Complete, lineage.Published)
	b.fold(b.active, 10)
	answer := b.traverse(request(dataset("mart"), projection.Upstream))
	require.Equal(t, []string{"raw→mart"}, pairs(answer))
	edge := answer.Edges[0]
	require.Equal(t, "r1", edge.RunID)
	require.Equal(t, lineage.RunCompleted, edge.RunState)
	require.Equal(t, lineage.Published, edge.Publication)
	require.Equal(t, lineage.InputsTimesOutputs, edge.Derivation)
	require.Equal(t, &lineage.JobID{Namespace: "scheduler", Name: "load"}, edge.Job)
	require.Equal(t, at(5), edge.ValidFrom)
	require.Equal(t, lineage.Forever, edge.ValidTo)
	require.Equal(t, "test", edge.Producer)
	require.NotEmpty(t, edge.SourceEvent)
}

func TestAlternatingInputsBothShow(t *testing.T) {
	b := setup(t)
	b.complete(story{run: "r1", job: "load", minute: 1, inputs: []string{"a"}, outputs: []string{"mart"}})
	b.complete(story{run: "r2", job: "load", minute: 2, inputs: []string{"b"}, outputs: []string{"mart"}})
	b.fold(b.active, 100)
	require.Equal(t, []string{"a→mart?", "b→mart"}, pairs(b.traverse(request(dataset("mart"), projection.Upstream))))
	strict := request(dataset("mart"), projection.Upstream)
	strict.Lookback = 0
	require.Equal(t, []string{"b→mart"}, pairs(b.traverse(strict)))
}

func TestLateStatementDoesNotEndANewerOne(t *testing.T) {
	b := setup(t)
	b.complete(story{run: "r2", job: "load", minute: 20, inputs: []string{"new"}, outputs: []string{"mart"}})
	b.fold(b.active, 100)
	before := lineage.Offset(len(b.log))
	b.complete(story{run: "r1", job: "load", minute: 10, inputs: []string{"old"}, outputs: []string{"mart"}})
	b.fold(b.active, 100)
	require.Equal(t, []string{"new→mart", "old→mart?"}, pairs(b.traverse(request(dataset("mart"), projection.Upstream))))

	between := request(dataset("mart"), projection.Upstream)
	between.ValidAt = at(15)
	require.Equal(t, []string{"old→mart"}, pairs(b.traverse(between)))
	between.RecordedAt = before
	require.Empty(t, pairs(b.traverse(between)), "what we knew before the late event came does not change")
}

func TestCompleteOverruledByFailWasNeverValid(t *testing.T) {
	b := setup(t)
	b.complete(story{run: "r1", job: "load", minute: 1, inputs: []string{"a"}, outputs: []string{"mart"}})
	second := story{run: "r2", job: "load", minute: 2, inputs: []string{"b"}, outputs: []string{"mart"}}
	b.complete(second)
	second.kind, second.minute = lineage.Fail, 3
	b.tell(second)
	b.fold(b.active, 100)
	require.Equal(t, []string{"a→mart"}, pairs(b.traverse(request(dataset("mart"), projection.Upstream))))
	stored, err := b.store.Run(b.ctx, runKey(second).Hash())
	require.NoError(t, err)
	require.True(t, stored.Disputed())
	require.Equal(t, lineage.Pending, stored.Outputs[0].Publication, "the decision is void until it is taken again")
}

func TestRunWithoutInputsReplacesNothing(t *testing.T) {
	b := setup(t)
	b.complete(story{run: "r1", job: "load", minute: 1, inputs: []string{"a"}, outputs: []string{"mart"}})
	b.complete(story{run: "r2", job: "load", minute: 2, outputs: []string{"mart"}})
	b.complete(story{run: "r3", job: "seed", minute: 3, outputs: []string{"a"}})
	b.fold(b.active, 100)
	answer := b.traverse(request(dataset("mart"), projection.Upstream))
	require.Equal(t, []string{"a→mart", "seed→a"}, pairs(answer))
	node := dataset("a")
	require.Contains(t, answer.Gaps, projection.Gap{Kind: projection.InputsNotReported, Node: &node})
}

func TestApplyIsFenced(t *testing.T) {
	b := setup(t)
	b.complete(story{run: "r1", job: "load", minute: 1, inputs: []string{"a"}, outputs: []string{"mart"}})
	require.NoError(t, b.store.Apply(b.ctx, b.active, b.log[:1]))
	require.ErrorIs(t, b.store.Apply(b.ctx, b.active, b.log[:1]), projection.ErrFenced)
	require.NoError(t, b.store.Apply(b.ctx, b.active, b.log[1:]))
	require.Error(t, b.store.Apply(b.ctx, b.active, []lineage.Entry{{Offset: 3}, {Offset: 5}}))
}

func TestEntryThatCannotBeReadIsPassed(t *testing.T) {
	b := setup(t)
	b.log = append(b.log, lineage.Entry{Epoch: 1, Offset: 1, ReceivedAt: at(0), Format: lineage.FormatOpenLineage, Payload: []byte("{")})
	b.complete(story{run: "r1", job: "load", minute: 1, inputs: []string{"a"}, outputs: []string{"mart"}})
	b.fold(b.active, 1)
	require.Equal(t, []string{"a→mart"}, pairs(b.traverse(request(dataset("mart"), projection.Upstream))))
}

func TestWideRunIsThousandsOfRowsNotMillions(t *testing.T) {
	b := setup(t)
	wide := story{run: "r1", job: "load", minute: 1}
	for i := range 1500 {
		wide.inputs = append(wide.inputs, "in"+string(rune('0'+i%10))+at(i).Format("150405.02"))
		wide.outputs = append(wide.outputs, "out"+string(rune('0'+i%10))+at(i).Format("150405.02"))
	}
	wide.kind = lineage.Complete
	b.tell(wide)
	for _, output := range wide.outputs {
		b.decide(wide, output, lineage.Complete, lineage.Published)
	}
	b.fold(b.active, 2000)
	answer := b.traverse(request(dataset(wide.outputs[0]), projection.Upstream))
	require.Len(t, answer.Edges, 1500)
	require.Empty(t, answer.Incomplete)
	digests, err := b.store.Digest(b.ctx, b.active)
	require.NoError(t, err)
	for _, table := range digests.Tables {
		require.LessOrEqual(t, table.Rows, int64(3001), table.Table)
	}
}
