package gateway

import (
	"context"
	"encoding/json/jsontext"
	"errors"
	"strconv"

	"buf.build/go/protovalidate"
	"connectrpc.com/connect/v2"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/headwater-data/headwater/eventlog"
	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/policy"
)

// ingestService takes envelopes. What is stored of one is its canonical protobuf JSON, whatever encoding it came in.
type ingestService struct {
	intake *intake
	events *eventReader
}

// SubmitEvents implements headwater.v1.IngestService.
func (s *ingestService) SubmitEvents(ctx context.Context, req *headwaterv1.SubmitEventsRequest) (*headwaterv1.SubmitEventsResponse, error) {
	receipts, err := submitEach(ctx, s.intake, doorIngest, "events", req.GetEvents(), submissionOf)
	if err != nil {
		return nil, err
	}
	return &headwaterv1.SubmitEventsResponse{Receipts: receipts}, nil
}

// GetReceipt implements headwater.v1.IngestService. A producer finds its own receipts only.
func (s *ingestService) GetReceipt(ctx context.Context, req *headwaterv1.GetReceiptRequest) (*headwaterv1.GetReceiptResponse, error) {
	receipt, err := s.intake.log.Receipt(ctx, req.GetProducer(), req.GetEventId())
	switch {
	case errors.Is(err, eventlog.ErrNotFound), err == nil && !mayReadOf(callerOf(ctx), req.GetProducer()):
		return nil, connect.Errorf(connect.CodeNotFound, "no event %q of producer %q was accepted", req.GetEventId(), req.GetProducer())
	case err != nil:
		return nil, unavailable(err)
	}
	return &headwaterv1.GetReceiptResponse{Receipt: acceptedOf(receipt)}, nil
}

// ListQuarantine implements headwater.v1.IngestService. The page token is the id that the next page lies before.
func (s *ingestService) ListQuarantine(ctx context.Context, req *headwaterv1.ListQuarantineRequest) (*headwaterv1.ListQuarantineResponse, error) {
	producer := req.GetProducer()
	if caller := callerOf(ctx); caller.Kind == policy.Producer {
		if producer != "" && producer != caller.Name {
			return &headwaterv1.ListQuarantineResponse{}, nil
		}
		producer = caller.Name
	}
	var before eventlog.QuarantineID
	if token := req.GetPageToken(); token != "" {
		id, err := strconv.ParseInt(token, 10, 64)
		if err != nil || id <= 0 {
			return nil, connect.NewError(connect.CodeInvalidArgument, "page_token is none that ListQuarantine gave")
		}
		before = eventlog.QuarantineID(id)
	}
	size := 50
	if req.PageSize != nil {
		size = int(req.GetPageSize())
	}
	documents, err := s.intake.quarantine.List(ctx, producer, before, size)
	if err != nil {
		return nil, unavailable(err)
	}
	response := &headwaterv1.ListQuarantineResponse{Events: make([]*headwaterv1.QuarantinedEvent, len(documents))}
	for i, document := range documents {
		response.Events[i] = quarantinedOf(document)
	}
	if len(documents) == size {
		response.NextPageToken = strconv.FormatInt(int64(documents[size-1].ID), 10)
	}
	return response, nil
}

// ResubmitQuarantined implements headwater.v1.IngestService. An event that is refused again stays where it is.
func (s *ingestService) ResubmitQuarantined(ctx context.Context, req *headwaterv1.ResubmitQuarantinedRequest) (*headwaterv1.ResubmitQuarantinedResponse, error) {
	document, err := s.quarantined(ctx, req.GetQuarantineId())
	if err != nil {
		return nil, err
	}
	v, err := s.intake.resubmit(ctx, callerOf(ctx), document)
	if err != nil {
		return nil, unavailable(err)
	}
	return &headwaterv1.ResubmitQuarantinedResponse{Receipt: receiptOf(v)}, nil
}

// mayReadOf reports whether a caller may read what concerns a producer's events. One producer reads nothing of
// another's.
func mayReadOf(caller policy.Principal, producer string) bool {
	return caller.Kind != policy.Producer || caller.Name == producer
}

// submissionOf writes an envelope as it will be stored, refused already where it breaks the contract.
func submissionOf(caller policy.Principal, event *headwaterv1.Event) submission {
	s := submission{format: lineage.FormatEnvelope, producer: caller.Name, eventID: event.GetEventId()}
	payload, err := canonicalJSON(event)
	if err != nil { // a time out of range, or a number that is none
		s.payload, _ = proto.Marshal(event) // to be looked at; it came as such
		s.refused = &refusal{code: "invalid_envelope", reason: "cannot be written as JSON: " + err.Error()}
		return s
	}
	s.payload = payload
	if err := protovalidate.Validate(event); err != nil {
		s.refused = &refusal{code: "invalid_envelope", reason: err.Error()}
	}
	return s
}

// canonicalJSON is protobuf JSON with the white space and the order of members taken away, in which protojson differs
// from build to build.
func canonicalJSON(message proto.Message) ([]byte, error) {
	written, err := protojson.Marshal(message)
	if err != nil {
		return nil, err
	}
	canonical := jsontext.Value(written)
	err = canonical.Canonicalize()
	return canonical, err
}
