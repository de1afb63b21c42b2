-- Declared snapshots: what an author states of a whole scope at one time, such as a dbt project.

-- +goose Up

-- What the fold needs of a snapshot to find what the next one ends. Entry i of the arrays is a timeline that it states
-- something in, sorted by timeline_id: its level, its job (all zeros: none), its output and the content that it states.
CREATE TABLE declared_snapshot (
    projection_id smallint    NOT NULL,
    scope_id      uuid        NOT NULL, -- lineage.SnapshotScope
    effective_at  timestamptz NOT NULL,
    snapshot_key  uuid        NOT NULL, -- statement_key of what it states
    recorded_from bigint      NOT NULL,
    producer      text        NOT NULL,
    scope         text        NOT NULL, -- as the producer calls it
    source_event  text        NOT NULL,
    timelines     uuid[]      NOT NULL,
    levels        smallint[]  NOT NULL,
    jobs          uuid[]      NOT NULL,
    outputs       uuid[]      NOT NULL,
    contents      uuid[]      NOT NULL,
    PRIMARY KEY (projection_id, scope_id, effective_at, snapshot_key)
) PARTITION BY LIST (projection_id);

SELECT ensure_projection_partitions(projection_id) FROM projection;
