package e2e

import (
	"encoding/json/v2"
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/lineage"
)

// sendWithColumns sends an event whose only output states how its columns come about.
func (c caller) sendWithColumns(t *testing.T, e event, columnLineage string) {
	t.Helper()
	var document map[string]any
	require.NoError(t, json.Unmarshal(e.document(), &document))
	var facet any
	require.NoError(t, json.Unmarshal([]byte(columnLineage), &facet))
	document["outputs"].([]any)[0].(map[string]any)["facets"] = map[string]any{"columnLineage": facet}
	body, err := json.Marshal(document)
	require.NoError(t, err)
	answered, err := c.post(body)
	require.NoError(t, err)
	require.Equal(t, http.StatusCreated, answered.Status, answered.Reason)
}

// upstreamOfField walks from a field to what it comes from.
func (c caller) upstreamOfField(t *testing.T, namespace, table, path string) (*headwaterv1.TraverseResponse, error) {
	t.Helper()
	return c.Lineage.Traverse(t.Context(), &headwaterv1.TraverseRequest{
		Start: &headwaterv1.NodeReference{Node: &headwaterv1.NodeReference_Field{
			Field: &headwaterv1.Field{Namespace: namespace, Name: table, Path: path},
		}},
		Direction: headwaterv1.Direction_DIRECTION_UPSTREAM, TimeBudget: longest,
	})
}

// fieldEdges writes the edges of an answer as "a.x -> b.y KIND SUBTYPE", sorted.
func fieldEdges(nodes []*headwaterv1.Node, edges []*headwaterv1.Edge) []string {
	names := map[string]string{}
	for _, node := range nodes {
		names[node.GetId()] = node.GetDataset().GetName()
		if field := node.GetField(); field != nil {
			names[node.GetId()] = field.GetName() + "." + field.GetPath()
		}
	}
	list := []string{}
	for _, edge := range edges {
		line := names[edge.GetFrom()] + " -> " + names[edge.GetTo()]
		for _, t := range edge.GetTransformations() {
			line += fmt.Sprintf(" %s %s", t.GetKind(), t.GetSubtype())
		}
		list = append(list, line)
	}
	slices.Sort(list)
	return list
}

func TestFieldIsFollowedToWhereColumnLineageEnds(t *testing.T) {
	const namespace = "e2e-columns"
	made := func(job, input, output string) event {
		return event{
			kind: lineage.Complete, at: time.Now(), run: newRunID(), namespace: namespace, job: job,
			inputs: []string{input}, outputs: []string{output},
		}
	}
	headwater.producer.send(t, made("load", "source", "raw"))
	headwater.producer.sendWithColumns(t, made("refine", "raw", "orders"), `{
		"fields": {
			"amount": {"inputFields": [{"namespace": "e2e-columns", "name": "raw", "field": "lines[0].price",
				"transformations": [{"type": "DIRECT", "subtype": "AGGREGATION"}]}]},
			"day": {"inputFields": [{"namespace": "e2e-columns", "name": "raw", "field": "created_at"}], "transformationType": "IDENTITY"}
		},
		"dataset": [{"namespace": "e2e-columns", "name": "raw", "field": "customer", "transformations": [{"type": "INDIRECT", "subtype": "JOIN"}]}]}`)
	headwater.producer.sendWithColumns(t, made("report", "orders", "daily"), `{
		"fields": {"total": {"inputFields": [{"namespace": "e2e-columns", "name": "orders", "field": "amount",
			"transformations": [{"type": "DIRECT", "subtype": "AGGREGATION"}]}]}}}`)

	want := []string{
		"orders.amount -> daily.total TRANSFORMATION_KIND_DIRECT AGGREGATION",
		"raw.customer -> orders TRANSFORMATION_KIND_INDIRECT JOIN",
		"raw.lines[].price -> orders.amount TRANSFORMATION_KIND_DIRECT AGGREGATION",
	}
	whole := func() error {
		answer, err := headwater.reader.upstreamOfField(t, namespace, "daily", "total")
		if err == nil && (!slices.Equal(fieldEdges(answer.GetNodes(), answer.GetEdges()), want) || answer.GetTableLevel() == nil) {
			err = fmt.Errorf("the answer is %v", answer)
		}
		return err
	}
	within(t, patience, whole)
	answer, err := headwater.reader.upstreamOfField(t, namespace, "daily", "total")
	require.NoError(t, err)
	level := answer.GetTableLevel()
	require.Equal(t, []string{"source -> raw"}, fieldEdges(level.GetNodes(), level.GetEdges()), "tables stand apart")
	require.Contains(t, kindsOf(answer.GetGaps()), headwaterv1.GapKind_GAP_KIND_NO_COLUMN_LINEAGE)
	require.True(t, answer.GetCompleteness().GetComplete())

	restore := hide(t, `{"headwater": {"hidden": [{"namespace": "e2e-columns", "name": "raw", "unless_roles": ["admin"]}]}}`)
	within(t, patience, func() error {
		answer, err := headwater.reader.upstreamOfField(t, namespace, "daily", "total")
		if err == nil && (!slices.Equal(fieldEdges(answer.GetNodes(), answer.GetEdges()), want[:1]) || answer.GetTableLevel() != nil) {
			err = fmt.Errorf("the answer is %v", answer)
		}
		return err
	})
	_, err = headwater.reader.upstreamOfField(t, namespace, "raw", "customer")
	require.Error(t, err, "a hidden table hides its fields")
	restore()
	within(t, patience, whole)
}

func kindsOf(gaps []*headwaterv1.Gap) []headwaterv1.GapKind {
	var kinds []headwaterv1.GapKind
	for _, gap := range gaps {
		kinds = append(kinds, gap.GetKind())
	}
	return kinds
}
