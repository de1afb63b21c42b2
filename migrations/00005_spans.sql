-- Traversals whose cost follows the answer and not the history behind it.

-- +goose Up

-- What is believed is asked for all the time, what was corrected only by who asks what was known then. Every change of
-- content leaves one corrected row, so they would soon be most of an index that held both.
DROP INDEX write_by_output;
DROP INDEX write_by_flow;
CREATE INDEX write_by_output ON write (projection_id, output_id, valid_to, valid_from) WHERE recorded_to = 9223372036854775807;
CREATE INDEX write_by_flow ON write (projection_id, flow_id, valid_to, valid_from) WHERE recorded_to = 9223372036854775807;
CREATE INDEX write_corrected_by_output ON write (projection_id, output_id, recorded_to) WHERE recorded_to < 9223372036854775807;
CREATE INDEX write_corrected_by_flow ON write (projection_id, flow_id, recorded_to) WHERE recorded_to < 9223372036854775807;

-- The span of a flow reaches from where its first believed write begins to where the last one ends, so that a walk
-- downstream skips the flows of other times. It stands with each input, because that is where such a walk begins.
ALTER TABLE flow_input ADD COLUMN since timestamptz NOT NULL DEFAULT 'infinity';
ALTER TABLE flow_input ADD COLUMN until timestamptz NOT NULL DEFAULT '-infinity';
UPDATE flow_input f SET since = span.since, until = span.until
FROM (
    SELECT projection_id, flow_id, min(valid_from) AS since, max(valid_to) AS until
    FROM write WHERE recorded_to = 9223372036854775807 GROUP BY projection_id, flow_id
) AS span
WHERE f.projection_id = span.projection_id AND f.flow_id = span.flow_id;
DROP INDEX flow_input_by_input;
CREATE INDEX flow_input_by_input ON flow_input (projection_id, input_id, until, since, flow_id);
