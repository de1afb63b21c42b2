package gateway

import (
	"context"
	"errors"
	"fmt"

	"connectrpc.com/connect/v2"
	"google.golang.org/protobuf/types/known/timestamppb"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/projection"
)

// projectionService shows the projections and proves that they are folds of the log.
type projectionService struct {
	projections *projection.Store
}

// ListProjections implements headwater.v1.ProjectionService.
func (s *projectionService) ListProjections(ctx context.Context, _ *headwaterv1.ListProjectionsRequest) (*headwaterv1.ListProjectionsResponse, error) {
	projections, err := s.projections.List(ctx)
	if err != nil {
		return nil, unavailable(err)
	}
	response := &headwaterv1.ListProjectionsResponse{}
	for _, p := range projections {
		response.Projections = append(response.Projections, &headwaterv1.Projection{
			Name:      p.Name,
			Status:    projectionStatuses[p.Status],
			Resolver:  p.Resolver,
			Position:  positionOf(p.Cursor),
			CreatedAt: timestamppb.New(p.CreatedAt),
			NameRules: p.NameRules,
		})
	}
	return response, nil
}

var projectionStatuses = map[projection.Status]headwaterv1.ProjectionStatus{
	projection.Building:   headwaterv1.ProjectionStatus_PROJECTION_STATUS_BUILDING,
	projection.CatchingUp: headwaterv1.ProjectionStatus_PROJECTION_STATUS_CATCHING_UP,
	projection.Ready:      headwaterv1.ProjectionStatus_PROJECTION_STATUS_READY,
	projection.Active:     headwaterv1.ProjectionStatus_PROJECTION_STATUS_ACTIVE,
	projection.Retired:    headwaterv1.ProjectionStatus_PROJECTION_STATUS_RETIRED,
}

// GetDigest implements headwater.v1.ProjectionService.
func (s *projectionService) GetDigest(ctx context.Context, req *headwaterv1.GetDigestRequest) (*headwaterv1.GetDigestResponse, error) {
	p, err := s.named(ctx, req.GetName())
	if err != nil {
		return nil, err
	}
	digests, err := s.projections.Digest(ctx, p.ID)
	if err != nil {
		return nil, unavailable(fmt.Errorf("digest projection %q: %w", p.Name, err))
	}
	return &headwaterv1.GetDigestResponse{
		Name:          p.Name,
		Position:      positionOf(digests.Cursor),
		StateDigest:   digests.State,
		HistoryDigest: digests.History,
	}, nil
}

// named finds a projection by its name; without one, the active.
func (s *projectionService) named(ctx context.Context, name string) (projection.Projection, error) {
	if name == "" {
		p, err := s.projections.Active(ctx)
		if err != nil {
			return p, unavailable(err)
		}
		return p, nil
	}
	p, err := s.projections.Get(ctx, name)
	switch {
	case errors.Is(err, projection.ErrNotFound):
		return p, connect.Errorf(connect.CodeNotFound, "no projection is named %q", name)
	case err != nil:
		return p, unavailable(err)
	}
	return p, nil
}
