-- Lists of runs, latest first: of all jobs and of one.

-- +goose Up

CREATE INDEX run_by_first_offset ON run (projection_id, first_offset);
CREATE INDEX run_by_job ON run (projection_id, job_id, first_offset);
