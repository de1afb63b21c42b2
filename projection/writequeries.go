package projection

// writeQueries read the writes of flows that hold at a point, or ended within the lookback before it. $1 and $3 are the
// times of the point, $2 is the lookback, $4 are keys, and $5 is how many rows to end after; null for no end.
type writeQueries struct {
	// into reads the writes into datasets, or into jobs where paths end.
	into string
	// by reads the writes of flows.
	by string
	// of reads the writes of jobs.
	of string
	// readers finds the flows that nodes feed, with the node; a job feeds those of its flows that name no inputs.
	readers string
}

const (
	// spannedReaders looks only at the flows that wrote at the time, or within the lookback before it.
	spannedReaders = `SELECT flow_id, input_id FROM flow_input_p{} WHERE input_id = ANY($4)
		AND until > $1::timestamptz - $2::interval AND since <= $1`

	silentReaders = `SELECT flow_id, NULL FROM flow_p{} WHERE job_id = ANY($4) AND input_count = 0 AND recorded_from <= $3`
)

var (
	// currentWrites read what is believed now.
	currentWrites = newWriteQueries(stillBelieved, spannedReaders)

	// pastWrites read what was believed at $3: what is believed still and what was corrected since.
	pastWrites = newWriteQueries(believedThen,
		spannedReaders+` AND spanned_from <= $3
		UNION ALL SELECT flow_id, input_id FROM flow_input_p{} WHERE input_id = ANY($4)
			AND spanned_from > $3 AND recorded_from <= $3`)
)

const (
	stillBelieved = `w.recorded_to = ` + openEnd
	believedThen  = `w.recorded_to > $3`
)

// endAfter ends a query after a few rows, where the caller asks for that.
const endAfter = ` LIMIT $5`

// observedOrigin is lineage.Observed in SQL.
const observedOrigin = "2"

// newWriteQueries puts the queries of flows together.
func newWriteQueries(believed, readers string) *writeQueries {
	at := writesAt("1", believed)
	return &writeQueries{
		into:    at + ` AND w.output_id = ANY($4)` + endAfter,
		by:      at + ` AND w.content_id = ANY($4)` + endAfter,
		of:      at + ` AND w.content_id = ANY(ARRAY(SELECT flow_id FROM flow_p{} WHERE job_id = ANY($4)))` + endAfter,
		readers: readers + ` UNION ALL ` + silentReaders + endAfter,
	}
}

// writesAt reads the writes of one level. The lateral query walks the primary key of statement backwards from the
// point, so its cost does not grow with the length of the timeline. It finds none where all statements behind a write
// were rolled back by then, so a lookback does not show it. Nor does it show what was declared or stated by a person:
// who ended that meant it.
func writesAt(level, believed string) string {
	return `SELECT w.timeline_id, w.content_id, w.output_id, w.job_id, w.origin, w.valid_from, w.valid_to,
			s.publication, s.derivation, s.speaks, s.effective_at, s.job_version, s.producer, s.source_event,
			s.statement_key, s.run_id, s.run_state, s.valid_until
		FROM write_p{} AS w
		CROSS JOIN LATERAL (
			SELECT * FROM statement_p{}
			WHERE projection_id = {} AND timeline_id = w.timeline_id AND content_id = w.content_id
				AND effective_at BETWEEN coalesce(w.stated_from, w.valid_from) AND least(w.valid_to, $1) AND valid_until > $1
				AND recorded_from <= $3 AND recorded_to > $3
			ORDER BY effective_at DESC, statement_key DESC LIMIT 1
		) s
		WHERE w.level = ` + level + ` AND ` + believed + ` AND w.valid_from <= $1 AND w.valid_to > $1 - $2::interval AND w.recorded_from <= $3
			AND (w.origin = ` + observedOrigin + ` OR w.valid_to > $1)`
}
