package gateway

import (
	"context"
	"time"

	"buf.build/go/protovalidate"
	"google.golang.org/protobuf/proto"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/policy"
)

// SubmitMarkers implements headwater.v1.IngestService. Who marks is who calls: nobody marks in another's name.
func (s *ingestService) SubmitMarkers(ctx context.Context, req *headwaterv1.SubmitMarkersRequest) (*headwaterv1.SubmitMarkersResponse, error) {
	receipts, err := submitEach(ctx, s.intake, doorIngest, "markers", req.GetMarkers(), markerSubmission)
	if err != nil {
		return nil, err
	}
	return &headwaterv1.SubmitMarkersResponse{Receipts: receipts}, nil
}

// markerSubmission writes a marker as the platform event that will be stored, refused already where it breaks the
// contract.
func markerSubmission(caller policy.Principal, marker *headwaterv1.Marker) submission {
	s := submission{format: lineage.FormatPlatform, producer: caller.Name, eventID: marker.GetEventId()}
	at := time.Now()
	if marker.EventTime != nil {
		at = marker.GetEventTime().AsTime()
	}
	run := lineage.RunKey{Job: jobIDOf(marker.GetJob()), RunID: marker.GetRunId()}
	payload, err := lineage.EncodeMarker(run, lineage.Marker{
		Output:    lineage.NewDatasetID(marker.GetOutput().GetNamespace(), marker.GetOutput().GetName()),
		Kind:      markerKinds[marker.GetKind()],
		Gate:      marker.GetGate(),
		EventTime: at.UTC(),
		By:        caller.Name,
		Reason:    marker.GetReason(),
	})
	if err != nil { // a time out of range
		s.payload, _ = proto.Marshal(marker) // to be looked at; it came as such
		s.refused = &refusal{code: "invalid_marker", reason: "cannot be written as JSON: " + err.Error()}
		return s
	}
	s.payload = payload
	if err := protovalidate.Validate(marker); err != nil {
		s.refused = &refusal{code: "invalid_marker", reason: err.Error()}
	}
	return s
}

// markerKinds are the domain's words for the contract's.
var markerKinds = map[headwaterv1.MarkerKind]lineage.MarkerKind{
	headwaterv1.MarkerKind_MARKER_KIND_COMMITTED:   lineage.Committed,
	headwaterv1.MarkerKind_MARKER_KIND_ROLLED_BACK: lineage.RolledBackMarker,
	headwaterv1.MarkerKind_MARKER_KIND_VALIDATED:   lineage.Validated,
	headwaterv1.MarkerKind_MARKER_KIND_INVALIDATED: lineage.Invalidated,
	headwaterv1.MarkerKind_MARKER_KIND_PASSED:      lineage.Passed,
	headwaterv1.MarkerKind_MARKER_KIND_FAILED:      lineage.Failed,
	headwaterv1.MarkerKind_MARKER_KIND_TIMED_OUT:   lineage.TimedOut,
}

// markerKindOf is the contract's word for the domain's.
func markerKindOf(kind lineage.MarkerKind) headwaterv1.MarkerKind {
	for word, known := range markerKinds {
		if known == kind {
			return word
		}
	}
	return headwaterv1.MarkerKind_MARKER_KIND_UNSPECIFIED
}
