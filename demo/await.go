package demo

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"connectrpc.com/connect/v2"
	"connectrpc.com/connect/v2/connecthttp"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/gen/headwater/v1/headwaterv1connect"
	"github.com/headwater-data/headwater/lineage"
)

// Await waits, after [Send], until every run is decided and the lineage of MainOutput reaches all its sources. It
// asks again and again until ctx is done; the error then says what the last answer lacked.
func Await(ctx context.Context, client *http.Client, server string) error {
	service := headwaterv1connect.NewLineageServiceClient(connect.NewClient(connecthttp.NewTransport(client, server)))
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		err := reachesSources(ctx, service)
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the lineage of the demo is not there: %w", err)
		case <-tick.C:
		}
	}
}

func reachesSources(ctx context.Context, service headwaterv1connect.LineageServiceClient) error {
	answer, err := service.Traverse(ctx, &headwaterv1.TraverseRequest{
		Start: &headwaterv1.NodeReference{Node: &headwaterv1.NodeReference_Dataset{
			Dataset: &headwaterv1.Dataset{Namespace: MainOutput.Namespace, Name: MainOutput.Name},
		}},
		Direction: headwaterv1.Direction_DIRECTION_UPSTREAM,
		Depth:     new(int32(Depth)),
	})
	if err != nil {
		return err
	}
	if waiting := answer.GetProjection().GetRunsAwaitingDecision(); waiting > 0 {
		return fmt.Errorf("%d runs await a publication decision", waiting)
	}
	found := map[lineage.DatasetID]bool{}
	for _, node := range answer.GetNodes() {
		found[lineage.DatasetID{Namespace: node.GetDataset().GetNamespace(), Name: node.GetDataset().GetName()}] = true
	}
	for _, source := range []table{orders, customers, clicks} {
		if !found[source.DatasetID] {
			return fmt.Errorf("%s %s is not upstream of %s %s",
				source.Namespace, source.Name, MainOutput.Namespace, MainOutput.Name)
		}
	}
	return nil
}
