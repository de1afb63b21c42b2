-- The event log, the only input of every projection: append-only, gap-free, totally ordered.

-- +goose Up

-- One row. Appending locks it, so offsets are dense and follow commit order.
CREATE TABLE log_head (
    singleton        boolean     PRIMARY KEY DEFAULT true CHECK (singleton),
    epoch            integer     NOT NULL,
    last_offset      bigint      NOT NULL,
    last_received_at timestamptz NOT NULL
);
INSERT INTO log_head (epoch, last_offset, last_received_at) VALUES (1, 0, '-infinity');

-- Partitioned by the day of receipt (UTC), so that an archived day drops at once. received_at never decreases
-- with log_offset, which lets a reader that knows where it stands prune older days.
CREATE TABLE event_log (
    log_offset   bigint      NOT NULL,
    epoch        integer     NOT NULL,
    received_at  timestamptz NOT NULL,
    producer     text        NOT NULL,
    event_id     text        NOT NULL,
    format       smallint    NOT NULL, -- lineage.Format
    run_key      uuid,                 -- lineage.RunKey.Hash; null for an event about no run
    lane         smallint    NOT NULL, -- lineage.Lane
    content_hash uuid        NOT NULL, -- what a repeat under the same event id must equal
    trace_parent text        NOT NULL, -- W3C traceparent of the request, or empty
    payload      bytea       NOT NULL, -- zstd of the bytes that were accepted
    payload_bytes bigint     NOT NULL, -- how many those are
    PRIMARY KEY (received_at, log_offset)
) PARTITION BY RANGE (received_at);
CREATE INDEX event_log_by_offset ON event_log (log_offset);
ALTER TABLE event_log ALTER COLUMN payload SET STORAGE EXTERNAL; -- compressed once is enough

-- +goose StatementBegin
-- Makes the partition of one day (UTC) where it is missing. Attaching a table, unlike creating it as a partition,
-- waits neither for readers nor for appenders. Payloads up to a page stay in the row, which spares two writes each.
CREATE FUNCTION ensure_event_log_day(day date) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    partition  text        := 'event_log_' || to_char(day, 'YYYYMMDD');
    first_time timestamptz := day::timestamp AT TIME ZONE 'UTC';
    next_day   timestamptz := (day + 1)::timestamp AT TIME ZONE 'UTC';
BEGIN
    PERFORM pg_advisory_xact_lock('event_log'::regclass::oid::bigint);
    IF EXISTS (
        SELECT FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
        WHERE inhparent = 'event_log'::regclass AND relname = partition
    ) THEN
        RETURN;
    END IF;
    EXECUTE format('CREATE TABLE %I (LIKE event_log INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE)'
        || ' WITH (toast_tuple_target = 8160)', partition);
    EXECUTE format('ALTER TABLE event_log ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
        partition, first_time, next_day);
END
$$;
-- +goose StatementEnd

-- Idempotency keys outlive log days. event_key is the hash of (producer, event id).
CREATE TABLE event_key (
    event_key    uuid        PRIMARY KEY,
    content_hash uuid        NOT NULL,
    epoch        integer     NOT NULL,
    log_offset   bigint      NOT NULL,
    received_at  timestamptz NOT NULL
);

-- What the doors refused, with the reason; resubmitting one puts a new event into the log.
CREATE TABLE quarantine (
    quarantine_id  bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    received_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    producer       text        NOT NULL,
    event_id       text        NOT NULL, -- empty where none could be read
    format         smallint    NOT NULL,
    reason_code    text        NOT NULL,
    reason         text        NOT NULL,
    payload        bytea       NOT NULL, -- zstd of the refused bytes
    payload_sha256 bytea       NOT NULL,
    payload_bytes  bigint      NOT NULL,
    resubmitted_epoch  integer,          -- where its resubmission stands in the log
    resubmitted_offset bigint
);
CREATE INDEX quarantine_by_producer ON quarantine (producer, quarantine_id);

-- Closed ranges of the log that rest in the archive, read back and verified.
CREATE TABLE archive_segment (
    first_offset bigint      PRIMARY KEY,
    last_offset  bigint      NOT NULL,
    epoch        integer     NOT NULL,
    object_key   text        NOT NULL,
    sha256       bytea       NOT NULL,
    bytes        bigint      NOT NULL,
    verified_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
    CHECK (last_offset >= first_offset)
);
