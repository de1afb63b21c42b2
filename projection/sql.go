package projection

// Rows of one table are inserted by one statement, through unnest. They are closed one by one, each found by its key.
// All of it goes out in one round trip.
const (
	insertNodes = `INSERT INTO node (projection_id, node_id, kind, namespace, name, recorded_from)
		SELECT $1, * FROM unnest($2::uuid[], $3::smallint[], $4::text[], $5::text[], $6::bigint[]) ON CONFLICT DO NOTHING`

	upsertRuns = `INSERT INTO run (projection_id, run_key, run_id, job_namespace, job_name, job_id, parent_run_key,
			nominal_start, publications, state, settled, awaits, began_at, body, decisions, first_offset, last_epoch, last_offset,
			weighed_epoch, weighed_offset)
		SELECT $1, run_key, run_id, job_namespace, job_name, job_id, parent, nominal_start, publications,
			state, settled, awaits, began_at, body::json, decisions::json, first_offset, last_epoch, last_offset, weighed_epoch, weighed_offset
		FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::uuid[], $7::uuid[], $8::smallint[],
			$9::boolean[], $10::smallint[], $11::timestamptz[], $12::text[], $13::text[], $14::bigint[], $15::integer[], $16::bigint[],
			$17::timestamptz[], $18::smallint[], $19::integer[], $20::bigint[])
			AS r(run_key, run_id, job_namespace, job_name, job_id, parent, state, settled, awaits, began_at, body, decisions,
				first_offset, last_epoch, last_offset, nominal_start, publications, weighed_epoch, weighed_offset)
		ON CONFLICT (projection_id, run_key) DO UPDATE SET
			parent_run_key = excluded.parent_run_key, nominal_start = excluded.nominal_start, publications = excluded.publications, state = excluded.state, settled = excluded.settled,
			awaits = excluded.awaits, began_at = excluded.began_at, body = excluded.body, decisions = excluded.decisions,
			first_offset = excluded.first_offset, last_epoch = excluded.last_epoch, last_offset = excluded.last_offset,
			weighed_epoch = excluded.weighed_epoch, weighed_offset = excluded.weighed_offset`

	insertRunEvents = `INSERT INTO run_event (projection_id, run_key, log_offset, producer, event_id, event_type,
			event_time, effective_at, received_at, warnings, contribution)
		SELECT $1, run_key, log_offset, producer, event_id, event_type, event_time, effective_at, received_at, warnings::json,
			contribution::json
		FROM unnest($2::uuid[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::timestamptz[], $8::timestamptz[],
			$9::timestamptz[], $10::text[], $11::text[])
			AS e(run_key, log_offset, producer, event_id, event_type, event_time, effective_at, received_at, warnings, contribution)`

	insertFlows = `INSERT INTO flow (projection_id, flow_id, job_id, input_count, recorded_from)
		SELECT $1, flow_id, job_id, input_count, recorded_from
		FROM unnest($2::uuid[], $3::uuid[], $4::integer[], $5::bigint[]) AS f(flow_id, job_id, input_count, recorded_from)
		ON CONFLICT DO NOTHING`

	insertFlowInputs = `INSERT INTO flow_input (projection_id, flow_id, input_id, since, until, recorded_from, spanned_from)
		SELECT $1, * FROM unnest($2::uuid[], $3::uuid[], $4::timestamptz[], $5::timestamptz[], $6::bigint[], $7::bigint[])
		ON CONFLICT DO NOTHING`

	closeStatement = `UPDATE statement SET recorded_to = $5
		WHERE projection_id = $1 AND timeline_id = $2 AND effective_at = $3 AND statement_key = $4 AND recorded_to = ` + openEnd

	insertStatements = `INSERT INTO statement (projection_id, timeline_id, effective_at, statement_key, recorded_from,
			recorded_to, content_id, output_id, speaks, origin, publication, derivation, run_id, run_state, job_version, producer,
			source_event, valid_until, level)
		SELECT $1, *
		FROM unnest($2::uuid[], $3::timestamptz[], $4::uuid[], $5::bigint[], $6::bigint[], $7::uuid[], $8::uuid[],
			$9::boolean[], $10::smallint[], $11::smallint[], $12::smallint[], $13::text[], $14::smallint[], $15::text[],
			$16::text[], $17::text[], $18::timestamptz[], $19::smallint[])`

	closeWrite = `UPDATE write SET recorded_to = $5
		WHERE projection_id = $1 AND timeline_id = $2 AND valid_from = $3 AND first_key = $4 AND recorded_to = ` + openEnd

	insertWrites = `INSERT INTO write (projection_id, timeline_id, valid_from, first_key, recorded_from, recorded_to,
			content_id, output_id, origin, valid_to, stated_from, level, job_id)
		SELECT $1, * FROM unnest($2::uuid[], $3::timestamptz[], $4::uuid[], $5::bigint[], $6::bigint[], $7::uuid[], $8::uuid[],
			$9::smallint[], $10::timestamptz[], $11::timestamptz[], $12::smallint[], $13::uuid[])`
)
