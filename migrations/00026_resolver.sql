-- The fold of this version gives more than that of resolver 1.

-- +goose Up

-- A projection that has folded nothing yet will be of this version as a whole. Others want a replay, and the worker says so.
UPDATE projection SET resolver = '2' WHERE cursor_offset = 0;
