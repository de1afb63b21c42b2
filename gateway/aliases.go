package gateway

import (
	"context"
	"errors"
	"fmt"
	"time"

	"connectrpc.com/connect/v2"
	"google.golang.org/protobuf/types/known/timestamppb"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
)

// defaultAliasNames is how many names a page of ListAliases has at most, unless the caller says otherwise.
const defaultAliasNames = 100

// ListAliases implements headwater.v1.LineageService.
func (s *lineageService) ListAliases(ctx context.Context, req *headwaterv1.ListAliasesRequest) (*headwaterv1.ListAliasesResponse, error) {
	request, err := aliasRequest(req)
	if err != nil {
		return nil, err
	}
	sight, err := s.policy.Visibility(ctx, callerOf(ctx))
	if err != nil {
		return nil, unavailable(err)
	}
	request.Show, request.SeesAll = sight.Show, !sight.Restricted()
	list, err := s.projections.ListAliases(ctx, request)
	switch {
	case errors.Is(err, projection.ErrNotFound):
		return nil, connect.Errorf(connect.CodeNotFound, "no %s is known in namespace %q", describe(request.Of.Node()), request.Of.Namespace)
	case err != nil:
		return nil, unavailable(fmt.Errorf("list aliases: %w", err))
	}
	response := &headwaterv1.ListAliasesResponse{Projection: viewOf(list.View)}
	for _, listed := range list.Aliases {
		answered := &headwaterv1.ListedAlias{Alias: aliasOf(listed.AliasClaim), Holds: listed.Holds}
		for _, conflict := range listed.Conflicts {
			answered.Conflicts = append(answered.Conflicts, datasetOf(conflict))
		}
		response.Aliases = append(response.Aliases, answered)
	}
	if list.Next != (lineage.DatasetID{}) {
		response.NextPageToken = pageAfter(list.Next)
	}
	return response, nil
}

// aliasRequest puts the defaults where the request is silent.
func aliasRequest(req *headwaterv1.ListAliasesRequest) (projection.AliasRequest, error) {
	request := projection.AliasRequest{Limit: defaultAliasNames, RecordedAt: lineage.Offset(req.GetRecordedAt())}
	if req.Dataset != nil {
		request.Of = new(lineage.NewDatasetID(req.GetDataset().GetNamespace(), req.GetDataset().GetName()))
	}
	if req.ValidAt != nil {
		request.ValidAt = req.GetValidAt().AsTime()
	}
	if req.PageSize != nil {
		request.Limit = int(req.GetPageSize())
	}
	var err error
	request.After, err = datasetBefore(req.GetPageToken())
	return request, err
}

// aliasOf is an alias as the contract has it. The numbers of the sources are those of the contract.
func aliasOf(claim lineage.AliasClaim) *headwaterv1.Alias {
	return &headwaterv1.Alias{
		Name: datasetOf(claim.Name), Of: datasetOf(claim.Of), Source: headwaterv1.AliasSource(claim.Source),
		ValidFrom: timestampOf(claim.From), ValidTo: endOf(claim.To),
		Producer: claim.Producer, SourceEvent: claim.EventID, Canonical: claim.Canonical, Reason: claim.Reason,
	}
}

// endOf is nil for what has not ended.
func endOf(at time.Time) *timestamppb.Timestamp {
	if !at.Before(lineage.Forever) {
		return nil
	}
	return timestamppb.New(at)
}
