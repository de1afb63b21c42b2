-- Which runs are part of which, in recorded time: a traversal may fold what a run and a part of it both say.

-- +goose Up

-- A run without a parent has no row.
CREATE TABLE run_parent (
    projection_id  smallint NOT NULL,
    run_key        uuid     NOT NULL,
    recorded_from  bigint   NOT NULL,
    recorded_to    bigint   NOT NULL DEFAULT 9223372036854775807,
    parent_run_key uuid     NOT NULL,
    parent_job_id  uuid     NOT NULL, -- node_id
    PRIMARY KEY (projection_id, run_key, recorded_from)
) PARTITION BY LIST (projection_id);
SELECT ensure_projection_partitions(projection_id) FROM projection;

-- A parent that never reported itself has no row in run, and no other parent behind it.
INSERT INTO run_parent (projection_id, run_key, recorded_from, parent_run_key, parent_job_id)
SELECT child.projection_id, child.run_key, child.first_offset, child.parent_run_key, parent.job_id
FROM run child JOIN run parent ON parent.projection_id = child.projection_id AND parent.run_key = child.parent_run_key;
