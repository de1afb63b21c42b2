-- Aliases: which names stand for which datasets. When that holds is told by the statements and writes of level 4, whose
-- content this is, so no other fact is touched by it.

-- +goose Up

-- What an author calls a dataset, under the hash of that content (lineage.Names). Immutable.
CREATE TABLE alias (
    projection_id smallint NOT NULL,
    content_id    uuid     NOT NULL,
    name_id       uuid     NOT NULL, -- node_id of the name that stands for the dataset
    dataset_id    uuid     NOT NULL,
    source        smallint NOT NULL, -- lineage.AliasSource
    canonical     boolean  NOT NULL, -- the dataset is to show under this name
    reason        text     NOT NULL,
    recorded_from bigint   NOT NULL,
    PRIMARY KEY (projection_id, content_id, name_id, dataset_id)
) PARTITION BY LIST (projection_id);
CREATE INDEX alias_by_name ON alias (name_id);
CREATE INDEX alias_by_dataset ON alias (dataset_id);

-- Every hop of a walk asks for the aliases of its nodes, and few nodes have any.
CREATE INDEX write_names_by_content ON write (content_id, valid_from) WHERE level = 4;

-- What people said of one name and dataset: what the next such fact is folded into.
CREATE TABLE registered_alias (
    projection_id smallint NOT NULL,
    alias_key     uuid     NOT NULL, -- lineage.AliasKey
    body          json     NOT NULL, -- lineage.RegisteredAlias
    PRIMARY KEY (projection_id, alias_key)
) PARTITION BY LIST (projection_id);

SELECT ensure_projection_partitions(projection_id) FROM projection;
