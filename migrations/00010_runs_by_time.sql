-- Lists of runs by when they began, which the producers say, instead of when they were first heard of.

-- +goose Up

ALTER TABLE run ADD COLUMN began_at timestamptz; -- effective time of the earliest event; null: no evidence counts
UPDATE run SET began_at = least((body->>'startedAt')::timestamptz, (body->'end'->>'at')::timestamptz, (body->>'lastEventAt')::timestamptz)
    WHERE body->>'lastEventAt' <> '0001-01-01T00:00:00Z';
DROP INDEX run_by_first_offset, run_by_job;
CREATE INDEX run_by_time ON run (projection_id, began_at, first_offset);
CREATE INDEX run_by_job ON run (projection_id, job_id, began_at, first_offset);
