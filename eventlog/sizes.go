package eventlog

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// Sizes describes what events are like and how fast they come. Bytes are of payloads as they were accepted.
type Sizes struct {
	// Events have been accepted since the log began.
	Events int64
	// PerDay is their number in the last 24 hours, extrapolated where the log is younger.
	PerDay float64
	// Sampled are the latest events, which the rest is about.
	Sampled        int64
	P50, P95, P99  int64
	Largest        int64
	Mean           float64
	CompressedMean float64
	// Histogram counts the sampled events by powers of two.
	Histogram []Bucket
	// LogBytes is what the log takes on disk, KeyBytes what the idempotency keys take; both with their indexes.
	LogBytes, KeyBytes int64
	// DatabaseBytes is the size of the whole database.
	DatabaseBytes int64
}

// Bucket counts what is greater than half of AtMost, and at most that.
type Bucket struct {
	AtMost int64 `json:"atMost"`
	Count  int64 `json:"count"`
}

const (
	totalsSQL = `
SELECT last_offset, pg_database_size(current_database()), pg_total_relation_size('event_key'),
    (SELECT coalesce(sum(pg_total_relation_size(inhrelid)), 0)::bigint FROM pg_inherits WHERE inhparent = 'event_log'::regclass)
FROM log_head`

	// Offsets are dense, so the first one of a span tells how many came since.
	paceSQL = `
SELECT log_offset, received_at, clock_timestamp() FROM event_log
WHERE received_at >= clock_timestamp() - interval '24 hours' ORDER BY received_at, log_offset LIMIT 1`

	sampleSQL = `
SELECT count(*), coalesce(percentile_disc(ARRAY[0.5, 0.95, 0.99]) WITHIN GROUP (ORDER BY payload_bytes), '{0,0,0}'),
    coalesce(max(payload_bytes), 0), coalesce(avg(payload_bytes), 0)::float8, coalesce(avg(octet_length(payload)), 0)::float8
FROM event_log WHERE log_offset > $1`

	histogramSQL = `
SELECT (2 ^ ceil(log(2, greatest(payload_bytes, 1))))::bigint AS at_most, count(*)
FROM event_log WHERE log_offset > $1 GROUP BY at_most ORDER BY at_most`
)

// Sizes measures the latest events, sample at most. It costs about a second for 100,000, without reading a payload.
func (l *Log) Sizes(ctx context.Context, sample int64) (Sizes, error) {
	var s Sizes
	options := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	err := pgx.BeginTxFunc(ctx, l.pool, options, func(tx pgx.Tx) error {
		if err := tx.QueryRow(ctx, totalsSQL).Scan(&s.Events, &s.DatabaseBytes, &s.KeyBytes, &s.LogBytes); err != nil {
			return err
		}
		if err := s.readPace(ctx, tx); err != nil {
			return err
		}
		return s.readSample(ctx, tx, s.Events-sample)
	})
	if err != nil {
		return Sizes{}, fmt.Errorf("measure the event log: %w", err)
	}
	return s, nil
}

func (s *Sizes) readPace(ctx context.Context, tx pgx.Tx) error {
	rows, err := tx.Query(ctx, paceSQL)
	if err != nil {
		return err
	}
	var first int64
	var since, now time.Time
	_, err = pgx.ForEachRow(rows, []any{&first, &since, &now}, func() error {
		// A log that began a moment ago says little; a minute is the least that is extrapolated from.
		span := max(now.Sub(since), time.Minute)
		s.PerDay = float64(s.Events-first+1) * float64(24*time.Hour) / float64(span)
		return nil
	})
	return err
}

func (s *Sizes) readSample(ctx context.Context, tx pgx.Tx, after int64) error {
	var percentiles []int64
	err := tx.QueryRow(ctx, sampleSQL, after).Scan(&s.Sampled, &percentiles, &s.Largest, &s.Mean, &s.CompressedMean)
	if err != nil {
		return err
	}
	s.P50, s.P95, s.P99 = percentiles[0], percentiles[1], percentiles[2]
	rows, err := tx.Query(ctx, histogramSQL, after)
	if err != nil {
		return err
	}
	s.Histogram, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Bucket])
	return err
}
