-- Segments of refused documents in the archive.

-- +goose Up

-- Which documents a segment holds is settled here before it is written and never changes. So a writer that died half-way
-- is followed by one that writes the same bytes and finds them there: nothing is lost or stands in two segments.
CREATE TABLE quarantine_segment (
    first_id    bigint      PRIMARY KEY, -- lowest quarantine_id in it; names the object
    last_id     bigint      NOT NULL,    -- highest
    documents   bigint      NOT NULL,
    verified_at timestamptz,             -- when it was found whole in the archive; null until then
    CHECK (documents BETWEEN 1 AND last_id - first_id + 1)
);
CREATE INDEX quarantine_segment_pending ON quarantine_segment (first_id) WHERE verified_at IS NULL;

-- A mark on each document, and no cursor over their ids: those have holes and become visible out of order.
ALTER TABLE quarantine ADD COLUMN segment_first_id bigint REFERENCES quarantine_segment; -- null: in none yet
CREATE INDEX quarantine_in_no_segment ON quarantine (quarantine_id) WHERE segment_first_id IS NULL;
