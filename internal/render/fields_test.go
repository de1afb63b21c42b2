package render_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/internal/render"
)

// column is a node of the warehouse whose id is its dataset and path.
func column(name, path string, depth int32) *headwaterv1.Node {
	return &headwaterv1.Node{Id: name + "." + path, Depth: depth, Node: &headwaterv1.Node_Field{
		Field: &headwaterv1.Field{Namespace: "warehouse", Name: name, Path: path},
	}}
}

// way is an edge between fields.
func way(from, to string, kind headwaterv1.TransformationKind, subtype string) *headwaterv1.Edge {
	return &headwaterv1.Edge{
		From: from, To: to, Job: &headwaterv1.Job{Namespace: "dbt", Name: "make_mart"}, Origin: headwaterv1.Origin_ORIGIN_OBSERVED,
		LastObservedAt:  before(time.Hour),
		Transformations: []*headwaterv1.Transformation{{Kind: kind, Subtype: subtype, Masking: subtype == "HASH"}},
	}
}

const (
	direct   = headwaterv1.TransformationKind_TRANSFORMATION_KIND_DIRECT
	indirect = headwaterv1.TransformationKind_TRANSFORMATION_KIND_INDIRECT
)

func TestTreeOfFieldsLeadsThroughTheWholeDataset(t *testing.T) {
	t.Parallel()
	nodes := []*headwaterv1.Node{column("mart", "total", 0), table("mart", 0), column("raw", "amount", 1), column("raw", "id", 1)}
	requireText(t, `
warehouse mart total
├─ warehouse raw amount
│    direct HASH, masked · by dbt make_mart · observed 1 hour ago
└─ warehouse mart as a whole
   └─ warehouse raw id
        indirect JOIN · by dbt make_mart · observed 1 hour ago

4 nodes, 2 edges, complete
projection first at offset 87
`, upstream(answer(nodes, way("raw.amount", "mart.total", direct, "HASH"), way("raw.id", "mart", indirect, "JOIN"))))
}

func TestTablesStandApartFromFields(t *testing.T) {
	t.Parallel()
	fields := answer([]*headwaterv1.Node{column("mart", "total", 0)})
	fields.TableLevel = &headwaterv1.TableLevel{
		Nodes: []*headwaterv1.Node{table("raw", 0), table("mart", 0)}, Edges: []*headwaterv1.Edge{flow("raw", "mart")},
	}
	fields.Gaps = []*headwaterv1.Gap{{
		Kind: headwaterv1.GapKind_GAP_KIND_NO_COLUMN_LINEAGE, Node: new("mart"), Message: "job make_mart does not report how columns come into mart",
	}}
	requireText(t, `
warehouse mart total

Between tables alone, where columns are not told:
  warehouse raw → warehouse mart
    by dbt make_mart · observed 1 hour ago · run run-of-mart completed
! job make_mart does not report how columns come into mart

1 node, 0 edges, complete
projection first at offset 87
`, upstream(fields))
}

func TestDiagramsNameTheWayOfAField(t *testing.T) {
	t.Parallel()
	fields := answer([]*headwaterv1.Node{column("mart", "total", 0), column("raw", "amount", 1)}, way("raw.amount", "mart.total", direct, "SUM"))
	require.Contains(t, render.DOT(fields), `n2 -> n1 [label="make_mart: direct SUM"]`)
	require.Contains(t, render.Mermaid(fields), `n2 -->|"make_mart: direct SUM"| n1`)
}
