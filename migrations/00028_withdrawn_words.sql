-- Withdrawals reach what people, tools and facets say beside the runs: every word is kept with the event that said it, and tells
-- whether it counts. What holds is folded from the words that count.

-- +goose Up

-- Also the events with which people and tools state something.
ALTER TABLE declaration ALTER COLUMN contribution DROP NOT NULL; -- null for a platform event
ALTER TABLE declaration ADD COLUMN payload json;                 -- the platform event as it came; null for a JobEvent or DatasetEvent
ALTER TABLE declaration ADD COLUMN about uuid;                   -- the same for those of which the latest holds: lineage.AliasKey, or a node_id
ALTER TABLE declaration ADD COLUMN counts boolean NOT NULL DEFAULT true;
CREATE INDEX declaration_by_about ON declaration (about) WHERE about IS NOT NULL;

ALTER TABLE declared_snapshot ADD COLUMN counts boolean NOT NULL DEFAULT true;

ALTER TABLE unresolved_use ADD COLUMN counts boolean NOT NULL DEFAULT true;
CREATE INDEX unresolved_use_by_offset ON unresolved_use (log_offset);

-- What each event said of a node as such. node_attribute is the latest of the words that count.
CREATE TABLE attribute_word (
    projection_id smallint    NOT NULL,
    node_id       uuid        NOT NULL,
    kind          smallint    NOT NULL, -- lineage.AttributeKind
    said_at       timestamptz NOT NULL,
    said_key      uuid        NOT NULL, -- orders what was said at one time
    value_id      uuid        NOT NULL,
    log_offset    bigint      NOT NULL,
    counts        boolean     NOT NULL,
    PRIMARY KEY (projection_id, node_id, kind, said_at, said_key)
) PARTITION BY LIST (projection_id);
CREATE INDEX attribute_word_by_offset ON attribute_word (log_offset);

-- Values under their hash: most events repeat what the one before said.
CREATE TABLE attribute_value (
    projection_id smallint NOT NULL,
    value_id      uuid     NOT NULL,
    value         json     NOT NULL,
    PRIMARY KEY (projection_id, value_id)
) PARTITION BY LIST (projection_id);

-- Who said it stands with the event of the word.
ALTER TABLE node_attribute DROP COLUMN producer, DROP COLUMN source_event;

SELECT ensure_projection_partitions(projection_id) FROM projection;
