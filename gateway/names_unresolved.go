package gateway

import (
	"context"
	"encoding/base64"
	"encoding/json/v2"
	"errors"

	"connectrpc.com/connect/v2"
	"google.golang.org/protobuf/types/known/timestamppb"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
)

// ListUnresolved implements headwater.v1.AdminService. The page token is the last name of the page.
func (s *nameService) ListUnresolved(ctx context.Context, req *headwaterv1.ListUnresolvedRequest) (*headwaterv1.ListUnresolvedResponse, error) {
	filter := projection.UnresolvedFilter{
		Namespace: req.GetNamespace(), Producer: req.GetProducer(), Dismissed: req.GetDismissed(), Limit: 50,
	}
	if req.PageSize != nil {
		filter.Limit = int(req.GetPageSize())
	}
	if token := req.GetPageToken(); token != "" {
		if err := readNameToken(token, &filter.After); err != nil {
			return nil, connect.NewError(connect.CodeInvalidArgument, "page_token is none that ListUnresolved gave")
		}
	}
	show, err := s.show(ctx)
	if err != nil {
		return nil, unavailable(err)
	}
	filter.Show = show
	list, err := s.projections.Unresolved(ctx, filter)
	if err != nil {
		return nil, unavailable(err)
	}
	response := &headwaterv1.ListUnresolvedResponse{
		ByNamespace: countsOf(list.ByNamespace), ByProducer: countsOf(list.ByProducer), Projection: viewOf(list.View),
	}
	for _, name := range list.Names {
		response.Names = append(response.Names, unresolvedOf(name))
	}
	if list.More {
		response.NextPageToken, err = nameToken(list.Names[len(list.Names)-1].DatasetID)
	}
	return response, err
}

// GetUnresolved implements headwater.v1.AdminService.
func (s *nameService) GetUnresolved(ctx context.Context, req *headwaterv1.GetUnresolvedRequest) (*headwaterv1.GetUnresolvedResponse, error) {
	dataset := lineage.NewDatasetID(req.GetDataset().GetNamespace(), req.GetDataset().GetName())
	show, err := s.show(ctx)
	if err != nil {
		return nil, unavailable(err)
	}
	detail, err := s.projections.UnresolvedName(ctx, dataset, show)
	switch {
	case errors.Is(err, projection.ErrNotFound):
		return nil, connect.Errorf(connect.CodeNotFound, "no name %q that does not fit is known in namespace %q", dataset.Name, dataset.Namespace)
	case err != nil:
		return nil, unavailable(err)
	}
	response := &headwaterv1.GetUnresolvedResponse{
		Name: unresolvedOf(detail.UnresolvedName), Candidates: datasetsOf(detail.Candidates), Projection: viewOf(detail.View),
	}
	for _, use := range detail.Uses {
		response.Uses = append(response.Uses, nameUseOf(use))
	}
	return response, nil
}

func unresolvedOf(name projection.UnresolvedName) *headwaterv1.UnresolvedName {
	answered := &headwaterv1.UnresolvedName{
		Misfit: misfitOf(name.Misfit), Events: name.Events, Producers: name.Producers, LastUsedAt: timestampOf(name.LastUsedAt),
	}
	if said := name.Dismissal; said != nil {
		answered.Dismissal = &headwaterv1.Dismissal{By: said.By, Reason: said.Reason, EventTime: timestamppb.New(said.EventTime)}
	}
	return answered
}

func nameUseOf(use projection.NameUse) *headwaterv1.NameUse {
	answered := &headwaterv1.NameUse{Producer: use.Producer, EventId: use.EventID, EventTime: timestamppb.New(use.EventTime)}
	if use.Job != (lineage.JobID{}) {
		answered.Job = jobOf(use.Job)
	}
	if use.RunID != "" {
		answered.RunId = &use.RunID
	}
	return answered
}

func countsOf(counts []projection.UnresolvedCount) []*headwaterv1.UnresolvedCount {
	var answered []*headwaterv1.UnresolvedCount
	for _, count := range counts {
		answered = append(answered, &headwaterv1.UnresolvedCount{Of: count.Of, Names: count.Names})
	}
	return answered
}

func nameToken(last lineage.DatasetID) (string, error) {
	encoded, err := json.Marshal(last)
	return base64.RawURLEncoding.EncodeToString(encoded), err
}

func readNameToken(token string, last *lineage.DatasetID) error {
	encoded, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil {
		return err
	}
	return json.Unmarshal(encoded, last)
}
