package gateway

import (
	"context"
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"connectrpc.com/connect/v2"

	"github.com/headwater-data/headwater/eventlog"
	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/policy"
)

// GetQuarantined implements headwater.v1.IngestService. A producer has sent what it reads, so that policies hide none of it.
func (s *ingestService) GetQuarantined(ctx context.Context, req *headwaterv1.GetQuarantinedRequest) (*headwaterv1.GetQuarantinedResponse, error) {
	if callerOf(ctx).Kind != policy.Producer {
		if err := s.events.seesAll(ctx); err != nil {
			return nil, err
		}
	}
	done, err := s.events.wait(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	document, err := s.quarantined(ctx, req.GetQuarantineId())
	if err != nil {
		return nil, err
	}
	shown := shownRefused(document.Payload)
	return &headwaterv1.GetQuarantinedResponse{
		Event: quarantinedOf(document), Payload: shown, Redacted: shown != "" && shown != string(document.Payload),
	}, nil
}

// quarantined is a refused document that the caller may read.
func (s *ingestService) quarantined(ctx context.Context, id int64) (eventlog.Quarantined, error) {
	document, err := s.intake.quarantine.Get(ctx, eventlog.QuarantineID(id))
	switch {
	case errors.Is(err, eventlog.ErrNotFound), err == nil && !mayReadOf(callerOf(ctx), document.Producer):
		return document, connect.Errorf(connect.CodeNotFound, "no event %d is in quarantine", id)
	case err != nil:
		return document, unavailable(err)
	}
	return document, nil
}

// shownRefused is a refused document without the credentials in it, as far as it is a text: what cannot be read as one may hide
// them from whoever looks for them.
func shownRefused(payload []byte) string {
	if shown, err := lineage.RedactJSON(payload); err == nil && utf8.Valid(shown) {
		return string(shown)
	}
	isBinary := func(r rune) bool { return unicode.IsControl(r) && !unicode.IsSpace(r) }
	if text := string(payload); utf8.ValidString(text) && !strings.ContainsFunc(text, isBinary) {
		return lineage.RedactText(text)
	}
	return ""
}
