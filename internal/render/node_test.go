package render_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/internal/render"
)

func TestNodePageTellsSchemaLifeAndWriters(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 7, 19, 12, 0, 0, 0, time.UTC)
	version := func(from time.Time, to *timestamppb.Timestamp, fields ...*headwaterv1.FieldDescription) *headwaterv1.SchemaVersion {
		return &headwaterv1.SchemaVersion{
			Fields: fields, ValidFrom: timestamppb.New(from), ValidTo: to, Source: headwaterv1.SchemaSource_SCHEMA_SOURCE_WRITER, Producer: "spark",
		}
	}
	id := &headwaterv1.FieldDescription{Path: "id", Type: "bigint", Since: timestamppb.New(noon), Description: "The key\nof an order."}
	now := version(noon, nil, id)
	text := render.Node(&headwaterv1.GetNodeResponse{
		Node:           &headwaterv1.GetNodeResponse_Dataset{Dataset: &headwaterv1.Dataset{Namespace: "warehouse", Name: "orders"}},
		Life:           &headwaterv1.DatasetLife{DroppedAt: timestamppb.New(noon.Add(time.Hour))},
		Schema:         now,
		SchemaVersions: []*headwaterv1.SchemaVersion{now, version(noon.Add(-time.Hour), timestamppb.New(noon), id, id)},
		Attributes: &headwaterv1.NodeAttributes{
			Owners: []*headwaterv1.Owner{{Name: "team:data", Type: "MAINTAINER"}}, Documentation: "All\norders.", DatasetType: "TABLE",
			Tags: []*headwaterv1.Tag{{Key: "pii", Value: "true", Field: "email"}},
		},
		AttributeSources: []*headwaterv1.AttributeSource{
			{Attribute: headwaterv1.NodeAttribute_NODE_ATTRIBUTE_OWNERS, Producer: "ines", EventTime: timestamppb.New(noon)},
			{
				Attribute: headwaterv1.NodeAttribute_NODE_ATTRIBUTE_DESCRIPTIONS, Producer: "spark", EventTime: timestamppb.New(noon),
				Job: &headwaterv1.Job{Namespace: "airflow", Name: "load"},
			},
		},
		Aliases: []*headwaterv1.Dataset{{Namespace: "s3://lake", Name: "orders"}},
		Writers: []*headwaterv1.Writer{{
			Job: &headwaterv1.Job{Namespace: "airflow", Name: "load"}, Origin: headwaterv1.Origin_ORIGIN_OBSERVED, LastObservedAt: timestamppb.New(noon),
		}},
	}, render.Style{Now: noon.Add(2 * time.Hour)})
	for _, line := range []string{
		"warehouse orders\n", "  also s3://lake orders\n", "  type     TABLE\n", "  owner    team:data (MAINTAINER)\n           said at 2026-07-19 12:00:00 UTC by ines\n", "  tag      pii=true on email\n",
		"  about    All orders.\n", "  dropped  2026-07-19 13:00:00 UTC\n", "  by a run that wrote it of spark since 2026-07-19 12:00:00 UTC\n",
		"  id  bigint  since 2026-07-19 12:00:00 UTC  The key of an order.\n",
		"  fields described at 2026-07-19 12:00:00 UTC by job airflow load, reported by spark\n",
		"  2026-07-19 11:00:00 UTC to 2026-07-19 12:00:00 UTC: 2 fields, by a run that wrote it of spark\n",
		"  airflow load, observed, 2 hours ago\n",
	} {
		require.Contains(t, text, line)
	}
}

func TestEdgeSaysThatItsDatasetWasDroppedAndWhoStatedIt(t *testing.T) {
	t.Parallel()
	node := func(id, name string, depth int32) *headwaterv1.Node {
		return &headwaterv1.Node{Id: id, Depth: depth, Node: &headwaterv1.Node_Dataset{Dataset: &headwaterv1.Dataset{Namespace: "warehouse", Name: name}}}
	}
	text := render.Tree(&headwaterv1.TraverseResponse{
		Nodes: []*headwaterv1.Node{node("a", "staging", 0), node("b", "orders", 1)},
		Edges: []*headwaterv1.Edge{{
			From: "b", To: "a", Origin: headwaterv1.Origin_ORIGIN_MANUAL, Producer: "ines", Dropped: true, ValidFrom: timestamppb.Now(),
		}},
		Completeness: &headwaterv1.Completeness{Complete: true},
	}, headwaterv1.Direction_DIRECTION_UPSTREAM, render.Style{Now: time.Now()})
	require.Contains(t, text, "stated by ines")
	require.Contains(t, text, "dropped since")
}
