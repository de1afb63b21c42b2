-- Roll-backs: a statement may end by itself, and then the nearest earlier one that did not holds again.

-- +goose Up

-- valid_until is when a roll-back ended the statement, else lineage.Forever.
ALTER TABLE statement ADD COLUMN valid_until timestamptz NOT NULL DEFAULT '9999-12-31 23:59:59+00';
CREATE INDEX statement_ended ON statement (projection_id, timeline_id, valid_until)
    WHERE valid_until < '9999-12-31 23:59:59+00';

-- stated_from is the earliest effective time of a statement behind the write, where that lies before valid_from: a
-- roll-back uncovered it. Null: the write begins with its first statement.
ALTER TABLE write ADD COLUMN stated_from timestamptz;
