package projection

import (
	"encoding/json/v2"
	"fmt"
	"time"

	"github.com/headwater-data/headwater/lineage"
)

const (
	insertDeclarations = `INSERT INTO declaration (projection_id, log_offset, producer, event_id, job_namespace, job_name,
			event_time, effective_at, received_at, warnings, contribution, payload, about, counts)
		SELECT $1, log_offset, producer, event_id, job_namespace, job_name, event_time, effective_at, received_at, warnings::json,
			contribution::json, payload::json, about, counts
		FROM unnest($2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::timestamptz[], $8::timestamptz[],
			$9::timestamptz[], $10::text[], $11::text[], $12::text[], $13::uuid[], $14::boolean[])
			AS d(log_offset, producer, event_id, job_namespace, job_name, event_time, effective_at, received_at, warnings, contribution,
				payload, about, counts)`

	closeWithdrawal = `UPDATE withdrawal SET recorded_to = $3
		WHERE projection_id = $1 AND subject = $2 AND recorded_to = ` + openEnd
	insertWithdrawal = `INSERT INTO withdrawal (projection_id, subject, recorded_from, recorded_to, undone, body)
		VALUES ($1, $2, $3, $4, $5, $6)`
)

func (w *writer) queueDeclarations(stated []fact, evidence *evidence) error {
	if len(stated) == 0 {
		return nil
	}
	warnings, err := encodedWarnings(stated, func(f fact) fact { return f })
	if err != nil {
		return err
	}
	w.batch.Queue(insertDeclarations, w.id,
		column(stated, func(f fact) int64 { return int64(f.entry.Offset) }),
		column(stated, func(f fact) string { return f.entry.Producer }),
		column(stated, func(f fact) string { return f.entry.EventID }),
		column(stated, func(f fact) string { return f.event.Job.Namespace }),
		column(stated, func(f fact) string { return f.event.Job.Name }),
		column(stated, func(f fact) time.Time { return f.event.EventTime }),
		column(stated, func(f fact) time.Time { return f.moment().EffectiveAt }),
		column(stated, func(f fact) time.Time { return f.entry.ReceivedAt }),
		warnings,
		column(stated, func(f fact) *string { return f.keptText() }),
		column(stated, func(f fact) *string { return f.payloadText() }),
		column(stated, func(f fact) *lineage.Hash { return nullable(f.about) }),
		column(stated, func(f fact) bool { return evidence.counts(f.sender(), lineage.Hash{}) }))
	return nil
}

// payloadText is the platform event that carries a fact; null for others, of which the contribution is kept.
func (f *fact) payloadText() *string {
	if f.event.Kind != lineage.FactEvent {
		return nil
	}
	text := string(f.entry.Payload)
	return &text
}

// queueWithdrawals writes them one by one: people make them, so they are few.
func (w *writer) queueWithdrawals(withdrawals versions[lineage.Hash, lineage.Latest[lineage.StatedWithdrawal]]) error {
	for subject, at := range withdrawals.closed {
		w.batch.Queue(closeWithdrawal, w.id, subject, int64(at))
	}
	for _, opened := range withdrawals.opened {
		body, err := json.Marshal(opened.row)
		if err != nil {
			return fmt.Errorf("encode the withdrawal at %d: %w", opened.from, err)
		}
		w.batch.Queue(insertWithdrawal, w.id, opened.row.Value.Subject(), int64(opened.from), int64(opened.to), opened.row.Value.Undone, string(body))
	}
	return nil
}

// encodedWarnings gives the warnings of rows as JSON.
func encodedWarnings[R any](rows []R, factOf func(R) fact) ([]string, error) {
	encoded := make([]string, len(rows))
	for i, row := range rows {
		f := factOf(row)
		warnings, err := json.Marshal(f.warnings)
		if err != nil {
			return nil, fmt.Errorf("encode warnings of the event at %d: %w", f.entry.Offset, err)
		}
		encoded[i] = string(warnings)
	}
	return encoded, nil
}

// keptText is the contribution as the stores keep it; null for what contributes nothing.
func (f *fact) keptText() *string {
	if f.kept == nil {
		return nil
	}
	text := string(f.kept)
	return &text
}
