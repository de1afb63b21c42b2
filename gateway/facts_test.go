package gateway_test

import (
	"net/http"
	"testing"
	"time"

	"connectrpc.com/connect/v2"
	"connectrpc.com/connect/v2/connecthttp"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/gen/headwater/v1/headwaterv1connect"
	"github.com/headwater-data/headwater/lineage"
)

// withdrawn takes one event out of the answers.
func withdrawn(producer, eventID string) *headwaterv1.Fact {
	return &headwaterv1.Fact{
		EventTime: timestamppb.New(time.Date(2026, 7, 19, 0, 1, 0, 0, time.UTC)), Reason: "sent by a test",
		Fact: &headwaterv1.Fact_EvidenceWithdrawn{EvidenceWithdrawn: &headwaterv1.EvidenceWithdrawn{
			Subject: &headwaterv1.EvidenceWithdrawn_Event{Event: &headwaterv1.EventReference{Producer: producer, EventId: eventID}},
		}},
	}
}

func TestFactIsKeptInTheLogInTheNameOfItsCaller(t *testing.T) {
	t.Parallel()
	b := setup(t)
	fact := withdrawn("spark-prod-eu", "a")
	response, err := b.admin().SubmitFacts(t.Context(), &headwaterv1.SubmitFactsRequest{Facts: []*headwaterv1.Fact{fact, fact}})
	require.NoError(t, err)
	require.NotEmpty(t, response.GetReceipts()[0].GetEventId())
	require.True(t, response.GetReceipts()[1].GetAccepted().GetDuplicate())

	entry := b.entries(t)[0]
	event, err := lineage.Decode(entry.Format, entry.Payload, lineage.DefaultLimits())
	require.NoError(t, err)
	require.Equal(t, lineage.Attribution{EventTime: fact.GetEventTime().AsTime(), By: "dev", Reason: "sent by a test"}, event.Attribution)
	require.Equal(t, lineage.Withdrawal{Event: lineage.Sender{Producer: "spark-prod-eu", EventID: "a"}}, event.Fact)
}

func TestOneBadFactCostsOnlyItself(t *testing.T) {
	t.Parallel()
	b := setup(t)
	bad := map[string]func(*headwaterv1.Fact){
		"nothing stated":    func(f *headwaterv1.Fact) { f.Fact = nil },
		"no subject":        func(f *headwaterv1.Fact) { f.GetEvidenceWithdrawn().Subject = nil },
		"no id":             func(f *headwaterv1.Fact) { f.GetEvidenceWithdrawn().GetEvent().EventId = "" },
		"time out of range": func(f *headwaterv1.Fact) { f.EventTime = &timestamppb.Timestamp{Seconds: 1 << 60} },
	}
	request := &headwaterv1.SubmitFactsRequest{Facts: []*headwaterv1.Fact{withdrawn("spark-prod-eu", "good")}}
	for _, spoil := range bad {
		fact := withdrawn("spark-prod-eu", "bad")
		spoil(fact)
		request.Facts = append(request.Facts, fact)
	}
	response, err := b.admin().SubmitFacts(t.Context(), request)
	require.NoError(t, err)
	require.NotNil(t, response.GetReceipts()[0].GetAccepted())
	for _, receipt := range response.GetReceipts()[1:] {
		require.NotEmpty(t, receipt.GetRejected().GetReason())
		require.NotZero(t, receipt.GetRejected().GetQuarantineId())
	}
	require.Len(t, b.entries(t), 1)
}

func (b *bundle) admin() headwaterv1connect.AdminServiceClient {
	return headwaterv1connect.NewAdminServiceClient(connect.NewClient(connecthttp.NewTransport(http.DefaultClient, b.url)))
}
