package gateway

import (
	"context"
	"encoding/base64"
	"encoding/json/v2"
	"fmt"

	"connectrpc.com/connect/v2"
	"google.golang.org/protobuf/types/known/timestamppb"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
)

// defaultComparisons is how many outputs a page of CompareDeclared has at most, unless the caller says otherwise.
const defaultComparisons = 100

// CompareDeclared implements headwater.v1.LineageService.
func (s *lineageService) CompareDeclared(ctx context.Context, req *headwaterv1.CompareDeclaredRequest) (*headwaterv1.CompareDeclaredResponse, error) {
	sight, err := s.policy.Visibility(ctx, callerOf(ctx))
	if err != nil {
		return nil, unavailable(err)
	}
	request, err := compareRequest(req)
	if err != nil {
		return nil, err
	}
	request.Show, request.SeesAll = sight.Show, !sight.Restricted()
	comparison, err := s.projections.CompareDeclared(ctx, request)
	if err != nil {
		return nil, unavailable(err)
	}
	response := &headwaterv1.CompareDeclaredResponse{Restricted: sight.Restricted(), Projection: viewOf(comparison.View)}
	for _, output := range comparison.Outputs {
		response.Outputs = append(response.Outputs, comparedOutputOf(output))
	}
	if comparison.More {
		response.NextPageToken = pageAfter(comparison.Outputs[len(comparison.Outputs)-1].Output)
	}
	return response, nil
}

// compareRequest puts the defaults where the request is silent.
func compareRequest(req *headwaterv1.CompareDeclaredRequest) (projection.CompareRequest, error) {
	request := projection.CompareRequest{
		Namespace: lineage.WithoutSecrets(req.GetNamespace()), Name: lineage.WithoutSecrets(req.GetName()),
		RecordedAt: lineage.Offset(req.GetRecordedAt()), Lookback: defaultLookback, Limit: defaultComparisons,
	}
	for _, agreement := range req.GetAgreements() {
		request.Agreements = append(request.Agreements, projection.Agreement(agreement))
	}
	if req.ValidAt != nil {
		request.ValidAt = req.GetValidAt().AsTime()
	}
	if req.Lookback != nil {
		request.Lookback = req.GetLookback().AsDuration()
	}
	if req.PageSize != nil {
		request.Limit = int(req.GetPageSize())
	}
	var err error
	request.After, err = datasetBefore(req.GetPageToken())
	return request, err
}

// pageAfter is the token of the page after a dataset, which the caller was shown.
func pageAfter(last lineage.DatasetID) string {
	encoded, _ := json.Marshal(last) // two strings
	return base64.RawURLEncoding.EncodeToString(encoded)
}

// datasetBefore is the dataset that a page begins after; zero for the first page.
func datasetBefore(token string) (last lineage.DatasetID, err error) {
	if token == "" {
		return last, nil
	}
	encoded, err := base64.RawURLEncoding.DecodeString(token)
	if err == nil {
		err = json.Unmarshal(encoded, &last)
	}
	if err != nil {
		return last, connect.NewError(connect.CodeInvalidArgument, "page_token is none that this question gave").
			WithCause(fmt.Errorf("read the page token: %w", err))
	}
	return last, nil
}

func comparedOutputOf(output projection.ComparedOutput) *headwaterv1.ComparedOutput {
	answered := &headwaterv1.ComparedOutput{
		Output:    &headwaterv1.Dataset{Namespace: output.Output.Namespace, Name: output.Output.Name},
		Agreement: headwaterv1.Agreement(output.Agreement),
	}
	for _, input := range output.Inputs {
		compared := &headwaterv1.ComparedInput{Input: &headwaterv1.Dataset{Namespace: input.Input.Namespace, Name: input.Input.Name}}
		for _, claim := range input.Claims {
			of := map[lineage.Origin]*[]*headwaterv1.Claim{
				lineage.Declared: &compared.Declared, lineage.Observed: &compared.Observed, lineage.Manual: &compared.Manual,
			}[claim.Origin]
			*of = append(*of, claimOf(claim))
		}
		answered.Inputs = append(answered.Inputs, compared)
	}
	return answered
}

func claimOf(claim projection.Claim) *headwaterv1.Claim {
	answered := &headwaterv1.Claim{Producer: claim.Producer, LastAt: timestamppb.New(claim.LastAt)}
	if claim.Job != nil {
		answered.Job = jobOf(*claim.Job)
	}
	return answered
}
