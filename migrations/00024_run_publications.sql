-- Runs by what became of their outputs. Most are published, so an index has the others.

-- +goose Up

ALTER TABLE run ADD COLUMN publications smallint NOT NULL DEFAULT 0; -- a set: bit n is set for lineage.Publication n of any output
UPDATE run SET publications = coalesce((SELECT bit_or((1 << (o->>'publication')::int)::smallint)
    FROM json_array_elements(body->'outputs') o), 0);
-- Bits 3 to 6: diagnostic, suspect, rejected, rolled back. What is pending stands in run_unsettled.
CREATE INDEX run_not_published ON run (projection_id, began_at, first_offset) WHERE publications & 120 <> 0;
