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

// updateSpan brings the span of a flow up to date. The row of span is read once, whatever the flow's width.
const updateSpan = `WITH span AS MATERIALIZED (
		SELECT coalesce(min(valid_from), 'infinity') AS since, coalesce(max(valid_to), '-infinity') AS until
		FROM write WHERE projection_id = $1 AND level = 1 AND content_id = $2 AND recorded_to = ` + openEnd + `)
	UPDATE flow_input f SET since = span.since, until = span.until, spanned_from = $3 FROM span
	WHERE f.projection_id = $1 AND f.flow_id = $2 AND (f.since, f.until, f.spanned_from) IS DISTINCT FROM (span.since, span.until, $3)`

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
