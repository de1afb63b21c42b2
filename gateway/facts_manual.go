package gateway

import (
	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/lineage"
)

func manualEdgeOf(edge *headwaterv1.ManualEdge) lineage.ManualEdge {
	stated := lineage.ManualEdge{
		From:  lineage.NewDatasetID(edge.GetFrom().GetNamespace(), edge.GetFrom().GetName()),
		To:    lineage.NewDatasetID(edge.GetTo().GetNamespace(), edge.GetTo().GetName()),
		Ended: edge.GetEnded(),
	}
	if edge.GetJob() != nil {
		stated.Job = jobIDOf(edge.GetJob())
	}
	return stated
}
