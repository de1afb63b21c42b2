package gateway

import (
	"context"
	"strconv"

	"connectrpc.com/connect/v2"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
)

// ListWithdrawals implements headwater.v1.AdminService. The page token is the offset that the next page lies before.
func (s *adminService) ListWithdrawals(ctx context.Context, req *headwaterv1.ListWithdrawalsRequest) (*headwaterv1.ListWithdrawalsResponse, error) {
	before, size := lineage.OpenEnd, 50
	if req.PageSize != nil {
		size = int(req.GetPageSize())
	}
	if token := req.GetPageToken(); token != "" {
		offset, err := strconv.ParseInt(token, 10, 64)
		if err != nil || offset <= 0 {
			return nil, connect.NewError(connect.CodeInvalidArgument, "page_token is none that ListWithdrawals gave")
		}
		before = lineage.Offset(offset)
	}
	list, err := s.projections.Withdrawals(ctx, before, size)
	if err != nil {
		return nil, unavailable(err)
	}
	response := &headwaterv1.ListWithdrawalsResponse{Projection: viewOf(list.View)}
	for _, listed := range list.Withdrawals {
		response.Withdrawals = append(response.Withdrawals, listedWithdrawalOf(listed))
	}
	if list.More {
		response.NextPageToken = strconv.FormatInt(int64(list.Withdrawals[size-1].Offset), 10)
	}
	return response, nil
}

func listedWithdrawalOf(listed projection.ListedWithdrawal) *headwaterv1.ListedWithdrawal {
	answered := &headwaterv1.ListedWithdrawal{Withdrawal: withdrawnOf(&listed.StatedWithdrawal), Offset: int64(listed.Offset)}
	if event := listed.Event; event != (lineage.Sender{}) {
		answered.Subject = &headwaterv1.ListedWithdrawal_Event{Event: &headwaterv1.EventReference{Producer: event.Producer, EventId: event.EventID}}
	} else {
		answered.Subject = &headwaterv1.ListedWithdrawal_Run{Run: &headwaterv1.RunReference{RunId: listed.Run.RunID, Job: jobOf(listed.Run.Job)}}
	}
	return answered
}
