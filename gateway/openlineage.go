package gateway

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/headwater-data/headwater/lineage"
)

// The doors, as metrics and logs name them.
const (
	doorOpenLineage      = "openlineage"
	doorOpenLineageBatch = "openlineage_batch"
	doorIngest           = "ingest"
	doorAdmin            = "admin"
	doorDeclaration      = "declaration"
)

// openLineageDoor takes OpenLineage events from unmodified clients. A bad event is answered 400 with a reason and never
// with a 5xx, since clients send those again.
type openLineageDoor struct {
	intake *intake
	limits Limits
}

// takeEvent answers a single event: 201 once it is committed.
func (d *openLineageDoor) takeEvent(w http.ResponseWriter, r *http.Request) {
	if s, ok := d.receive(w, r); ok {
		d.submitOne(w, r, doorOpenLineage, s)
	}
}

// takeBatch answers an array of events: 200 with the failed ones by index. Only a body that is no array at all is
// refused as a whole.
func (d *openLineageDoor) takeBatch(w http.ResponseWriter, r *http.Request) {
	whole, ok := d.receive(w, r)
	if !ok {
		return
	}
	var events [][]byte
	if whole.refused == nil {
		var err error
		events, err = splitBatch(whole.payload, d.limits.BatchEvents)
		if errors.Is(err, errTooManyEvents) {
			answerTooLarge(w, "too_many_events", "the batch has more than %d events; send smaller ones", d.limits.BatchEvents)
			return
		}
		errors.As(err, &whole.refused)
	}
	if whole.refused != nil {
		d.submitOne(w, r, doorOpenLineageBatch, whole)
		return
	}
	verdicts, err := d.intake.submit(r.Context(), doorOpenLineageBatch, callerOf(r.Context()), partsOf(whole, events))
	if err != nil {
		answerUnavailable(w, r, err)
		return
	}
	answer(w, http.StatusOK, batchAnswerOf(verdicts))
}

func (d *openLineageDoor) submitOne(w http.ResponseWriter, r *http.Request, door string, s submission) {
	verdicts, err := d.intake.submit(r.Context(), door, callerOf(r.Context()), []submission{s})
	switch {
	case err != nil:
		answerUnavailable(w, r, err)
	case verdicts[0].refused != nil:
		answerRefused(w, verdicts[0].refused)
	default:
		answer(w, http.StatusCreated, acceptedAnswerOf(verdicts[0]))
	}
}

// receive makes a submission of a request, already refused where its bytes or its headers are at fault. It has
// answered the caller itself where ok is false.
func (d *openLineageDoor) receive(w http.ResponseWriter, r *http.Request) (s submission, ok bool) {
	s = submission{format: lineage.FormatOpenLineage, producer: callerOf(r.Context()).Name}
	var err error
	s.payload, err = readBody(r, d.limits.BodyBytes)
	switch {
	case isOverload(err):
		answerUnavailable(w, r, err)
		return s, false
	case errors.Is(err, errBodyTooLarge):
		answerTooLarge(w, "body_too_large", "the body has more than %d bytes, as sent or after decompression", d.limits.BodyBytes)
		return s, false
	case errors.Is(err, errBodyIncomplete):
		answer(w, http.StatusBadRequest, refusedAnswer{
			Code: "body_incomplete", Reason: "the body ended before all of it had come; send it again",
		})
		return s, false
	case errors.As(err, &s.refused):
		return s, true
	}
	s.eventID, s.refused = d.idempotencyKey(r)
	return s, true
}

// idempotencyKey reads the header by which a client can name its request. It is empty without one.
func (d *openLineageDoor) idempotencyKey(r *http.Request) (string, *refusal) {
	const header = "Idempotency-Key"
	key := strings.TrimSpace(r.Header.Get(header))
	switch {
	case len(key) > d.limits.IdempotencyKeyBytes:
		return "", &refusal{
			code: "bad_idempotency_key", path: header,
			reason: fmt.Sprintf("has %d bytes, more than the limit of %d", len(key), d.limits.IdempotencyKeyBytes),
		}
	case !utf8.ValidString(key):
		return "", &refusal{code: "bad_idempotency_key", path: header, reason: "is not UTF-8"}
	}
	return key, nil
}

// partsOf gives each event of a batch that has an idempotency key a key of its own.
func partsOf(whole submission, events [][]byte) []submission {
	parts := make([]submission, len(events))
	for i, event := range events {
		parts[i] = submission{format: whole.format, payload: event, producer: whole.producer}
		if whole.eventID != "" {
			parts[i].eventID = fmt.Sprintf("%s/%d", whole.eventID, i)
		}
	}
	return parts
}

func acceptedAnswerOf(v verdict) acceptedAnswer {
	return acceptedAnswer{
		EventID:    v.eventID,
		Epoch:      v.receipt.Epoch,
		Offset:     v.receipt.Offset,
		ReceivedAt: v.receipt.ReceivedAt,
		Duplicate:  v.receipt.Duplicate,
	}
}

func batchAnswerOf(verdicts []verdict) batchAnswer {
	failed := []failedEvent{}
	for i, v := range verdicts {
		if v.refused != nil {
			failed = append(failed, failedEvent{
				Index: i, Reason: v.refused.Error(), Code: v.refused.code, QuarantineID: v.refused.quarantineID,
			})
		}
	}
	status := "success"
	if len(failed) > 0 {
		status = "partial_success"
	}
	return batchAnswer{
		Status: status,
		Summary: batchSummary{
			Received:     len(verdicts),
			Successful:   len(verdicts) - len(failed),
			Failed:       len(failed),
			NonRetriable: len(failed),
		},
		FailedEvents: failed,
	}
}
