-- Lineage of columns. Column maps are immutable and stored once under their hash, when the event that states one arrives;
-- that one holds is said by statements and writes of level 2.

-- +goose Up

-- Names behind the hashed keys of fields. field_id is lineage.NodeID.
CREATE TABLE field (
    projection_id smallint NOT NULL,
    field_id      uuid     NOT NULL,
    dataset_id    uuid     NOT NULL,
    path          text     NOT NULL, -- lineage.FieldPath
    nested        boolean  NOT NULL, -- it is part of another field
    recorded_from bigint   NOT NULL,
    PRIMARY KEY (projection_id, field_id)
) PARTITION BY LIST (projection_id);
CREATE INDEX field_by_dataset ON field (dataset_id);
CREATE INDEX field_nested ON field (dataset_id) WHERE nested;

-- One without rows in column_map_field says that there is no column lineage.
CREATE TABLE column_map (
    projection_id smallint NOT NULL,
    map_id        uuid     NOT NULL,
    recorded_from bigint   NOT NULL,
    PRIMARY KEY (projection_id, map_id)
) PARTITION BY LIST (projection_id);

-- The datasets and jobs that a map names, so that what it leaves open is found without reading the whole.
CREATE TABLE column_map_input (
    projection_id smallint NOT NULL,
    map_id        uuid     NOT NULL,
    input_id      uuid     NOT NULL, -- node_id of a dataset or a job
    PRIMARY KEY (projection_id, map_id, input_id)
) PARTITION BY LIST (projection_id);

CREATE TABLE column_map_field (
    projection_id smallint NOT NULL,
    map_id        uuid     NOT NULL,
    output_id     uuid     NOT NULL, -- field_id, or the node_id of the dataset for what influences all of it
    set_id        uuid     NOT NULL, -- all zeros: nothing feeds the field but what influences all of the dataset
    PRIMARY KEY (projection_id, map_id, output_id, set_id)
) PARTITION BY LIST (projection_id);
CREATE INDEX column_map_field_by_set ON column_map_field (set_id, map_id, output_id);

-- What goes through one transformation. Fields that are fed alike share a set, so that rows are near fields and inputs,
-- never their product.
CREATE TABLE column_set (
    projection_id smallint NOT NULL,
    set_id        uuid     NOT NULL,
    kind          smallint NOT NULL, -- lineage.TransformationKind
    subtype       text     NOT NULL,
    masking       boolean  NOT NULL,
    PRIMARY KEY (projection_id, set_id)
) PARTITION BY LIST (projection_id);

CREATE TABLE column_set_input (
    projection_id smallint NOT NULL,
    set_id        uuid     NOT NULL,
    input_id      uuid     NOT NULL, -- field_id; or node_id of a dataset of which the field is not known, or of a job
    PRIMARY KEY (projection_id, set_id, input_id)
) PARTITION BY LIST (projection_id);
CREATE INDEX column_set_input_by_input ON column_set_input (input_id, set_id);

-- As for flows.
CREATE INDEX write_columns_by_output ON write (output_id, valid_to, valid_from)
    WHERE level = 2 AND recorded_to = 9223372036854775807;
CREATE INDEX write_columns_by_content ON write (content_id, valid_to, valid_from)
    WHERE level = 2 AND recorded_to = 9223372036854775807;
CREATE INDEX write_columns_corrected_by_output ON write (output_id, recorded_to, recorded_from)
    WHERE level = 2 AND recorded_to < 9223372036854775807;
CREATE INDEX write_columns_corrected_by_content ON write (content_id, recorded_to, recorded_from)
    WHERE level = 2 AND recorded_to < 9223372036854775807;

SELECT ensure_projection_partitions(projection_id) FROM projection;
