-- The fold of this version gives more than that of resolver 2.

-- +goose Up

-- The last event of a run under which decisions might be others than before. Null: a version that did not note it folded the
-- run last, and any event may be one.
ALTER TABLE run ADD COLUMN weighed_epoch integer, ADD COLUMN weighed_offset bigint;

-- A projection that has folded nothing yet will be of this version as a whole. Others want a replay, and the worker says so.
UPDATE projection SET resolver = '3' WHERE cursor_offset = 0;
