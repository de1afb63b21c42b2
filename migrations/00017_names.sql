-- The raw names behind the nodes, the names that do not fit, and what people said of names.

-- +goose Up

-- The raw names of datasets in a projection that has name rules; in one without, a node's name is the raw one. name_id is
-- the lineage.NodeID of the raw name, node_id that of the name after rules.
CREATE TABLE node_name (
    projection_id smallint NOT NULL,
    name_id       uuid     NOT NULL,
    node_id       uuid     NOT NULL,
    namespace     text     NOT NULL, -- raw
    name          text     NOT NULL, -- raw
    recorded_from bigint   NOT NULL,
    PRIMARY KEY (projection_id, name_id)
) PARTITION BY LIST (projection_id);
CREATE INDEX node_name_by_node ON node_name (node_id);

-- Nodes whose name does not have the shape of their namespace.
CREATE TABLE unresolved (
    projection_id smallint NOT NULL,
    node_id       uuid     NOT NULL,
    misfit        text     NOT NULL, -- why, for people
    recorded_from bigint   NOT NULL,
    PRIMARY KEY (projection_id, node_id)
) PARTITION BY LIST (projection_id);

-- The events that used them.
CREATE TABLE unresolved_use (
    projection_id smallint    NOT NULL,
    node_id       uuid        NOT NULL,
    log_offset    bigint      NOT NULL,
    producer      text        NOT NULL,
    event_id      text        NOT NULL,
    event_time    timestamptz NOT NULL,
    job_namespace text        NOT NULL, -- empty for an event about no job
    job_name      text        NOT NULL,
    run_id        text        NOT NULL, -- empty for an event about no run
    PRIMARY KEY (projection_id, node_id, log_offset)
) PARTITION BY LIST (projection_id);

-- Whether a person took the name out of the queue. The latest by event time holds.
CREATE TABLE name_dismissal (
    projection_id smallint    NOT NULL,
    node_id       uuid        NOT NULL,
    dismissed     boolean     NOT NULL, -- false: it was put back
    event_time    timestamptz NOT NULL,
    event_key     uuid        NOT NULL, -- orders what was said at one time
    said_by       text        NOT NULL,
    reason        text        NOT NULL,
    recorded_from bigint      NOT NULL,
    recorded_to   bigint      NOT NULL DEFAULT 9223372036854775807,
    PRIMARY KEY (projection_id, node_id, recorded_from)
) PARTITION BY LIST (projection_id);

-- The sets of name rules that were registered, whichever of them the projection folds under.
CREATE TABLE name_rule_set (
    projection_id smallint    NOT NULL,
    revision      text        NOT NULL, -- lineage.NameRules.Revision
    rules         json        NOT NULL, -- lineage.NameRuleSet
    event_time    timestamptz NOT NULL,
    said_by       text        NOT NULL,
    reason        text        NOT NULL,
    recorded_from bigint      NOT NULL,
    PRIMARY KEY (projection_id, recorded_from)
) PARTITION BY LIST (projection_id);

SELECT ensure_projection_partitions(projection_id) FROM projection;
