package gateway_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"connectrpc.com/connect/v2"
	"connectrpc.com/connect/v2/connecthttp"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/headwater-data/headwater/gateway"
	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/gen/headwater/v1/headwaterv1connect"
	"github.com/headwater-data/headwater/lineage"
)

func (b *bundle) ingest(options ...connecthttp.Option) headwaterv1connect.IngestServiceClient {
	return headwaterv1connect.NewIngestServiceClient(connect.NewClient(connecthttp.NewTransport(http.DefaultClient, b.url, options...)))
}

// submit sends envelopes and gives their receipts.
func (b *bundle) submit(t *testing.T, events ...*headwaterv1.Event) []*headwaterv1.Receipt {
	t.Helper()
	response, err := b.ingest().SubmitEvents(t.Context(), &headwaterv1.SubmitEventsRequest{Events: events})
	require.NoError(t, err)
	require.Len(t, response.GetReceipts(), len(events))
	return response.GetReceipts()
}

// envelope is a COMPLETE of a run of spark-prod's daily_orders, as the contract's example has it.
func envelope(eventID string) *headwaterv1.Event {
	return &headwaterv1.Event{
		EventId:       eventID,
		Producer:      "spark-prod-eu",
		SchemaVersion: "1.0",
		EmittedAt:     timestamppb.New(time.Date(2026, 7, 19, 0, 0, 0, 0, time.UTC)),
		Job:           &headwaterv1.EventJob{Namespace: "spark-prod", Name: "daily_orders"},
		RunId:         "53ee3770-86fa-4cb9-8c31-a09072dd88f7",
		State:         new("COMPLETE"),
		Inputs:        []*headwaterv1.EventDataset{{Namespace: "warehouse-prod", Name: "raw.orders"}},
		Outputs:       []*headwaterv1.EventDataset{{Namespace: "warehouse-prod", Name: "mart.daily_orders"}},
	}
}

func TestPlainJSONEnvelope(t *testing.T) {
	t.Parallel()
	b := setup(t)
	answered := b.post(t, "/headwater.v1.IngestService/SubmitEvents", []byte(`{"events":[{
		"eventId": "producer-unique-id", "producer": "spark-prod-eu", "schemaVersion": "1.0", "emittedAt": "2026-07-19T00:00:00Z",
		"job": {"namespace": "spark-prod", "name": "daily_orders"}, "runId": "53ee3770-86fa-4cb9-8c31-a09072dd88f7",
		"state": "COMPLETE", "inputs": [{"namespace": "warehouse-prod", "name": "raw.orders"}],
		"outputs": [{"namespace": "warehouse-prod", "name": "mart.daily_orders"}]}]}`))
	require.Equal(t, http.StatusOK, answered.Status)
	receipt := answered.Body["receipts"].([]any)[0].(map[string]any)
	require.Equal(t, "producer-unique-id", receipt["eventId"])
	accepted := receipt["accepted"].(map[string]any)
	require.Equal(t, "1", accepted["offset"])
	require.Equal(t, false, accepted["duplicate"])

	entry := b.entries(t)[0]
	require.Equal(t, lineage.FormatEnvelope, entry.Format)
	require.Equal(t, "spark-prod-eu", entry.Producer)
	event, err := lineage.Decode(entry.Format, entry.Payload, lineage.DefaultLimits())
	require.NoError(t, err)
	require.Equal(t, lineage.Complete, event.Type)
	require.Equal(t, event.RunHash(), entry.Run)
	require.Equal(t, "raw.orders", event.Inputs[0].Name)
}

func TestEnvelopeMayCarryAnOpenLineageDocument(t *testing.T) {
	t.Parallel()
	b := setup(t)
	document, err := structpb.NewStruct(map[string]any{
		"eventTime": "2026-07-19T00:00:00Z", "job": map[string]any{"namespace": "spark-prod", "name": "daily_orders"},
		"run": map[string]any{"runId": "53ee3770-86fa-4cb9-8c31-a09072dd88f7"}, "eventType": "START",
	})
	require.NoError(t, err)
	carrier := envelope("a")
	carrier.Job, carrier.RunId, carrier.State, carrier.OpenLineage = nil, "", nil, document
	require.NotNil(t, b.submit(t, carrier)[0].GetAccepted())
}

