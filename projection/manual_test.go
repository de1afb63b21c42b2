package projection_test

import (
	"encoding/json/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
)

func edge(from, to string) lineage.ManualEdge {
	return lineage.ManualEdge{From: lineage.DatasetID{Namespace: "warehouse", Name: from}, To: lineage.DatasetID{Namespace: "warehouse", Name: to}}
}

func TestManualEdgeEndsWhenAPersonEndsIt(t *testing.T) {
	b := setup(t)
	ended := edge("upload", "daily")
	ended.Ended = true
	b.stateEdge(30, ended) // it may come first: the order of arrival does not count
	b.stateEdge(5, edge("upload", "daily"))
	b.stateEdge(5, edge("other", "daily"))
	b.fold(b.active, 1)
	require.Equal(t, []string{"other→daily", "upload→daily"}, b.upstreamAt(20, "daily"))
	require.Equal(t, []string{"other→daily"}, b.upstreamAt(40, "daily"))
	again := edge("upload", "daily")
	b.stateEdge(50, again)
	b.fold(b.active, 1)
	require.Equal(t, []string{"other→daily", "upload→daily"}, b.upstreamAt(60, "daily"))
	require.Equal(t, []string{"other→daily"}, b.upstreamAt(40, "daily"))
}

func TestEdgesFromOneDatasetThatOneBatchFoldsAllShow(t *testing.T) {
	b := setup(t)
	b.stateEdge(5, edge("upload", "daily"))
	b.stateEdge(6, edge("upload", "weekly"))
	b.fold(b.active, len(b.log))
	require.Equal(t, []string{"upload→daily"}, b.upstreamAt(20, "daily"))
	require.Equal(t, []string{"upload→weekly"}, b.upstreamAt(20, "weekly"))
}

func TestLateDeclarationDoesNotEndANewerOne(t *testing.T) {
	b := setup(t)
	b.jobEvent(20, "daily_job", []string{"orders"}, []string{"daily"})
	b.jobEvent(10, "daily_job", []string{"customers"}, []string{"daily"})
	b.fold(b.active, 1)
	require.Equal(t, []string{"orders→daily"}, b.upstreamAt(30, "daily"))
	require.Equal(t, []string{"customers→daily"}, b.upstreamAt(15, "daily"))
}

func TestDeclarationThatLeavesAnOutputOutRetractsNothing(t *testing.T) {
	b := setup(t)
	b.jobEvent(10, "job", []string{"orders"}, []string{"daily", "weekly"})
	b.jobEvent(20, "job", []string{"orders"}, []string{"weekly"})
	b.fold(b.active, 1)
	require.Equal(t, []string{"orders→daily"}, b.upstreamAt(30, "daily"))
}

// jobEvent logs an OpenLineage JobEvent of some minutes after noon.
func (b *bundle) jobEvent(minute int, job string, inputs, outputs []string) {
	datasets := func(names []string) []map[string]any {
		var list []map[string]any
		for _, name := range names {
			list = append(list, map[string]any{"namespace": "warehouse", "name": name})
		}
		return list
	}
	document, err := json.Marshal(map[string]any{
		"eventTime": at(minute).Format(time.RFC3339), "job": map[string]any{"namespace": "scheduler", "name": job},
		"inputs": datasets(inputs), "outputs": datasets(outputs),
	}, json.Deterministic(true))
	require.NoError(b.t, err)
	b.logged(lineage.FormatOpenLineage, document)
}

// stateEdge logs an edge that a person states some minutes after noon.
func (b *bundle) stateEdge(minute int, edge lineage.ManualEdge) {
	payload, err := lineage.EncodeFact(edge, lineage.Attribution{EventTime: at(minute), By: "ines", Reason: "test"})
	require.NoError(b.t, err)
	b.logged(lineage.FormatPlatform, payload)
}

// upstreamAt walks from a dataset to where it came from at some minute.
func (b *bundle) upstreamAt(minute int, name string) []string {
	r := request(dataset(name), projection.Upstream)
	r.ValidAt = at(minute)
	return pairs(b.traverse(r))
}

func TestReingestingDeclaredLineageOverwritesNoManualStatement(t *testing.T) {
	b := setup(t)
	b.stateEdge(5, edge("upload", "daily"))
	b.jobEvent(20, "daily_job", []string{"customers"}, []string{"daily"})
	b.jobEvent(30, "daily_job", []string{"orders"}, []string{"daily"})
	b.fold(b.active, 1)
	require.Equal(t, []string{"orders→daily", "upload→daily"}, b.upstreamAt(90, "daily"))
}
