-- What is known of a dataset by itself: its schemas, and whether it exists.

-- +goose Up

-- The content of level 3, under its hash. fields is the JSON of []lineage.Field.
CREATE TABLE dataset_schema (
    projection_id smallint NOT NULL,
    schema_id     uuid     NOT NULL,
    recorded_from bigint   NOT NULL,
    fields        json     NOT NULL,
    PRIMARY KEY (projection_id, schema_id)
) PARTITION BY LIST (projection_id);

CREATE INDEX write_schema_by_output ON write (output_id, valid_from) WHERE level = 3;
-- Few datasets are ever created or dropped.
CREATE INDEX statement_life_by_output ON statement (output_id, effective_at) WHERE level = 5;

SELECT ensure_projection_partitions(projection_id) FROM projection;