func TestARetryMayDifferInWhenItWasSent(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.submit(t, envelope("a"))[0].GetAccepted()
	retry := envelope("a")
	retry.EmittedAt = timestamppb.Now()
	again := b.submit(t, retry)[0].GetAccepted()
	require.True(t, again.GetDuplicate())
	require.Equal(t, first.GetOffset(), again.GetOffset())

	other := envelope("a")
	other.State = new("FAIL")
	rejected := b.submit(t, other)[0].GetRejected()
	require.Equal(t, "conflict", rejected.GetCode())
	require.Positive(t, rejected.GetQuarantineId())
	require.Len(t, b.entries(t), 1)
}

func TestOneBadEnvelopeCostsOnlyItself(t *testing.T) {
	t.Parallel()
	b := setup(t)
	bad := map[string]func(*headwaterv1.Event){
		"no id":         func(e *headwaterv1.Event) { e.EventId = "" },
		"no producer":   func(e *headwaterv1.Event) { e.Producer = "" },
		"version":       func(e *headwaterv1.Event) { e.SchemaVersion = "2.0" },
		"state":         func(e *headwaterv1.Event) { e.State = new("DONE") },
		"no job":        func(e *headwaterv1.Event) { e.Job = nil },
		"no run":        func(e *headwaterv1.Event) { e.RunId = "" },
		"both forms":    func(e *headwaterv1.Event) { e.OpenLineage = &structpb.Struct{} },
		"time":          func(e *headwaterv1.Event) { e.EmittedAt.Seconds = 1 << 60 },
		"nameless data": func(e *headwaterv1.Event) { e.Inputs[0].Name = "" },
	}
	var events []*headwaterv1.Event
	for name, spoil := range bad {
		event := envelope(name)
		spoil(event)
		events = append(events, event)
	}
	receipts := b.submit(t, append(events, envelope("good"))...)
	for _, receipt := range receipts[:len(bad)] {
		require.NotEmpty(t, receipt.GetRejected().GetReason(), receipt.GetEventId())
		require.Positive(t, receipt.GetRejected().GetQuarantineId(), receipt.GetEventId())
	}
	require.NotNil(t, receipts[len(bad)].GetAccepted())
	require.Len(t, b.refused(t), len(bad))
}

func TestReceiptCanBeAskedForLater(t *testing.T) {
	t.Parallel()
	b := setup(t)
	accepted := b.submit(t, envelope("a"))[0].GetAccepted()
	answered, err := b.ingest().GetReceipt(t.Context(), &headwaterv1.GetReceiptRequest{Producer: "spark-prod-eu", EventId: "a"})
	require.NoError(t, err)
	require.Equal(t, accepted.GetOffset(), answered.GetReceipt().GetOffset())
	require.True(t, proto.Equal(accepted.GetReceivedAt(), answered.GetReceipt().GetReceivedAt()))
	_, err = b.ingest().GetReceipt(t.Context(), &headwaterv1.GetReceiptRequest{Producer: "spark-prod-eu", EventId: "b"})
	require.Equal(t, connect.CodeNotFound, connect.CodeOf(err))
}

func TestProducersSpeakAndReadForThemselvesAlone(t *testing.T) {
	t.Parallel()
	b := setup(t, closed)
	own, other := withToken(t, b.token(t, "spark-prod-eu", "spark-prod")), withToken(t, b.token(t, "other", "*"))
	request := &headwaterv1.SubmitEventsRequest{Events: []*headwaterv1.Event{envelope("a"), envelope("")}}

	response, err := b.ingest().SubmitEvents(other, request)
	require.NoError(t, err)
	require.Equal(t, "producer_forbidden", response.GetReceipts()[0].GetRejected().GetCode())
	response, err = b.ingest().SubmitEvents(own, request)
	require.NoError(t, err)
	require.NotNil(t, response.GetReceipts()[0].GetAccepted())

	receipt := &headwaterv1.GetReceiptRequest{Producer: "spark-prod-eu", EventId: "a"}
	_, err = b.ingest().GetReceipt(own, receipt)
	require.NoError(t, err)
	_, err = b.ingest().GetReceipt(other, receipt)
	require.Equal(t, connect.CodeNotFound, connect.CodeOf(err))

	kept, err := b.ingest().ListQuarantine(other, &headwaterv1.ListQuarantineRequest{})
	require.NoError(t, err)
	require.Len(t, kept.GetEvents(), 1)
	require.Equal(t, "other", kept.GetEvents()[0].GetProducer())
	theirs, err := b.ingest().ListQuarantine(other, &headwaterv1.ListQuarantineRequest{Producer: "spark-prod-eu"})
	require.NoError(t, err)
	require.Empty(t, theirs.GetEvents())
	_, err = b.ingest().ResubmitQuarantined(own, &headwaterv1.ResubmitQuarantinedRequest{QuarantineId: kept.GetEvents()[0].GetQuarantineId()})
	require.Equal(t, connect.CodeNotFound, connect.CodeOf(err))
}

