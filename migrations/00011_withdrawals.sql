-- Evidence can be taken out of the answers: what each event contributed is kept, and what was withdrawn.

-- +goose Up

-- contribution is the JSON of lineage.Contribution. Null: the row is a withdrawal, or an earlier version folded it; of a run
-- with such a row nothing can be taken out before a replay.
ALTER TABLE run_event ADD COLUMN contribution json;
-- A withdrawal names an event by its id. Hashes take a third of the room of the ids.
CREATE INDEX run_event_by_event_id ON run_event USING hash (event_id);

-- The events about no run: what is declared of jobs and datasets.
CREATE TABLE declaration (
    projection_id smallint    NOT NULL,
    log_offset    bigint      NOT NULL,
    producer      text        NOT NULL,
    event_id      text        NOT NULL,
    job_namespace text        NOT NULL, -- raw; empty for a DatasetEvent
    job_name      text        NOT NULL,
    event_time    timestamptz NOT NULL,
    effective_at  timestamptz NOT NULL,
    received_at   timestamptz NOT NULL,
    warnings      json        NOT NULL, -- array of lineage.Warning
    contribution  json        NOT NULL, -- lineage.Contribution
    PRIMARY KEY (projection_id, log_offset)
) PARTITION BY LIST (projection_id);
CREATE INDEX declaration_by_event_id ON declaration USING hash (event_id);

-- What was withdrawn, and what of that was undone.
CREATE TABLE withdrawal (
    projection_id smallint NOT NULL,
    subject       uuid     NOT NULL, -- lineage.Withdrawal.Subject
    recorded_from bigint   NOT NULL,
    recorded_to   bigint   NOT NULL DEFAULT 9223372036854775807,
    undone        boolean  NOT NULL,
    body          json     NOT NULL, -- lineage.Latest of lineage.StatedWithdrawal
    PRIMARY KEY (projection_id, subject, recorded_from)
) PARTITION BY LIST (projection_id);

-- +goose StatementBegin
-- Makes the partitions of a projection that are missing, in every table that is partitioned by projection. Attaching a
-- table, unlike creating it as a partition, keeps no reader of the other projections waiting, so none can end in a
-- deadlock with it.
CREATE FUNCTION ensure_projection_partitions(id smallint) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    parent text;
BEGIN
    FOR parent IN
        SELECT relname FROM pg_partitioned_table JOIN pg_class ON pg_class.oid = partrelid
            JOIN pg_attribute ON attrelid = partrelid AND attnum = partattrs[0]
        WHERE attname = 'projection_id' AND relnamespace = current_schema::regnamespace ORDER BY relname
    LOOP
        CONTINUE WHEN to_regclass(format('%I', parent || '_p' || id)) IS NOT NULL;
        EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE)', parent || '_p' || id, parent);
        EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES IN (%s)', parent, parent || '_p' || id, id);
    END LOOP;
END
$$;

CREATE OR REPLACE FUNCTION create_projection(projection_name text, resolver_version text, initial_status text) RETURNS smallint
LANGUAGE plpgsql AS $$
DECLARE
    id smallint;
BEGIN
    INSERT INTO projection (name, resolver, status) VALUES (projection_name, resolver_version, initial_status)
    RETURNING projection_id INTO id;
    PERFORM ensure_projection_partitions(id);
    RETURN id;
END
$$;
-- +goose StatementEnd

SELECT ensure_projection_partitions(projection_id) FROM projection;
