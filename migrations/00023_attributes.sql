-- What is said of nodes as such: owners, tags, documentation, type.

-- +goose Up

-- The latest by event time rules, in whatever order the events come; a change of value is kept in recorded time.
CREATE TABLE node_attribute (
    projection_id smallint    NOT NULL,
    node_id       uuid        NOT NULL,
    kind          smallint    NOT NULL, -- lineage.AttributeKind
    recorded_from bigint      NOT NULL,
    recorded_to   bigint      NOT NULL DEFAULT 9223372036854775807,
    value         json        NOT NULL,
    said_at       timestamptz NOT NULL, -- when the value was said last, with said_key, producer and source_event
    said_key      uuid        NOT NULL,
    producer      text        NOT NULL,
    source_event  text        NOT NULL,
    PRIMARY KEY (projection_id, node_id, kind, recorded_from)
) PARTITION BY LIST (projection_id);

SELECT ensure_projection_partitions(projection_id) FROM projection;
