-- Timelines of more than flows, and traversals that look up less.

-- +goose Up

-- Indexes are made again below: each partition holds one projection, so they do without projection_id.
DROP INDEX write_by_output;
DROP INDEX write_by_flow;
DROP INDEX write_corrected_by_output;
DROP INDEX write_corrected_by_flow;
DROP INDEX flow_input_by_input;
DROP INDEX flow_by_job;

-- level is lineage.Level, and content_id the hash of what is stated: at level 1 a flow.
ALTER TABLE statement RENAME COLUMN flow_id TO content_id;
ALTER TABLE statement ADD COLUMN level smallint NOT NULL DEFAULT 1;
ALTER TABLE write RENAME COLUMN flow_id TO content_id;
ALTER TABLE write ADD COLUMN level smallint NOT NULL DEFAULT 1;

-- run_id and run_state say of the run behind a statement what was known when the statement was recorded: '' and 0 where
-- no run is behind it. Where one is, statement_key is its key.
ALTER TABLE statement ADD COLUMN run_id text NOT NULL DEFAULT '';
ALTER TABLE statement ADD COLUMN run_state smallint NOT NULL DEFAULT 0;
UPDATE statement s SET run_id = r.run_id, run_state = r.state
FROM run r WHERE r.projection_id = s.projection_id AND r.run_key = s.run_key;
ALTER TABLE statement DROP COLUMN run_key;

-- job_id is the job that the timeline belongs to; null: none.
ALTER TABLE write ADD COLUMN job_id uuid;
UPDATE write w SET job_id = f.job_id FROM flow f WHERE f.projection_id = w.projection_id AND f.flow_id = w.content_id;

CREATE INDEX write_flow_by_output ON write (output_id, valid_to, valid_from)
    WHERE level = 1 AND recorded_to = 9223372036854775807;
CREATE INDEX write_flow_by_content ON write (content_id, valid_to, valid_from)
    WHERE level = 1 AND recorded_to = 9223372036854775807;
CREATE INDEX write_flow_corrected_by_output ON write (output_id, recorded_to, recorded_from)
    WHERE level = 1 AND recorded_to < 9223372036854775807;
CREATE INDEX write_flow_corrected_by_content ON write (content_id, recorded_to, recorded_from)
    WHERE level = 1 AND recorded_to < 9223372036854775807;

-- What was known before spanned_from, when a write of the flow last began or ended, the span does not tell: a walk that
-- asks for it looks at the flow from recorded_from on, when the flow was first stated.
ALTER TABLE flow_input ADD COLUMN recorded_from bigint NOT NULL DEFAULT 0;
ALTER TABLE flow_input ADD COLUMN spanned_from bigint NOT NULL DEFAULT 0;
UPDATE flow_input i SET recorded_from = f.recorded_from, spanned_from = coalesce(f.changed_at, f.recorded_from)
FROM (
    SELECT f.projection_id, f.flow_id, f.recorded_from,
        max(greatest(w.recorded_from, nullif(w.recorded_to, 9223372036854775807))) AS changed_at
    FROM flow f LEFT JOIN write w ON w.projection_id = f.projection_id AND w.content_id = f.flow_id
    GROUP BY f.projection_id, f.flow_id, f.recorded_from
) AS f
WHERE i.projection_id = f.projection_id AND i.flow_id = f.flow_id;
ALTER TABLE flow_input ALTER COLUMN recorded_from DROP DEFAULT, ALTER COLUMN spanned_from DROP DEFAULT;
CREATE INDEX flow_input_by_span ON flow_input (input_id, until, since, flow_id);
CREATE INDEX flow_input_by_change ON flow_input (input_id, spanned_from, recorded_from, flow_id);

CREATE INDEX flow_by_job ON flow (job_id);
CREATE INDEX flow_without_inputs ON flow (job_id) WHERE input_count = 0;