func TestQuarantineIsListedByPages(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for range 5 {
		require.Equal(t, http.StatusBadRequest, b.post(t, singleDoor, []byte("{}")).Status)
	}
	var seen []int64
	for token := ""; ; {
		page, err := b.ingest().ListQuarantine(t.Context(), &headwaterv1.ListQuarantineRequest{PageSize: new(int32(2)), PageToken: token})
		require.NoError(t, err)
		for _, event := range page.GetEvents() {
			require.Equal(t, "missing_event_time", event.GetCode())
			require.EqualValues(t, 2, event.GetPayloadBytes())
			seen = append(seen, event.GetQuarantineId())
		}
		if token = page.GetNextPageToken(); token == "" {
			break
		}
	}
	require.Len(t, seen, 5)
	require.IsDecreasing(t, seen)
	_, err := b.ingest().ListQuarantine(t.Context(), &headwaterv1.ListQuarantineRequest{PageToken: "x"})
	require.Equal(t, connect.CodeInvalidArgument, connect.CodeOf(err))
}

func TestAQuarantinedEventIsResubmittedAfterTheFix(t *testing.T) {
	t.Parallel()
	strict := setup(t, func(c *gateway.Config) { c.Limits.Event.NameBytes = 5 })
	refused := strict.post(t, singleDoor, runEvent("START"))
	require.Equal(t, "name_too_long", refused.Body["code"])
	request := &headwaterv1.ResubmitQuarantinedRequest{QuarantineId: int64(refused.Body["quarantineId"].(float64))}

	again, err := strict.ingest().ResubmitQuarantined(t.Context(), request)
	require.NoError(t, err)
	require.Equal(t, request.GetQuarantineId(), again.GetReceipt().GetRejected().GetQuarantineId(), "it stays where it is")
	require.Len(t, strict.refused(t), 1)

	lenient := setup(t, strict.sharing)
	fixed, err := lenient.ingest().ResubmitQuarantined(t.Context(), request)
	require.NoError(t, err)
	require.EqualValues(t, 1, fixed.GetReceipt().GetAccepted().GetOffset())
	require.Equal(t, runEvent("START"), strict.entries(t)[0].Payload)
	listed, err := lenient.ingest().ListQuarantine(t.Context(), &headwaterv1.ListQuarantineRequest{})
	require.NoError(t, err)
	require.EqualValues(t, 1, listed.GetEvents()[0].GetResubmittedOffset())
}

func TestTooManyEnvelopesAtOnce(t *testing.T) {
	t.Parallel()
	b := setup(t, func(c *gateway.Config) { c.Limits.BatchEvents = 1 })
	b.submit(t, envelope("a"))
	_, err := b.ingest().SubmitEvents(t.Context(), &headwaterv1.SubmitEventsRequest{Events: []*headwaterv1.Event{envelope("b"), envelope("c")}})
	require.Equal(t, connect.CodeInvalidArgument, connect.CodeOf(err))
	_, err = b.ingest().SubmitEvents(t.Context(), &headwaterv1.SubmitEventsRequest{})
	require.Equal(t, connect.CodeInvalidArgument, connect.CodeOf(err))
}

func TestEveryProtocolIsSpoken(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for name, options := range map[string][]connecthttp.Option{
		"gRPC":     {connecthttp.WithGRPC()},
		"gRPC-Web": {connecthttp.WithGRPCWeb()},
		"Connect":  nil,
		"JSON":     {connecthttp.WithProtoJSON()},
	} {
		client := headwaterv1connect.NewIngestServiceClient(connect.NewClient(connecthttp.NewTransport(b.http2, b.url, options...)))
		response, err := client.SubmitEvents(t.Context(), &headwaterv1.SubmitEventsRequest{Events: []*headwaterv1.Event{envelope(name)}})
		require.NoError(t, err, name)
		require.NotNil(t, response.GetReceipts()[0].GetAccepted(), name)
	}
}

// withToken is a context whose calls carry credentials. It serves one call at a time.
func withToken(t *testing.T, authorization string) context.Context {
	t.Helper()
	ctx, call := connect.NewClientContext(t.Context())
	call.RequestHeader().Set("Authorization", authorization)
	return ctx
}
