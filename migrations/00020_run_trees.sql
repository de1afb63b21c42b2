-- Runs that others name as their parent or root have a row from then on, and attempts are found by the time they are for.

-- +goose Up

-- A run with last_offset 0 is a placeholder: only other runs name it.
ALTER TABLE run ADD COLUMN nominal_start timestamptz;
UPDATE run SET nominal_start = (body->'nominal'->'value'->>'start')::timestamptz WHERE body->'nominal'->'value'->>'start' IS NOT NULL;
CREATE INDEX run_by_nominal_start ON run (job_id, nominal_start) WHERE nominal_start IS NOT NULL;
