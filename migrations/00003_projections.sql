-- Projections: what the fold of the log gives. Every table below holds the rows of all projections,
-- partitioned by projection, so that retiring one drops its partitions.
--
-- recorded_from and recorded_to are log offsets: a row was believed by readers at r with
-- recorded_from <= r < recorded_to. Nothing is overwritten in them; a correction closes a row and opens another.

-- +goose Up

CREATE TABLE projection (
    projection_id smallint    GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name          text        NOT NULL UNIQUE,
    resolver      text        NOT NULL, -- version of the code that normalises and folds
    status        text        NOT NULL CHECK (status IN ('building', 'catching_up', 'ready', 'active', 'retired')),
    cursor_epoch  integer     NOT NULL DEFAULT 1,
    cursor_offset bigint      NOT NULL DEFAULT 0, -- the fence: a batch moves it only from where it began
    cursor_received_at timestamptz NOT NULL DEFAULT '-infinity',
    comparison    json,                 -- the last comparison with the active projection
    created_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    status_at     timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE UNIQUE INDEX projection_one_active ON projection (status) WHERE status = 'active';

-- How far run workflows have been signalled. All projections share it; the active one feeds it.
CREATE TABLE dispatch_cursor (
    singleton       boolean PRIMARY KEY DEFAULT true CHECK (singleton),
    dispatch_offset bigint  NOT NULL
);
INSERT INTO dispatch_cursor (dispatch_offset) VALUES (0);

-- Names behind the hashed keys. node_id is lineage.NodeID.
CREATE TABLE node (
    projection_id smallint NOT NULL,
    node_id       uuid     NOT NULL,
    kind          smallint NOT NULL, -- lineage.NodeKind
    namespace     text     NOT NULL,
    name          text     NOT NULL,
    recorded_from bigint   NOT NULL,
    PRIMARY KEY (projection_id, node_id)
) PARTITION BY LIST (projection_id);

-- A run as its events so far have it. body is the JSON of lineage.Run: beliefs only. What depends on
-- arrival (offsets, received times) stands in the other columns and in run_event.
CREATE TABLE run (
    projection_id  smallint    NOT NULL,
    run_key        uuid        NOT NULL,
    run_id         text        NOT NULL, -- as the workflow and people name it: lower-cased
    job_namespace  text        NOT NULL, -- raw
    job_name       text        NOT NULL, -- raw
    job_id         uuid        NOT NULL,
    parent_run_key uuid,
    state          smallint    NOT NULL, -- lineage.RunState
    settled        boolean     NOT NULL, -- every output decided, or none needed
    body           json        NOT NULL,
    decisions      json        NOT NULL, -- array of lineage.RecordedDecision
    first_offset   bigint      NOT NULL,
    last_epoch     integer     NOT NULL,
    last_offset    bigint      NOT NULL, -- of the last event weighed, decisions left out: the basis of the next decision
    PRIMARY KEY (projection_id, run_key)
) PARTITION BY LIST (projection_id);
CREATE INDEX run_by_run_id ON run (projection_id, run_id);
CREATE INDEX run_by_parent ON run (projection_id, parent_run_key) WHERE parent_run_key IS NOT NULL;
CREATE INDEX run_unsettled ON run (projection_id, first_offset) WHERE NOT settled;

-- The events of each run.
CREATE TABLE run_event (
    projection_id smallint    NOT NULL,
    run_key       uuid        NOT NULL,
    log_offset    bigint      NOT NULL,
    producer      text        NOT NULL,
    event_id      text        NOT NULL,
    event_type    text        NOT NULL,
    event_time    timestamptz NOT NULL,
    effective_at  timestamptz NOT NULL,
    received_at   timestamptz NOT NULL,
    warnings      json        NOT NULL, -- array of lineage.Warning
    PRIMARY KEY (projection_id, run_key, log_offset)
) PARTITION BY LIST (projection_id);
CREATE INDEX run_event_by_offset ON run_event (projection_id, log_offset);

-- A job and a set of inputs under the hash of that content. Immutable.
CREATE TABLE flow (
    projection_id smallint NOT NULL,
    flow_id       uuid     NOT NULL,
    job_id        uuid,             -- null: a view without a job
    input_count   integer  NOT NULL,
    recorded_from bigint   NOT NULL,
    PRIMARY KEY (projection_id, flow_id)
) PARTITION BY LIST (projection_id);
CREATE INDEX flow_by_job ON flow (projection_id, job_id);

CREATE TABLE flow_input (
    projection_id smallint NOT NULL,
    flow_id       uuid     NOT NULL,
    input_id      uuid     NOT NULL, -- node_id of a dataset, or of a job that feeds a job
    PRIMARY KEY (projection_id, flow_id, input_id)
) PARTITION BY LIST (projection_id);
CREATE INDEX flow_input_by_input ON flow_input (projection_id, input_id, flow_id);

-- What one run or one declaration says of (job, output). timeline_id hashes (job, output, origin, scope);
-- its statements are ordered by (effective_at, statement_key), never by arrival.
CREATE TABLE statement (
    projection_id smallint    NOT NULL,
    timeline_id   uuid        NOT NULL,
    effective_at  timestamptz NOT NULL,
    statement_key uuid        NOT NULL, -- run key, or the hash of the declaring event's id
    recorded_from bigint      NOT NULL,
    recorded_to   bigint      NOT NULL DEFAULT 9223372036854775807,
    flow_id       uuid        NOT NULL,
    output_id     uuid        NOT NULL,
    speaks        boolean     NOT NULL, -- false: it says nothing of inputs, so it replaces nothing
    origin        smallint    NOT NULL, -- lineage.Origin
    publication   smallint    NOT NULL, -- lineage.Publication; 0 for declared lineage
    derivation    smallint    NOT NULL, -- lineage.Derivation
    run_key       uuid,
    job_version   text        NOT NULL,
    producer      text        NOT NULL,
    source_event  text        NOT NULL,
    PRIMARY KEY (projection_id, timeline_id, effective_at, statement_key, recorded_from)
) PARTITION BY LIST (projection_id);

-- flow -> output with validity: all that varies in time. The run-length encoding of a timeline's statements.
CREATE TABLE write (
    projection_id smallint    NOT NULL,
    timeline_id   uuid        NOT NULL,
    flow_id       uuid        NOT NULL,
    output_id     uuid        NOT NULL,
    origin        smallint    NOT NULL,
    valid_from    timestamptz NOT NULL,
    first_key     uuid        NOT NULL, -- statement_key of the first statement, which orders writes that begin together
    valid_to      timestamptz NOT NULL, -- lineage.Forever while it holds
    recorded_from bigint      NOT NULL,
    recorded_to   bigint      NOT NULL DEFAULT 9223372036854775807,
    PRIMARY KEY (projection_id, timeline_id, valid_from, first_key, recorded_from)
) PARTITION BY LIST (projection_id);
CREATE INDEX write_by_output ON write (projection_id, output_id, valid_to, valid_from);
CREATE INDEX write_by_flow ON write (projection_id, flow_id, valid_to, valid_from);

-- +goose StatementBegin
-- Attaching a table, unlike creating it as a partition, keeps no reader of the other projections waiting, so none can
-- end in a deadlock with it.
CREATE FUNCTION create_projection(projection_name text, resolver_version text, initial_status text) RETURNS smallint
LANGUAGE plpgsql AS $$
DECLARE
    id     smallint;
    parent text;
BEGIN
    INSERT INTO projection (name, resolver, status) VALUES (projection_name, resolver_version, initial_status)
    RETURNING projection_id INTO id;
    FOREACH parent IN ARRAY ARRAY['node', 'run', 'run_event', 'flow', 'flow_input', 'statement', 'write'] LOOP
        EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE)', parent || '_p' || id, parent);
        EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES IN (%s)', parent, parent || '_p' || id, id);
    END LOOP;
    RETURN id;
END
$$;
-- +goose StatementEnd

SELECT create_projection('main', '1', 'active');
