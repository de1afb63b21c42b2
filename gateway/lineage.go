package gateway

import (
	"context"
	"errors"
	"fmt"
	"time"

	"connectrpc.com/connect/v2"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/policy"
	"github.com/headwater-data/headwater/projection"
)

// What a traversal is bounded by unless the caller says otherwise, as the contract has it.
const (
	defaultDepth      = 3
	defaultNodeBudget = 10_000
	defaultEdgeBudget = 50_000
	defaultTimeBudget = 2 * time.Second
	defaultLookback   = 7 * 24 * time.Hour
)

// lineageService answers where data comes from and what is made of it.
type lineageService struct {
	projections *projection.Store
	policy      *policy.Engine
	ids         idKey
}

// Traverse implements headwater.v1.LineageService.
func (s *lineageService) Traverse(ctx context.Context, req *headwaterv1.TraverseRequest) (*headwaterv1.TraverseResponse, error) {
	start, err := nodeOf(req.GetStart())
	if err != nil {
		return nil, err
	}
	sight, err := s.policy.Visibility(ctx, callerOf(ctx))
	if err != nil {
		return nil, unavailable(err)
	}
	answer, err := s.projections.Traverse(ctx, traversal(req, start, sight))
	switch {
	case errors.Is(err, projection.ErrNotFound):
		return nil, connect.Errorf(connect.CodeNotFound, "no %s is known in namespace %q", describe(start), start.Namespace)
	case err != nil:
		return nil, unavailable(fmt.Errorf("traverse: %w", err))
	}
	if err := checkEnvironment(req.GetEnvironment(), answer); err != nil {
		return nil, err
	}
	return s.traverseResponse(answer, sight.Restricted()), nil
}

// nodeOf is the node of the graph that a request names.
func nodeOf(reference *headwaterv1.NodeReference) (lineage.Node, error) {
	switch node := reference.GetNode().(type) {
	case *headwaterv1.NodeReference_Dataset:
		return lineage.NewDatasetID(node.Dataset.GetNamespace(), node.Dataset.GetName()).Node(), nil
	case *headwaterv1.NodeReference_Job:
		return jobIDOf(node.Job).Node(), nil
	default:
		return fieldOf(reference.GetField()), nil
	}
}

func describe(node lineage.Node) string {
	kind := "dataset"
	if node.Kind == lineage.NodeJob {
		kind = "job"
	}
	return fmt.Sprintf("%s %q", kind, node.Name)
}

// traversal puts the defaults where the request is silent.
func traversal(req *headwaterv1.TraverseRequest, start lineage.Node, sight *policy.View) projection.TraverseRequest {
	t := projection.TraverseRequest{
		Start:      start,
		Directions: directions[req.GetDirection()],
		Depth:      defaultDepth,
		RecordedAt: lineage.Offset(req.GetRecordedAt()),
		Lookback:   defaultLookback,
		NodeBudget: defaultNodeBudget,
		EdgeBudget: defaultEdgeBudget,
		TimeBudget: defaultTimeBudget,
		Collapse:   req.GetCollapse(),
		Show:       sight.Show,
		SeesAll:    !sight.Restricted(),
	}
	t.Transformations = transformationKinds(req.GetTransformations())
	t.Filters = filtersOf(req)
	if req.Depth != nil {
		t.Depth = int(req.GetDepth())
	}
	if req.ValidAt != nil {
		t.ValidAt = req.GetValidAt().AsTime()
	}
	if req.Lookback != nil {
		t.Lookback = req.GetLookback().AsDuration()
	}
	if req.NodeBudget != nil {
		t.NodeBudget = int(req.GetNodeBudget())
	}
	if req.EdgeBudget != nil {
		t.EdgeBudget = int(req.GetEdgeBudget())
	}
	if req.TimeBudget != nil {
		t.TimeBudget = req.GetTimeBudget().AsDuration()
	}
	return t
}

var directions = map[headwaterv1.Direction][]projection.Direction{
	headwaterv1.Direction_DIRECTION_UPSTREAM:   {projection.Upstream},
	headwaterv1.Direction_DIRECTION_DOWNSTREAM: {projection.Downstream},
	headwaterv1.Direction_DIRECTION_BOTH:       {projection.Upstream, projection.Downstream},
}
