package gateway

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"time"

	"github.com/headwater-data/headwater/eventlog"
	"github.com/headwater-data/headwater/gateway/principal"
	"github.com/headwater-data/headwater/internal/telemetry"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/policy"
)

// intake is where every door's events meet: it judges them, appends what is good to the log and keeps what is refused
// in quarantine.
type intake struct {
	log        *eventlog.Log
	quarantine *eventlog.Quarantine
	limits     Limits
	metrics    *metrics
	logger     *slog.Logger
}

// submission is one event as a door received it.
type submission struct {
	format  lineage.Format
	payload []byte
	// producer is whose event it is, unless the event itself says so.
	producer string
	// eventID is the id that the caller chose. Empty: the event's own, or else one derived from its content.
	eventID string
	// refused is set where the door itself already knows why the event cannot be accepted.
	refused *refusal
}

// verdict is what became of a submission.
type verdict struct {
	// eventID and runID are empty where none could be read.
	eventID, runID string
	// receipt says where the event stands, unless refused.
	receipt eventlog.Receipt
	refused *refusal
}

// submit gives a verdict on each submission, in their order, after the commit, and keeps the refused ones. An error
// means that the outcome is not known and the caller should send all of them again, which doubles nothing.
func (in *intake) submit(ctx context.Context, door string, caller policy.Principal, submissions []submission) ([]verdict, error) {
	verdicts, err := in.decide(ctx, caller, submissions)
	if err != nil {
		in.metrics.events(door, caller.Kind, outcomeFailed, len(submissions))
		return nil, err
	}
	for i := range verdicts {
		if err := in.keep(ctx, submissions[i], &verdicts[i]); err != nil {
			return nil, err
		}
		in.metrics.events(door, caller.Kind, verdicts[i].outcome(), 1)
		in.note(ctx, door, submissions[i], verdicts[i])
	}
	return verdicts, nil
}

// decide is submit without keeping what is refused.
func (in *intake) decide(ctx context.Context, caller policy.Principal, submissions []submission) ([]verdict, error) {
	verdicts := make([]verdict, len(submissions))
	accepted := make([]int, 0, len(submissions)) // the submission behind each record
	records := make([]eventlog.Record, 0, len(submissions))
	for i, s := range submissions {
		record, runID, refused := in.judge(ctx, caller, s)
		verdicts[i] = verdict{eventID: record.EventID, runID: runID, refused: refused}
		if refused == nil {
			accepted = append(accepted, i)
			records = append(records, record)
		}
	}
	results, err := in.append(ctx, records)
	if err != nil {
		return nil, err
	}
	for i, result := range results {
		v := &verdicts[accepted[i]]
		v.receipt = result.Receipt
		if result.Err != nil {
			v.refused = conflict(result)
		}
	}
	return verdicts, nil
}

// judge makes a record of a submission, or says why not. What could be read of it is returned in both cases.
func (in *intake) judge(ctx context.Context, caller policy.Principal, s submission) (eventlog.Record, string, *refusal) {
	record := eventlog.Record{
		Producer:    s.producer,
		EventID:     s.eventID,
		Format:      s.format,
		Payload:     s.payload,
		TraceParent: telemetry.TraceParent(ctx),
	}
	if s.refused != nil {
		return record, "", s.refused
	}
	event, err := lineage.Decode(s.format, s.payload, in.limits.Event)
	if err != nil {
		return record, "", refusalOf(err)
	}
	runID := event.Run.RunID
	if refused := outOfScope(caller, event); refused != nil {
		return record, runID, refused
	}
	record.RunKey = event.RunHash()
	record.ContentHash, err = lineage.ContentHash(s.payload, uncompared[s.format]...)
	if err != nil {
		return record, runID, refusalOf(err)
	}
	switch {
	case event.ProducerName != "":
		record.Producer, record.EventID = event.ProducerName, event.EventID
	case record.EventID == "":
		record.EventID = lineage.DerivedEventID(record.ContentHash)
	}
	return record, runID, nil
}

// uncompared names what a retry under the same event id may change.
var uncompared = map[lineage.Format][]string{lineage.FormatEnvelope: {"emittedAt"}}

