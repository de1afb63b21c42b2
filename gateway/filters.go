package gateway

import (
	"connectrpc.com/connect/v2"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
)

// filtersOf are what a traversal leaves out. The numbers of the contract's words are those of the domain's.
func filtersOf(req *headwaterv1.TraverseRequest) projection.Filters {
	filters := projection.Filters{Environment: req.GetEnvironment(), WithoutDropped: req.GetWithoutDropped()}
	for _, origin := range req.GetOrigins() {
		filters.Origins = append(filters.Origins, lineage.Origin(origin))
	}
	for _, publication := range req.GetPublications() {
		filters.Publications = append(filters.Publications, lineage.Publication(publication))
	}
	return filters
}

// checkEnvironment refuses a walk within an environment that began outside of it: its answer has nothing but the start, and
// mostly the environment is misspelled.
func checkEnvironment(asked string, answer projection.TraverseAnswer) error {
	start := answer.Nodes[0]
	if asked == "" || start.Kind == lineage.NodeJob {
		return nil
	}
	if lies := answer.View.Names.Environment(start.Namespace); lies != asked {
		return connect.Errorf(connect.CodeInvalidArgument, "environment: the start lies in environment %q, not in %q; ListNamespaces, or headwater namespaces list, tells that of each namespace",
			lies, asked)
	}
	return nil
}
