-- What a run that has ended waits for: a decision, which is late if it does not come, or gates, as the policies want it.

-- +goose Up

ALTER TABLE run ADD COLUMN awaits smallint NOT NULL DEFAULT 0; -- 0: nothing, or its end; 1: a decision; 2: gates
UPDATE run SET awaits = 1 WHERE NOT settled AND state >= 4;
-- Every answer counts them, among however many runs never end.
CREATE INDEX run_awaits ON run (projection_id, awaits, first_offset) WHERE awaits > 0;
