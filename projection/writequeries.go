package projection

// writeQueries read the writes that hold at a point, or ended within the lookback before it: $1 is the projection, $2 and
// $4 are the times of the point, $3 is the lookback, and $5 are keys.
type writeQueries struct {
	// into reads the writes into datasets, or into jobs where paths end.
	into string
	// by reads the writes of flows.
	by string
	// of reads the writes of jobs.
	of string
	// readers finds the flows that nodes feed, with the node; a job feeds those of its flows that name no inputs.
	readers string
	// glimpse are the same queries, which end after a few rows; nil in themselves.
	glimpse *writeQueries
}

const (
	// spannedReaders looks only at the flows that wrote at the time, or within the lookback before it.
	spannedReaders = `SELECT flow_id, input_id FROM flow_input WHERE projection_id = $1 AND input_id = ANY($5)
		AND until > $2::timestamptz - $3::interval AND since <= $2`

	silentReaders = `SELECT flow_id, NULL FROM flow WHERE projection_id = $1 AND job_id = ANY($5) AND input_count = 0
		AND recorded_from <= $4`
)

var (
	// currentWrites read what is believed now.
	currentWrites = newWriteQueries(`SELECT * FROM write WHERE level = 1 AND recorded_to = `+openEnd,
		spannedReaders)

	// pastWrites read what was believed at $4: what is believed still and what was corrected since.
	pastWrites = newWriteQueries(`SELECT * FROM write WHERE level = 1 AND recorded_to = `+openEnd+`
		UNION ALL SELECT * FROM write WHERE level = 1 AND recorded_to < `+openEnd+` AND recorded_to > $4`,
		spannedReaders+` AND spanned_from <= $4
		UNION ALL SELECT flow_id, input_id FROM flow_input WHERE projection_id = $1 AND input_id = ANY($5)
			AND spanned_from > $4 AND recorded_from <= $4`)
)

// observedOrigin is lineage.Observed in SQL.
const observedOrigin = "2"

// newWriteQueries puts the queries together. The lateral query walks the primary key of statement backwards from the
// point, so its cost does not grow with the length of the timeline. It finds none where all statements behind a write
// were rolled back by then, so a lookback does not show it. Nor does it show what was declared or stated by a person:
// who ended that meant it.
func newWriteQueries(writes, readers string) *writeQueries {
	at := `SELECT w.timeline_id, w.content_id, w.output_id, w.job_id, w.origin, w.valid_from, w.valid_to,
			s.publication, s.derivation, s.speaks, s.effective_at, s.job_version, s.producer, s.source_event,
			s.run_id, s.run_state
		FROM (` + writes + `) AS w
		CROSS JOIN LATERAL (
			SELECT * FROM statement
			WHERE projection_id = $1 AND timeline_id = w.timeline_id AND content_id = w.content_id
				AND effective_at BETWEEN coalesce(w.stated_from, w.valid_from) AND least(w.valid_to, $2) AND valid_until > $2
				AND recorded_from <= $4 AND recorded_to > $4
			ORDER BY effective_at DESC, statement_key DESC LIMIT 1
		) s
		WHERE w.projection_id = $1 AND w.valid_from <= $2 AND w.valid_to > $2 - $3::interval AND w.recorded_from <= $4
			AND (w.origin = ` + observedOrigin + ` OR w.valid_to > $2)`
	all := &writeQueries{
		into:    at + ` AND w.output_id = ANY($5)`,
		by:      at + ` AND w.content_id = ANY($5)`,
		of:      at + ` AND w.content_id = ANY(ARRAY(SELECT flow_id FROM flow WHERE projection_id = $1 AND job_id = ANY($5)))`,
		readers: readers + ` UNION ALL ` + silentReaders,
	}
	// A few writes are enough to see, mostly, that there are some which the caller may see.
	const limit = ` LIMIT 32`
	all.glimpse = &writeQueries{into: all.into + limit, by: all.by + limit, of: all.of + limit, readers: all.readers + limit}
	return all
}
