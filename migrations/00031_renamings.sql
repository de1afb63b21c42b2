-- +goose Up

-- Where nothing was ever renamed, walks need not ask what names datasets had before.
CREATE INDEX alias_renamings ON alias (projection_id, name_id) WHERE source = 2;
