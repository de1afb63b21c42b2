package projection

import (
	"time"

	"github.com/jackc/pgx/v5/pgtype"

	"github.com/headwater-data/headwater/lineage"
)

// span reaches from where the first believed write of a flow begins to where the last one ends. Table flow_input keeps
// it, so that a walk downstream skips the flows of other times.
type span struct {
	since, until time.Time
}

// noteRewritten notes the flows of writes that were opened or closed.
func (c *changes) noteRewritten(writes []lineage.Write, at lineage.Offset) {
	if c.rewritten == nil {
		c.rewritten = map[lineage.Hash]lineage.Offset{}
	}
	for _, write := range writes {
		c.rewritten[write.Content] = at
	}
}

// bounds are the span as it is stored: nothing at all for the zero span, of a flow without a write.
func (s span) bounds() (since, until pgtype.Timestamptz) {
	if s == (span{}) {
		return pgtype.Timestamptz{InfinityModifier: pgtype.Infinity, Valid: true},
			pgtype.Timestamptz{InfinityModifier: pgtype.NegativeInfinity, Valid: true}
	}
	return pgtype.Timestamptz{Time: s.since, Valid: true}, pgtype.Timestamptz{Time: s.until, Valid: true}
}

// updateSpans brings the spans of flows up to date. Each span is found once, whatever the flow's width.
const updateSpans = `WITH span AS MATERIALIZED (
		SELECT rewritten.flow_id, rewritten.at, held.since, held.until
		FROM unnest($2::uuid[], $3::bigint[]) AS rewritten(flow_id, at)
		CROSS JOIN LATERAL (
			SELECT coalesce(min(valid_from), 'infinity') AS since, coalesce(max(valid_to), '-infinity') AS until
			FROM write WHERE projection_id = $1 AND level = 1 AND content_id = rewritten.flow_id AND recorded_to = ` + openEnd + `
		) AS held)
	UPDATE flow_input f SET since = span.since, until = span.until, spanned_from = span.at FROM span
	WHERE f.projection_id = $1 AND f.flow_id = span.flow_id
		AND (f.since, f.until, f.spanned_from) IS DISTINCT FROM (span.since, span.until, span.at)`

// spans gives the span over the writes that the batch opens and leaves standing, by flow. It is the whole span of a flow
// that is new, whose rows are then written once.
func (c *changes) spans() map[lineage.Hash]span {
	spans := map[lineage.Hash]span{}
	for _, write := range c.writes.standing {
		if write.row.level != lineage.FlowLevel {
			continue
		}
		from := write.row.moment().EffectiveAt
		s, ok := spans[write.row.content]
		if !ok {
			s = span{from, write.row.to}
		}
		if from.Before(s.since) {
			s.since = from
		}
		if write.row.to.After(s.until) {
			s.until = write.row.to
		}
		spans[write.row.content] = s
	}
	return spans
}
