-- Look-ups by key that stay look-ups by key.

-- +goose Up

-- Each partition holds one projection. An index that begins with projection_id answers any query of one projection, in a plan
-- that is made while the tables are empty as well as any other, and then reads every run.
DROP INDEX run_by_run_id, run_by_parent, run_unsettled, run_awaits, run_by_time, run_by_job, run_event_by_offset;
CREATE INDEX run_by_run_id ON run (run_id);
CREATE INDEX run_by_parent ON run (parent_run_key) WHERE parent_run_key IS NOT NULL;
CREATE INDEX run_unsettled ON run (first_offset) WHERE NOT settled;
CREATE INDEX run_awaits ON run (awaits, first_offset) WHERE awaits > 0;
CREATE INDEX run_by_time ON run (began_at, first_offset);
CREATE INDEX run_by_job ON run (job_id, began_at, first_offset);
CREATE INDEX run_event_by_offset ON run_event (log_offset);
