package lineage_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
)

func TestDatasetAndJobOfOneNameAreTwoNodes(t *testing.T) {
	dataset := lineage.DatasetID{Namespace: "n", Name: "x"}.Node()
	job := lineage.JobID{Namespace: "n", Name: "x"}.Node()
	require.NotEqual(t, dataset.ID(), job.ID())
	require.Equal(t, dataset.ID(), lineage.DatasetID{Namespace: "n", Name: "x"}.Node().ID())
	require.NotEqual(t, dataset.ID(), lineage.DatasetID{Namespace: "nx", Name: ""}.Node().ID())
	require.Negative(t, dataset.Compare(job))
	require.Positive(t, job.Compare(dataset))
	require.Negative(t, lineage.DatasetID{Namespace: "a", Name: "z"}.Compare(lineage.DatasetID{Namespace: "b", Name: "a"}))
	require.Zero(t, dataset.Compare(lineage.DatasetID{Namespace: "n", Name: "x"}.Node()))
}

func TestTwoJobsUnderOneRunIDAreTwoRuns(t *testing.T) {
	a := lineage.RunKey{Job: lineage.JobID{Namespace: "n", Name: "a"}, RunID: "r"}
	b := lineage.RunKey{Job: lineage.JobID{Namespace: "n", Name: "b"}, RunID: "r"}
	require.NotEqual(t, a.Hash(), b.Hash())
}

func TestFlowIsItsJobAndTheSetOfItsInputs(t *testing.T) {
	inputs := fed("x", "BAA").Inputs
	flow := lineage.NewFlow(loadOrders, inputs)
	require.Equal(t, fed("x", "AB").Inputs, flow.Inputs)
	require.Equal(t, "B", inputs[0].Name, "the given list is left alone")
	require.Equal(t, lineage.NewFlow(loadOrders, fed("x", "AB").Inputs).ID(), flow.ID())
	require.NotEqual(t, lineage.NewFlow(lineage.JobID{}, fed("x", "AB").Inputs).ID(), flow.ID())
	require.NotEqual(t, lineage.NewFlow(loadOrders, nil).ID(), flow.ID())
}
