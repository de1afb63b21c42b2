package main

import (
	"context"
	"testing"

	"connectrpc.com/connect/v2"
	"github.com/stretchr/testify/require"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/gen/headwater/v1/headwaterv1connect"
)

// quarantineGateway has one refused event, and answers its resubmission with a receipt.
type quarantineGateway struct {
	headwaterv1connect.UnimplementedIngestServiceHandler
	event   *headwaterv1.QuarantinedEvent
	listed  *headwaterv1.ListQuarantineRequest
	receipt *headwaterv1.Receipt
}

func (g *quarantineGateway) ListQuarantine(_ context.Context, request *headwaterv1.ListQuarantineRequest) (*headwaterv1.ListQuarantineResponse, error) {
	g.listed = request
	return &headwaterv1.ListQuarantineResponse{Events: []*headwaterv1.QuarantinedEvent{g.event}, NextPageToken: "17"}, nil
}

func (g *quarantineGateway) GetQuarantined(context.Context, *headwaterv1.GetQuarantinedRequest) (*headwaterv1.GetQuarantinedResponse, error) {
	return &headwaterv1.GetQuarantinedResponse{Event: g.event, Payload: `{"a": "***"}`, Redacted: true}, nil
}

func (g *quarantineGateway) ResubmitQuarantined(context.Context, *headwaterv1.ResubmitQuarantinedRequest) (*headwaterv1.ResubmitQuarantinedResponse, error) {
	return &headwaterv1.ResubmitQuarantinedResponse{Receipt: g.receipt}, nil
}

func TestQuarantineIsLookedAtAndResubmitted(t *testing.T) {
	g := &quarantineGateway{event: &headwaterv1.QuarantinedEvent{QuarantineId: 17, Producer: "spark-eu", Code: "too_deep", Reason: "nests deeper", PayloadBytes: 9}}
	address := serve(t, func(services *connect.Server) { headwaterv1connect.RegisterIngestServiceHandler(services, g) })
	quarantine := func(args ...string) (string, error) {
		stdout, _, err := printed(t, append(append([]string{"quarantine"}, args...), "--server", address)...)
		return stdout, err
	}
	stdout, err := quarantine("list", "--producer", "spark-eu", "--limit", "1")
	require.NoError(t, err)
	require.Equal(t, "17  –  from spark-eu, 9 bytes\n  too_deep: nests deeper\nthere are more: --page 17\n", stdout)
	require.Equal(t, "spark-eu", g.listed.GetProducer())
	require.EqualValues(t, 1, g.listed.GetPageSize())

	stdout, err = quarantine("show", "17")
	require.NoError(t, err)
	require.Contains(t, stdout, "document, with *** in place of credentials\n{\n  \"a\": \"***\"\n}\n")

	g.receipt = &headwaterv1.Receipt{Outcome: &headwaterv1.Receipt_Accepted{Accepted: &headwaterv1.Accepted{Offset: 4711}}}
	stdout, err = quarantine("resubmit", "17")
	require.NoError(t, err)
	require.Equal(t, "recorded at offset 4711\n", stdout)
	g.receipt = &headwaterv1.Receipt{Outcome: &headwaterv1.Receipt_Rejected{Rejected: &headwaterv1.Rejected{Reason: "nests deeper"}}}
	_, err = quarantine("resubmit", "17")
	require.EqualError(t, err, "it is refused again: nests deeper")
	_, err = quarantine("show", "0")
	require.ErrorContains(t, err, "begin at 1")
}