// outOfScope refuses what a producer may not say: an event in another producer's name, or in a namespace that it was
// not given.
func outOfScope(caller policy.Principal, event lineage.Event) *refusal {
	if caller.Kind == policy.Producer && event.ProducerName != "" && event.ProducerName != caller.Name {
		return &refusal{
			code:   codeProducerForbidden,
			path:   "producer",
			reason: fmt.Sprintf("is %q, but the token is that of %q; send your own name", event.ProducerName, caller.Name),
		}
	}
	for path, namespace := range writtenNamespaces(event) {
		if !principal.MayWrite(caller, namespace) {
			return &refusal{
				code:   codeNamespaceForbidden,
				path:   path,
				reason: fmt.Sprintf("%q is not among the namespaces that producer %q may write; an operator can register it with them", namespace, caller.Name),
			}
		}
	}
	return nil
}

// writtenNamespaces are those that an event speaks for, with their places in it.
func writtenNamespaces(event lineage.Event) iter.Seq2[string, string] {
	return func(yield func(path, namespace string) bool) {
		snapshot, isSnapshot := event.Fact.(lineage.Snapshot)
		switch {
		case event.Kind == lineage.DatasetEvent:
			yield("dataset.namespace", event.Dataset.Namespace)
		case isSnapshot:
			for i, flow := range snapshot.Flows {
				if !yield(fmt.Sprintf("fact.flows[%d].job.namespace", i), flow.Job.Namespace) {
					return
				}
			}
			for i, dataset := range snapshot.Datasets {
				if len(dataset.Fields) > 0 && !yield(fmt.Sprintf("fact.datasets[%d].namespace", i), dataset.Namespace) {
					return
				}
			}
		default:
			yield("job.namespace", event.Job.Namespace)
		}
	}
}

// append commits records. An error says nothing of whether they are in the log.
func (in *intake) append(ctx context.Context, records []eventlog.Record) ([]eventlog.Result, error) {
	if len(records) == 0 {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(ctx, in.limits.AppendTime)
	defer cancel()
	began := time.Now()
	results, err := in.log.Append(ctx, records...)
	in.metrics.appended(time.Since(began))
	return results, err
}

func conflict(result eventlog.Result) *refusal {
	if !errors.Is(result.Err, eventlog.ErrConflict) {
		return &refusal{code: "not_appended", reason: result.Err.Error()}
	}
	return &refusal{
		code: codeConflict,
		reason: fmt.Sprintf("another event was accepted under this id, at epoch %d offset %d; nothing overwrites it, send this one under an id of its own",
			result.Receipt.Epoch, result.Receipt.Offset),
	}
}

// keep puts what was refused for what it says into quarantine.
func (in *intake) keep(ctx context.Context, s submission, v *verdict) error {
	if v.refused == nil || v.refused.forbidden() {
		return nil
	}
	id, err := in.quarantine.Add(ctx, eventlog.Refusal{
		Producer: s.producer,
		EventID:  v.eventID,
		Format:   s.format,
		Code:     v.refused.code,
		Reason:   v.refused.Error(),
		Payload:  s.payload,
	})
	if err != nil {
		return fmt.Errorf("keep a refused event: %w", err)
	}
	v.refused.quarantineID = int64(id)
	return nil
}

// note logs what became of an event, by its ids and never its content.
func (in *intake) note(ctx context.Context, door string, s submission, v verdict) {
	attrs := []slog.Attr{
		slog.String("door", door),
		slog.String("producer", s.producer),
		slog.String("event_id", v.eventID),
		slog.String("run_id", v.runID),
	}
	message := "event accepted"
	if v.refused != nil {
		message = "event refused"
		attrs = append(attrs, slog.String("code", v.refused.code), slog.Int64("quarantine_id", v.refused.quarantineID))
	} else {
		attrs = append(attrs, slog.Int64("offset", int64(v.receipt.Offset)), slog.Bool("duplicate", v.receipt.Duplicate))
	}
	in.logger.LogAttrs(ctx, slog.LevelInfo, message, attrs...)
}
