-- The fold of this version reads columns, lineage facets of outputs, renamings and attributes otherwise than that of resolver 3.

-- +goose Up

-- A projection that has folded nothing yet will be of this version as a whole. Others want a replay, and the worker says so.
UPDATE projection SET resolver = '4' WHERE cursor_offset = 0;
